"""Deleting what is over after a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date, timedelta

import pytest

from contentgen_core.errors import NotFound
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.enrichment import EnrichmentStatus
from contentgen_core.model.execution import ExecutionStatus
from contentgen_core.model.history import History, first_id
from contentgen_core.model.ids import (
    ArticleId,
    ArticleUpdateId,
    EnrichmentId,
    ExecutionId,
    TenantId,
    TranslationId,
)
from contentgen_core.model.tenant import Quota
from contentgen_core.model.translation import TranslationStatus
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.enrichments import Enrichments
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.history import Histories
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given, given_tenant

BEFORE = MOMENT + timedelta(days=10)


def _id(day: int, number: int = 0) -> str:
    """Of something that was made on this day."""
    return first_id(MOMENT + timedelta(days=day)) + f"{number:03x}-8000-000000000000"


async def _forget(unit_of_work: UnitOfWork, what: History, limit: int = 100) -> int:
    async with unit_of_work() as tx:
        return await tx[Histories].forget(what, BEFORE, limit)


async def _found(unit_of_work: UnitOfWork, get: Callable[[Transaction], Awaitable[object]]) -> bool:
    try:
        async with unit_of_work() as tx:
            await get(tx)
    except NotFound:
        return False
    return True


async def _run(unit_of_work: UnitOfWork, tenant_id: TenantId, id: str, status: ExecutionStatus) -> None:
    async with unit_of_work() as tx:
        await tx[Executions].add(builders.execution(tenant_id=tenant_id, id=ExecutionId(id), status=status))


class HistoryContract:
    async def test_runs_that_ended_long_ago_are_forgotten(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        runs = {
            _id(1): ExecutionStatus.COMPLETED,
            _id(2): ExecutionStatus.FAILED,
            _id(3): ExecutionStatus.RUNNING,
            _id(10): ExecutionStatus.COMPLETED,
        }
        for id, status in runs.items():
            await _run(unit_of_work, tenant.id, id, status)
        assert await _forget(unit_of_work, History.RUNS) == 2
        kept = [
            id
            for id in runs
            if await _found(unit_of_work, lambda tx, id=id: tx[Executions].get(tenant.id, ExecutionId(id)))  # type: ignore[misc]
        ]
        assert kept == [_id(3), _id(10)]
        assert await _forget(unit_of_work, History.RUNS) == 0

    async def test_the_oldest_are_forgotten_first_and_no_more_than_asked(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for day in (4, 2, 3):
            await _run(unit_of_work, tenant.id, _id(day), ExecutionStatus.COMPLETED)
        assert await _forget(unit_of_work, History.RUNS, 2) == 2
        assert await _found(unit_of_work, lambda tx: tx[Executions].get(tenant.id, ExecutionId(_id(4))))
        assert await _forget(unit_of_work, History.RUNS, 2) == 1
        assert not await _found(unit_of_work, lambda tx: tx[Executions].get(tenant.id, ExecutionId(_id(4))))

    async def test_enrichments_that_ended_long_ago_are_forgotten(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        made = {
            EnrichmentId(_id(1)): EnrichmentStatus.COMPLETED,
            EnrichmentId(_id(2)): EnrichmentStatus.FETCHING,
            EnrichmentId(_id(11)): EnrichmentStatus.FAILED,
        }
        async with unit_of_work() as tx:
            for id, status in made.items():
                await tx[Enrichments].add(builders.enrichment(tenant_id=tenant.id, id=id, status=status))
        assert await _forget(unit_of_work, History.ENRICHMENTS) == 1
        async with unit_of_work() as tx:
            for id in list(made)[1:]:
                assert (await tx[Enrichments].get(tenant.id, id)).id == id
        assert not await _found(unit_of_work, lambda tx: tx[Enrichments].get(tenant.id, EnrichmentId(_id(1))))

    async def test_translations_of_texts_are_forgotten_and_those_of_articles_stay(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        text, under_way, of_article = (TranslationId(_id(1, number)) for number in range(3))
        done, translating = TranslationStatus.COMPLETED, TranslationStatus.TRANSLATING
        async with unit_of_work() as tx:
            for id, status, made in (
                (text, done, None),
                (under_way, translating, None),
                (of_article, done, article.id),
            ):
                await tx[Translations].add(
                    builders.translation(tenant_id=tenant.id, id=id, status=status, made_article_id=made)
                )
        assert await _forget(unit_of_work, History.TRANSLATIONS) == 1
        async with unit_of_work() as tx:
            for id in (under_way, of_article):
                assert (await tx[Translations].get(tenant.id, id)).id == id
            with pytest.raises(NotFound):
                await tx[Translations].get(tenant.id, text)

    async def test_updates_that_wait_for_a_person_stay(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        states = (UpdateState.APPLIED, UpdateState.REJECTED, UpdateState.TRANSLATING, UpdateState.PROPOSED)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        async with unit_of_work() as tx:
            for number, state in enumerate(states):
                await tx[ArticleUpdates].add(_update(tenant.id, article.id, _id(1, number), state))
        assert await _forget(unit_of_work, History.UPDATES) == 2
        async with unit_of_work() as tx:
            left = await tx[ArticleUpdates].newest(tenant.id, article.id, 10)
        assert [update.state for update in left] == [UpdateState.PROPOSED, UpdateState.TRANSLATING]

    async def test_quotas_of_past_windows_are_forgotten(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        past, now = date(2026, 3, 1), BEFORE.date()
        async with unit_of_work() as tx:
            for window in (past, now):
                assert await tx[Quotas].consume(tenant.id, Quota.ARTICLES, window, 10)
        assert await _forget(unit_of_work, History.QUOTAS) == 1
        async with unit_of_work() as tx:
            assert await tx[Quotas].used(tenant.id, Quota.ARTICLES, past) == 0
            assert await tx[Quotas].used(tenant.id, Quota.ARTICLES, now) == 1


def _update(tenant_id: TenantId, article_id: ArticleId, id: str, state: UpdateState) -> ArticleUpdate:
    return ArticleUpdate(
        id=ArticleUpdateId(id),
        tenant_id=tenant_id,
        article_id=article_id,
        niche_key=builders.NICHE_KEY,
        title="Heat pumps",
        sentences=1,
        changes=(),
        created_at=MOMENT,
        state=state,
    )
