"""Access to the platform's public articles on behalf of a tenant, over the unit of work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, Conflict, NotFound
from contentgen_core.model.article import Article, ArticleStatus, PublicCategory
from contentgen_core.model.ids import ArticleId, TenantId
from contentgen_core.model.publishing_target import PublicArticle
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork

ATTEMPTS: Final = 5
PATH: Final = "/public/kb-articles/"


@frozen
class UnitOfWorkPublicArticles:
    """A tenant's articles among the public ones of the platform.

    `slug_of(title)`: a slug for an address. `public_url`: address of the service, without a trailing slash; None if
    unknown.
    """

    unit_of_work: UnitOfWork
    now: Callable[[], datetime]
    slug_of: Callable[[str], str]
    public_url: str | None
    tenant_id: TenantId

    async def publish(self, article_id: ArticleId, slug: str, category: PublicCategory | None) -> PublicArticle:
        for _ in range(ATTEMPTS - 1):
            # After a concurrent change, apply this one to the new version.
            with suppress(ConcurrentChange):
                return await self._publish(article_id, slug, category)
        return await self._publish(article_id, slug, category)

    async def withdraw(self, article_id: ArticleId) -> None:
        for _ in range(ATTEMPTS - 1):
            with suppress(ConcurrentChange):
                return await self._withdrawn(article_id)
        return await self._withdrawn(article_id)

    async def _withdrawn(self, article_id: ArticleId) -> None:
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(self.tenant_id, article_id)
            if article.is_public:
                await tx[Articles].save(evolve(article, is_public=False, updated_at=self.now()))

    async def read(self, article_id: ArticleId) -> PublicArticle | None:
        with suppress(NotFound):
            async with self.unit_of_work() as tx:
                article = await tx[Articles].get(self.tenant_id, article_id)
            return self._to_public_article(article) if article.is_public else None
        return None

    async def _publish(self, article_id: ArticleId, slug: str, category: PublicCategory | None) -> PublicArticle:
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(self.tenant_id, article_id)
            if article.status is ArticleStatus.GENERATING:
                raise Conflict("The article is being written. Publish it when it is done.")
            public = evolve(
                article,
                is_public=True,
                public_category=category or _category_to_store(article.public_category),
                slug=await tx[Articles].free_public_slug(self.slug_of(slug), article.id),
            )
            if public != article:
                public = await tx[Articles].save(evolve(public, updated_at=self.now()))
        return self._to_public_article(public)

    def _to_public_article(self, article: Article) -> PublicArticle:
        slug = article.slug or self.slug_of(article.title)
        url = f"{self.public_url}{PATH}{slug}" if self.public_url else None
        return PublicArticle(article.id, slug, article.public_category or PublicCategory.OTHER, url)


def _category_to_store(category: PublicCategory | None) -> PublicCategory:
    """Return the category to store; not that of the trend radar, which has pages of its own."""
    return PublicCategory.OTHER if category in (None, PublicCategory.TREND_RADAR) else category
