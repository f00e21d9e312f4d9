"""Whether articles still say what their sources say, and the patches that make them do so."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, read_body, read_query
from contentgen_http.routes.articles import article_id
from contentgen_http.services import Services
from contentgen_http.wire.freshness import (
    ArticlePatch,
    ChangedArticles,
    ChangedArticlesQuery,
    Freshness,
    PatchedArticle,
)

TAG: Final = "Articles"


class FreshnessRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/articles/freshness",
        tag=TAG,
        query=ChangedArticlesQuery,
        answer=ChangedArticles,
        raises=(errors.NotFound,),
        slow=True,
    )
    async def list_freshness(self, request: TenantRequest) -> ChangedArticles:
        """List the articles whose sources changed, or are contradicted.

        Those of the thousand newest, or of the thousand before the article named, that cite a document which was
        revised or removed since, or which has the weaker side of a conflict; each compared sentence by sentence.
        """
        query = read_query(request, ChangedArticlesQuery)
        before = None if query.before is UNSET else article_id(query.before)
        return ChangedArticles.of(await self.services.writing.list_freshness(request.user, before, query.limit))

    @operation(
        "GET",
        "/articles/{id:str}/freshness",
        tag=TAG,
        answer=Freshness,
        raises=(errors.NotFound,),
        slow=True,
    )
    async def get_freshness(self, request: TenantRequest, id: FromPath[str]) -> Freshness:
        """Compare an article with its sources as they are now.

        Each sentence whose source reads otherwise, with the old and the new words, and what to write instead: proposed
        where the new words support it. Words that only moved within their document change nothing. A sentence is
        contradicted where it rests on the weaker side of a conflict: the one that a person did not prefer or, while
        that is open, the older one. What the other side says is proposed where its passage supports it.
        """
        return Freshness.of(await self.services.writing.freshness(request.user, article_id(id)))

    @operation(
        "POST",
        "/articles/{id:str}/patch",
        tag=TAG,
        body=ArticlePatch,
        example={"sentences": [{"position": 3}]},
        example_of="With a sentence that GET /articles/{id}/freshness lists.",
        answer=PatchedArticle,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange),
        slow=True,
    )
    async def patch_article(self, request: TenantRequest, id: FromPath[str]) -> PatchedArticle:
        """Change stale sentences of an article.

        Only these are changed, and only these are checked again; sources and the receipt follow, and so do excerpt and
        meta description where they have the sentence. Answers what is left. With `publish` the posts that are out
        follow, each read back; else they change when the article is published again. Its translations follow by updates
        of their own (`translations`). 409 for an article without a
        text or a receipt.
        """
        body = await read_body(request, ArticlePatch)
        patched = await self.services.writing.patch(request.user, article_id(id), body.to_model(), publish=body.publish)
        return PatchedArticle.from_patched(patched)
