"""Our own public articles, over a unit of work in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar

import httpx
import pytest
from attrs import evolve

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.publishing.catalog import ProviderCatalog
from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.kb_incidents import PROVIDER
from contentgen_adapters.publishing.public_articles import ATTEMPTS, UnitOfWorkPublicArticles
from contentgen_adapters.publishing.testing import PostContract, Vendor, VendorPost, Wire, a_post, connect
from contentgen_adapters.rendering import MarkdownRenderer
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import ConcurrentChange, InvalidInput, NotFound, NotPermitted
from contentgen_core.model.article import Article, ArticleSource, ArticleStatus, PublicCategory
from contentgen_core.model.ids import ArticleId, DocumentId, TenantId
from contentgen_core.model.job import JobKind
from contentgen_core.model.publication import PostRequest, PostStatus, PublicationStatus
from contentgen_core.model.publishing_target import Post
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.integrations.manage_integrations import ChangedIntegration, NewIntegration
from contentgen_core.use_cases.publishing.start import PublishCommand
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.settings import Settings

SITE = "https://articles.example.org/cg"
MINE, OTHERS = TenantId("mine"), TenantId("others")


class OwnKb:
    """`changed`: how often somebody changes the article while it is made public."""

    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {"category": "data-leaks"}

    def __init__(self, public_url: str | None = SITE) -> None:
        self.held = MemoryUnitOfWork()
        self.changed = 0
        public_articles_of = partial(
            UnitOfWorkPublicArticles, self.unit_of_work, lambda: MOMENT, MarkdownRenderer().slug, public_url
        )
        self.public_articles, self.foreign_public_articles = public_articles_of(MINE), public_articles_of(OTHERS)

    @asynccontextmanager
    async def unit_of_work(self) -> AsyncIterator[Transaction]:
        async with self.held() as tx:
            yield tx
            if self.changed:
                self.changed -= 1
                raise ConcurrentChange("The article was changed meanwhile.")

    async def add(self, post: Post, **changes: Any) -> Article:
        article = builders.article(
            **{
                "id": ArticleId(post.article_id or ""),
                "tenant_id": MINE,
                "title": post.title,
                "content": post.markdown,
                "slug": post.slug,
                "status": ArticleStatus.GENERATED,
                "sources": tuple(
                    ArticleSource(source.number, source.title, DocumentId("d"), 0, source.url)
                    for source in post.sources
                ),
                **changes,
            }
        )
        async with self.held() as tx:
            await tx[Articles].add(article)
        return article

    async def change(self, id: str, **changes: Any) -> None:
        async with self.held() as tx:
            await tx[Articles].save(evolve(await tx[Articles].get(MINE, ArticleId(id)), **changes))

    async def article(self, id: str | None, tenant_id: TenantId = MINE) -> Article:
        async with self.held() as tx:
            return await tx[Articles].get(tenant_id, ArticleId(id or ""))

    def posts(self) -> list[VendorPost]:
        return [
            VendorPost(
                article.id,
                article.title,
                f"{article.content} {' '.join(f'[{s.number}] {s.title} {s.url}' for s in article.sources)}",
                PostStatus.PUBLISHED,
                article.slug,
            )
            for article in self._articles()
            if article.is_public
        ]

    def _articles(self) -> list[Article]:
        return list(self.held._store["articles"].values())

    def remove(self, id: str) -> None:
        """As a platform administrator does it."""
        self.held._store["articles"][ArticleId(id)] = evolve(
            self.held._store["articles"][ArticleId(id)], is_public=False
        )

    def answer(self, request: httpx.Request) -> httpx.Response:
        raise AssertionError("nothing is called over the network")

    def makes_a_post(self, request: httpx.Request) -> bool:
        return False

    def invalid(self) -> httpx.Response:
        return httpx.Response(422)

    def busy(self) -> httpx.Response:
        return httpx.Response(429)


def publisher_of(kb: OwnKb) -> Publisher:
    return connect(kb, Wire(kb))


class TestKbIncidents(PostContract):
    @pytest.fixture
    async def vendor(self) -> Vendor:
        kb = OwnKb()
        await kb.add(a_post())
        return kb

    async def test_an_update_changes_the_post_and_makes_no_other(
        self, vendor: Vendor, publisher: Publisher, post: Post
    ) -> None:
        """What is changed is the article itself."""
        assert isinstance(vendor, OwnKb)
        made = await publisher.create(post)
        await vendor.change(made.id, title="A new title", content="New text [1].")
        changed = await publisher.update(made.id, evolve(post, title="A new title", markdown="New text [1]."))
        assert changed.id == made.id
        [held] = vendor.posts()
        assert held.title == "A new title"
        assert held.body.startswith("New text")

    async def test_a_post_is_found_by_what_we_call_it(self, vendor: Vendor, publisher: Publisher, post: Post) -> None:
        """That is the article's own id."""
        assert await publisher.find(post) is None
        made = await publisher.create(post)
        assert await publisher.find(post) == made
        assert await publisher.find(evolve(post, article_id="another")) is None

    async def test_an_article_becomes_public_with_category_slug_and_address(self) -> None:
        kb = OwnKb()
        before = await kb.add(a_post(), slug=None)
        post = a_post(slug="Wärme im Winter!", options={"category": "rag-failures"})
        made = await publisher_of(kb).create(post)
        assert made.url == f"{SITE}/public/kb-articles/warme-im-winter"
        article = await kb.article(made.id)
        assert (article.is_public, article.public_category) == (True, PublicCategory.RAG_FAILURES)
        assert article.slug == "warme-im-winter"
        assert (article.title, article.content, article.status) == (before.title, before.content, before.status)

    async def test_without_a_known_address_of_the_service_there_is_none_of_the_article(self) -> None:
        kb = OwnKb(None)
        await kb.add(a_post())
        assert (await publisher_of(kb).create(a_post())).url is None

    @pytest.mark.parametrize(
        ("had", "asked", "has"),
        [
            (None, None, "other"),
            ("bias", None, "bias"),
            ("bias", "safety", "safety"),
            ("trend-radar", None, "other"),
        ],
    )
    async def test_a_category_stays_unless_another_is_asked_for(
        self, had: str | None, asked: str | None, has: str
    ) -> None:
        kb = OwnKb()
        await kb.add(a_post(), public_category=PublicCategory(had) if had else None)
        made = await publisher_of(kb).create(a_post(options={"category": asked} if asked else {}))
        assert (await kb.article(made.id)).public_category == PublicCategory(has)

    @pytest.mark.parametrize("category", ["trend-radar", "weather"])
    async def test_a_category_of_another_place_is_refused(self, category: str) -> None:
        kb = OwnKb()
        await kb.add(a_post())
        with pytest.raises(PublishFailed, match=category) as failure:
            await publisher_of(kb).create(a_post(options={"category": category}))
        assert failure.value.refusal is Refusal.INVALID
        assert kb.posts() == []

    async def test_slugs_are_unique_on_the_platform(self) -> None:
        kb = OwnKb()
        post = a_post(slug="heat")
        await kb.add(post, id=ArticleId("a"), tenant_id=OTHERS, is_public=True)
        await kb.add(post, id=ArticleId("b"), tenant_id=OTHERS, is_public=False, slug="heat-2")
        await kb.add(post)
        publisher = publisher_of(kb)
        assert (await publisher.create(post)).url == f"{SITE}/public/kb-articles/heat-2"
        assert (await publisher.create(post)).url == f"{SITE}/public/kb-articles/heat-2"
        await kb.add(post, id=ArticleId("c"))
        third = await publisher.create(evolve(post, article_id="c"))
        assert third.url == f"{SITE}/public/kb-articles/heat-3"

    async def test_of_publications_at_once_each_has_a_slug_of_its_own(self) -> None:
        kb = OwnKb()
        posts = [a_post(article_id=str(number), slug="heat") for number in range(8)]
        for post in posts:
            await kb.add(post)
        await asyncio.gather(*(publisher_of(kb).create(post) for post in posts))
        assert len({post.slug for post in kb.posts()}) == 8

    async def test_publishing_again_changes_nothing(self) -> None:
        kb = OwnKb()
        await kb.add(a_post())
        publisher = publisher_of(kb)
        first = await publisher.create(a_post())
        stored = await kb.article(first.id)
        assert await publisher.create(a_post()) == first
        assert await publisher.update(first.id, a_post()) == first
        assert await kb.article(first.id) == stored

    async def test_an_article_that_changes_meanwhile_becomes_public_all_the_same(self) -> None:
        kb = OwnKb()
        await kb.add(a_post())
        kb.changed = ATTEMPTS - 1
        made = await publisher_of(kb).create(a_post())
        assert (await kb.article(made.id)).is_public

    async def test_one_that_changes_all_the_time_is_tried_later(self) -> None:
        kb = OwnKb()
        await kb.add(a_post())
        kb.changed = ATTEMPTS
        with pytest.raises(PublishFailed) as failure:
            await publisher_of(kb).create(a_post())
        assert failure.value.retryable
        assert not failure.value.outcome_unknown
        assert kb.posts() == []

    async def test_what_is_no_article_is_refused(self) -> None:
        kb = OwnKb()
        publisher = publisher_of(kb)
        for attempt in (publisher.create, publisher.find):
            with pytest.raises(PublishFailed, match="only an article can become public") as failure:
                await attempt(a_post(article_id=None))
            assert failure.value.refusal is Refusal.INVALID

    async def test_an_article_that_is_being_written_waits(self) -> None:
        kb = OwnKb()
        await kb.add(a_post(), status=ArticleStatus.GENERATING)
        with pytest.raises(PublishFailed, match="being written") as failure:
            await publisher_of(kb).create(a_post())
        assert failure.value.refusal is Refusal.CONFLICT

    async def test_another_tenants_article_is_neither_seen_nor_published(self) -> None:
        kb = OwnKb()
        await kb.add(a_post(), tenant_id=OTHERS)
        with pytest.raises(PublishFailed) as failure:
            await publisher_of(kb).create(a_post())
        assert failure.value.refusal is Refusal.GONE
        assert kb.posts() == []
        assert await kb.foreign_public_articles.publish(ArticleId(a_post().article_id or ""), "heat", None)
        assert await publisher_of(kb).read(a_post().article_id or "") is None

    async def test_a_person_may_change_and_delete_a_public_article(self) -> None:
        kb = OwnKb()
        await kb.add(a_post())
        publisher = publisher_of(kb)
        made = await publisher.create(a_post())
        await kb.change(made.id, title="Mine")
        assert [post.title for post in kb.posts()] == ["Mine"]
        async with kb.held() as tx:
            await tx[Articles].delete(MINE, ArticleId(made.id))
        assert await publisher.read(made.id) is None

    def test_it_works_within_the_service_alone(self) -> None:
        with pytest.raises(InvalidInput):
            ProviderCatalog(make_client(), lambda: MOMENT).connect("kb-incidents", {}, {}, MINE)


