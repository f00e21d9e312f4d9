"""/console/articles: the list, and one article beside the passages that it rests on."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Response, get
from litestar.params import FromPath

from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import WRITTEN, ArticleStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import ArticleQuery, SortBy
from contentgen_http.console.pages.articles.article import ArticlePage, address_of, article_id
from contentgen_http.console.pages.articles.view import shown_text
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, page_number

PER_PAGE: Final = 20
MAX_SEARCH: Final = 200
_APPROVALS: Final = [state.value for state in ApprovalState if state is not ApprovalState.NONE]


class ArticlePages(ArticlePage):
    @get("/articles")
    async def articles(self, request: Visit) -> Response[str]:
        asked = request.query_params
        status, search = asked.get("status", ""), asked.get("search", "")[:MAX_SEARCH]
        page = page_number(request)
        niche, approval, language = (asked.get(name, "") for name in ("niche", "approval", "language"))
        query = ArticleQuery(
            request.user.caller.tenant_id,
            page=page,
            limit=PER_PAGE,
            niche_key=niche or None,
            statuses=frozenset({ArticleStatus(status)}) if status in set(ArticleStatus) else frozenset(),
            search=search or None,
            approval=ApprovalState(approval) if approval in _APPROVALS else None,
            language=Language(language) if language in set(Language) else None,
            sort_by=SortBy.UPDATED_AT,
        )
        found, niches = await asyncio.gather(
            self.services.writing.articles.summaries(query), self.services.agents.niches.activated(request.user.caller)
        )
        return self.show(
            request,
            "articles/list.html",
            articles=found.articles,
            total=found.total,
            page=page,
            pages=max(1, -(-found.total // PER_PAGE)),
            chosen={"search": search, "status": status, "niche": niche, "approval": approval, "language": language},
            niches=niches,
            statuses=list(ArticleStatus),
            approvals=_APPROVALS,
            written_in=list(Language),
        )

    @get("/articles/changed")
    async def changed(self, request: Visit) -> Response[str]:
        """Articles that cite a source which was revised or removed since, the newest first."""
        asked, caller = request.query_params, request.user.caller
        niche, before = asked.get("niche", ""), asked.get("before", "")
        found, niches = await asyncio.gather(
            self.services.writing.list_freshness.titles(
                caller, article_id(before) if before else None, PER_PAGE, niche or None
            ),
            self.services.agents.niches.activated(caller),
        )
        return self.show(
            request,
            "articles/changed.html",
            articles=found.articles,
            before=found.before,
            niche=niche,
            niches=niches,
        )

    @get("/articles/{id:str}")
    async def article(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        caller = request.user.caller
        text = await self.services.writing.article_text(caller, article_id(id))
        article = text.article
        if article.awaits_review and not article.content:
            return to(address_of(article, "plan"))
        if article.status is ArticleStatus.GENERATING or (article.status not in WRITTEN and not article.content):
            waiting = await self.services.writing.articles.waiting_parts(article)
            return self.show(request, "articles/progress.html", article=article, waiting=waiting)
        access, people, (sentences, blocks) = await asyncio.gather(
            self.access_to(request, article), self.people(caller), asyncio.to_thread(shown_text, text)
        )
        return await self.show_in_parts(
            request,
            "articles/page.html",
            article=article,
            access=access,
            part="",
            blocks=blocks,
            sentences=sentences,
            reviewed=sum(bool(sentence.reviews) for sentence in sentences),
            people=people,
        )

    @get("/articles/{id:str}/progress")
    async def progress(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """The part of the page that says how far the writing is. Once it has ended the whole page is loaded."""
        article = await self.article_of(request, id)
        waiting = await self.services.writing.articles.waiting_parts(article)
        answer = self.show(request, "articles/progress_part.html", article=article, waiting=waiting)
        if article.status is not ArticleStatus.GENERATING:
            answer.headers["HX-Redirect"] = address_of(article)
        return answer
