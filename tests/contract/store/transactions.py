"""What every transaction guarantees."""

from __future__ import annotations

import asyncio

import pytest

from contentgen_core.errors import NotFound
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.job import JobKind
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.tenant import Quota
from contentgen_core.model.writing import Stage, StageRecord
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_held_job, given_tenant


class _Stop(Exception):
    pass


class TransactionsContract:
    async def test_leaving_the_block_commits(self, unit_of_work: UnitOfWork) -> None:
        tenant = builders.tenant()
        async with unit_of_work() as tx:
            await tx[Tenants].add(tenant)
        async with unit_of_work() as tx:
            assert await tx[Tenants].get(tenant.id) == tenant

    async def test_a_transaction_sees_its_own_changes(self, unit_of_work: UnitOfWork) -> None:
        tenant = builders.tenant()
        async with unit_of_work() as tx:
            await tx[Tenants].add(tenant)
            assert await tx[Tenants].get(tenant.id) == tenant

    async def test_others_see_nothing_before_the_commit(self, unit_of_work: UnitOfWork) -> None:
        tenant = builders.tenant()
        async with unit_of_work() as writer:
            await writer[Tenants].add(tenant)
            async with unit_of_work() as reader:
                with pytest.raises(NotFound):
                    await reader[Tenants].get(tenant.id)

    async def test_an_error_takes_everything_back(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article("Solar", tenant_id=tenant.id, status=ArticleStatus.GENERATING)
        document, held = builders.kb_document(), await given_held_job(unit_of_work)

        async def write_everything_and_fail() -> None:
            async with unit_of_work() as tx:
                await tx[Articles].add(article)
                await tx[Generations].save_draft(
                    held, article.id, 0, builders.section_draft(), StageRecord(Stage.SECTION, MOMENT, 1.5, 1), 50
                )
                await tx[Quotas].consume(tenant.id, Quota.ARTICLES, MOMENT.date(), 3)
                await tx[Jobs].enqueue(builders.job(tenant_id=tenant.id, subject_id=article.id))
                await tx[Knowledge].add([(document, [builders.passage(document)])])
                raise _Stop

        with pytest.raises(_Stop):
            await write_everything_and_fail()
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Articles].get(tenant.id, article.id)
        async with unit_of_work() as tx:
            assert await tx[Generations].drafts(article.id) == {}
            assert await tx[Generations].stages(article.id) == ()
            assert await tx[Quotas].used(tenant.id, Quota.ARTICLES, MOMENT.date()) == 0
            assert await tx[Jobs].backlog(MOMENT) == (0, None)
            assert await tx[Knowledge].pending_changes() == 0
            assert await tx[Knowledge].passages_of([document.id]) == []
            assert await tx[Knowledge].languages(KbView(document.scope.niche_key)) == frozenset()
        await given(unit_of_work, article, (document, [builders.passage(document)]))

    async def test_a_claim_that_is_taken_back_leaves_the_job_unclaimed(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        job = builders.job(tenant_id=tenant.id)
        await given(unit_of_work, job)
        until = MOMENT.replace(hour=13)

        async def claim_and_fail() -> None:
            async with unit_of_work() as tx:
                await tx[Jobs].claim("w", frozenset(JobKind), MOMENT, until, 1)
                raise _Stop

        with pytest.raises(_Stop):
            await claim_and_fail()
        async with unit_of_work() as tx:
            (claimed,) = await tx[Jobs].claim("w", frozenset(JobKind), MOMENT, until, 1)
        assert claimed.attempts == 1

    async def test_a_cancelled_transaction_leaves_nothing_and_blocks_no_other(self, unit_of_work: UnitOfWork) -> None:
        tenant = builders.tenant()
        written = asyncio.Event()

        async def write_and_wait() -> None:
            async with unit_of_work() as tx:
                await tx[Tenants].add(tenant)
                written.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(write_and_wait())
        await written.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Tenants].get(tenant.id)
        await given(unit_of_work, tenant)

    async def test_transactions_at_the_same_time_all_commit(self, unit_of_work: UnitOfWork) -> None:
        tenants = [builders.tenant() for _ in range(12)]
        await asyncio.gather(*(given(unit_of_work, tenant) for tenant in tenants))
        async with unit_of_work() as tx:
            assert [await tx[Tenants].get(tenant.id) for tenant in tenants] == tenants
