"""Dispatching jobs, claiming single ones, and recovering jobs whose worker died."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve

from contentgen_core.model.ids import JobId
from contentgen_core.model.job import Claimable, Job, JobKind
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.repositories.given import alien_ids, given, given_tenant
from contentgen_core.testing.repositories.jobs import ALL, LAPSED, LEASE, SOON, claim, given_jobs, holds, running
from contentgen_core.testing.runtime import MOMENT

RETRY_POLICY: Final = timedelta(seconds=5)
PAUSE: Final = LEASE + LEASE


async def take(unit_of_work: UnitOfWork, job_id: JobId, worker: str = "w1", now: datetime = MOMENT) -> Job | None:
    async with unit_of_work() as tx:
        return await tx.jobs.claim_one(worker, job_id, now, now + LEASE)


async def dispatch(unit_of_work: UnitOfWork, now: datetime = MOMENT, limit: int = 100) -> list[JobId]:
    async with unit_of_work() as tx:
        return await tx.jobs.dispatch(now, limit)


async def forget(unit_of_work: UnitOfWork, now: datetime) -> None:
    async with unit_of_work() as tx:
        await tx.jobs.reset_dispatched(now, RETRY_POLICY)


async def claim_among(unit_of_work: UnitOfWork, now: datetime, *among: Claimable, worker: str = "w1") -> list[Job]:
    async with unit_of_work() as tx:
        return await tx.jobs.claim(worker, ALL, now, now + LEASE, 10, frozenset(among))


class JobClaimOneContract:
    async def test_a_job_is_taken_by_its_id_once(self, unit_of_work: UnitOfWork) -> None:
        wanted, other = await given_jobs(unit_of_work, 2)
        assert await take(unit_of_work, wanted.id) == running(wanted)
        assert await take(unit_of_work, wanted.id) is None
        assert await take(unit_of_work, wanted.id, "w2", LAPSED) is None
        assert await holds(unit_of_work, running(wanted))
        assert await claim(unit_of_work, "w2") == [running(other, "w2")]

    async def test_a_job_is_not_taken_before_it_is_due(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        job = builders.job(tenant_id=tenant.id, run_at=SOON)
        await given(unit_of_work, job)
        assert await take(unit_of_work, job.id, now=SOON - timedelta(microseconds=1)) is None
        assert await take(unit_of_work, job.id, now=SOON) == running(job, now=SOON)

    async def test_a_job_that_ended_is_not_taken(self, unit_of_work: UnitOfWork) -> None:
        jobs = await given_jobs(unit_of_work, 3)
        done, failed = await claim(unit_of_work, limit=2)
        async with unit_of_work() as tx:
            await tx.jobs.finish(done)
            await tx.jobs.fail(failed, "no sources")
            await tx.jobs.cancel(jobs[2].id)
        assert [await take(unit_of_work, job.id, now=LAPSED) for job in jobs] == [None] * 3

    async def test_of_many_that_want_one_job_one_gets_it(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        taken = await asyncio.gather(*(take(unit_of_work, job.id, f"w{n}") for n in range(8)))
        assert len([one for one in taken if one is not None]) == 1

    @alien_ids
    async def test_an_alien_id_takes_nothing(self, unit_of_work: UnitOfWork, alien: str) -> None:
        await given_jobs(unit_of_work)
        assert await take(unit_of_work, JobId(alien)) is None


class JobDispatchContract:
    async def test_due_jobs_are_dispatched_once_the_longest_due_first(self, unit_of_work: UnitOfWork) -> None:
        jobs = await given_jobs(unit_of_work, 3)
        tenant = await given_tenant(unit_of_work)
        later = builders.job(tenant_id=tenant.id, run_at=SOON)
        await given(unit_of_work, later)
        assert await dispatch(unit_of_work, limit=2) == [jobs[0].id, jobs[1].id]
        assert await dispatch(unit_of_work) == [jobs[2].id]
        assert await dispatch(unit_of_work) == []
        assert await dispatch(unit_of_work, SOON) == [later.id]

    async def test_what_is_under_way_or_ended_is_not_dispatched(self, unit_of_work: UnitOfWork) -> None:
        jobs = await given_jobs(unit_of_work, 3)
        done, _ = await claim(unit_of_work, limit=2)
        async with unit_of_work() as tx:
            await tx.jobs.finish(done)
            await tx.jobs.cancel(jobs[2].id)
        assert await dispatch(unit_of_work, LAPSED) == []

    async def test_only_the_kinds_that_are_asked_for_are_dispatched(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        articles = builders.job(tenant_id=tenant.id)
        post = builders.job(tenant_id=tenant.id, kind=JobKind.PUBLISH)
        await given(unit_of_work, articles)
        await given(unit_of_work, post)
        async with unit_of_work() as tx:
            assert await tx.jobs.dispatch(MOMENT, 10, frozenset({JobKind.PUBLISH})) == [post.id]
            assert await tx.jobs.dispatch(MOMENT, 10, frozenset({JobKind.PUBLISH})) == []
            assert await tx.jobs.dispatch(MOMENT, 10, frozenset()) == []
        assert await dispatch(unit_of_work) == [articles.id]

    async def test_a_dispatch_that_is_rolled_back_was_none(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        try:
            async with unit_of_work() as tx:
                assert await tx.jobs.dispatch(MOMENT, 10) == [job.id]
                raise ConnectionError
        except ConnectionError:
            pass
        assert await dispatch(unit_of_work) == [job.id]

    async def test_two_relays_never_dispatch_the_same_job(self, unit_of_work: UnitOfWork) -> None:
        jobs = await given_jobs(unit_of_work, 12)
        batches = await asyncio.gather(*(dispatch(unit_of_work, limit=3) for _ in range(6)))
        dispatched = [id for batch in batches for id in batch]
        assert len(dispatched) == len(set(dispatched))
        dispatched += await dispatch(unit_of_work)
        assert sorted(dispatched) == sorted(job.id for job in jobs)

    async def test_a_dispatched_job_can_be_taken_and_claimed(self, unit_of_work: UnitOfWork) -> None:
        first, second = await given_jobs(unit_of_work, 2)
        await dispatch(unit_of_work)
        assert await take(unit_of_work, first.id) == running(first)
        assert await claim(unit_of_work, "w2") == [running(second, "w2")]

    async def test_a_job_that_waits_again_is_dispatched_again(self, unit_of_work: UnitOfWork) -> None:
        retried, released = await given_jobs(unit_of_work, 2)
        await dispatch(unit_of_work)
        held = await take(unit_of_work, retried.id)
        await take(unit_of_work, released.id, "w2")
        assert held is not None
        async with unit_of_work() as tx:
            await tx.jobs.retry(held, SOON, "the model is busy")
            await tx.jobs.release("w2", MOMENT)
        assert await dispatch(unit_of_work) == [released.id]
        assert await dispatch(unit_of_work, SOON) == [retried.id]

    async def test_a_postponed_job_is_dispatched_again_and_its_attempt_not_counted(
        self, unit_of_work: UnitOfWork
    ) -> None:
        (job,) = await given_jobs(unit_of_work)
        await dispatch(unit_of_work)
        held = await take(unit_of_work, job.id)
        assert held is not None
        async with unit_of_work() as tx:
            await tx.jobs.postpone(held, SOON)
        assert await dispatch(unit_of_work) == []
        assert await dispatch(unit_of_work, SOON) == [job.id]
        assert await take(unit_of_work, job.id, now=SOON) == running(evolve(job, run_at=SOON), now=SOON)

    async def test_a_lost_message_is_sent_again_after_a_while(self, unit_of_work: UnitOfWork) -> None:
        waiting, busy = await given_jobs(unit_of_work, 2)
        await dispatch(unit_of_work)
        await take(unit_of_work, busy.id)
        await forget(unit_of_work, MOMENT + RETRY_POLICY)
        assert await dispatch(unit_of_work, MOMENT + RETRY_POLICY) == []
        late = MOMENT + RETRY_POLICY + timedelta(microseconds=1)
        await forget(unit_of_work, late)
        assert await dispatch(unit_of_work, late) == [waiting.id]

    async def test_a_message_of_a_clock_that_was_put_back_is_sent_again(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        job = builders.job(tenant_id=tenant.id, run_at=MOMENT - timedelta(hours=2))
        await given(unit_of_work, job)
        await dispatch(unit_of_work)
        back = MOMENT - timedelta(hours=1)
        await forget(unit_of_work, MOMENT - RETRY_POLICY)
        assert await dispatch(unit_of_work, back) == []
        await forget(unit_of_work, back)
        assert await dispatch(unit_of_work, back) == [job.id]


class JobRecoveryContract:
    async def test_only_the_leases_of_known_jobs_are_prolonged(self, unit_of_work: UnitOfWork) -> None:
        known, unknown = await given_jobs(unit_of_work, 2)
        await claim(unit_of_work)
        async with unit_of_work() as tx:
            await tx.jobs.renew("w1", LAPSED + LEASE, [known.id])
        assert await claim(unit_of_work, "w2", LAPSED) == [running(unknown, "w2", LAPSED, attempts=2)]
        async with unit_of_work() as tx:
            await tx.jobs.renew("w1", LAPSED + PAUSE, [])
        assert [job.id for job in await claim(unit_of_work, "w2", LAPSED + LEASE)] == [known.id, unknown.id]

    async def test_jobs_are_claimed_for_the_reason_asked_for(self, unit_of_work: UnitOfWork) -> None:
        lapsed, waiting = await given_jobs(unit_of_work, 2)
        await claim(unit_of_work, limit=1)
        assert await claim_among(unit_of_work, MOMENT, Claimable.LAPSED, Claimable.DOUBTFUL) == []
        assert await claim_among(unit_of_work, LAPSED) == []
        assert await claim_among(unit_of_work, LAPSED, Claimable.DOUBTFUL) == []
        assert await claim_among(unit_of_work, LAPSED, Claimable.WAITING, worker="w2") == [
            running(waiting, "w2", LAPSED)
        ]
        assert await claim_among(unit_of_work, LAPSED, Claimable.LAPSED, worker="w3") == [
            running(lapsed, "w3", LAPSED, attempts=2)
        ]

    async def test_a_job_that_lapsed_twice_is_doubtful(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        for attempt in (1, 2):
            await claim(unit_of_work, now=MOMENT + attempt * PAUSE)
        for attempt in (3, 4):
            now = MOMENT + attempt * PAUSE
            assert await claim_among(unit_of_work, now, Claimable.WAITING, Claimable.LAPSED) == []
            assert await claim_among(unit_of_work, now, Claimable.DOUBTFUL) == [running(job, "w1", now, attempt)]

    async def test_a_job_that_was_put_back_twice_is_not_doubtful(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        for attempt in (1, 2):
            (held,) = await claim(unit_of_work)
            async with unit_of_work() as tx:
                await tx.jobs.retry(held, MOMENT, f"busy {attempt}")
        assert await claim_among(unit_of_work, MOMENT, Claimable.DOUBTFUL) == []
        assert await claim_among(unit_of_work, MOMENT, Claimable.WAITING) == [
            running(evolve(job, run_at=MOMENT, last_error="busy 2"), attempts=3)
        ]
