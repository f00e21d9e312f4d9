"""Finding articles by what they are about."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.knowledge import VectorSpace
from contentgen_core.model.similar_article import AskedTopic, ReadTopic, SourcedSection
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.article_topics import ArticleTopics
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from tests.contract.store.given import given, given_tenant, given_tenants

EN, FR = Language.EN, Language.FR
SPACE: Final = VectorSpace("model", 3)
EAST, NORTH, BETWEEN = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.8, 0.0)
ONE, TWO = SourceRef("d1", 0), SourceRef("d1", 1)


async def _article(unit_of_work: UnitOfWork, tenant_id: TenantId, topic: str = "Wind", **changes: Any) -> Article:
    article = builders.article(tenant_id=tenant_id, brief=builders.brief(topic=topic), **changes)
    await given(unit_of_work, article)
    return article


async def _save(
    unit_of_work: UnitOfWork, article: Article, *, space: VectorSpace | None = SPACE, **changes: Any
) -> ReadTopic:
    read = ReadTopic(article.id, article.revision, changes.pop("language", EN), frozenset(), **changes)
    async with unit_of_work() as tx:
        await tx[ArticleTopics].save(space, [read])
    return read


async def _found(
    unit_of_work: UnitOfWork, tenant_id: TenantId, space: VectorSpace | None = SPACE, **asked: Any
) -> list[ArticleId]:
    async with unit_of_work() as tx:
        return [a.id for a in await tx[ArticleTopics].near(tenant_id, space, AskedTopic("Wind", **asked))]


async def _unread(
    unit_of_work: UnitOfWork, space: VectorSpace | None = SPACE, tenant_id: TenantId | None = None
) -> set[ArticleId]:
    async with unit_of_work() as tx:
        return {article.id for article in await tx[ArticleTopics].unread(space, 10, tenant_id)}


class ArticleTopicsContract:
    async def test_an_article_is_to_be_read_once_and_again_for_another_model(self, unit_of_work: UnitOfWork) -> None:
        own, other = await given_tenants(unit_of_work)
        article, another = await _article(unit_of_work, own.id), await _article(unit_of_work, other.id)
        async with unit_of_work() as tx:
            assert len(await tx[ArticleTopics].unread(SPACE, 1)) == 1
            assert await tx[ArticleTopics].unread(SPACE, 10, own.id) == [article]
            assert await tx[ArticleTopics].unread(SPACE, 10, TenantId("\0")) == []
        await _save(unit_of_work, article, vector=EAST)
        assert await _unread(unit_of_work) == {another.id}
        for space in (None, VectorSpace("model", 4), VectorSpace("a model", 3), VectorSpace("other", 3)):
            assert await _unread(unit_of_work, space) == {article.id, another.id}
            assert await _unread(unit_of_work, space, own.id) == set()
        await _save(unit_of_work, article, space=None)
        assert await _unread(unit_of_work, None) == {another.id}

    async def test_what_changes_is_to_be_read_again(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = await _article(unit_of_work, tenant.id)
        for changes in (
            {"brief": builders.brief(topic="Sun")},
            {"brief": builders.brief(topic="Sun", language=FR)},
            {"title": "Another title"},
            {"content": "Another text."},
        ):
            await _save(unit_of_work, article)
            async with unit_of_work() as tx:
                article = await tx[Articles].save(evolve(article, slug="another"))
            assert await _unread(unit_of_work) == set()
            async with unit_of_work() as tx:
                article = await tx[Articles].save(evolve(article, **changes))
            assert await _unread(unit_of_work) == await _unread(unit_of_work, tenant_id=tenant.id) == {article.id}

    async def test_what_was_read_of_a_former_revision_is_not_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = await _article(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            await tx[Articles].save(evolve(article, title="Another title"))
            gone = ReadTopic(ArticleId("gone"), 0, EN, frozenset({"wind"}))
            old = ReadTopic(article.id, article.revision, EN, frozenset({"wind"}))
            await tx[ArticleTopics].save(SPACE, [gone, old])
        assert await _unread(unit_of_work) == {article.id}
        assert await _found(unit_of_work, tenant.id, words={EN: frozenset({"wind"})}) == []

    async def test_words_passages_and_vectors_lead_to_what_was_read(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        three = [await _article(unit_of_work, tenant.id, topic) for topic in ("Wind", "Sun", "Rain")]
        sections = (SourcedSection("Costs", (ONE, TWO)), SourcedSection("Other"))
        async with unit_of_work() as tx:
            reads = [
                ReadTopic(three[0].id, three[0].revision, EN, frozenset({"wind", "farm"})),
                ReadTopic(three[1].id, three[1].revision, EN, frozenset({"sun"}), vector=EAST),
                ReadTopic(three[2].id, three[2].revision, EN, frozenset({"rain"}), sections=sections),
            ]
            await tx[ArticleTopics].save(SPACE, reads)
        assert await _found(unit_of_work, tenant.id) == []
        assert await _found(unit_of_work, tenant.id, words={EN: frozenset({"farm"})}) == [three[0].id]
        assert await _found(unit_of_work, tenant.id, words={FR: frozenset({"farm"})}) == []
        assert await _found(unit_of_work, tenant.id, vector=BETWEEN) == [three[1].id]
        assert await _found(unit_of_work, tenant.id, VectorSpace("other", 3), vector=NORTH) == []
        assert await _found(unit_of_work, tenant.id, passages=(TWO, SourceRef("d1", 2))) == [three[2].id]
        assert await _found(unit_of_work, tenant.id, passages=(SourceRef("d", 10),)) == []
        async with unit_of_work() as tx:
            asked = AskedTopic("Wind", {EN: frozenset({"sun", "rain"})})
            sun, rain = await tx[ArticleTopics].near(tenant.id, SPACE, asked)
            [foreign] = await tx[ArticleTopics].near(tenant.id, None, evolve(asked, words={EN: frozenset({"sun"})}))
        assert (sun.id, sun.topic, sun.vector, sun.sections) == (three[1].id, "Sun", EAST, ())
        assert (rain.title, rain.vector, rain.sections) == (three[2].title, None, sections)
        assert rain.cited == {ONE, TWO}
        assert foreign.vector is None

    async def test_a_tenant_finds_its_own_articles_that_stand(self, unit_of_work: UnitOfWork) -> None:
        own, other = await given_tenants(unit_of_work)
        article = await _article(unit_of_work, own.id)
        for each in (article, await _article(unit_of_work, other.id)):
            async with unit_of_work() as tx:
                sections = (SourcedSection("", (ONE,)),)
                read = ReadTopic(each.id, each.revision, EN, frozenset({"wind"}), EAST, sections)
                await tx[ArticleTopics].save(SPACE, [read])
        for asked in ({"words": {EN: frozenset({"wind"})}}, {"vector": EAST}, {"passages": (ONE,)}):
            assert await _found(unit_of_work, own.id, **asked) == [article.id]
            assert await _found(unit_of_work, TenantId("\0"), **asked) == []
        async with unit_of_work() as tx:
            await tx[Articles].save(evolve(article, status=ArticleStatus.FAILED))
        assert await _found(unit_of_work, own.id, vector=EAST) == []

    async def test_what_was_read_is_replaced_and_goes_with_its_article(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        article = await _article(unit_of_work, tenant.id)
        await _save(unit_of_work, article, vector=EAST, sections=(SourcedSection("", (ONE,)),))
        await _save(unit_of_work, article, space=None)
        assert await _found(unit_of_work, tenant.id, vector=EAST) == []
        assert await _found(unit_of_work, tenant.id, passages=(ONE,)) == []
        await _save(unit_of_work, article, vector=EAST)
        assert await _found(unit_of_work, tenant.id, vector=EAST) == [article.id]
        async with unit_of_work() as tx:
            await tx[Articles].delete(tenant.id, article.id)
        assert await _found(unit_of_work, tenant.id, vector=EAST) == []
