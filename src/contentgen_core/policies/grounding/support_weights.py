"""Weights of the support score. Written by `python -m benchmarks.quality.fit_grounding`."""

from __future__ import annotations

from typing import Final

from attrs import frozen


@frozen
class Weights:
    """Weights of the support score. `about`, `same`: of the features of the two chances; `enough`: the product from
    which a sentence counts as supported."""

    about: dict[str, float]
    same: dict[str, float]
    enough: float


BY_WORDS: Final = Weights(
    about={
        "always": -2.752,
        "close": 3.339,
        "anywhere": 2.865,
        "missing": -1.278,
    },
    same={
        "always": 0.165,
        "agreed": 2.709,
        "negated": -0.960,
    },
    enough=0.370,
)
BY_MEANING: Final = Weights(
    about={
        "always": -6.725,
        "close": 2.091,
        "anywhere": 2.251,
        "missing": -1.161,
        "near": 8.938,
    },
    same={
        "always": 0.141,
        "agreed": 2.709,
        "negated": -0.926,
    },
    enough=0.375,
)
