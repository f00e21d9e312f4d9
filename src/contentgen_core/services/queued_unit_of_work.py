"""A unit of work with a limit on concurrent transactions, for background work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork


class QueuedUnitOfWork:
    """Runs at most `max_transactions` transactions at once; further ones wait, however long that takes.

    Without it, hundreds of articles under way take every connection of the pool: requests time out, and articles fail
    because a connection came too late."""

    def __init__(self, unit_of_work: UnitOfWork, max_transactions: int) -> None:
        self._unit_of_work = unit_of_work
        self._semaphore = asyncio.Semaphore(max_transactions)

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[Transaction]:
        async with self._semaphore, self._unit_of_work() as tx:
            yield tx
