"""Work in the background waits in line for its transactions."""

from __future__ import annotations

import asyncio

import pytest

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.services.queued_unit_of_work import QueuedUnitOfWork


async def test_no_more_transactions_than_places_run_at_once() -> None:
    queued = QueuedUnitOfWork(MemoryUnitOfWork(), 2)
    running, most = 0, 0

    async def work() -> None:
        nonlocal running, most
        async with queued():
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

    await asyncio.gather(*(work() for _ in range(20)))
    assert most == 2


async def test_a_transaction_that_fails_gives_its_place_back() -> None:
    queued = QueuedUnitOfWork(MemoryUnitOfWork(), 1)
    for _ in range(3):
        with pytest.raises(ValueError, match="no"):
            async with queued():
                raise ValueError("no")
    async with asyncio.timeout(1), queued():
        pass
