"""Weights and cut-offs of the coverage score. Written by `python -m benchmarks.quality.fit_coverage`."""

from __future__ import annotations

from typing import Final

from contentgen_core.policies.coverage.calibration import Calibration

WORDS: Final = Calibration(
    intercept=-6.613,
    weights={
        "saturation": 4.354,
        "information": 5.173,
        "found": 2.677,
    },
    cuts=(41.0, 75.0, 84.0),
)
"""For words alone."""
LONG: Final = Calibration(
    intercept=-11.905,
    weights={
        "saturation": 3.311,
        "information": 5.747,
        "found": 2.678,
        "nearness": 10.130,
    },
    cuts=(40.5, 81.0, 90.5),
)
"""For long topics where the embedder models meaning."""
SHORT: Final = Calibration(
    intercept=-4.238,
    weights={
        "saturation": 1.070,
        "information": 0.925,
        "found": 0.000,
        "nearness": 0.569,
        "prominence": 2.814,
        "breadth": 3.530,
    },
    cuts=(41.0, 75.0, 87.0),
)
"""For short topics there."""
