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
    "always": 0.165,
    "agreed": 2.709,
    "negated": -0.960,
}
ENOUGH: Final = 0.370
