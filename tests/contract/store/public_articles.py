"""Public articles, and nothing of others."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentgen_core.model.approval import Approval, ApprovalRules, ApprovalState
from contentgen_core.model.article import Article, ArticleStatus, PublicCategory
from contentgen_core.model.tenant import Tenant
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.approval_policies import ApprovalPolicies
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.duplicates import Duplicates
from contentgen_core.ports.repositories.public_articles import PublicAddress, PublicArticleQuery, PublicArticles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.approval_policies import given_approval_policy
from tests.contract.store.given import alien_ids, given_tenants
from tests.contract.store.given import given as stored

_numbers = count()


def public(tenant: Tenant, **changes: Any) -> Article:
    number = next(_numbers)
    article = builders.article(
        tenant_id=tenant.id,
        status=ArticleStatus.GENERATED,
        content=f"Heat pumps move heat, says text {number}.",
        slug=f"heat-{number:06}",
        is_public=True,
        public_category=PublicCategory.OTHER,
    )
    language = changes.pop("language", article.brief.language)
    return evolve(article, brief=evolve(article.brief, language=language), **changes)


class PublicArticlesContract:
    async def test_a_public_article_is_found_complete_of_any_tenant(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        full = builders.full_article(tenant_id=tenant.id, is_free_generation=False, free_topic=None)
        theirs = public(other)
        await stored(unit_of_work, full, theirs)
        async with unit_of_work() as tx:
            found, another = [await tx[PublicArticles].find(each.slug or "") for each in (full, theirs)]
            kept = await tx[Articles].get(tenant.id, full.id)
        assert found is not None
        assert (found.id, found.sources, found.content) == (full.id, full.sources, full.content)
        assert found == kept
        assert another is not None
        assert another.id == theirs.id

    @pytest.mark.parametrize(
        "changes",
        [
            {"is_public": False},
            {"slug": None},
            {"content": ""},
            {"status": ArticleStatus.GENERATING},
        ],
        ids=["private", "without_an_address", "without_a_text", "being_written"],
    )
    async def test_what_is_not_public_cannot_be_reached(
        self, unit_of_work: UnitOfWork, changes: dict[str, Any]
    ) -> None:
        tenant, _ = await given_tenants(unit_of_work)
        article = public(tenant)
        await stored(unit_of_work, evolve(article, **changes))
        async with unit_of_work() as tx:
            assert await tx[PublicArticles].find(article.slug or "") is None
            assert (await tx[PublicArticles].page(PublicArticleQuery())).total == 0
            assert await tx[PublicArticles].addresses(None, 10) == []
            assert await tx[PublicArticles].count() == 0
            assert await tx[PublicArticles].languages() == {}

    async def test_where_approval_is_demanded_the_approved_text_is_shown_alone(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        policy = await given_approval_policy(unit_of_work, tenant.id, "boats", rules=ApprovalRules(required=True))
        plain = public(tenant, niche_key="boats")
        approval = Approval(ApprovalState.APPROVED, MOMENT, text_hash=plain.text_hash)
        elsewhere = [public(other, niche_key="boats"), public(tenant, niche_key="bikes")]
        free = public(tenant, niche_key="boats", is_free_generation=True, free_topic="boats")
        await stored(unit_of_work, plain, free, *elsewhere)

        async def shown() -> set[str]:
            async with unit_of_work() as tx:
                listed = {article.id for article in (await tx[PublicArticles].page(PublicArticleQuery())).articles}
                assert await tx[PublicArticles].count() == len(listed)
                assert (await tx[PublicArticles].find(plain.slug or "") is not None) == (plain.id in listed)
                return set(listed)

        others = {free.id, *(article.id for article in elsewhere)}
        assert await shown() == others
        async with unit_of_work() as tx:
            approved = await tx[Articles].save(evolve(plain, approval=approval))
        assert await shown() == {*others, plain.id}
        async with unit_of_work() as tx:
            await tx[Articles].save(evolve(approved, content="Other words."))
        assert await shown() == others
        async with unit_of_work() as tx:
            await tx[ApprovalPolicies].save(evolve(policy, rules=ApprovalRules(required=False)))
        assert await shown() == {*others, plain.id}

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    async def test_nothing_that_is_not_public_is_ever_shown(
        self, unit_of_work: UnitOfWork, data: st.DataObject
    ) -> None:
        tenants = await given_tenants(unit_of_work)
        articles = []
        for _ in range(data.draw(st.integers(1, 6))):
            article = public(
                data.draw(st.sampled_from(tenants)),
                status=data.draw(st.sampled_from(ArticleStatus)),
                content=data.draw(st.sampled_from(("", "Heat moves.", "La chaleur."))),
                is_public=data.draw(st.booleans()),
                public_category=data.draw(st.none() | st.sampled_from(PublicCategory)),
                language=data.draw(st.sampled_from((Language.EN, Language.FR))),
            )
            articles.append(article if data.draw(st.booleans()) else evolve(article, slug=None))
        query = PublicArticleQuery(
            limit=100,
            language=data.draw(st.none() | st.sampled_from((Language.EN, Language.FR))),
            category=data.draw(st.none() | st.sampled_from(PublicCategory)),
            search=data.draw(st.sampled_from((None, "heat", "chaleur", "pump"))),
        )
        await stored(unit_of_work, *articles)
        hidden = {article.id for article in articles if not _may_be_read(article)}
        shown = {article.slug for article in articles if _may_be_read(article)}
        async with unit_of_work() as tx:
            listed = (await tx[PublicArticles].page(query)).articles
            addresses = {address.slug for address in await tx[PublicArticles].addresses(None, 10_000)}
            found = {article.slug: await tx[PublicArticles].find(article.slug) for article in articles if article.slug}
        assert not hidden & {article.id for article in listed}
        assert all(article.sources == () and article.grounding is None for article in listed)
        assert addresses >= shown
        assert not addresses & ({article.slug for article in articles} - shown)
        assert {slug for slug, article in found.items() if article is not None} == shown

    async def test_lists_show_the_latest_first_a_page_at_a_time(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        oldest = public(tenant, created_at=MOMENT - timedelta(days=3))
        published = public(
            other, created_at=MOMENT - timedelta(days=9), published_at=MOMENT, status=ArticleStatus.PUBLISHED
        )
        newer = public(tenant, created_at=MOMENT - timedelta(days=1))
        await stored(unit_of_work, oldest, published, newer)
        async with unit_of_work() as tx:
            first = await tx[PublicArticles].page(PublicArticleQuery(limit=2))
            second = await tx[PublicArticles].page(PublicArticleQuery(limit=2, page=2))
            beyond = await tx[PublicArticles].page(PublicArticleQuery(limit=2, page=9))
        assert [article.id for article in first.articles] == [published.id, newer.id]
        assert [article.id for article in second.articles] == [oldest.id]
        assert (first.total, second.total, beyond.total, beyond.articles) == (3, 3, 3, ())

    async def test_a_list_is_filtered_by_language_category_and_words(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        french = public(tenant, language=Language.FR, content="La pompe à chaleur.", title="Pompes")
        biased = public(other, public_category=PublicCategory.BIAS)
        await stored(unit_of_work, french, biased)
        async with unit_of_work() as tx:
            for query, expected in (
                (PublicArticleQuery(language=Language.FR), [french.id]),
                (PublicArticleQuery(language=Language.DE), []),
                (PublicArticleQuery(category=PublicCategory.BIAS), [biased.id]),
                (PublicArticleQuery(category=PublicCategory.BIAS, language=Language.FR), []),
                (PublicArticleQuery(search="pomp chal"), [french.id]),
                (PublicArticleQuery(search="pomp heat"), []),
                (PublicArticleQuery(search="'; DROP TABLE articles; -- & | !"), []),
            ):
                page = await tx[PublicArticles].page(query)
                assert ([article.id for article in page.articles], page.total) == (expected, len(expected)), query
            assert await tx[PublicArticles].languages() == {Language.FR: 1, Language.EN: 1}

    async def test_related_articles_share_words_of_the_topic_in_one_language(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        own, french = public(tenant), public(tenant, language=Language.FR)
        two, one, later = (public(other, created_at=MOMENT + timedelta(days=days)) for days in (0, 1, 2))
        private, nothing, unread = public(other, is_public=False), public(tenant), public(other)
        words = {
            own: ("pump", "noise", "night"),
            two: ("pump", "noise"),
            one: ("pump",),
            later: ("noise", "wind"),
            french: ("pump",),
            private: ("pump",),
            nothing: ("wind",),
        }
        await stored(unit_of_work, *words, unread)
        async with unit_of_work() as tx:
            await tx[Duplicates].save_words({article.id: frozenset(given) for article, given in words.items()})
        async with unit_of_work() as tx:
            related = await tx[PublicArticles].related(own, 9)
            first = await tx[PublicArticles].related(own, 1)
            assert await tx[PublicArticles].related(unread, 9) == ()
        assert [article.id for article in related] == [two.id, later.id, one.id]
        assert [article.id for article in first] == [two.id]

    async def test_addresses_come_in_the_order_of_their_slugs_from_behind_one_on(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        articles = [
            public(owner, slug=slug, public_category=PublicCategory.TREND_RADAR)
            for owner, slug in ((tenant, "b"), (other, "a-2"), (tenant, "a"), (other, "aa"))
        ]
        await stored(unit_of_work, *articles)
        async with unit_of_work() as tx:
            everything = await tx[PublicArticles].addresses(None, 10)
            first = await tx[PublicArticles].addresses(None, 3)
            rest = await tx[PublicArticles].addresses(first[-1].slug, 3)
        assert [address.slug for address in everything] == ["a", "a-2", "aa", "b"]
        assert [*first, *rest] == everything
        assert everything[0] == PublicAddress("a", PublicCategory.TREND_RADAR, Language.EN, MOMENT)

    async def test_what_becomes_private_is_gone_and_what_becomes_public_is_there(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, _ = await given_tenants(unit_of_work)
        article = public(tenant)
        await stored(unit_of_work, article)
        for is_public in (False, True, False):
            async with unit_of_work() as tx:
                article = await tx[Articles].save(evolve(article, is_public=is_public))
            async with unit_of_work() as tx:
                assert (await tx[PublicArticles].find(article.slug or "") is not None) is is_public
                assert await tx[PublicArticles].count() == is_public

    async def test_written_articles_are_counted_of_any_tenant(self, unit_of_work: UnitOfWork) -> None:
        tenants = await given_tenants(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[PublicArticles].written() == 0
        await stored(unit_of_work, *(public(tenant, status=status) for tenant in tenants for status in ArticleStatus))
        async with unit_of_work() as tx:
            assert await tx[PublicArticles].written() == 6

    @alien_ids
    async def test_an_alien_slug_leads_nowhere(self, unit_of_work: UnitOfWork, alien: str) -> None:
        async with unit_of_work() as tx:
            assert await tx[PublicArticles].find(alien) is None


def _may_be_read(article: Article) -> bool:
    return bool(
        article.is_public and article.slug and article.content and article.status is not ArticleStatus.GENERATING
    )
