"""Jobs in PostgreSQL: claims, leases and cancellations of workers at the same time."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Tenant
from contentgen_core.model.writing import Stage, StageRecord
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_tenant

KINDS = frozenset(JobKind)
LEASE = timedelta(seconds=30)
LAPSED = MOMENT + timedelta(seconds=31)


@pytest.fixture
async def tenant(postgres_unit_of_work: PostgresUnitOfWork) -> Tenant:
    return await given_tenant(postgres_unit_of_work)


async def test_concurrent_claims_never_give_a_job_twice(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    await given(postgres_unit_of_work, *(builders.job(tenant_id=tenant.id) for _ in range(60)))
    claimed: list[Job] = []

    async def work(worker: str) -> None:
        while True:
            async with postgres_unit_of_work() as tx:
                jobs = await tx[Jobs].claim(worker, KINDS, MOMENT, MOMENT + LEASE, 3)
                await asyncio.sleep(random.random() / 200)
            if not jobs:
                return
            claimed.extend(jobs)

    await asyncio.gather(*(work(f"w{n}") for n in range(8)))
    assert len(claimed) == len({job.id for job in claimed}) == 60


async def test_a_worker_that_lost_its_lease_finds_out_when_it_holds(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    article = builders.article(tenant_id=tenant.id)
    await given(postgres_unit_of_work, article, builders.job(tenant_id=tenant.id, subject_id=article.id))
    async with postgres_unit_of_work() as tx:
        (late,) = await tx[Jobs].claim("w1", KINDS, MOMENT, MOMENT + LEASE, 1)

    async def store_result(job: Job, title: str) -> bool:
        async with postgres_unit_of_work() as tx:
            if not await tx[Jobs].fence(job):
                return False
            present = await tx[Articles].get(tenant.id, article.id)
            await tx[Articles].save(evolve(present, title=title))
            await tx[Jobs].finish(job)
            return True

    async with postgres_unit_of_work() as tx:
        (taken,) = await tx[Jobs].claim("w2", KINDS, LAPSED, LAPSED + LEASE, 1)
        result = asyncio.create_task(store_result(late, "late"))
        await asyncio.sleep(0.05)  # it waits for the claim, which has not been committed
        assert not result.done()
    assert not await result
    assert await store_result(taken, "in time")
    async with postgres_unit_of_work() as tx:
        assert (await tx[Articles].get(tenant.id, article.id)).title == "in time"


async def test_a_worker_that_lost_its_lease_stores_no_section(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    article = builders.article(tenant_id=tenant.id)
    await given(postgres_unit_of_work, article, builders.job(tenant_id=tenant.id, subject_id=article.id))
    async with postgres_unit_of_work() as tx:
        (late,) = await tx[Jobs].claim("w1", KINDS, MOMENT, MOMENT + LEASE, 1)

    async def store_section(job: Job) -> bool:
        stage = StageRecord(Stage.SECTION, MOMENT, 1.5, 1)
        async with postgres_unit_of_work() as tx:
            return await tx[Generations].save_draft(job, article.id, 0, builders.section_draft(), stage, 50)

    async with postgres_unit_of_work() as tx:
        (taken,) = await tx[Jobs].claim("w2", KINDS, LAPSED, LAPSED + LEASE, 1)
        result = asyncio.create_task(store_section(late))
        await asyncio.sleep(0.05)  # it waits for the claim, which has not been committed
        assert not result.done()
    assert not await result
    async with postgres_unit_of_work() as tx:
        assert await tx[Generations].drafts(article.id) == {}
        assert await tx[Generations].stages(article.id) == ()
    assert await store_section(taken)
    async with postgres_unit_of_work() as tx:
        assert list(await tx[Generations].drafts(article.id)) == [0]


async def test_a_cancellation_waits_for_the_transaction_that_holds_the_job(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    await given(postgres_unit_of_work, builders.job(tenant_id=tenant.id))
    async with postgres_unit_of_work() as tx:
        (job,) = await tx[Jobs].claim("w1", KINDS, MOMENT, MOMENT + LEASE, 1)

    async def cancel() -> None:
        async with postgres_unit_of_work() as tx:
            await tx[Jobs].cancel(job.id)

    async with postgres_unit_of_work() as tx:
        assert await tx[Jobs].fence(job)
        cancellation = asyncio.create_task(cancel())
        await asyncio.sleep(0.05)
        assert not cancellation.done()
    await cancellation
    async with postgres_unit_of_work() as tx:
        assert not await tx[Jobs].fence(job)
