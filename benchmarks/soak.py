"""Memory of a service that writes thousands of articles: does anything grow?"""

from __future__ import annotations

import asyncio
import os
from statistics import fmean
from typing import Final

from tests.support.model_server import ModelServer

from benchmarks.processes import data_directory, memory
from benchmarks.report import Figure, at_most
from benchmarks.writers import MOST_OF_A_TENANT, filled, serving

DESCRIPTION: Final = "memory of the service while it writes 10,000 articles (an hour or more)"

ARTICLES: Final = int(os.environ.get("BENCH_ARTICLES", "10000"))
AT_ONCE: Final = 50
WARM: Final = 0.2
"""The share of the articles after which caches are taken for full."""
SAMPLES: Final = 4  # at either end, whose mean is compared
IDLE_TARGET: Final = 250.0  # MiB
BUSY_TARGET: Final = 500.0  # MiB
GROWTH_TARGET: Final = 25.0  # MiB


def run() -> list[Figure]:
    with data_directory() as folder, ModelServer() as model:
        writers = asyncio.run(filled(folder, ARTICLES))
        with serving(folder, model) as program:
            idle, busy = memory(program), []
            for start in range(0, ARTICLES, AT_ONCE):
                writers[start // MOST_OF_A_TENANT].write(program, min(AT_ONCE, ARTICLES - start))
                busy.append(memory(program))
                model.calls.clear()
    warm = busy[int(WARM * len(busy)) :]
    first, last = fmean(warm[:SAMPLES]), fmean(warm[-SAMPLES:])
    return [
        _figure("before the first article", idle, IDLE_TARGET, "all processes but PostgreSQL's"),
        _figure(f"at most, after each {AT_ONCE} articles", max(busy), BUSY_TARGET, ""),
        _figure(
            f"growth from the {int(WARM * ARTICLES):,}th to the {ARTICLES:,}th article",
            last - first,
            GROWTH_TARGET,
            f"{first:.0f} MiB, then {last:.0f}",
        ),
    ]


def _figure(what: str, mib: float, target: float, product: str) -> Figure:
    return at_most(f"memory of the service, {what}", mib, target, " MiB", product=product, reference="")
