"""/console/articles/{id}/review: who has approved the text, comments on its sentences, and which were reviewed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve
from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import Conflict, InvalidInput
from contentgen_core.model.approval import PostDetails
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleCommentId
from contentgen_core.policies.articles.publishing import MAX_SLUG
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence
from contentgen_http.console.pages.articles.article import ArticlePage, address_of, article_id
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, local_address, texts_of, whole_number

COMMENTS: Final = 20
"""Of one page."""
DETAILS: Final = ("slug", "tags", "categories", "canonical")
"""Fields of the form for what goes out with the text."""


class ReviewPages(ArticlePage):
    @get("/articles/{id:str}/review")
    async def review(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        return await self._page(request, id)

    @post("/articles/{id:str}/submit", status_code=200)
    async def submit(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        article = await self.services.writing.approval.submit(request.user.caller, article_id(id))
        return to(address_of(article, "review"), "note-submitted")

    @post("/articles/{id:str}/details", status_code=200)
    async def change_details(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Choose what goes out with the text, and ask the approvers."""
        form = await self.form(request)
        article = await self.article_of(request, id)
        try:
            await self.services.writing.approval.submit(request.user.caller, article.id, _details(form, article))
        except InvalidInput as error:
            typed = {name: form.text(name) for name in DETAILS}
            return await self._page(request, id, sentence(error, texts_of(request)), status=400, details=typed)
        return to(address_of(article, "review"), "note-submitted")

    @post("/articles/{id:str}/approve", status_code=200)
    async def approve(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """The text that the approver has seen; another one is not approved, and the page says so."""
        form = await self.form(request)
        try:
            article = await self.services.writing.approval.approve(
                request.user.caller, article_id(id), form.text("seen") or None
            )
        except Conflict as error:
            return await self._page(request, id, sentence(error, texts_of(request)), status=409)
        return to(address_of(article, "review"), "note-approved")

    @post("/articles/{id:str}/send-back", status_code=200)
    async def send_back(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        reason = form.text("reason")
        try:
            article = await self.services.writing.approval.send_back(request.user.caller, article_id(id), reason)
        except InvalidInput as error:
            return await self._page(request, id, sentence(error, texts_of(request)), status=400, reason=reason)
        return to(address_of(article, "review"), "note-sent-back")

    @post("/articles/{id:str}/reviewed", status_code=200)
    async def mark(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Mark a sentence as reviewed, or all."""
        form = await self.form(request)
        caller, article = request.user.caller, await self.article_of(request, id)
        if "all" in form:
            positions = list(range(len(await self.services.writing.reviewed.read(caller, article.id))))
        else:
            positions = [number - 1 for text in form.texts("sentence") if (number := whole_number(text)) is not None]
        await self.services.writing.reviewed.mark(caller, article.id, positions)
        at = f"#source-{positions[0] + 1}" if len(positions) == 1 else ""
        return to(f"{address_of(article)}{at}", "note-reviewed")

    @post("/articles/{id:str}/comments", status_code=200)
    @sent_once
    async def comment(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        try:
            placed = await self.services.writing.comments.add(
                request.user.caller,
                article_id(id),
                form.text("sentence"),
                form.text("text"),
                whole_number(form.text("occurrence"), 0),
            )
        except (Conflict, InvalidInput) as error:
            return await self._page(
                request, id, sentence(error, texts_of(request)), status=400, comment=form.text("text")
            )
        return to(f"/console/articles/{id}/review#comment-{placed.comment.id}", "note-commented")

    @post("/articles/{id:str}/comments/{comment:str}/reply", status_code=200)
    @sent_once
    async def reply(self, request: Visit, id: FromPath[str], comment: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        try:
            await self.services.writing.comments.reply(request.user.caller, comment_id(comment), form.text("text"))
        except (Conflict, InvalidInput) as error:
            return await self._page(
                request, id, sentence(error, texts_of(request)), status=400, reply=(comment, form.text("text"))
            )
        return to(f"{_back(form, id)}#comment-{comment_id(comment)}", "note-commented")

    @post("/articles/{id:str}/comments/{comment:str}/resolve", status_code=200)
    async def resolve(self, request: Visit, id: FromPath[str], comment: FromPath[str]) -> Response[Any]:
        """Resolve a comment, or open it again."""
        form = await self.form(request)
        resolved = form.text("resolved") == "yes"
        await self.services.writing.comments.resolve(request.user.caller, comment_id(comment), resolved=resolved)
        return to(_back(form, id), "note-resolved" if resolved else "note-reopened")

    @get("/articles/{id:str}/comments/{comment:str}/delete")
    async def ask_to_delete(self, request: Visit, id: FromPath[str], comment: FromPath[str]) -> Response[Any]:
        """Whether it is meant."""
        article = await self.article_of(request, id)
        return self.show(request, "articles/delete_comment.html", article=article, comment=comment_id(comment))

    @post("/articles/{id:str}/comments/{comment:str}/delete", status_code=200)
    async def delete(self, request: Visit, id: FromPath[str], comment: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.writing.comments.delete(request.user.caller, comment_id(comment))
        return to(f"/console/articles/{article_id(id)}/review", "note-comment-deleted")

    async def _page(
        self,
        request: Visit,
        id: str,
        fault: str = "",
        *,
        status: int = 200,
        reason: str = "",
        comment: str = "",
        reply: tuple[str, str] = ("", ""),
        details: Mapping[str, str] | None = None,
    ) -> Response[str]:
        """`reason`, `comment`, `reply` (with the comment's id), `details`: what was typed into a form that has a
        fault."""
        access, caller, asked = await self.access(request, id), request.user.caller, request.query_params
        shown = asked.get("show", "open")
        before = asked.get("before", "")
        placed, people = await asyncio.gather(
            self.services.writing.comments.page(
                caller,
                access.article.id,
                resolved={"open": False, "resolved": True}.get(shown),
                before=comment_id(before) if before else None,
                limit=COMMENTS,
            ),
            self.people(caller),
        )
        return self.show_part(
            request,
            access,
            "review",
            "articles/review.html",
            status=status,
            comments=placed,
            older=placed[-1].comment.id if len(placed) == COMMENTS else None,
            shown=shown if shown in ("open", "resolved") else "all",
            people=people,
            fault=fault,
            reason=reason,
            typed=comment,
            reply=reply,
            typed_details=details,
            max_slug=MAX_SLUG,
        )


def comment_id(id: str) -> ArticleCommentId:
    """Raises NotFound for what is no id."""
    return ArticleCommentId(path_id("comment", id))


def _details(form: Form, article: Article) -> PostDetails:
    """What the form says; the options of targets, which it does not show, stay. Tags that are the article's keywords go
    on following these."""
    tags, categories = (_lines(form.text(name)) for name in ("tags", "categories"))
    return evolve(
        article.details,
        slug=form.text("slug") or None,
        tags=None if tags == article.brief.keywords else tags,
        categories=categories or None,
        canonical_url=form.text("canonical") or None,
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _back(form: Form, id: str) -> str:
    """The page of the article that the form stands on."""
    return local_address(form.text("back"), f"/console/articles/{article_id(id)}/review").partition("#")[0]
