"""Weights and cut-offs of the coverage score. Written by `python -m benchmarks.quality.fit_coverage`."""

from __future__ import annotations

from typing import Final

INTERCEPT: Final = -2.316
WEIGHTS: Final[dict[str, float]] = {
    "saturation": 3.712,
    "matched": 4.158,
    "documents": 0.606,
    "passages": 0.000,
}
LOW_FROM: Final = 41.0
GOOD_FROM: Final = 74.0
EXCELLENT_FROM: Final = 83.0
