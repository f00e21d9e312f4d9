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
    cuts=(39.5, 79.0, 89.5),
)
"""For long topics where the embedder models meaning."""
SHORT: Final = Calibration(
    intercept=-4.573,
    weights={
        "saturation": 1.899,
        "information": 0.927,
        "found": 0.000,
        "nearness": 2.146,
        "prominence": 2.317,
        "breadth": 2.147,
    },
    cuts=(37.0, 70.0, 84.0),
)
"""For short topics there."""
