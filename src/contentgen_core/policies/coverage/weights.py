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
"""For words alone, and for long topics."""
MEANING: Final = Calibration(
    intercept=-5.795,
    weights={
        "saturation": 2.387,
        "information": 0.282,
        "found": 0.000,
        "nearness": 4.319,
        "prominence": 3.426,
        "breadth": 1.453,
    },
    cuts=(36.0, 71.0, 91.0),
)
"""For short topics where the embedder models meaning; the cut-offs for all topics there."""
