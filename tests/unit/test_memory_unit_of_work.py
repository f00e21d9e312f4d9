"""The in-memory unit of work keeps the contract of the port, and a few promises of its own."""

from __future__ import annotations

from collections import Counter

import pytest

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import NotFound
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from tests.contract.store.unit_of_work import UnitOfWorkContract


class TestMemory(UnitOfWorkContract):
    @pytest.fixture
    def unit_of_work(self) -> UnitOfWork:
        return MemoryUnitOfWork()


def test_no_test_of_the_contract_hides_another() -> None:
    names = Counter(name for part in UnitOfWorkContract.__bases__ for name in vars(part) if name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []


async def test_writing_in_two_transactions_of_one_task_is_an_error_and_no_deadlock() -> None:
    unit_of_work = MemoryUnitOfWork()
    first, second = builders.tenant(), builders.tenant()
    async with unit_of_work() as outer:
        await outer[Tenants].add(first)
        with pytest.raises(RuntimeError, match="same task"):
            async with unit_of_work() as inner:
                await inner[Tenants].add(second)
    async with unit_of_work() as tx:
        assert await tx[Tenants].get(first.id) == first
        with pytest.raises(NotFound):
            await tx[Tenants].get(second.id)
