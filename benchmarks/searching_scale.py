"""Measure the same as `searching`, in a million passages. A stopped run is continued by the next: its data is kept
among the temporary files, or in the folder CONTENTGEN_BENCH_SCALE, until a run is done.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.report import Figure
from benchmarks.search_latency import figures

DESCRIPTION: Final = "search at 1,000,000 passages (20 minutes, 12 GB of disk; not among the default ones)"

PASSAGES: Final = 1_000_000
TARGET_MS: Final = 60.0
EXHAUSTIVE: Final = 5


def run() -> list[Figure]:
    kept = os.environ.get("CONTENTGEN_BENCH_SCALE") or Path(tempfile.gettempdir(), "contentgen-bench-scale")
    return asyncio.run(figures(PASSAGES, TARGET_MS, EXHAUSTIVE, Path(kept)))