async def test_an_article_is_published_from_the_request_to_its_public_page() -> None:
    async with in_memory(Settings(public_url=SITE)) as services:
        boss = (await services.people.tenants.create("Platform", PlanName.PRO, platform_admin=True)).caller
        article = builders.article(tenant_id=boss.tenant_id, status=ArticleStatus.GENERATED, content="Heat [1].")
        async with services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        integration = await services.publishing.integrations.create(
            NewIntegration(boss, "kb-incidents", "Public", True, {}, {})
        )
        publish = evolve(services.publishing.publish, wait_seconds=0.0)
        request = PostRequest(slug="heat", options={"category": "bias"})
        asked = await publish.to_integration(PublishCommand(boss, integration.id, article.id, request))
        now = services.ports.clock.now()
        async with services.ports.unit_of_work() as tx:
            [job] = await tx[Jobs].claim("w", frozenset(JobKind), now, now + timedelta(minutes=1), 10)
        await services.jobs.of(job.kind)(job)
        publication = await services.publishing.publications.get(boss, asked.id)
        assert (publication.status, publication.error) == (PublicationStatus.PUBLISHED, None)
        assert publication.url == f"{SITE}/public/kb-articles/heat"
        seen = await services.writing.articles.one(boss, article.id)
        assert (seen.is_public, seen.public_category, seen.status) == (
            True,
            PublicCategory.BIAS,
            ArticleStatus.PUBLISHED,
        )


