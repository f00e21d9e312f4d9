"""Links between articles."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.article import Article, ArticleStatus, PublicCategory
from contentgen_core.model.article_link import ArticleLink, LinkedBy, LinkState, LinkTarget, TargetedLink
from contentgen_core.model.ids import ArticleId, ArticleLinkId, TenantId
from contentgen_core.ports.repositories.article_links import ArticleLinks
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants


async def _articles(unit_of_work: UnitOfWork, tenant_id: TenantId, count: int = 2) -> list[Article]:
    articles = [builders.article(tenant_id=tenant_id, topic_key=f"topic {n}") for n in range(count)]
    await given(unit_of_work, *articles)
    return articles


def _link(article: Article, target: Article, number: int = 1) -> ArticleLink:
    return ArticleLink(
        id=ArticleLinkId(f"link-{article.id}-{number}"),
        tenant_id=article.tenant_id,
        article_id=article.id,
        target_id=target.id,
        anchor="heat pumps",
        sentence="They use heat pumps.",
        linked_by=LinkedBy.WORDS,
        score=0.75,
        created_at=MOMENT,
    )


class ArticleLinksContract:
    async def test_a_link_shows_its_target_as_it_is_now(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article, target = await _articles(unit_of_work, tenant.id)
        link = _link(article, target)
        public: dict[str, Any] = {"is_public": True, "slug": "new", "public_category": PublicCategory.BIAS}
        async with unit_of_work() as tx:
            await tx[ArticleLinks].add(link)
            await tx[Articles].save(evolve(target, title="New", status=ArticleStatus.PUBLISHED, **public))
        async with unit_of_work() as tx:
            [found] = await tx[ArticleLinks].of_article(tenant.id, article.id)
            assert await tx[ArticleLinks].of_article(tenant.id, target.id) == []
            assert await tx[ArticleLinks].get(tenant.id, link.id) == link
        published, topic = ArticleStatus.PUBLISHED, target.brief.topic
        seen = LinkTarget(target.id, "New", topic, published, "new", True, PublicCategory.BIAS)
        assert found == TargetedLink(link, seen)

    async def test_links_are_in_the_order_of_their_ids_and_by_state(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article, *targets = await _articles(unit_of_work, tenant.id, 4)
        links = [_link(article, target, number) for number, target in enumerate(targets)]
        async with unit_of_work() as tx:
            for link in reversed(links):
                await tx[ArticleLinks].add(link)
            saved = await tx[ArticleLinks].save(evolve(links[1], state=LinkState.ACCEPTED))
        assert saved.revision == links[1].revision + 1
        async with unit_of_work() as tx:
            of = tx[ArticleLinks].of_article
            assert [each.link for each in await of(tenant.id, article.id)] == [links[0], saved, links[2]]
            assert [each.link for each in await of(tenant.id, article.id, LinkState.ACCEPTED)] == [saved]
            assert await of(tenant.id, article.id, LinkState.REJECTED) == []
            with pytest.raises(ConcurrentChange):
                await tx[ArticleLinks].save(links[1])

    async def test_an_article_has_one_link_to_a_target(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article, target = await _articles(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            await tx[ArticleLinks].add(_link(article, target))
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[ArticleLinks].add(_link(article, target, 2))
        async with unit_of_work() as tx:
            await tx[ArticleLinks].add(_link(target, article))

    @pytest.mark.parametrize("unknown", ["tenant_id", "article_id", "target_id"])
    async def test_what_is_linked_has_to_exist(self, unit_of_work: UnitOfWork, unknown: str) -> None:
        tenant = await given_tenant(unit_of_work)
        article, target = await _articles(unit_of_work, tenant.id)
        changes: dict[str, Any] = {unknown: "unknown"}
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ArticleLinks].add(evolve(_link(article, target), **changes))

    async def test_a_link_goes_with_its_article_and_with_its_target(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        one, two, three = await _articles(unit_of_work, tenant.id, 3)
        async with unit_of_work() as tx:
            for link in (_link(one, two), _link(two, three), _link(three, one)):
                await tx[ArticleLinks].add(link)
            await tx[Articles].delete(tenant.id, two.id)
        async with unit_of_work() as tx:
            assert await tx[ArticleLinks].of_article(tenant.id, one.id) == []
            assert len(await tx[ArticleLinks].of_article(tenant.id, three.id)) == 1

    async def test_a_tenant_sees_and_drops_its_own_links_alone(self, unit_of_work: UnitOfWork) -> None:
        own, other = await given_tenants(unit_of_work)
        article, target = await _articles(unit_of_work, own.id)
        link = _link(article, target)
        async with unit_of_work() as tx:
            await tx[ArticleLinks].add(link)
            await tx[ArticleLinks].drop(other.id, [link.id])
        async with unit_of_work() as tx:
            assert await tx[ArticleLinks].of_article(other.id, article.id) == []
            with pytest.raises(NotFound):
                await tx[ArticleLinks].get(other.id, link.id)
        async with unit_of_work() as tx:
            await tx[ArticleLinks].drop(own.id, [link.id, ArticleLinkId("\0")])
            assert await tx[ArticleLinks].of_article(own.id, article.id) == []

    @alien_ids
    async def test_alien_ids_lead_to_no_link(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[ArticleLinks].of_article(tenant.id, ArticleId(alien)) == []
            with pytest.raises(NotFound):
                await tx[ArticleLinks].get(tenant.id, ArticleLinkId(alien))
