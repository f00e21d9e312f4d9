"""Jobs: claims, leases, fencing, and how they end."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any, Final

from attrs import evolve

from contentgen_core.model.ids import JobId
from contentgen_core.model.job import Job, JobKind, JobState, TenantBacklog
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

ALL: Final = frozenset(JobKind)
LEASE: Final = timedelta(seconds=30)
SOON: Final = MOMENT + timedelta(seconds=10)
LAPSED: Final = MOMENT + timedelta(seconds=31)


async def given_jobs(unit_of_work: UnitOfWork, count: int = 1) -> list[Job]:
    tenant = await given_tenant(unit_of_work)
    jobs = [builders.job(tenant_id=tenant.id, run_at=MOMENT - timedelta(minutes=count - n)) for n in range(count)]
    await given(unit_of_work, *jobs)
    return jobs


async def claim(
    unit_of_work: UnitOfWork,
    worker: str = "w1",
    now: datetime = MOMENT,
    limit: int = 10,
    kinds: frozenset[JobKind] = ALL,
) -> list[Job]:
    async with unit_of_work() as tx:
        return await tx[Jobs].claim(worker, kinds, now, now + LEASE, limit)


async def holds(unit_of_work: UnitOfWork, job: Job) -> bool:
    async with unit_of_work() as tx:
        return await tx[Jobs].fence(job)


def running(job: Job, worker: str = "w1", now: datetime = MOMENT, attempts: int = 1, **changes: int) -> Job:
    """`changes`: of the claim number, which is that of the attempt else, and of what is known of crashes."""
    counted: dict[str, Any] = {"claim_number": attempts, **changes}
    return evolve(job, state=JobState.RUNNING, worker=worker, leased_until=now + LEASE, attempts=attempts, **counted)


def crashed(times: int, suspects: int = 1) -> dict[str, int]:
    """What is known of a job whose process died so many times, each time with so many suspects at work."""
    return {"crashes": times, "crashes_alone": times if suspects == 1 else 0, "suspects": suspects}


class JobClaimsContract:
    async def test_a_claimed_job_runs_for_its_worker(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        assert await claim(unit_of_work) == [running(job)]
        assert await claim(unit_of_work, "w2") == []

    async def test_the_longest_due_job_is_claimed_first(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        second, first, third = (
            builders.job(tenant_id=tenant.id, run_at=MOMENT - timedelta(minutes=m)) for m in (2, 3, 1)
        )
        await given(unit_of_work, second, first, third)
        assert [job.id for job in await claim(unit_of_work, limit=2)] == [first.id, second.id]
        assert [job.id for job in await claim(unit_of_work, limit=2)] == [third.id]

    async def test_a_job_is_claimed_when_it_is_due_and_not_before(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, builders.job(tenant_id=tenant.id, run_at=SOON))
        assert await claim(unit_of_work, now=SOON - timedelta(microseconds=1)) == []
        assert len(await claim(unit_of_work, now=SOON)) == 1

    async def test_only_jobs_of_the_kinds_asked_for_are_claimed(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for kind in JobKind:
            await given(unit_of_work, builders.job(tenant_id=tenant.id, kind=kind))
        assert await claim(unit_of_work, kinds=frozenset()) == []
        for kind in JobKind:
            assert [job.kind for job in await claim(unit_of_work, kinds=frozenset({kind}))] == [kind]

    async def test_claims_at_the_same_time_never_share_a_job(self, unit_of_work: UnitOfWork) -> None:
        jobs = await given_jobs(unit_of_work, 10)
        claims = await asyncio.gather(*(claim(unit_of_work, f"w{n}", limit=3) for n in range(8)))
        claimed = [job.id for taken in claims for job in taken]
        assert len(claimed) == len(set(claimed))
        claimed += [job.id for job in await claim(unit_of_work, "last")]
        assert sorted(claimed) == sorted(job.id for job in jobs)

    async def test_a_job_whose_lease_ran_out_is_claimed_by_another(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        await claim(unit_of_work)
        assert await claim(unit_of_work, "w2", now=SOON) == []
        assert await claim(unit_of_work, "w2", now=LAPSED) == [running(job, "w2", LAPSED, 2, **crashed(1))]

    async def test_attempts_are_counted_even_past_the_allowed_number(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        seen = [await claim(unit_of_work, now=MOMENT + n * (LEASE + LEASE)) for n in range(4)]
        assert [(job.attempts, job.exhausted) for (job,) in seen] == [(1, False), (2, False), (3, False), (4, True)]

    async def test_a_renewed_lease_keeps_others_away(self, unit_of_work: UnitOfWork) -> None:
        jobs = await given_jobs(unit_of_work, 3)
        await claim(unit_of_work, "w1", limit=2)
        await claim(unit_of_work, "w2", limit=1)
        async with unit_of_work() as tx:
            await tx[Jobs].renew("w1", LAPSED + LEASE)
        assert [job.id for job in await claim(unit_of_work, "w3", now=LAPSED)] == [jobs[2].id]

    async def test_a_worker_is_told_which_jobs_it_still_holds(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work, 4)
        kept, cancelled, finished = await claim(unit_of_work, "w1", limit=3)
        [others] = await claim(unit_of_work, "w2", limit=1)
        async with unit_of_work() as tx:
            await tx[Jobs].cancel(cancelled.id)
            await tx[Jobs].finish(finished)
        ids = [kept.id, cancelled.id, finished.id, others.id, JobId("nobody's")]
        async with unit_of_work() as tx:
            assert await tx[Jobs].held("w1", ids) == {kept.id: kept.claim_number}
            assert await tx[Jobs].held("w1", []) == {}
            assert await tx[Jobs].held("w2", ids) == {others.id: others.claim_number}
        assert [job.id for job in await claim(unit_of_work, "w3", now=LAPSED, limit=9)] == [kept.id, others.id]

    async def test_a_released_job_is_due_again_and_the_attempt_not_counted(self, unit_of_work: UnitOfWork) -> None:
        first, second = await given_jobs(unit_of_work, 2)
        await claim(unit_of_work, "w1", limit=1)
        await claim(unit_of_work, "w2", limit=1)
        async with unit_of_work() as tx:
            await tx[Jobs].release("w1", SOON)
        assert await claim(unit_of_work, "w3", now=SOON) == [
            running(evolve(first, run_at=SOON), "w3", SOON, claim_number=2)
        ]
        assert await holds(unit_of_work, running(second, "w2"))


class JobFencingContract:
    async def test_a_worker_holds_what_it_claimed(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        (job,) = await claim(unit_of_work)
        assert await holds(unit_of_work, job)
        assert not await holds(unit_of_work, evolve(job, worker="w2"))
        assert not await holds(unit_of_work, evolve(job, claim_number=2))

    async def test_a_job_that_was_not_claimed_cannot_be_fenced(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        assert not await holds(unit_of_work, job)
        assert not await holds(unit_of_work, running(job))

    async def test_a_job_is_held_past_its_lease_until_another_takes_it(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        (late,) = await claim(unit_of_work)
        assert await holds(unit_of_work, late)
        (taken,) = await claim(unit_of_work, "w2", now=LAPSED)
        assert not await holds(unit_of_work, late)
        assert await holds(unit_of_work, taken)

    async def test_the_same_worker_at_a_later_attempt_does_not_hold_the_former_one(
        self, unit_of_work: UnitOfWork
    ) -> None:
        await given_jobs(unit_of_work)
        (former,) = await claim(unit_of_work)
        (present,) = await claim(unit_of_work, now=LAPSED)
        assert not await holds(unit_of_work, former)
        assert await holds(unit_of_work, present)

    async def test_a_claim_that_was_put_back_never_holds_again(self, unit_of_work: UnitOfWork) -> None:
        """The attempt is not counted, so the next one has its number again, perhaps of the same worker."""
        await given_jobs(unit_of_work)
        (postponed,) = await claim(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Jobs].postpone(postponed, MOMENT)
        (released,) = await claim(unit_of_work)
        assert released.attempts == postponed.attempts
        assert not await holds(unit_of_work, postponed)
        async with unit_of_work() as tx:
            await tx[Jobs].release("w1", MOMENT)
        (present,) = await claim(unit_of_work)
        assert present.attempts == released.attempts
        assert not await holds(unit_of_work, released)
        async with unit_of_work() as tx:
            await tx[Jobs].finish(postponed)
            await tx[Jobs].fail(released, "too late")
        assert await holds(unit_of_work, present)

    async def test_a_job_is_not_claimed_while_a_transaction_has_fenced_it(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        (job,) = await claim(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[Jobs].fence(job)
            rival = asyncio.create_task(claim(unit_of_work, "w2", now=LAPSED))
            await asyncio.sleep(0.05)
            await tx[Jobs].finish(job)
        assert await rival == []

    @alien_ids
    async def test_an_alien_job_id_cannot_be_fenced(self, unit_of_work: UnitOfWork, alien: str) -> None:
        (job,) = await given_jobs(unit_of_work)
        (claimed,) = await claim(unit_of_work)
        stranger = evolve(claimed, id=JobId(alien))
        assert not await holds(unit_of_work, stranger)
        async with unit_of_work() as tx:
            await tx[Jobs].cancel(JobId(alien))
            await tx[Jobs].cancel_subject(job.tenant_id, alien, job.kind)
        assert await holds(unit_of_work, claimed)


class JobEndsContract:
    async def test_a_finished_or_failed_job_never_comes_back(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work, 2)
        done, failed = await claim(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Jobs].finish(done)
            await tx[Jobs].fail(failed, "no sources")
        assert await claim(unit_of_work, "w2", now=LAPSED) == []
        assert not await holds(unit_of_work, done)
        assert not await holds(unit_of_work, failed)

    async def test_a_retried_job_waits_with_its_attempt_counted(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        (claimed,) = await claim(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Jobs].retry(claimed, SOON, "the model is busy")
        assert not await holds(unit_of_work, claimed)
        assert await claim(unit_of_work, "w2", now=SOON - timedelta(seconds=1)) == []
        waited = evolve(job, run_at=SOON, last_error="the model is busy")
        assert await claim(unit_of_work, "w2", now=SOON) == [running(waited, "w2", SOON, attempts=2)]

    async def test_a_postponed_job_waits_and_the_attempt_is_not_counted(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        (first,) = await claim(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Jobs].retry(first, MOMENT, "the model is busy")
        (second,) = await claim(unit_of_work)
        assert second.attempts == 2
        async with unit_of_work() as tx:
            await tx[Jobs].postpone(second, SOON)
        assert not await holds(unit_of_work, second)
        assert await claim(unit_of_work, "w2", now=SOON - timedelta(seconds=1)) == []
        waited = evolve(job, run_at=SOON, last_error="the model is busy")
        assert await claim(unit_of_work, "w2", now=SOON) == [running(waited, "w2", SOON, 2, claim_number=3)]

    async def test_a_worker_that_lost_its_job_cannot_end_it(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        (late,) = await claim(unit_of_work)
        (taken,) = await claim(unit_of_work, "w2", now=LAPSED)
        async with unit_of_work() as tx:
            await tx[Jobs].finish(late)
            await tx[Jobs].fail(late, "too late")
            await tx[Jobs].retry(late, LAPSED, "too late")
            await tx[Jobs].postpone(late, LAPSED)
        assert await holds(unit_of_work, taken)

    async def test_a_cancelled_job_is_neither_claimed_nor_held(self, unit_of_work: UnitOfWork) -> None:
        waiting, _ = await given_jobs(unit_of_work, 2)
        async with unit_of_work() as tx:
            await tx[Jobs].cancel(waiting.id)
        (claimed,) = await claim(unit_of_work)
        assert claimed.id != waiting.id
        async with unit_of_work() as tx:
            await tx[Jobs].cancel(claimed.id)
        assert not await holds(unit_of_work, claimed)
        assert await claim(unit_of_work, now=LAPSED) == []

    async def test_a_cancelled_job_stays_cancelled(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        (claimed,) = await claim(unit_of_work)
        for _ in range(2):
            async with unit_of_work() as tx:
                await tx[Jobs].cancel(claimed.id)
        async with unit_of_work() as tx:
            await tx[Jobs].renew("w1", LAPSED)
            await tx[Jobs].retry(claimed, MOMENT, "again")
            await tx[Jobs].release("w1", MOMENT)
        assert await claim(unit_of_work, now=LAPSED) == []

    async def test_jobs_of_a_subject_are_cancelled_by_kind_and_tenant(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        subject = builders.new_id()
        for changes in ({"run_at": MOMENT - LEASE}, {}):
            await given(unit_of_work, builders.job(tenant_id=tenant.id, subject_id=subject, **changes))
        kept = [
            builders.job(tenant_id=tenant.id, subject_id=subject, kind=JobKind.PUBLISH_SCHEDULED),
            builders.job(tenant_id=tenant.id),
            builders.job(tenant_id=other.id, subject_id=subject),
        ]
        await given(unit_of_work, *kept)
        (running_one,) = await claim(unit_of_work, limit=1)
        async with unit_of_work() as tx:
            await tx[Jobs].cancel_subject(tenant.id, subject, JobKind.GENERATE_ARTICLE)
        assert not await holds(unit_of_work, running_one)
        assert {job.id for job in await claim(unit_of_work, now=LAPSED)} == {job.id for job in kept}

    async def test_the_backlog_counts_due_jobs_that_wait(self, unit_of_work: UnitOfWork) -> None:
        jobs = await given_jobs(unit_of_work, 3)
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, builders.job(tenant_id=tenant.id, run_at=SOON))
        async with unit_of_work() as tx:
            assert await tx[Jobs].backlog(MOMENT) == (3, jobs[0].run_at)
            assert await tx[Jobs].backlog(SOON) == (4, jobs[0].run_at)
            for tenant_id in {job.tenant_id for job in jobs}:
                due = [job.run_at for job in jobs if job.tenant_id == tenant_id and job.run_at <= MOMENT]
                found = await tx[Jobs].backlog_of(tenant_id, MOMENT)
                assert found == TenantBacklog(len(due), 0, min(due, default=None))
            assert await tx[Jobs].due_by_kind(MOMENT) == {JobKind.GENERATE_ARTICLE: (3, jobs[0].run_at)}
        await claim(unit_of_work, limit=2)
        async with unit_of_work() as tx:
            assert await tx[Jobs].backlog(MOMENT) == (1, jobs[2].run_at)
            assert (await tx[Jobs].backlog_of(jobs[0].tenant_id, MOMENT)).running in (1, 2)
        await claim(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[Jobs].backlog(MOMENT) == (0, None)
