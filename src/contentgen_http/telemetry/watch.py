"""Looks at the process twice a second: is its event loop late, are its connections all in use?"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

from contentgen_http.telemetry.logs import log_unretrieved_exceptions
from contentgen_http.telemetry.metrics import Metrics

EVERY_SECONDS: Final = 0.5
REMEMBERED_SECONDS: Final = 15.0
"""As long as Prometheus' usual time between scrapes: no stand-still goes unseen."""

PoolFigures = Callable[[], Mapping[str, int]]
"""psycopg_pool's `get_stats`: pool_size, pool_available, pool_max, requests_waiting (0 entries are left out)."""


@asynccontextmanager
async def watching(metrics: Metrics, pool: PoolFigures | None = None) -> AsyncIterator[None]:
    """Keep the gauges of this process up to date while the block runs."""
    log_unretrieved_exceptions(asyncio.get_running_loop())
    task = asyncio.create_task(_watch(metrics, pool), name="watch")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _watch(metrics: Metrics, pool: PoolFigures | None) -> None:
    late: deque[float] = deque([0.0], maxlen=round(REMEMBERED_SECONDS / EVERY_SECONDS))
    while True:
        metrics.heartbeat.set(time.time())
        metrics.loop_lag.set(max(late))
        metrics.requests_open.set(metrics.requests_in_flight)
        if pool is not None:
            _show(metrics, pool())
        begun = time.perf_counter()
        await asyncio.sleep(EVERY_SECONDS)
        late.append(max(0.0, time.perf_counter() - begun - EVERY_SECONDS))


def _show(metrics: Metrics, pool: Mapping[str, int]) -> None:
    free = pool.get("pool_available", 0)
    metrics.connections.labels("free").set(free)
    metrics.connections.labels("used").set(pool.get("pool_size", 0) - free)
    metrics.connections_most.set(pool.get("pool_max", 0))
    metrics.connections_awaited.set(pool.get("requests_waiting", 0))
