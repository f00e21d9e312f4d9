"""Weights and cut-offs of the coverage score. Written by `python -m benchmarks.quality.fit_coverage`."""

from __future__ import annotations

from typing import Final

INTERCEPT: Final = -2.511
WEIGHTS: Final[dict[str, float]] = {
    "saturation": 4.124,
    "matched": 4.127,
    "documents": 0.594,
    "passages": 0.000,
}
LOW_FROM: Final = 42.0
GOOD_FROM: Final = 74.0
EXCELLENT_FROM: Final = 84.0
