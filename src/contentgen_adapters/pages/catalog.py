"""The page reader that the settings select."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from attrs import evolve

from contentgen_adapters.pages.reader import FetchPolicy, HttpPageReader
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.http import RequestHook
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.runtime import Clock

_READ_TIMEOUT: Final = 10.0  # seconds without a byte


@asynccontextmanager
async def open_page_reader(
    guard: AddressGuard,
    clock: Clock,
    pool: ProcessPool,
    *,
    user_agent: str | None = None,
    policy: FetchPolicy | None = None,
    request_hook: RequestHook | None = None,
) -> AsyncIterator[PageReader]:
    """A reader for one event loop; its connections end with the block. `pool`: makes text of pages.
    `user_agent`: of the policy."""
    policy = policy or FetchPolicy()
    if user_agent:
        policy = evolve(policy, user_agent=user_agent)
    async with guarded_client(guard, read=_READ_TIMEOUT, request_hook=request_hook) as client:
        yield HttpPageReader(client, guard, pool, clock, policy)