async def test_only_platform_administrators_connect_it() -> None:
    async with in_memory() as services:
        owner = (await services.people.tenants.create("House", PlanName.PRO)).caller
        with pytest.raises(NotPermitted):
            await services.publishing.integrations.create(NewIntegration(owner, "kb-incidents", "Public", True, {}, {}))
        assert await services.publishing.integrations.list(owner) == []
        assert "kb-incidents" in [info.id for info in services.publishing.integrations.providers()]


async def test_who_is_no_platform_administrator_changes_nothing_of_it_and_others_do_not_see_it() -> None:
    async with in_memory() as services:
        integrations = services.publishing.integrations
        boss = (await services.people.tenants.create("Platform", PlanName.PRO, platform_admin=True)).caller
        made = await integrations.create(NewIntegration(boss, "kb-incidents", "Public", False, {}, {}))
        colleague = evolve(boss, platform_admin=False)
        for changes in ({"enabled": True}, {"name": "Ours"}, {"settings": {}}):
            with pytest.raises(NotPermitted):
                await integrations.change(ChangedIntegration(colleague, made.id, **changes))
        assert await integrations.get(colleague, made.id) == made
        assert (await integrations.change(ChangedIntegration(boss, made.id, enabled=True))).enabled
        for plan in PlanName:
            other = (await services.people.tenants.create(plan, plan)).caller
            assert await integrations.list(other) == []
            with pytest.raises(NotFound):
                await integrations.get(other, made.id)
