"""The same as `searching`, in a million passages."""

from __future__ import annotations

import asyncio
from typing import Final

from benchmarks.report import Figure
from benchmarks.search_latency import figures

DESCRIPTION: Final = "search at 1,000,000 passages (20 minutes, 12 GB of disk; not among the default ones)"

PASSAGES: Final = 1_000_000
TARGET_MS: Final = 60.0
EXHAUSTIVE: Final = 5


def run() -> list[Figure]:
    return asyncio.run(figures(PASSAGES, TARGET_MS, EXHAUSTIVE))
