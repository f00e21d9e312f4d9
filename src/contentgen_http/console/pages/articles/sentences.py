"""/console/articles/{id}/sentences/{position}: one sentence with its passage and comments, and its editing in place."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from contentgen_core.errors import Conflict, EditOvertaken, InvalidInput
from contentgen_core.use_cases.articles.edit_sentence import EditSentenceCommand
from contentgen_http.console.errors import sentence
from contentgen_http.console.pages.articles.article import ArticleAccess, ArticlePage, address_of
from contentgen_http.console.pages.articles.view import CheckedSentence, checked_sentences
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, texts_of, whole_number


class SentencePages(ArticlePage):
    @get("/articles/{id:str}/sentences/{position:str}")
    async def sentence(self, request: Visit, id: FromPath[str], position: FromPath[str]) -> Response[Any]:
        access = await self.access(request, id)
        return await self._page(request, access, _position(position))

    @post("/articles/{id:str}/sentences/{position:str}", status_code=200)
    async def edit(self, request: Visit, id: FromPath[str], position: FromPath[str]) -> Response[Any]:
        """The sentence as it was edited; it alone is checked again. Somebody else's change of it in between is shown
        beside what was typed."""
        form = await self.form(request)
        access, at = await self.access(request, id), _position(position)
        command = EditSentenceCommand(
            request.user.caller,
            access.article.id,
            form.text("sentence"),
            whole_number(form.text("occurrence"), 0),
            whole_number(form.text("occurrences"), 0),
            form.text("seen"),
            form.text("new"),
        )
        try:
            article = await self.services.writing.edit_sentence(command)
        except (Conflict, InvalidInput) as error:
            access = await self.access(request, id)
            answer = await self._page(
                request,
                access,
                at,
                status=400 if isinstance(error, InvalidInput) else 409,
                fault=sentence(error, texts_of(request)),
                typed=form.text("new"),
                overtaken=isinstance(error, EditOvertaken),
            )
            return _in_place(answer, at) if request.headers.get("hx-request") else answer
        return to(f"{address_of(article)}#sentence-{at + 1}", "note-saved")

    async def _page(
        self,
        request: Visit,
        access: ArticleAccess,
        at: int,
        *,
        status: int = 200,
        fault: str = "",
        typed: str | None = None,
        overtaken: bool = False,
    ) -> Response[str]:
        """`typed`: what was typed where it has a fault."""
        caller, article = request.user.caller, access.article
        found, people = await asyncio.gather(self._sentence(request, access, at), self.people(caller))
        if found is None:  # the text has become shorter meanwhile
            if not fault:
                raise NotFoundException
            return self.show_part(
                request, access, "sentence", "articles/sentence_gone.html", status=status, fault=fault, typed=typed,
                position=at + 1,
            )  # fmt: skip
        written = await self.services.writing.edit_sentence.read(caller, article.id, at) if access.may_edit else None
        return self.show_part(
            request,
            access,
            "sentence",
            "articles/sentence.html",
            status=status,
            sentence=found,
            written=written,
            new=typed if typed is not None else (written.written if written else None) or "",
            people=people,
            fault=fault,
            overtaken=overtaken,
            in_place=bool(request.headers.get("hx-request")),
        )

    async def _sentence(self, request: Visit, access: ArticleAccess, at: int) -> CheckedSentence | None:
        text = await self.services.writing.article_text(request.user.caller, access.article.id, resolved=None)
        sentences = checked_sentences(text)
        return sentences[at] if 0 <= at < len(sentences) else None


def _position(text: str) -> int:
    """Among the sentences, from 0. Raises the framework's 404."""
    number = whole_number(text)
    if not number:
        raise NotFoundException
    return number - 1


def _in_place(answer: Response[str], at: int) -> Response[str]:
    """A form with a fault, which htmx puts where the form was: it takes answers of success alone."""
    answer.status_code = 200
    answer.headers |= {
        "HX-Retarget": f"#slot-{at + 1}",
        "HX-Reselect": "#sentence-form",
        "HX-Reswap": "innerHTML",
    }
    return answer
