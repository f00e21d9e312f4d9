"""Checkpoints and stages of an article that is being written."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest

from contentgen_core.errors import NotFound
from contentgen_core.model.article import Article, ArticleStatus, Usage
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import JobKind
from contentgen_core.model.prices import Cost
from contentgen_core.model.writing import MAX_STAGES, Stage, StageRecord
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.articles import GENERATING, LATER, delete_article
from tests.contract.store.given import (
    alien_ids,
    given,
    given_held_job,
    given_tenant,
)

WRITTEN_SECTION: Final = StageRecord(Stage.SECTION, MOMENT, 1.5, 1, heading="Costs")


class GenerationsContract:
    @alien_ids
    async def test_an_alien_article_id_has_no_checkpoints(self, unit_of_work: UnitOfWork, alien: str) -> None:
        async with unit_of_work() as tx:
            assert await tx[Generations].sources(ArticleId(alien)) is None
            assert await tx[Generations].drafts(ArticleId(alien)) == {}
            assert await tx[Generations].stages(ArticleId(alien)) == ()
            await tx[Generations].clear_drafts(ArticleId(alien))

    async def test_stages_are_kept_in_the_order_of_their_beginnings(self, unit_of_work: UnitOfWork) -> None:
        article = await self._given_article(unit_of_work)
        later = StageRecord(Stage.SECTION, LATER, 3.25, 2, Usage("m", 1, 2, Cost(3, "EUR")), "Énergie \U0001f321")
        first = StageRecord(Stage.PLAN, MOMENT, 0.5, 0)
        for stage in (later, first):
            async with unit_of_work() as tx:
                await tx[Generations].record(article.id, stage)
        async with unit_of_work() as tx:
            assert await tx[Generations].stages(article.id) == (first, later)
            await tx[Generations].clear_drafts(article.id)
        await delete_article(unit_of_work, article)
        async with unit_of_work() as tx:
            assert await tx[Generations].stages(article.id) == ()
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Generations].record(article.id, first)

    async def test_of_endless_stages_the_latest_are_read(self, unit_of_work: UnitOfWork) -> None:
        article = await self._given_article(unit_of_work)
        stages = [StageRecord(Stage.CHECK, MOMENT + timedelta(seconds=n), 1.0, 1) for n in range(MAX_STAGES + 5)]
        async with unit_of_work() as tx:
            for stage in stages:
                await tx[Generations].record(article.id, stage)
        async with unit_of_work() as tx:
            assert await tx[Generations].stages(article.id) == tuple(stages[5:])

    async def test_nothing_found_differs_from_not_yet_searched(self, unit_of_work: UnitOfWork) -> None:
        article = await self._given_article(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[Generations].sources(article.id) is None
            await tx[Generations].save_sources(article.id, [])
        async with unit_of_work() as tx:
            assert await tx[Generations].sources(article.id) == ()

    async def test_sources_are_kept_in_order_and_replaced(self, unit_of_work: UnitOfWork) -> None:
        article = await self._given_article(unit_of_work)
        document = builders.full_document()
        sources = tuple(
            builders.ranked_passage(builders.passage(document, chunk_index=n, head_terms=("heat",), heading="Heat"))
            for n in (2, 0, 1)
        )
        for saved in (sources, sources[1:]):
            async with unit_of_work() as tx:
                await tx[Generations].save_sources(article.id, saved)
            async with unit_of_work() as tx:
                assert await tx[Generations].sources(article.id) == saved

    async def test_sources_outlive_the_documents_they_came_from(self, unit_of_work: UnitOfWork) -> None:
        article = await self._given_article(unit_of_work)
        document = builders.kb_document()
        passage = builders.passage(document)
        await given(unit_of_work, (document, [passage]))
        async with unit_of_work() as tx:
            await tx[Generations].save_sources(article.id, [builders.ranked_passage(passage)])
            await tx[Knowledge].remove([document.id])
        async with unit_of_work() as tx:
            assert await tx[Generations].sources(article.id) == (builders.ranked_passage(passage),)

    async def test_drafts_are_kept_by_position_and_replaced(self, unit_of_work: UnitOfWork) -> None:
        article, sibling = await self._given_article(unit_of_work), await self._given_article(unit_of_work)
        held = await given_held_job(unit_of_work)
        first, second, better = (builders.section_draft(heading=heading) for heading in ("A", "B", "C"))
        for position, draft in ((3, second), (0, first), (3, better)):
            async with unit_of_work() as tx:
                await tx[Generations].save_draft(held, article.id, position, draft, WRITTEN_SECTION, 50)
        async with unit_of_work() as tx:
            assert await tx[Generations].drafts(article.id) == {0: first, 3: better}
            assert await tx[Generations].drafts(sibling.id) == {}

    async def test_a_worker_that_is_late_stores_nothing(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id, status=GENERATING)
        await given(unit_of_work, article)
        held, draft = await given_held_job(unit_of_work), builders.section_draft()
        async with unit_of_work() as tx:
            await tx[Jobs].retry(held, MOMENT, "it was slow")
        async with unit_of_work() as tx:
            [again] = await tx[Jobs].claim("another", frozenset(JobKind), MOMENT, LATER, 1)
        assert again.id == held.id
        for job in (held, builders.job()):
            async with unit_of_work() as tx:
                assert not await tx[Generations].save_draft(job, article.id, 0, draft, WRITTEN_SECTION, 50)
        async with unit_of_work() as tx:
            assert await tx[Generations].drafts(article.id) == {}
            assert await tx[Generations].stages(article.id) == ()
            assert (await tx[Articles].get(tenant.id, article.id)).progress == article.progress
        async with unit_of_work() as tx:
            assert await tx[Generations].save_draft(again, article.id, 0, draft, WRITTEN_SECTION, 50)
        async with unit_of_work() as tx:
            assert await tx[Generations].drafts(article.id) == {0: draft}

    async def test_a_draft_is_kept_with_its_stage_and_shows_how_far_its_article_is(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        under_way, draft, sibling = (
            builders.article(topic, tenant_id=tenant.id, status=status)
            for topic, status in (
                ("Wind", ArticleStatus.GENERATING),
                ("Sun", ArticleStatus.DRAFT),
                ("Tide", ArticleStatus.GENERATING),
            )
        )
        await given(unit_of_work, under_way, draft, sibling)
        held = await given_held_job(unit_of_work)
        for position, progress in ((0, 40), (1, 30)):
            async with unit_of_work() as tx:
                for article in (under_way, draft):
                    saved = builders.section_draft(heading=f"{position}")
                    await tx[Generations].save_draft(held, article.id, position, saved, WRITTEN_SECTION, progress)
        async with unit_of_work() as tx:
            articles = [await tx[Articles].get(tenant.id, article.id) for article in (under_way, draft, sibling)]
            assert [article.progress for article in articles] == [40, draft.progress, sibling.progress]
            assert [article.revision for article in articles] == [under_way.revision, draft.revision, sibling.revision]
            assert await tx[Generations].stages(under_way.id) == (WRITTEN_SECTION, WRITTEN_SECTION)
            assert await tx[Generations].stages(sibling.id) == ()
        await delete_article(unit_of_work, under_way)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Generations].save_draft(held, under_way.id, 2, builders.section_draft(), WRITTEN_SECTION, 50)

    async def test_cleared_drafts_are_gone_and_the_sources_stay(self, unit_of_work: UnitOfWork) -> None:
        article, sibling = await self._given_article(unit_of_work), await self._given_article(unit_of_work)
        source, draft, held = builders.ranked_passage(), builders.section_draft(), await given_held_job(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Generations].save_sources(article.id, [source])
            await tx[Generations].save_draft(held, article.id, 0, draft, WRITTEN_SECTION, 50)
            await tx[Generations].save_draft(held, sibling.id, 0, draft, WRITTEN_SECTION, 50)
        async with unit_of_work() as tx:
            await tx[Generations].clear_drafts(article.id)
        async with unit_of_work() as tx:
            assert await tx[Generations].drafts(article.id) == {}
            assert await tx[Generations].sources(article.id) == (source,)
            assert await tx[Generations].drafts(sibling.id) == {0: draft}

    async def test_checkpoints_go_with_their_article(self, unit_of_work: UnitOfWork) -> None:
        article, held = await self._given_article(unit_of_work), await given_held_job(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Generations].save_sources(article.id, [builders.ranked_passage()])
            await tx[Generations].save_draft(held, article.id, 0, builders.section_draft(), WRITTEN_SECTION, 50)
        await delete_article(unit_of_work, article)
        async with unit_of_work() as tx:
            assert await tx[Generations].sources(article.id) is None
            assert await tx[Generations].drafts(article.id) == {}

    async def _given_article(self, unit_of_work: UnitOfWork) -> Article:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        return article
