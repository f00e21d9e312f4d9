"""The facts of an evaluation: of this tenant and area alone, newest first, within the limit."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from attrs import evolve

from contentgen_core.model.agent import AgentKey
from contentgen_core.model.area import Area
from contentgen_core.model.article import Article, ArticleSource, ArticleStatus
from contentgen_core.model.governance import ArticleFacts, DocumentFacts, PublishedFacts
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbScope, KbView, Origin
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.governance import GovernanceFacts
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.builders import NICHE_KEY
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

NICHE, AGENT = Area(NICHE_KEY), Area(NICHE_KEY, "GB")
DAY = timedelta(days=1)


def _published(days_ago: int, **changes: Any) -> Article:
    return builders.article(status=ArticleStatus.PUBLISHED, published_at=MOMENT - days_ago * DAY, **changes)


class GovernanceFactsContract:
    async def test_documents_come_newest_first_with_their_dates_and_no_more_than_asked(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        mine, country = KbScope(NICHE_KEY, tenant.id), KbScope(NICHE_KEY, tenant.id, "GB")
        documents = [
            builders.kb_document(scope=scope, created_at=MOMENT + n * DAY)
            for n, scope in enumerate((KbScope(NICHE_KEY), mine, country, mine))
        ]
        full = evolve(
            documents[2], origin=Origin.WEB, url="https://a.example/", fetched_at=MOMENT, published=date(2025, 5, 1)
        )
        documents[2] = full
        for document in documents:
            await given(unit_of_work, (document, [builders.passage(document)]))
        view = KbView(NICHE_KEY, tenant.id, frozenset({"GB"}))
        async with unit_of_work() as tx:
            found = await tx[GovernanceFacts].documents(view, 10)
            assert [facts.created_at for facts in found] == [MOMENT + n * DAY for n in (3, 2, 1, 0)]
            assert found[1] == DocumentFacts(Origin.WEB, full.created_at, full.url, MOMENT, date(2025, 5, 1))
            assert await tx[GovernanceFacts].documents(view, 2) == found[:2]

    async def test_documents_removed_or_of_another_view_are_not_counted(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        kept, gone = (builders.kb_document(scope=KbScope(NICHE_KEY, tenant.id)) for _ in range(2))
        foreign = builders.kb_document(scope=KbScope(NICHE_KEY, other.id))
        elsewhere = builders.kb_document(scope=KbScope(NICHE_KEY, tenant.id, "FR"))
        for document in (kept, gone, foreign, elsewhere):
            await given(unit_of_work, (document, [builders.passage(document)]))
        async with unit_of_work() as tx:
            await tx[Knowledge].remove([gone.id])
        async with unit_of_work() as tx:
            found = await tx[GovernanceFacts].documents(KbView(NICHE_KEY, tenant.id, frozenset({"GB"})), 10)
        assert [facts.url for facts in found] == [kept.url]

    async def test_articles_of_the_niche_come_newest_first_without_failed_ones(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        await given(
            unit_of_work,
            builders.article("Old", tenant_id=tenant.id),
            builders.article("New", tenant_id=tenant.id, created_at=MOMENT + DAY, title="Neu"),
            builders.article("Broken", tenant_id=tenant.id, status=ArticleStatus.FAILED),
            builders.article("Elsewhere", tenant_id=tenant.id, niche_key="other"),
            builders.article("Theirs", tenant_id=other.id),
        )
        async with unit_of_work() as tx:
            found = await tx[GovernanceFacts].articles(tenant.id, NICHE, 10)
            assert found == [ArticleFacts("Neu", "New", Language.EN), ArticleFacts("Old", "Old", Language.EN)]
            assert await tx[GovernanceFacts].articles(tenant.id, NICHE, 1) == found[:1]

    async def test_an_area_with_a_country_has_the_articles_of_its_agent(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        keys = (AgentKey(NICHE_KEY, "GB"), AgentKey(NICHE_KEY, "FR"), None)
        articles = [_published(n, tenant_id=tenant.id, agent_key=key) for n, key in enumerate(keys, start=1)]
        await given(unit_of_work, *articles)
        async with unit_of_work() as tx:
            for area, number in ((AGENT, 1), (NICHE, 3), (Area(NICHE_KEY, "DE"), 0)):
                assert len(await tx[GovernanceFacts].articles(tenant.id, area, 10)) == number
                assert len(await tx[GovernanceFacts].published(tenant.id, area, 10)) == number
                assert await tx[GovernanceFacts].published_between(tenant.id, area, MOMENT - 9 * DAY, MOMENT) == number

    async def test_published_ones_say_how_they_are_grounded_the_last_one_first(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        receipt = builders.full_article().grounding
        source = ArticleSource(1, "A source", DocumentId("d"), 0)
        await given(
            unit_of_work,
            _published(3, tenant_id=tenant.id),
            _published(1, tenant_id=tenant.id, sources=(source, source), grounding=receipt),
            _published(2, tenant_id=tenant.id, sources=(source,)),
            builders.article(tenant_id=tenant.id),
        )
        async with unit_of_work() as tx:
            found = await tx[GovernanceFacts].published(tenant.id, NICHE, 10)
            assert found == [PublishedFacts(2, 0.5, 0.25), PublishedFacts(1), PublishedFacts(0)]
            assert await tx[GovernanceFacts].published(tenant.id, NICHE, 2) == found[:2]

    async def test_articles_are_counted_after_a_moment_up_to_another(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        late = _published(-1, tenant_id=tenant.id)
        taken_back = _published(3, tenant_id=tenant.id)
        await given(unit_of_work, *(_published(n, tenant_id=tenant.id) for n in (0, 1, 2)), late)
        await given(unit_of_work, evolve(taken_back, status=ArticleStatus.DRAFT))
        async with unit_of_work() as tx:
            assert await tx[GovernanceFacts].published_between(tenant.id, NICHE, MOMENT - 2 * DAY, MOMENT) == 2
            assert await tx[GovernanceFacts].published_between(tenant.id, NICHE, MOMENT - 9 * DAY, MOMENT) == 3

    @alien_ids
    async def test_what_names_nothing_has_nothing(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[GovernanceFacts].documents(KbView(alien, tenant.id), 10) == []
            assert await tx[GovernanceFacts].articles(tenant.id, Area(alien), 10) == []
            assert await tx[GovernanceFacts].published(tenant.id, Area(alien), 10) == []
            assert await tx[GovernanceFacts].published_between(tenant.id, Area(alien), MOMENT - DAY, MOMENT) == 0
