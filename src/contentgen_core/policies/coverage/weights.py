"""Weights and cut-offs of the coverage score. Written by `python -m benchmarks.quality.fit_coverage`."""

from __future__ import annotations

from typing import Final

INTERCEPT: Final = -6.613
WEIGHTS: Final[dict[str, float]] = {
    "saturation": 4.354,
    "information": 5.173,
    "found": 2.677,
}
LOW_FROM: Final = 41.0
GOOD_FROM: Final = 75.0
EXCELLENT_FROM: Final = 84.0
