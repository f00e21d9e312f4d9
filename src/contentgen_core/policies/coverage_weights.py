"""Weights and cut-offs of the coverage score. Written by `python -m benchmarks.quality.fit_coverage`."""

from __future__ import annotations

from typing import Final

INTERCEPT: Final = -6.468
WEIGHTS: Final[dict[str, float]] = {
    "saturation": 3.849,
    "information": 5.375,
    "found": 2.593,
}
LOW_FROM: Final = 44.0
GOOD_FROM: Final = 76.0
EXCELLENT_FROM: Final = 84.0
