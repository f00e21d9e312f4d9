"""/console/articles: the list, and one article beside the passages that it rests on."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import InvalidInput
from contentgen_core.model.article import WRITTEN, Article, ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.ports.repositories.articles import ArticleQuery, SortBy
from contentgen_core.use_cases.articles.edit import EditArticleCommand, EditOvertaken
from contentgen_http.console.page import Page
from contentgen_http.console.pages.articles.view import shown_blocks
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit
from contentgen_http.requests import path_id

PER_PAGE: Final = 20
MAX_PAGE: Final = 10_000
MAX_SEARCH: Final = 200


class ArticlePages(Page):
    @get("/articles")
    async def articles(self, request: Visit) -> Response[str]:
        asked = request.query_params
        status, search = asked.get("status", ""), asked.get("search", "")[:MAX_SEARCH]
        page = _page_number(asked.get("page", ""))
        niche = asked.get("niche", "")
        query = ArticleQuery(
            request.user.caller.tenant_id,
            page=page,
            limit=PER_PAGE,
            niche_key=niche or None,
            statuses=frozenset({ArticleStatus(status)}) if status in set(ArticleStatus) else frozenset(),
            search=search or None,
            sort_by=SortBy.UPDATED_AT,
        )
        found, niches = await asyncio.gather(
            self.services.writing.articles.page(query), self.services.agents.niches.activated(request.user.caller)
        )
        return self.show(
            request,
            "articles/list.html",
            articles=found.articles,
            total=found.total,
            page=page,
            pages=max(1, -(-found.total // PER_PAGE)),
            chosen=status,
            search=search,
            niche=niche,
            niches=niches,
            statuses=list(ArticleStatus),
        )

    @get("/articles/{id:str}")
    async def article(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        article = await self._article(request, id)
        if article.awaits_review:
            return to(f"/console/articles/{article.id}/plan")
        if article.status not in WRITTEN and not article.content:
            return self.show(request, "articles/progress.html", article=article)
        passages = await self.services.writing.passages.cited(request.user.caller, article.id)
        receipts = article.grounding.sentences if article.grounding else ()
        blocks = await asyncio.to_thread(self.services.ports.renderer.text_blocks, article.content)
        return self.show(
            request,
            "articles/page.html",
            article=article,
            blocks=shown_blocks(blocks, receipts, passages),
            publications=await self.services.publishing.publications.of_article(request.user.caller, article.id),
        )

    @get("/articles/{id:str}/progress")
    async def progress(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """The part of the page that says how far the writing is. Once it has ended the whole page is loaded."""
        article = await self._article(request, id)
        answer = self.show(request, "articles/progress_part.html", article=article)
        if article.status is not ArticleStatus.GENERATING:
            answer.headers["HX-Redirect"] = f"/console/articles/{article.id}"
        return answer

    @get("/articles/{id:str}/edit")
    async def editor(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        article = await self._article(request, id)
        return self.show(
            request, "articles/edit.html", article=article, title=article.title, content=article.content, fault=""
        )

    @post("/articles/{id:str}/edit", status_code=200)
    async def edit(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """The text as it was edited, whose sentences are checked again. Somebody else's change in between is shown
        beside what was typed."""
        form = await self.form(request)
        article = await self._article(request, id)
        title, content = form.text("title"), form.text("content")

        def again(fault: str, status: int) -> Response[Any]:
            return self.show(
                request, "articles/edit.html", status=status, article=article, title=title, content=content, fault=fault
            )

        seen = form.text("seen")
        try:
            command = EditArticleCommand(request.user.caller, article.id, title=title, content=content, seen=seen)
            await self.services.writing.edit(command)
        except EditOvertaken:
            article = await self._article(request, id)
            return again("articles-edit-overtaken", 409)
        except InvalidInput as error:
            return again("; ".join(fault.message for fault in error.errors), 400)
        return to(f"/console/articles/{article.id}", "note-saved")

    async def _article(self, request: Visit, id: str) -> Article:
        return await self.services.writing.articles.one(request.user.caller, ArticleId(path_id("article", id)))


def _page_number(text: str) -> int:
    return min(max(int(text), 1), MAX_PAGE) if text.isascii() and text.isdigit() and len(text) < 8 else 1
