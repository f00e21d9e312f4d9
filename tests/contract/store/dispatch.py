"""Dispatching jobs, claiming single ones, and recovering jobs whose worker died."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve

from contentgen_core.model.ids import JobId
from contentgen_core.model.job import ORPHAN_SECONDS, Claimable, Job, JobKind
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant
from tests.contract.store.jobs import (
    ALL,
    LAPSED,
    LEASE,
    SOON,
    claim,
    crashed,
    given_jobs,
    holds,
    running,
)

RETRY_POLICY: Final = timedelta(seconds=5)
PAUSE: Final = LEASE + LEASE


async def take(unit_of_work: UnitOfWork, job_id: JobId, worker: str = "w1", now: datetime = MOMENT) -> Job | None:
    async with unit_of_work() as tx:
        return await tx[Jobs].claim_one(worker, job_id, now, now + LEASE)


async def dispatch(unit_of_work: UnitOfWork, now: datetime = MOMENT, limit: int = 100) -> list[JobId]:
    async with unit_of_work() as tx:
        return [job.id for job in await tx[Jobs].dispatch(now, limit)]


async def forget(unit_of_work: UnitOfWork, now: datetime) -> None:
    async with unit_of_work() as tx:
        await tx[Jobs].reset_dispatched(now, RETRY_POLICY)


async def claim_among(unit_of_work: UnitOfWork, now: datetime, *among: Claimable, worker: str = "w1") -> list[Job]:
    async with unit_of_work() as tx:
        return await tx[Jobs].claim(worker, ALL, now, now + LEASE, 10, frozenset(among))


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
            await tx[Jobs].finish(done)
            await tx[Jobs].fail(failed, "no sources")
            await tx[Jobs].cancel(jobs[2].id)
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
            await tx[Jobs].finish(done)
            await tx[Jobs].cancel(jobs[2].id)
        assert await dispatch(unit_of_work, LAPSED) == []

    async def test_only_the_kinds_that_are_asked_for_are_dispatched(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        articles = builders.job(tenant_id=tenant.id)
        post = builders.job(tenant_id=tenant.id, kind=JobKind.PUBLISH)
        await given(unit_of_work, articles)
        await given(unit_of_work, post)
        async with unit_of_work() as tx:
            assert await tx[Jobs].dispatch(MOMENT, 10, frozenset({JobKind.PUBLISH})) == [post]
            assert await tx[Jobs].dispatch(MOMENT, 10, frozenset({JobKind.PUBLISH})) == []
            assert await tx[Jobs].dispatch(MOMENT, 10, frozenset()) == []
        assert await dispatch(unit_of_work) == [articles.id]

    async def test_a_dispatch_that_is_rolled_back_was_none(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        try:
            async with unit_of_work() as tx:
                assert await tx[Jobs].dispatch(MOMENT, 10) == [job]
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
            await tx[Jobs].retry(held, SOON, "the model is busy")
            await tx[Jobs].release("w2", MOMENT)
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
            await tx[Jobs].postpone(held, SOON)
        assert await dispatch(unit_of_work) == []
        assert await dispatch(unit_of_work, SOON) == [job.id]
        assert await take(unit_of_work, job.id, now=SOON) == running(evolve(job, run_at=SOON), now=SOON, claim_number=2)

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
            await tx[Jobs].renew("w1", LAPSED + LEASE, [known.id])
        assert await claim(unit_of_work, "w2", LAPSED) == []
        orphaned = LAPSED + timedelta(seconds=ORPHAN_SECONDS)
        assert await claim(unit_of_work, "w2", orphaned) == [running(unknown, "w2", orphaned, claim_number=2)]
        async with unit_of_work() as tx:
            await tx[Jobs].renew("w1", LAPSED + PAUSE, [])
        over = orphaned + LEASE
        assert [job.id for job in await claim(unit_of_work, "w3", over)] == [known.id, unknown.id]

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
            running(lapsed, "w3", LAPSED, 2, **crashed(1))
        ]

    async def test_a_job_that_lapsed_twice_is_doubtful(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        for attempt in (1, 2):
            await claim(unit_of_work, now=MOMENT + attempt * PAUSE)
        for attempt in (3, 4):
            now = MOMENT + attempt * PAUSE
            assert await claim_among(unit_of_work, now, Claimable.WAITING, Claimable.LAPSED) == []
            assert await claim_among(unit_of_work, now, Claimable.DOUBTFUL) == [
                running(job, "w1", now, attempt, **crashed(attempt - 1))
            ]

    async def test_a_job_that_was_put_back_twice_is_not_doubtful(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        for attempt in (1, 2):
            (held,) = await claim(unit_of_work)
            async with unit_of_work() as tx:
                await tx[Jobs].retry(held, MOMENT, f"busy {attempt}")
        assert await claim_among(unit_of_work, MOMENT, Claimable.DOUBTFUL) == []
        assert await claim_among(unit_of_work, MOMENT, Claimable.WAITING) == [
            running(evolve(job, run_at=MOMENT, last_error="busy 2"), attempts=3)
        ]


class JobCrashesContract:
    """Which job kills its process: all that were at work in it are suspected, and halves of them tried again."""

    async def test_a_crash_counts_for_all_that_were_at_work_whenever_they_were_claimed(
        self, unit_of_work: UnitOfWork
    ) -> None:
        early, late = await given_jobs(unit_of_work, 2)
        await claim(unit_of_work, limit=1)
        later = MOMENT + timedelta(seconds=9)
        await claim(unit_of_work, now=later)
        assert await claim(unit_of_work, "w2", LAPSED) == []
        both = LAPSED + timedelta(seconds=9)
        assert await claim(unit_of_work, "w2", both, limit=1) == [running(early, "w2", both, 2, **crashed(1, 2))]
        assert await claim(unit_of_work, "w3", both) == [running(late, "w3", both, 2, **crashed(1, 2))]

    async def test_a_job_under_suspicion_comes_by_no_queue(self, unit_of_work: UnitOfWork) -> None:
        lapsed, waiting = await given_jobs(unit_of_work, 2)
        await claim(unit_of_work, limit=1)
        assert await claim_among(unit_of_work, LAPSED, Claimable.DOUBTFUL) == []
        assert await dispatch(unit_of_work, LAPSED) == [waiting.id]
        assert await take(unit_of_work, lapsed.id, now=LAPSED) is None

    async def test_a_failure_of_its_own_clears_it_and_the_crashes_are_no_failures(
        self, unit_of_work: UnitOfWork
    ) -> None:
        await given_jobs(unit_of_work)
        await claim(unit_of_work)
        (held,) = await claim(unit_of_work, now=LAPSED)
        assert (held.attempts, held.failures) == (2, 1)
        async with unit_of_work() as tx:
            await tx[Jobs].retry(held, LAPSED, "the model is busy")
        (again,) = await claim_among(unit_of_work, LAPSED, Claimable.WAITING)
        assert (again.crashes, again.suspects, again.failures) == (1, 0, 2)

    async def test_a_release_leaves_the_suspicion(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        for attempt in range(3):
            (held,) = await claim(unit_of_work, now=MOMENT + attempt * PAUSE)
        async with unit_of_work() as tx:
            await tx[Jobs].release("w1", held.run_at)
        (again,) = await claim_among(unit_of_work, MOMENT + 2 * PAUSE, Claimable.DOUBTFUL)
        assert (again.crashes, again.suspects, again.attempts) == (2, 1, 3)

    async def test_halving_finds_the_one_that_kills_and_ends_no_other(self, unit_of_work: UnitOfWork) -> None:
        jobs = await given_jobs(unit_of_work, 16)
        killer, now, deaths, batches = jobs[11].id, MOMENT, 0, list[int]()
        left = {job.id for job in jobs}
        for _ in range(2):  # twice all together, as after any crash
            assert len(await claim(unit_of_work, now=now, limit=16)) == 16
            now, deaths = now + PAUSE, deaths + 1
        while left:
            batch = await claim_among(unit_of_work, now, Claimable.DOUBTFUL)
            batches.append(len(batch))
            if [job.exhausted for job in batch] == [True]:
                assert [job.id for job in batch] == [killer]
                async with unit_of_work() as tx:
                    await tx[Jobs].fail(batch[0], "it kills")
                left -= {killer}
            elif killer in {job.id for job in batch}:
                now, deaths = now + PAUSE, deaths + 1
            else:
                async with unit_of_work() as tx:
                    for job in batch:
                        await tx[Jobs].finish(job)
                left -= {job.id for job in batch}
        assert deaths == 2 + 3 + 2  # 16 and 16, then 8, 4, 2, then alone
        assert max(batches) == 8

    async def test_a_fresh_job_is_not_alone_when_it_dies_with_others(self, unit_of_work: UnitOfWork) -> None:
        doubtful, fresh = await given_jobs(unit_of_work, 2)
        for crash in range(2):
            await claim(unit_of_work, now=MOMENT + crash * PAUSE, limit=1)
        now = MOMENT + 2 * PAUSE
        assert len(await claim_among(unit_of_work, now, Claimable.DOUBTFUL)) == 1
        assert len(await claim_among(unit_of_work, now, Claimable.WAITING)) == 1
        known = {job.id: job for job in await claim(unit_of_work, "w2", now + PAUSE)}
        assert (known[doubtful.id].crashes_alone, known[doubtful.id].suspects) == (3, 1)
        assert (known[fresh.id].crashes_alone, known[fresh.id].suspects) == (0, 2)
