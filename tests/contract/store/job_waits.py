"""Jobs that wait for a provider that is away."""

from __future__ import annotations

from datetime import timedelta

from attrs import evolve

from contentgen_core.model.job import Job
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.jobs import SOON, claim, given_jobs, running

LATER = SOON + timedelta(minutes=1)


async def wait(unit_of_work: UnitOfWork, job: Job, provider: str = "OpenAI") -> None:
    async with unit_of_work() as tx:
        await tx[Jobs].wait(job, provider, MOMENT, LATER, "HTTP 500")


class JobWaitsContract:
    async def test_a_job_that_waits_is_due_later_and_its_attempt_is_not_counted(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        (job,) = await claim(unit_of_work)
        await wait(unit_of_work, job)
        assert await claim(unit_of_work, now=SOON) == []
        waited = evolve(job, run_at=LATER, last_error="HTTP 500", waiting_for="OpenAI", waiting_since=MOMENT)
        assert await claim(unit_of_work, "w2", now=LATER) == [running(waited, "w2", LATER, claim_number=2)]

    async def test_the_job_knows_since_when_it_waits_until_it_makes_progress(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        (job,) = await claim(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[Jobs].waiting_since(job) is None
        await wait(unit_of_work, job)
        (again,) = await claim(unit_of_work, now=LATER)
        async with unit_of_work() as tx:
            assert await tx[Jobs].waiting_since(again) == MOMENT
            assert await tx[Jobs].waiting_since(job) is None, "another claim holds it"
        async with unit_of_work() as tx:
            await tx[Jobs].progressed(job)
            assert await tx[Jobs].waiting_since(again) == MOMENT
            await tx[Jobs].progressed(again)
            assert await tx[Jobs].waiting_since(again) is None

    async def test_a_late_worker_makes_no_job_wait(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work)
        (job,) = await claim(unit_of_work)
        await wait(unit_of_work, evolve(job, claim_number=7))
        async with unit_of_work() as tx:
            assert await tx[Jobs].fence(job)

    async def test_all_that_wait_for_a_provider_are_due_when_it_is_back(self, unit_of_work: UnitOfWork) -> None:
        await given_jobs(unit_of_work, 3)
        first, second, other = await claim(unit_of_work)
        await wait(unit_of_work, first)
        await wait(unit_of_work, second)
        await wait(unit_of_work, other, "Anthropic")
        async with unit_of_work() as tx:
            await tx[Jobs].resume("OpenAI", SOON)
        assert {job.id for job in await claim(unit_of_work, now=SOON)} == {first.id, second.id}
        async with unit_of_work() as tx:
            assert await tx[Jobs].waiting_since(first) is None
        assert [job.id for job in await claim(unit_of_work, now=SOON)] == []

    async def test_a_job_that_waits_can_be_dispatched_again(self, unit_of_work: UnitOfWork) -> None:
        (job,) = await given_jobs(unit_of_work)
        async with unit_of_work() as tx:
            assert [due.id for due in await tx[Jobs].dispatch(MOMENT, 10)] == [job.id]
            held = await tx[Jobs].claim_one("w1", job.id, MOMENT, SOON)
        assert held is not None
        await wait(unit_of_work, held)
        async with unit_of_work() as tx:
            assert await tx[Jobs].dispatch(SOON, 10) == []
            await tx[Jobs].resume("OpenAI", SOON)
            assert [due.id for due in await tx[Jobs].dispatch(SOON, 10)] == [job.id]
