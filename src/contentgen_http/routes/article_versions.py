"""Versions of articles' texts."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, read_query
from contentgen_http.routes.articles import article_id
from contentgen_http.services import Services
from contentgen_http.wire import articles as wire
from contentgen_http.wire.article_versions import (
    ArticleVersion,
    ArticleVersionList,
    ArticleVersionText,
    DiffQuery,
    VersionDiff,
    VersionQuery,
)
from contentgen_http.wire.base import absent_as_none

TAG: Final = "Articles"
_MAX_DIGITS: Final = 10


def version_number(text: str) -> int:
    """Raises NotFound."""
    if not text.isdecimal() or not text.isascii() or len(text) > _MAX_DIGITS:
        raise errors.NotFound("version", text)
    return int(text)


class ArticleVersionRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/articles/{id:str}/versions",
        tag=TAG,
        query=VersionQuery,
        answer=ArticleVersionList,
        raises=(errors.NotFound,),
    )
    async def list_versions(self, request: TenantRequest, id: FromPath[str]) -> ArticleVersionList:
        """List an article's versions.

        Each change of title, content, excerpt, texts for search engines or image keeps one: by whom, when and why. The
        newest 50 are kept, and all that were published.
        """
        query = read_query(request, VersionQuery)
        page = self.services.writing.versions.page
        found = await page(request.user, article_id(id), absent_as_none(query.before), query.limit)
        return ArticleVersionList(versions=[ArticleVersion.of(version) for version in found])

    @operation(
        "GET",
        "/articles/{id:str}/versions/{number:str}",
        tag=TAG,
        answer=ArticleVersionText,
        raises=(errors.NotFound,),
    )
    async def get_version(self, request: TenantRequest, id: FromPath[str], number: FromPath[str]) -> ArticleVersionText:
        """Read a version of an article."""
        one = self.services.writing.versions.one
        return ArticleVersionText.of(*await one(request.user, article_id(id), version_number(number)))

    @operation(
        "GET",
        "/articles/{id:str}/versions/{number:str}/diff",
        tag=TAG,
        query=DiffQuery,
        answer=VersionDiff,
        raises=(errors.NotFound,),
        slow=True,
    )
    async def compare_versions(self, request: TenantRequest, id: FromPath[str], number: FromPath[str]) -> VersionDiff:
        """Compare two versions of an article.

        Sentence by sentence, from the version of the path to the one of `with`, or to the newest.
        """
        other = absent_as_none(read_query(request, DiffQuery).with_)
        compared = self.services.writing.versions.compared
        return VersionDiff.of(await compared(request.user, article_id(id), version_number(number), other))

    @operation(
        "POST",
        "/articles/{id:str}/versions/{number:str}/restore",
        tag=TAG,
        answer=wire.Article,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
        slow=True,
    )
    async def restore_version(self, request: TenantRequest, id: FromPath[str], number: FromPath[str]) -> wire.Article:
        """Restore a version of an article.

        As an edit with its text, which becomes the newest version: sentences that differ from the present ones are
        checked again. Posts that are out stay until the article is published again.
        """
        restore = self.services.writing.restore_version
        article = await restore(request.user, article_id(id), version_number(number))
        return wire.from_model(
            article, await self.services.publishing.publications.of_article(request.user, article.id)
        )
