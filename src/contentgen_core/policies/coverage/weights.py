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
    intercept=-12.203,
    weights={
        "saturation": 3.414,
        "information": 5.474,
        "found": 2.869,
        "nearness": 10.745,
    },
    cuts=(38.5, 77.0, 88.5),
)
"""For long topics where the embedder models meaning."""
SHORT: Final = Calibration(
    intercept=-4.188,
    weights={
        "saturation": 0.567,
        "information": 1.017,
        "found": 0.000,
        "nearness": 0.000,
        "prominence": 3.060,
        "breadth": 4.229,
    },
    cuts=(46.0, 77.0, 88.0),
)
"""For short topics there."""
