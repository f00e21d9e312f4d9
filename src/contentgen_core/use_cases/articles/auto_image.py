"""POST /writer/{id}/auto-image: a picture for an article, found by its title."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, Conflict, NotConfigured
from contentgen_core.model.article import Article, ArticleStatus, ImageCredit
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.articles.image_queries import image_queries
from contentgen_core.policies.tenancy.access import require_platform_admin, require_role
from contentgen_core.ports.images import ConfiguredImageSearch, ImageSearch, Picture, PictureQuery
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork

ATTEMPTS = 5


@frozen
class AutoImageResult:
    """`picture`: the one that the article was given now. `success`: False where one was looked for and none found."""

    article: Article
    picture: Picture | None = None
    success: bool = True


@frozen
class AutoImage:
    unit_of_work: UnitOfWork
    images: ConfiguredImageSearch
    analysis: TextAnalysis
    clock: Clock

    async def __call__(self, caller: Caller, article_id: ArticleId, *, force: bool = False) -> AutoImageResult:
        """The article with the image that it had, or (`force`, or where it had none) with one that was found. Where
        nothing is found it stays as it is.

        Raises NotPermitted, NotFound, Conflict while it is generating, NotConfigured without an image search,
        ProviderFailed, ConcurrentChange.
        """
        require_platform_admin(caller)
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            article = await tx.articles.get(caller.tenant_id, article_id)
        if article.featured_image and not force:
            return AutoImageResult(article)
        _check_not_generating(article)
        search = self.images.search
        if search is None:
            raise NotConfigured("There is no image search.", self.images.settings)
        picture = await self._found(search, article)
        if picture is None:
            return AutoImageResult(article, success=False)
        changed = await self._given(caller, article_id, picture, force)
        if changed.featured_image != picture.address:  # somebody else gave it one meanwhile
            return AutoImageResult(changed)
        search.report_use(picture)
        return AutoImageResult(changed, picture)

    async def _found(self, search: ImageSearch, article: Article) -> Picture | None:
        queries = await asyncio.to_thread(image_queries, article, self.analysis)
        for text in queries:
            picture = await search.find(PictureQuery(text, article.brief.language, other_than=article.featured_image))
            if picture is not None:
                return picture
        return None

    async def _given(self, caller: Caller, article_id: ArticleId, picture: Picture, force: bool) -> Article:
        for _ in range(ATTEMPTS - 1):
            with suppress(ConcurrentChange):
                return await self._once(caller, article_id, picture, force)
        return await self._once(caller, article_id, picture, force)

    async def _once(self, caller: Caller, article_id: ArticleId, picture: Picture, force: bool) -> Article:
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            article = await tx.articles.get(caller.tenant_id, article_id)
            if article.featured_image and not force:
                return article
            _check_not_generating(article)
            with_picture = evolve(
                article, featured_image=picture.address, image_credit=credit_of(picture), updated_at=now
            )
            return await tx.articles.save(with_picture)


def credit_of(picture: Picture) -> ImageCredit:
    return ImageCredit(
        provider=picture.provider,
        provider_name=picture.provider_name,
        provider_url=picture.provider_url,
        photographer=picture.photographer,
        photographer_url=picture.photographer_url,
        page_url=picture.page_url,
        alt=picture.alt,
    )


def _check_not_generating(article: Article) -> None:
    # A change of ours would be one more revision, and the text that is being written would be refused for it.
    if article.status is ArticleStatus.GENERATING:
        raise Conflict("The article is being generated. Wait until it is written.")
