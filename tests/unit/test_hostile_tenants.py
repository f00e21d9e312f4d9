"""Tenants that want everything, fast and slow ones, 1, 2 and 20 of them: another tenant's work is done all the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Final

import pytest
from attrs import define, field

from contentgen_adapters.memory.job_queue import MemoryJobQueue
from contentgen_core.model.ids import TenantId
from contentgen_core.model.job import SLICE_SECONDS, Job, JobKind
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.testing import builders
from contentgen_http.jobs import job_execution, relay, runner
from contentgen_http.jobs.runner import JobRunner
from tests.support.changed import changed
from tests.support.house import House, open_house
from tests.support.waiting import until

PLACES: Final = 4
JOBS: Final = 60
HOSTILE: Final = [1, 2, 20]
KIND: Final = JobKind.TRANSLATE
"""What stands for all that waits in one line with articles and imports."""


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (runner, relay):
        monkeypatch.setattr(module, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(runner, "LEASE_SECONDS", 0.15)  # renewed three times as often, and longer in the table


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


@define
class Work:
    """Handlers that record what begins. `slow`: jobs of these tenants take until they are let go, one each time."""

    house: House
    slow: set[TenantId] = field(factory=set)
    began: list[TenantId] = field(factory=list)
    ended: list[TenantId] = field(factory=list)
    let_go: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(0))

    async def __call__(self, job: Job) -> None:
        self.began.append(job.tenant_id)
        if job.tenant_id in self.slow:
            await self.let_go.acquire()
        async with self.house.services.ports.unit_of_work() as tx:
            await tx[Jobs].finish(job)
        self.ended.append(job.tenant_id)

    async def let_go_one_by_one(self, at_most: int) -> None:
        """Let slow jobs end, each when the one before has ended, until another tenant's job begins."""
        of_others = sum(tenant_id not in self.slow for tenant_id in self.began)
        for _ in range(at_most):
            if sum(tenant_id not in self.slow for tenant_id in self.began) > of_others:
                return
            ended = len(self.ended)
            self.let_go.release()
            await until(lambda ended=ended: len(self.ended) > ended)  # type: ignore[misc]
            await asyncio.sleep(0.03)  # for the next to begin

    @asynccontextmanager
    async def running(self, queue: MemoryJobQueue | None = None) -> AsyncIterator[JobRunner]:
        kinds = ("translate", "sync_source", "process_document")
        handlers: dict[str, Callable[[Job], Awaitable[None]]] = dict.fromkeys(kinds, self)
        services = changed(self.house.services, jobs=handlers)
        worker = JobRunner(services, PLACES, queue=queue, syncs=2, tenant_share=75)
        task = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def given(self, tenants: int, kind: JobKind = KIND, count: int = JOBS) -> set[TenantId]:
        """Tenants that had so many jobs each waiting before anybody else came."""
        made = set()
        for _ in range(tenants):
            caller = await self.house.other_tenant()
            made.add(caller.tenant_id)
            await self.enqueue(caller.tenant_id, kind, count, minutes_ago=60)
        return made

    async def enqueue(self, tenant_id: TenantId, kind: JobKind, count: int = 1, minutes_ago: int = 0) -> None:
        run_at = self.house.clock.now() - timedelta(minutes=minutes_ago)
        async with self.house.services.ports.unit_of_work() as tx:
            for _ in range(count):
                await tx[Jobs].enqueue(builders.job(tenant_id=tenant_id, kind=kind, run_at=run_at))


@pytest.mark.parametrize("tenants", HOSTILE)
async def test_fast_jobs_without_end_let_another_begin_within_a_round(house: House, tenants: int) -> None:
    work = Work(house)
    await work.given(tenants)
    async with work.running():
        await until(lambda: len(work.began) >= PLACES)
        await work.enqueue(house.caller.tenant_id, KIND)
        before = len(work.began)
        await until(lambda: house.caller.tenant_id in work.ended)
        # One of each tenant; and those that were claimed but had not begun, or were being claimed, when it came.
        assert work.began.index(house.caller.tenant_id) - before <= tenants + 3 * PLACES


@pytest.mark.parametrize("tenants", HOSTILE)
async def test_slow_jobs_in_the_same_line_let_another_begin_within_a_round(house: House, tenants: int) -> None:
    work = Work(house)
    work.slow = await work.given(tenants, count=10)
    async with work.running() as worker:
        share = PLACES * 3 // 4
        await until(lambda: len(work.began) == min(PLACES, tenants * share))
        await work.enqueue(house.caller.tenant_id, KIND)
        if tenants > 1:  # one alone leaves a place
            assert not worker.jobs.free
            await work.let_go_one_by_one(at_most=tenants)
        await until(lambda: house.caller.tenant_id in work.ended)


