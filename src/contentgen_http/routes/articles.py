"""Reading and changing articles."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.ids import ArticleId
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import TenantRequest, idempotency_key, path_id, read_body, read_query
from contentgen_http.services import Services
from contentgen_http.wire import articles as wire
from contentgen_http.wire.article_edits import ArticleChanges
from contentgen_http.wire.article_reads import ArticleList, ArticleListQuery, GenerationStatus, LengthOptions
from contentgen_http.wire.base import Done
from contentgen_http.wire.grounding import CurrentGrounding

TAG: Final = "Articles"


def article_id(text: str) -> ArticleId:
    return ArticleId(path_id("article", text))


class ArticleRoutes(Controller):
    services: Services

    @operation("GET", "/articles", tag=TAG, query=ArticleListQuery, answer=ArticleList)
    async def list_articles(self, request: TenantRequest) -> ArticleList:
        """List articles.

        One page of the tenant's articles. Plan, sources, grounding, usage, imageCredit, publications and jsonLd come
        with a single article only.
        """
        query = read_query(request, ArticleListQuery).to_query(request.user)
        return ArticleList.of(await self.services.writing.articles.summaries(query), query)

    @operation("GET", "/writer/{id:str}", tag=TAG, answer=wire.Article, raises=(errors.NotFound,))
    async def get_article(self, request: TenantRequest, id: FromPath[str]) -> wire.Article:
        """Read an article.

        With its plan, its numbered sources, its grounding receipt, what the model consumed, and where it was published.
        """
        article = await self.services.writing.articles.one(request.user, article_id(id))
        return wire.from_model(
            article, await self.services.publishing.publications.of_article(request.user, article.id)
        )

    @operation(
        "PATCH",
        "/writer/{id:str}",
        tag=TAG,
        body=ArticleChanges,
        answer=wire.Article,
        max_body=2 * KIB * KIB,
        raises=(
            errors.NotPermitted,
            errors.NotFound,
            errors.Conflict,
            errors.ConcurrentChange,
            errors.DuplicateFreeArticle,
        ),
        example={"title": "Heat pumps in older houses", "seo": {"metaTitle": "Heat pumps in older houses"}},
        slow=True,
    )
    async def edit_article(self, request: TenantRequest, id: FromPath[str]) -> wire.Article:
        """Change an article.

        Fields that are absent stay as they are; null clears an optional one. Changing an article that is generating
        stops its generation: what a person wrote wins. Of a new content the sentences that changed are checked again;
        the others keep their entries of the grounding receipt. An article without a text cannot be scheduled while
        integrations are enabled: 409.
        """
        changes = await read_body(request, ArticleChanges)
        article = await self.services.writing.edit(changes.to_command(request.user, article_id(id)))
        return wire.from_model(
            article, await self.services.publishing.publications.of_article(request.user, article.id)
        )

    @operation(
        "POST",
        "/writer/{id:str}/publish",
        tag=TAG,
        answer=wire.Article,
        idempotent=True,
        raises=(
            errors.InvalidInput,
            errors.NotPermitted,
            errors.NotFound,
            errors.Conflict,
            errors.IdempotencyKeyReused,
        ),
    )
    async def publish_article(self, request: TenantRequest, id: FromPath[str]) -> wire.Article:
        """Publish an article everywhere.

        To every enabled integration; one that fails holds no other back. Publishing again updates the posts that are
        there. Waits half a minute at most for the outcomes, listed in `publications`, and then goes on by itself. The
        article becomes published when the first target has it.
        """
        key = idempotency_key(request, f"publish article {id}", {})
        publications = await self.services.publishing.publish.article(request.user, article_id(id), key)
        article = await self.services.writing.articles.one(request.user, article_id(id))
        return wire.from_model(article, publications)

    @operation("DELETE", "/writer/{id:str}", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound))
    async def delete_article(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete an article.

        With all that belongs to it. A generation under way stops; its article of the quota is not given back.
        """
        await self.services.writing.delete(request.user, article_id(id))
        return Done()

    @operation(
        "GET",
        "/writer/{id:str}/grounding",
        tag=TAG,
        answer=CurrentGrounding,
        raises=(errors.NotFound,),
    )
    async def get_grounding(self, request: TenantRequest, id: FromPath[str]) -> CurrentGrounding:
        """Read an article's grounding receipt.

        For each sentence, what it rests on, and whether that is still in the knowledge base as it was: a sentence is
        stale once a document behind it has changed or was deleted. Not found as well for an article without a receipt:
        one that is not written yet.
        """
        return CurrentGrounding.of(await self.services.writing.grounding_receipt(request.user, article_id(id)))

    @operation(
        "POST",
        "/writer/{id:str}/verify",
        tag=TAG,
        answer=CurrentGrounding,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange),
        slow=True,
    )
    async def verify_article(self, request: TenantRequest, id: FromPath[str]) -> CurrentGrounding:
        """Verify an article.

        Checks every sentence of the present text against the article's sources, as they were when it was written, and
        stores the receipt. After a change of the content that is not needed: the sentences that changed are checked
        then. 409 for an article without a text, or without sources.
        """
        return CurrentGrounding.of(await self.services.writing.verify(request.user, article_id(id)))

    @operation(
        "GET",
        "/writer/generation-status/{articleId:str}",
        tag=TAG,
        answer=GenerationStatus,
        raises=(errors.NotFound,),
    )
    async def get_generation_status(self, request: TenantRequest, articleId: FromPath[str]) -> GenerationStatus:
        """Follow a generation.

        Poll it until progress is 100 or status is failed. Generated and scheduled articles are reported as draft with
        progress 100, a plan that awaits its review as draft with progress 0.
        """
        articles = self.services.writing.articles
        article = await articles.one(request.user, article_id(articleId))
        return GenerationStatus.of(article, await articles.waiting_parts(article))

    @operation("GET", "/writer/available-lengths", tag=TAG, answer=LengthOptions)
    async def list_available_lengths(self, request: TenantRequest) -> LengthOptions:
        """List article lengths.

        Every length with its bounds in words, and whether your plan includes it.
        """
        return LengthOptions.for_caller(request.user)
