"""A unit of work whose callers wait in line, for work in the background."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork


class QueuedUnitOfWork:
    """At most `places` of its transactions run at once; the others wait, however long that takes.

    Hundreds of articles under way would else take every connection, and a pool refuses whoever waits for too long:
    callers of the service got no answer, and articles failed for want of a connection that was only late."""

    def __init__(self, unit_of_work: UnitOfWork, places: int) -> None:
        self._unit_of_work = unit_of_work
        self._places = asyncio.Semaphore(places)

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[Transaction]:
        async with self._places, self._unit_of_work() as tx:
            yield tx
