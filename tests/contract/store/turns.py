"""Jobs: how many of them a tenant may have at work, and whose come first."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve

from contentgen_core.model.ids import TenantId
from contentgen_core.model.job import Job, JobKind, TenantJobs, Turn
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_tenant, given_tenants
from tests.contract.store.jobs import ALL, LAPSED, LEASE

ARTICLES: Final = frozenset({JobKind.GENERATE_ARTICLE})


async def queue(
    unit_of_work: UnitOfWork, tenant_id: TenantId, count: int, minutes_ago: int = 0, kind: JobKind | None = None
) -> None:
    run_at = MOMENT - timedelta(minutes=minutes_ago)
    jobs = [
        builders.job(tenant_id=tenant_id, run_at=run_at, kind=kind or JobKind.GENERATE_ARTICLE) for _ in range(count)
    ]
    await given(unit_of_work, *jobs)


async def claim(
    unit_of_work: UnitOfWork, turn: Turn, limit: int = 10, kinds: frozenset[JobKind] = ALL, now: datetime = MOMENT
) -> list[Job]:
    async with unit_of_work() as tx:
        return await tx[Jobs].claim("w1", kinds, now, now + LEASE, limit, turn=turn)


async def dispatch(unit_of_work: UnitOfWork, turn: Turn, limit: int = 10) -> list[Job]:
    async with unit_of_work() as tx:
        return await tx[Jobs].dispatch(MOMENT, limit, ALL, turn)


class JobTurnsContract:
    async def test_a_tenant_has_no_more_jobs_at_work_than_its_share(self, unit_of_work: UnitOfWork) -> None:
        greedy, other = await given_tenants(unit_of_work)
        await queue(unit_of_work, greedy.id, 5, minutes_ago=9)
        first = await claim(unit_of_work, Turn(2))
        assert [job.tenant_id for job in first] == [greedy.id] * 2
        assert await claim(unit_of_work, Turn(2)) == []
        await queue(unit_of_work, other.id, 1)
        assert [job.tenant_id for job in await claim(unit_of_work, Turn(2))] == [other.id]
        async with unit_of_work() as tx:
            await tx[Jobs].finish(first[0])
        assert [job.tenant_id for job in await claim(unit_of_work, Turn(2))] == [greedy.id]

    async def test_claims_at_the_same_time_do_not_exceed_the_share(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await queue(unit_of_work, tenant.id, 20)
        claims = await asyncio.gather(*(claim(unit_of_work, Turn(5), limit=3) for _ in range(8)))
        assert sum(map(len, claims)) <= 5
        assert sum(map(len, claims)) + len(await claim(unit_of_work, Turn(5))) == 5

    async def test_the_share_is_one_of_the_kinds_that_are_asked_for(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await queue(unit_of_work, tenant.id, 2)
        await queue(unit_of_work, tenant.id, 2, kind=JobKind.SYNC_SOURCE)
        assert len(await claim(unit_of_work, Turn(2), kinds=ARTICLES)) == 2
        syncs = await claim(unit_of_work, Turn(1), kinds=frozenset({JobKind.SYNC_SOURCE}))
        assert [job.kind for job in syncs] == [JobKind.SYNC_SOURCE]
        assert await claim(unit_of_work, Turn(3)) == []
        assert len(await claim(unit_of_work, Turn(4))) == 1

    async def test_who_has_the_fewest_at_work_comes_first_however_late(self, unit_of_work: UnitOfWork) -> None:
        busy, idle = await given_tenants(unit_of_work)
        await queue(unit_of_work, busy.id, 9, minutes_ago=9)
        await claim(unit_of_work, Turn(), limit=2)
        await queue(unit_of_work, idle.id, 3)
        claimed = await claim(unit_of_work, Turn(), limit=3)
        assert Counter(job.tenant_id for job in claimed) == {
            idle.id: 2 + (idle.id < busy.id),
            busy.id: busy.id < idle.id,
        }

    async def test_of_a_tenants_jobs_the_longest_due_comes_first(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for minutes in (2, 4, 3):
            await queue(unit_of_work, tenant.id, 1, minutes)
        found = [(await claim(unit_of_work, Turn(), limit=1))[0].run_at for _ in range(3)]
        assert found == [MOMENT - timedelta(minutes=minutes) for minutes in (4, 3, 2)]

    async def test_with_one_place_each_tenant_is_served_once_in_a_round(self, unit_of_work: UnitOfWork) -> None:
        tenants = {(await given_tenant(unit_of_work)).id for _ in range(5)}
        for minutes, tenant_id in enumerate(sorted(tenants)):
            await queue(unit_of_work, tenant_id, 4, minutes)
        turn = Turn(1)
        for _ in range(3):
            served = set()
            for _ in tenants:
                (job,) = await claim(unit_of_work, turn, limit=1)
                served.add(job.tenant_id)
                turn = turn.passed_on([job.tenant_id])
                async with unit_of_work() as tx:
                    await tx[Jobs].finish(job)
            assert served == tenants

    async def test_what_its_process_left_behind_has_a_share_too(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await queue(unit_of_work, tenant.id, 4)
        assert len(await claim(unit_of_work, Turn(4))) == 4
        assert len(await claim(unit_of_work, Turn(3), now=LAPSED)) == 3

    async def test_a_share_is_of_what_is_sent_and_at_work_together(self, unit_of_work: UnitOfWork) -> None:
        greedy, other = await given_tenants(unit_of_work)
        await queue(unit_of_work, greedy.id, 9, minutes_ago=9)
        await claim(unit_of_work, Turn(1))
        assert len(await dispatch(unit_of_work, Turn(4))) == 3
        assert await dispatch(unit_of_work, Turn(4)) == []
        await queue(unit_of_work, other.id, 1)
        assert [job.tenant_id for job in await dispatch(unit_of_work, Turn(4))] == [other.id]

    async def test_relays_serve_in_rounds(self, unit_of_work: UnitOfWork) -> None:
        tenants = sorted([(await given_tenant(unit_of_work)).id for _ in range(3)])
        for tenant_id in tenants:
            await queue(unit_of_work, tenant_id, 3)
        turn, served = Turn(), []
        for _ in range(3):
            (job,) = await dispatch(unit_of_work, turn, limit=1)
            served.append(job.tenant_id)
            turn = turn.passed_on([job.tenant_id])
        assert served == tenants

    async def test_a_worker_learns_what_it_still_holds(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await queue(unit_of_work, tenant.id, 4)
        kept, cancelled, ended, taken = await claim(unit_of_work, Turn())
        async with unit_of_work() as tx:
            await tx[Jobs].cancel(cancelled.id)
            await tx[Jobs].finish(ended)
            await tx[Jobs].renew("w1", MOMENT + LEASE, [taken.id])
            ids = [job.id for job in (kept, cancelled, ended)]
            assert await tx[Jobs].held("w1", ids) == {kept.id: kept.claim_number}
            await tx[Jobs].postpone(taken, MOMENT)
        (again,) = await claim(unit_of_work, Turn())
        async with unit_of_work() as tx:
            assert await tx[Jobs].held("w1", [taken.id]) == {taken.id: taken.claim_number + 1}
            assert again == evolve(taken, claim_number=taken.claim_number + 1, leased_until=again.leased_until)

    async def test_what_each_tenant_has_at_work_and_waiting_is_counted(self, unit_of_work: UnitOfWork) -> None:
        busy, idle = await given_tenants(unit_of_work)
        await queue(unit_of_work, busy.id, 4, minutes_ago=9)
        await queue(unit_of_work, idle.id, 2, minutes_ago=-1)  # not due
        await queue(unit_of_work, idle.id, 3, kind=JobKind.PUBLISH)
        first, *_ = await claim(unit_of_work, Turn(), limit=3, kinds=ARTICLES)
        async with unit_of_work() as tx:
            await tx[Jobs].postpone(first, MOMENT)
            counted = await tx[Jobs].by_tenant(ARTICLES, MOMENT)
        assert counted == {busy.id: TenantJobs(at_work=2, new=1, begun=1), idle.id: TenantJobs(0, 0, 0)}
