"""What a fit of the coverage score leaves behind."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen


@frozen
class Calibration:
    """A logistic regression. `weights`: of its features, none below 0; `cuts`: the scores (0..100) from which a level
    is low, good, excellent."""

    intercept: float
    weights: Mapping[str, float]
    cuts: tuple[float, float, float]

    @property
    def good_from(self) -> float:
        return self.cuts[1]

    def logit(self, features: Mapping[str, float]) -> float:
        return self.intercept + sum(weight * features[name] for name, weight in self.weights.items())
