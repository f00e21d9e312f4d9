"""/console/articles/{id}/sentences/{position}: one sentence with its passage, its comments, and what may be done."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from contentgen_core.model.article import Article
from contentgen_core.use_cases.comments.manage import MOST
from contentgen_http.console.pages.articles.article import ArticlePage
from contentgen_http.console.pages.articles.view import CheckedSentence, checked_sentences
from contentgen_http.console.visit import Visit


class SentencePages(ArticlePage):
    @get("/articles/{id:str}/sentences/{position:str}")
    async def sentence(self, request: Visit, id: FromPath[str], position: FromPath[str]) -> Response[Any]:
        access, caller = await self.access(request, id), request.user.caller
        found, people = await asyncio.gather(self._sentence(request, access.article, position), self.people(caller))
        return self.show_part(request, access, "sentence", "articles/sentence.html", sentence=found, people=people)

    async def _sentence(self, request: Visit, article: Article, position: str) -> CheckedSentence:
        """Raises the framework's 404."""
        caller, writing = request.user.caller, self.services.writing
        reviewed, comments, passages = await asyncio.gather(
            writing.reviewed.read(caller, article.id),
            writing.comments.page(caller, article.id, resolved=None, before=None, limit=MOST),
            writing.passages.cited(caller, article.id),
        )
        receipts = article.grounding.sentences if article.grounding else ()
        sentences = checked_sentences(reviewed, receipts, passages, comments)
        if not (
            position.isascii() and position.isdigit() and len(position) < 6 and 1 <= int(position) <= len(sentences)
        ):
            raise NotFoundException
        return sentences[int(position) - 1]
