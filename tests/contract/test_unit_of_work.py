"""Both units of work keep the contract of the port, and nothing tells one from the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.ports.unit_of_work import UnitOfWork
from tests.contract.store.comparing import ComparingMachine, Factory
from tests.contract.store.reviews_machine import reviews_machine
from tests.contract.store.state_machine import unit_of_work_machine
from tests.contract.store.tenancy_machine import tenancy_machine
from tests.contract.store.trends_machine import trends_machine
from tests.contract.store.unit_of_work import UnitOfWorkContract


class TestUnitOfWork(UnitOfWorkContract):
    @pytest.fixture(params=["memory", "postgres"])
    def unit_of_work(self, request: pytest.FixtureRequest) -> UnitOfWork:
        if request.param == "memory":
            return MemoryUnitOfWork()
        unit_of_work: UnitOfWork = request.getfixturevalue("postgres_unit_of_work")
        return unit_of_work


@pytest.mark.parametrize(
    ("machine", "examples"),
    [(unit_of_work_machine, 40), (tenancy_machine, 15), (reviews_machine, 15), (trends_machine, 15)],
    ids=["work", "tenancy", "reviews", "trends"],
)
def test_memory_and_postgres_answer_alike_whatever_is_asked(
    emptied_postgres: Callable[[], str], machine: Callable[[Factory, Factory], type[ComparingMachine]], examples: int
) -> None:
    @asynccontextmanager
    async def memory() -> AsyncIterator[UnitOfWork]:
        yield MemoryUnitOfWork()

    @asynccontextmanager
    async def postgres() -> AsyncIterator[UnitOfWork]:
        async with create_pool(emptied_postgres(), min_size=1, max_size=1) as pool:
            yield PostgresUnitOfWork(pool)

    search = settings(
        max_examples=examples, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    run_state_machine_as_test(machine(memory, postgres), settings=search)
