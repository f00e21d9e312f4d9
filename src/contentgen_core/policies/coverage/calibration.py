"""Result of fitting the coverage score."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

Cuts = tuple[float, float, float]


@frozen
class Calibration:
    """A logistic regression. `weights`: of its features, none below 0; `cuts`: the scores (0..100) from which a level
    is low, good, excellent."""

    intercept: float
    weights: Mapping[str, float]
    cuts: Cuts

    def logit(self, features: Mapping[str, float]) -> float:
        return self.intercept + sum(weight * features[name] for name, weight in self.weights.items())