@pytest.mark.parametrize("tenants", HOSTILE)
async def test_syncs_that_hang_take_no_place_of_anything_else(house: House, tenants: int) -> None:
    work = Work(house)
    work.slow = await work.given(tenants, JobKind.SYNC_SOURCE, 60)
    async with work.running() as worker:
        await until(lambda: len(work.began) == min(2, tenants))
        await work.enqueue(house.caller.tenant_id, KIND, PLACES)
        await until(lambda: work.ended == [house.caller.tenant_id] * PLACES)
        assert worker.syncs.running == min(2, tenants)
        await work.enqueue(house.caller.tenant_id, JobKind.SYNC_SOURCE)
        await work.let_go_one_by_one(at_most=tenants)
        await until(lambda: work.ended.count(house.caller.tenant_id) == PLACES + 1)


@pytest.mark.parametrize("tenants", HOSTILE)
async def test_a_queue_is_not_filled_by_those_who_came_first(house: House, tenants: int) -> None:
    work, queue = Work(house), MemoryJobQueue()
    work.slow = await work.given(tenants)
    async with work.running(queue):
        await until(lambda: len(work.began) == min(PLACES, tenants * 3))
        await work.enqueue(house.caller.tenant_id, KIND)
        # What they may have in the queue and at work, and what comes to it until the relay looks again.
        await work.let_go_one_by_one(at_most=3 * tenants + PLACES)
        await until(lambda: house.caller.tenant_id in work.ended)
        assert len(work.ended) < tenants * JOBS / 2


@pytest.mark.parametrize("tenants", HOSTILE)
@pytest.mark.parametrize("kind", [JobKind.SYNC_SOURCE, JobKind.PROCESS_DOCUMENT])
async def test_jobs_that_hang_give_their_places_when_their_slice_is_over(
    house: House, kind: JobKind, tenants: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "HAND_BACK_SECONDS", 0.02)
    monkeypatch.setitem(SLICE_SECONDS, kind, 0.0)  # type: ignore[call-overload]
    work = Work(house)
    work.slow = await work.given(tenants, kind, 60)
    async with work.running() as worker:
        places = worker.syncs if kind is JobKind.SYNC_SOURCE else worker.jobs
        await until(lambda: work.began != [])
        await work.enqueue(house.caller.tenant_id, kind)
        await until(lambda: work.ended == [house.caller.tenant_id])
        await until(lambda: places.running > 0)
        async with house.services.ports.unit_of_work() as tx:
            counted = await tx[Jobs].by_tenant(frozenset({kind}), house.clock.now())
        assert sum(jobs.at_work + jobs.new + jobs.begun for jobs in counted.values()) == 60 * tenants, "none is lost"


@pytest.mark.parametrize("how", ["cancelled", "deleted"])
async def test_work_that_was_cancelled_ends_and_gives_its_place(
    house: House, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_execution, "LEASE_SECONDS", 30)
    work = Work(house)
    work.slow = await work.given(2, count=PLACES)
    async with work.running() as worker:
        await until(lambda: worker.jobs.running == PLACES)
        if how == "deleted":
            for tenant_id in work.slow:
                await house.services.people.delete_tenant(tenant_id)
        else:
            async with house.services.ports.unit_of_work() as tx:
                for task_job in list(worker.jobs._running.values()):
                    await tx[Jobs].cancel(task_job.id)
                for tenant_id in work.slow:
                    assert (await tx[Jobs].backlog_of(tenant_id, house.clock.now())).running == 0
        await work.enqueue(house.caller.tenant_id, KIND)
        await until(lambda: house.caller.tenant_id in work.ended)
        assert not work.ended[:-1], "none of them was finished"


async def test_a_job_that_just_ended_may_do_what_comes_after(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    tenant_id, going_on = house.caller.tenant_id, asyncio.Event()

    async def finishing(job: Job) -> None:
        async with house.services.ports.unit_of_work() as tx:
            await tx[Jobs].finish(job)
        await going_on.wait()
        work.ended.append(job.tenant_id)

    work = Work(house)
    services = changed(house.services, jobs={"translate": finishing})
    execution = JobRunner(services, 1).jobs
    await work.enqueue(tenant_id, KIND)
    assert await execution.claim(frozenset(runner.Claimable), [KIND]) == 1
    await asyncio.sleep(0)
    await execution.renew()
    going_on.set()
    await execution.end_within(1)
    assert work.ended == [tenant_id]
