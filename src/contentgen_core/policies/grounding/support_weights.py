"""Weights of the support score. Written by `python -m benchmarks.quality.fit_grounding`."""

from __future__ import annotations

from typing import Final

ABOUT: Final[dict[str, float]] = {
    "always": -2.752,
    "close": 3.339,
    "anywhere": 2.865,
    "missing": -1.278,
}
SAME: Final[dict[str, float]] = {
    "always": 0.247,
    "agreed": 2.541,
    "negated": -0.988,
    "turned": -0.627,
}
ENOUGH: Final = 0.360
