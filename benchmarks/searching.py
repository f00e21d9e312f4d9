"""Measure how long the service's search takes: LanceDB's candidates, PostgreSQL's truth and statistics, our ranking."""

from __future__ import annotations

import asyncio
from typing import Final

from benchmarks.report import Figure
from benchmarks.search_latency import figures

DESCRIPTION: Final = "search at 5,000 and 100,000 passages beside bare queries: latency, recall, upkeep, memory"

SIZES: Final = ((5_000, 15.0, 40), (100_000, 30.0, 12))
"""Passages, the target of p95 in milliseconds, topics that are searched exhaustively."""


def run() -> list[Figure]:
    return [figure for size in SIZES for figure in asyncio.run(figures(*size))]
