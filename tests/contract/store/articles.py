"""Articles, their revisions, and the same-topic rule."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange, DuplicateFreeArticle, NotFound, TopicAlreadyGenerating
from contentgen_core.model.article import Article, ArticleStatus, ProviderWait, Usage
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.prices import Cost
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.repositories.articles import ArticleOutcome, Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import (
    alien_ids,
    given,
    given_tenant,
    given_tenants,
)

GENERATING = ArticleStatus.GENERATING
LATER = MOMENT + timedelta(minutes=1)


async def _save(unit_of_work: UnitOfWork, article: Article) -> Article:
    async with unit_of_work() as tx:
        return await tx[Articles].save(article)


async def _stored(unit_of_work: UnitOfWork, article: Article) -> Article:
    async with unit_of_work() as tx:
        return await tx[Articles].get(article.tenant_id, article.id)


async def delete_article(unit_of_work: UnitOfWork, article: Article) -> None:
    async with unit_of_work() as tx:
        await tx[Articles].delete(article.tenant_id, article.id)


class ArticlesContract:
    @alien_ids
    async def test_an_alien_article_id_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        id = ArticleId(alien)
        with pytest.raises(NotFound):
            await _stored(unit_of_work, evolve(article, id=id))
        with pytest.raises(NotFound):
            await delete_article(unit_of_work, evolve(article, id=id))
        with pytest.raises(NotFound):
            await _save(unit_of_work, evolve(article, id=id))
        async with unit_of_work() as tx:
            await tx[Articles].set_progress(tenant.id, id, 50)
        assert await _stored(unit_of_work, article) == article

    async def test_a_plain_article_is_read_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        assert await _stored(unit_of_work, article) == article

    async def test_every_field_of_an_article_is_kept(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        user = builders.user(tenant_id=tenant.id)
        article = builders.full_article(tenant_id=tenant.id, created_by=user.id)
        await given(unit_of_work, user, article)
        assert await _stored(unit_of_work, article) == article

    async def test_every_field_of_an_article_can_be_changed(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        user = builders.user(tenant_id=tenant.id)
        before = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, user, before)
        changed = builders.full_article(id=before.id, tenant_id=tenant.id, created_at=before.created_at, revision=0)
        saved = await _save(unit_of_work, changed)
        assert saved == evolve(changed, revision=1)
        assert await _stored(unit_of_work, before) == saved

    async def test_another_tenants_article_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        article = builders.article(tenant_id=other.id, status=GENERATING)
        await given(unit_of_work, article)
        mine = evolve(article, tenant_id=tenant.id)
        for attempt in (_stored, _save, delete_article):
            with pytest.raises(NotFound):
                await attempt(unit_of_work, mine)
        async with unit_of_work() as tx:
            await tx[Articles].set_progress(tenant.id, article.id, 50)
        assert await _stored(unit_of_work, article) == article

    async def test_a_save_gives_the_next_revision(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        first = await _save(unit_of_work, evolve(article, title="One"))
        second = await _save(unit_of_work, evolve(first, title="Two"))
        assert (first.revision, second.revision) == (1, 2)
        assert await _stored(unit_of_work, article) == second

    async def test_a_save_of_an_old_revision_is_refused(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        saved = await _save(unit_of_work, evolve(article, title="One"))
        with pytest.raises(ConcurrentChange):
            await _save(unit_of_work, evolve(article, title="Two"))
        assert await _stored(unit_of_work, article) == saved

    async def test_of_saves_at_the_same_time_one_wins(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        changes = [evolve(article, title=f"Title {n}") for n in range(6)]
        outcomes = await asyncio.gather(*(_save(unit_of_work, a) for a in changes), return_exceptions=True)
        (winner,) = (outcome for outcome in outcomes if isinstance(outcome, Article))
        assert sum(isinstance(outcome, ConcurrentChange) for outcome in outcomes) == 5
        assert await _stored(unit_of_work, article) == winner

    async def test_a_public_slug_that_another_tenants_public_article_has_gets_a_number(
        self, unit_of_work: UnitOfWork
    ) -> None:
        mine, other = await given_tenants(unit_of_work)
        article = builders.article(tenant_id=mine.id, slug="heat", is_public=True)
        others = [
            builders.article(tenant_id=other.id, slug=slug, is_public=public)
            for slug, public in (("heat_1", True), ("heat-2", False), ("heat-pumps", True), (None, True))
        ]
        await given(unit_of_work, article, *others)
        async with unit_of_work() as tx:
            assert await tx[Articles].free_public_slug("heat", article.id) == "heat"
            assert await tx[Articles].free_public_slug("heat", others[0].id) == "heat-2"
            assert await tx[Articles].free_public_slug("heat_", article.id) == "heat_"
            assert await tx[Articles].free_public_slug("heat-pumps", article.id) == "heat-pumps-2"

    async def test_of_public_slugs_asked_for_at_once_each_is_another(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        articles = [builders.article(tenant_id=tenant.id) for _ in range(6)]
        await given(unit_of_work, *articles)

        async def public(article: Article) -> str | None:
            async with unit_of_work() as tx:
                slug = await tx[Articles].free_public_slug("heat", article.id)
                await asyncio.sleep(0.01)
                return (await tx[Articles].save(evolve(article, is_public=True, slug=slug))).slug

        slugs = await asyncio.gather(*map(public, articles))
        assert sorted(map(str, slugs)) == ["heat", *(f"heat-{number}" for number in range(2, 7))]

    async def test_a_deleted_article_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article, sibling = (builders.article(tenant_id=tenant.id) for _ in range(2))
        await given(unit_of_work, article, sibling)
        await delete_article(unit_of_work, article)
        for attempt in (_stored, _save, delete_article):
            with pytest.raises(NotFound):
                await attempt(unit_of_work, article)
        assert await _stored(unit_of_work, sibling) == sibling

    async def test_the_statuses_of_many_are_those_of_ones_own_that_are_there(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        first, second = (builders.article(tenant_id=tenant.id, status=s) for s in (GENERATING, ArticleStatus.DRAFT))
        theirs = builders.article(tenant_id=other.id)
        await given(unit_of_work, first, second, theirs)
        asked = [first.id, second.id, theirs.id, ArticleId(builders.new_id()), ArticleId("\0")]
        async with unit_of_work() as tx:
            found = await tx[Articles].statuses(tenant.id, asked)
            assert found == {first.id: GENERATING, second.id: ArticleStatus.DRAFT}
            assert await tx[Articles].statuses(tenant.id, []) == {}

    async def test_what_has_become_of_many_is_told_of_ones_own_that_are_there(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        usage = Usage("m", 10, 20, Cost(1_500, "EUR"))
        first = builders.article(tenant_id=tenant.id, status=GENERATING, progress=40)
        second = builders.article(tenant_id=tenant.id, status=ArticleStatus.GENERATED, word_count=700, usage=usage)
        theirs = builders.article(tenant_id=other.id)
        await given(unit_of_work, first, second, theirs)
        asked = [first.id, second.id, theirs.id, ArticleId(builders.new_id()), ArticleId("\0")]
        async with unit_of_work() as tx:
            assert await tx[Articles].outcomes(tenant.id, asked) == {
                first.id: ArticleOutcome(first.id, first.title, GENERATING, 40, first.word_count, first.usage),
                second.id: ArticleOutcome(second.id, second.title, ArticleStatus.GENERATED, 100, 700, usage),
            }

    async def test_the_newest_topics_of_a_niche_come_first(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        for n, topic in enumerate(("Solar panels", "Wind", "Heat pumps")):
            at = MOMENT + timedelta(minutes=n)
            await given(unit_of_work, builders.article(topic, tenant_id=tenant.id, created_at=at))
        await given(unit_of_work, builders.article("Theirs", tenant_id=other.id, created_at=LATER))
        await given(unit_of_work, builders.article("Boats", tenant_id=tenant.id, niche_key="boats"))
        async with unit_of_work() as tx:
            newest = ["Heat pumps", "Wind", "Solar panels"]
            assert await tx[Articles].recent_topics(tenant.id, builders.NICHE_KEY, 10) == newest
            assert await tx[Articles].recent_topics(tenant.id, builders.NICHE_KEY, 2) == newest[:2]
            assert await tx[Articles].recent_topics(tenant.id, "nothing", 10) == []


class ProgressContract:
    async def test_progress_moves_forward_and_never_back(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article(tenant_id=tenant.id, status=GENERATING)
        await given(unit_of_work, article)
        for progress, shown in ((20, 20), (60, 60), (40, 60), (60, 60), (95, 95)):
            async with unit_of_work() as tx:
                await tx[Articles].set_progress(tenant.id, article.id, progress)
            assert await _stored(unit_of_work, article) == evolve(article, progress=shown)

    async def test_only_a_generating_article_makes_progress(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for status in frozenset(ArticleStatus) - {GENERATING}:
            article = builders.article(tenant_id=tenant.id, status=status, progress=10)
            await given(unit_of_work, article)
            async with unit_of_work() as tx:
                await tx[Articles].set_progress(tenant.id, article.id, 50)
            assert await _stored(unit_of_work, article) == article

    async def test_only_a_generating_article_waits_for_a_provider(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        wait = ProviderWait("The model: HTTP 503", MOMENT, MOMENT + timedelta(minutes=20))
        for status in ArticleStatus:
            article = builders.article(f"Wind {status}", tenant_id=tenant.id, status=status)
            await given(unit_of_work, article)
            for tenant_id, waiting in ((tenant.id, wait), (other.id, None)):
                async with unit_of_work() as tx:
                    await tx[Articles].set_waiting(tenant_id, article.id, waiting)
                shown = evolve(article, waiting=wait if status is GENERATING else None)
                assert await _stored(unit_of_work, article) == shown
            async with unit_of_work() as tx:
                await tx[Articles].set_waiting(tenant.id, article.id, None)
            assert await _stored(unit_of_work, article) == article


class TopicsContract:
    async def test_the_same_topic_cannot_generate_twice(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        first, second = (builders.article("Wind", tenant_id=tenant.id, status=GENERATING) for _ in range(2))
        await given(unit_of_work, first)
        with pytest.raises(TopicAlreadyGenerating):
            await given(unit_of_work, second)
        with pytest.raises(NotFound):
            await _stored(unit_of_work, second)

    async def test_the_same_topic_started_twice_at_once_generates_once(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        articles = [builders.article("Wind", tenant_id=tenant.id, status=GENERATING) for _ in range(6)]
        outcomes = await asyncio.gather(*(given(unit_of_work, a) for a in articles), return_exceptions=True)
        refused = [type(outcome) for outcome in outcomes if outcome is not None]
        assert refused == [TopicAlreadyGenerating] * 5

    async def test_the_topic_rule_is_for_generating_articles_of_one_tenant(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        drafts = [builders.article("Wind", tenant_id=tenant.id) for _ in range(2)]
        mine, theirs = (builders.article("Wind", tenant_id=t.id, status=GENERATING) for t in (tenant, other))
        different = builders.article("Solar", tenant_id=tenant.id, status=GENERATING)
        await given(unit_of_work, *drafts, mine, theirs, different)
        for article in (*drafts, mine, theirs, different):
            assert await _stored(unit_of_work, article) == article

    async def test_a_topic_is_known_to_be_generating_while_it_is(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        article = builders.article("Wind", tenant_id=tenant.id, status=GENERATING)
        await given(unit_of_work, article, builders.article("Solar", tenant_id=tenant.id))
        async with unit_of_work() as tx:
            assert await tx[Articles].is_generating(tenant.id, article.topic_key)
            assert not await tx[Articles].is_generating(tenant.id, topic_key("Solar"))
            assert not await tx[Articles].is_generating(other.id, article.topic_key)
        await _save(unit_of_work, article.moved_to(ArticleStatus.GENERATED, LATER))
        async with unit_of_work() as tx:
            assert not await tx[Articles].is_generating(tenant.id, article.topic_key)

    async def test_the_topic_rule_holds_when_an_article_is_saved(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        draft = builders.article("Wind", tenant_id=tenant.id)
        await given(unit_of_work, draft, builders.article("Wind", tenant_id=tenant.id, status=GENERATING))
        with pytest.raises(TopicAlreadyGenerating):
            await _save(unit_of_work, draft.moved_to(GENERATING, LATER))
        assert await _stored(unit_of_work, draft) == draft

    async def test_a_generating_article_does_not_stand_in_its_own_way(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article("Wind", tenant_id=tenant.id, status=GENERATING)
        await given(unit_of_work, article)
        assert (await _save(unit_of_work, evolve(article, title="Wind power"))).revision == 1

    async def test_a_topic_is_free_again_when_its_generation_ends(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for status in (ArticleStatus.GENERATED, ArticleStatus.FAILED, ArticleStatus.DRAFT):
            article = builders.article("Wind", tenant_id=tenant.id, status=GENERATING)
            await given(unit_of_work, article)
            await _save(unit_of_work, article.moved_to(status, LATER))
        await given(unit_of_work, builders.article("Wind", tenant_id=tenant.id, status=GENERATING))

    async def test_a_topic_is_free_again_when_its_article_is_deleted(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = builders.article("Wind", tenant_id=tenant.id, status=GENERATING)
        await given(unit_of_work, article)
        await delete_article(unit_of_work, article)
        await given(unit_of_work, builders.article("Wind", tenant_id=tenant.id, status=GENERATING))

    async def test_a_free_article_exists_once_on_the_platform(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        first, second, third = (builders.article("Wind", tenant_id=t.id) for t in (tenant, other, tenant))
        await given(unit_of_work, first, second, third)
        freed = await _save(unit_of_work, evolve(first, is_free_generation=True, free_topic="Wind"))
        for duplicate in (second, third):
            with pytest.raises(DuplicateFreeArticle):
                await _save(unit_of_work, evolve(duplicate, is_free_generation=True, free_topic="Wind"))
            assert await _stored(unit_of_work, duplicate) == duplicate
        assert (await _save(unit_of_work, evolve(freed, title="Wind power"))).is_free_generation
        await _save(unit_of_work, evolve(second, is_free_generation=True, free_topic="Solar"))

    async def test_a_free_topic_is_open_again_when_its_article_lets_go_of_it(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        articles = [builders.article("Wind", tenant_id=tenant.id) for _ in range(3)]
        await given(unit_of_work, *articles)
        free = [evolve(article, is_free_generation=True, free_topic="Wind") for article in articles]
        saved = await _save(unit_of_work, free[0])
        await _save(unit_of_work, evolve(saved, is_free_generation=False, free_topic=None))
        await _save(unit_of_work, free[1])
        await delete_article(unit_of_work, articles[1])
        await _save(unit_of_work, free[2])
