"""POST /writer/{id}/auto-image: search a picture for an article by its title."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from attrs import evolve, frozen

from contentgen_core.errors import ConcurrentChange, Conflict, NotConfigured
from contentgen_core.model.article import Article, ArticleStatus, ImageCredit
from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.articles.image_queries import image_queries
from contentgen_core.policies.tenancy.access import require_platform_admin, require_role
from contentgen_core.ports.images import ConfiguredImageSearch, ImageSearch, Picture, PictureQuery
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import keep_version

ATTEMPTS = 5


@frozen
class AutoImageResult:
    """`picture`: the one that this call gave the article. `success`: False if none was found."""

    article: Article
    picture: Picture | None = None
    success: bool = True


@use_case
class AutoImage:
    unit_of_work: UnitOfWork
    images: ConfiguredImageSearch
    analysis: TextAnalysis
    clock: Clock

    async def __call__(self, caller: Caller, article_id: ArticleId, *, force: bool = False) -> AutoImageResult:
        """The article with its image or, if it has none or with `force`, with one that a search found; unchanged if
        none was found.

        Raises NotPermitted, NotFound, Conflict while it is generating, NotConfigured without an image search,
        ProviderFailed, ConcurrentChange."""
        require_platform_admin(caller)
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
        if article.featured_image and not force:
            return AutoImageResult(article)
        _check_not_generating(article)
        search = self.images.search
        if search is None:
            raise NotConfigured("There is no image search.", self.images.settings)
        picture = await self._find_picture(search, article)
        if picture is None:
            return AutoImageResult(article, success=False)
        changed = await self._save_picture(caller, article_id, picture, force)
        if changed.featured_image != picture.address:  # another request gave it one meanwhile
            return AutoImageResult(changed)
        search.report_use(picture)
        return AutoImageResult(changed, picture)

    async def _find_picture(self, search: ImageSearch, article: Article) -> Picture | None:
        queries = await asyncio.to_thread(image_queries, article, self.analysis)
        for text in queries:
            picture = await search.find(PictureQuery(text, article.brief.language, other_than=article.featured_image))
            if picture is not None:
                return picture
        return None

    async def _save_picture(self, caller: Caller, article_id: ArticleId, picture: Picture, force: bool) -> Article:
        for _ in range(ATTEMPTS - 1):
            with suppress(ConcurrentChange):
                return await self._try_to_save(caller, article_id, picture, force)
        return await self._try_to_save(caller, article_id, picture, force)

    async def _try_to_save(self, caller: Caller, article_id: ArticleId, picture: Picture, force: bool) -> Article:
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            if article.featured_image and not force:
                return article
            _check_not_generating(article)
            with_picture = evolve(
                article, featured_image=picture.address, image_credit=credit_of(picture), updated_at=now
            )
            await keep_version(tx, with_picture, VersionCause.EDITED, caller.user_id, former=article)
            return await tx[Articles].save(with_picture)


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
    # A change would increase the revision, and saving the generated text would be refused.
    if article.status is ArticleStatus.GENERATING:
        raise Conflict("The article is being generated. Wait until it is written.")
