"""What is over is forgotten after a time, by one process, some rows at a time."""

from __future__ import annotations

from datetime import timedelta

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.model.execution import ExecutionStatus
from contentgen_core.model.history import History, first_id
from contentgen_core.model.ids import AgentId, ExecutionId, TenantId
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.forget_history import AT_ONCE, EVERY, ForgetHistory
from tests.contract.store.given import given_tenant

KEPT = timedelta(days=30)
AGENT = AgentId("agent")


async def _runs(unit_of_work: MemoryUnitOfWork, clock: ManualClock, count: int) -> TenantId:
    """So many runs that have just ended."""
    tenant = await given_tenant(unit_of_work)
    async with unit_of_work() as tx:
        for number in range(count):
            id = ExecutionId(f"{first_id(clock.now())}{number:03x}-8000-000000000000")
            run = builders.execution(tenant_id=tenant.id, id=id, agent_id=AGENT, status=ExecutionStatus.COMPLETED)
            await tx[Executions].add(run)
    return tenant.id


async def _left(unit_of_work: MemoryUnitOfWork, tenant_id: TenantId) -> int:
    async with unit_of_work() as tx:
        return len(await tx[Executions].newest(tenant_id, AGENT, 10_000))


async def test_all_that_is_older_is_forgotten_in_batches() -> None:
    unit_of_work, clock = MemoryUnitOfWork(), ManualClock()
    tenant = await _runs(unit_of_work, clock, AT_ONCE + 2)
    forget = ForgetHistory(unit_of_work, clock, KEPT)
    clock.advance(days=30)
    assert not any((await forget("w")).values())
    assert await _left(unit_of_work, tenant) == AT_ONCE + 2
    clock.advance(days=1)
    assert (await forget("w"))[History.RUNS] == AT_ONCE + 2
    assert await _left(unit_of_work, tenant) == 0


async def test_one_process_does_it_and_not_again_at_once() -> None:
    unit_of_work, clock = MemoryUnitOfWork(), ManualClock()
    await _runs(unit_of_work, clock, 1)
    clock.advance(days=31)
    forget = ForgetHistory(unit_of_work, clock, KEPT)
    assert (await forget("w"))[History.RUNS] == 1
    assert await forget("v") == {}
    clock.advance(seconds=EVERY.total_seconds())
    assert set(await forget("v")) == set(History)


async def test_a_process_that_died_at_it_is_followed_by_another() -> None:
    unit_of_work, clock = MemoryUnitOfWork(), ManualClock()
    forget = ForgetHistory(unit_of_work, clock, KEPT)
    assert await forget._acquire_lease("w")
    assert await forget("v") == {}
    clock.advance(minutes=1)
    assert set(await forget("v")) == set(History)


async def test_for_ever_is_for_ever() -> None:
    unit_of_work, clock = MemoryUnitOfWork(), ManualClock()
    tenant = await _runs(unit_of_work, clock, 1)
    clock.advance(days=36_500)
    assert await ForgetHistory(unit_of_work, clock, None)("w") == {}
    assert await _left(unit_of_work, tenant) == 1


def test_ids_are_told_apart_by_the_millisecond_they_were_made_in() -> None:
    clock = ManualClock()
    made = ExecutionId(f"{first_id(clock.now())}000-8000-000000000000")
    assert first_id(clock.now()) <= made < first_id(clock.advance(seconds=0.001))
