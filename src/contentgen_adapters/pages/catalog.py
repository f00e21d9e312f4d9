"""The page reader that the settings select."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from attrs import evolve

from contentgen_adapters.pages.extraction_pool import ExtractionPool
from contentgen_adapters.pages.reader import FetchPolicy, HttpPageReader
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.http import RequestHook
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.runtime import Clock

WORKERS: Final = 2
"""Extraction processes; each takes some 100 MB while it works."""
_READ_TIMEOUT: Final = 10.0  # seconds without a byte


@asynccontextmanager
async def open_page_reader(
    guard: AddressGuard,
    clock: Clock,
    *,
    user_agent: str | None = None,
    policy: FetchPolicy | None = None,
    request_hook: RequestHook | None = None,
) -> AsyncIterator[PageReader]:
    """A reader for one event loop; its connections and processes end with the block. `user_agent`: of the policy."""
    policy = policy or FetchPolicy()
    if user_agent:
        policy = evolve(policy, user_agent=user_agent)
    pool = ExtractionPool(WORKERS)
    try:
        async with guarded_client(guard, read=_READ_TIMEOUT, request_hook=request_hook) as client:
            yield HttpPageReader(client, guard, pool, clock, policy)
    finally:
        await pool.aclose()
