"""/console/articles/{id}/edit and /delete: changes of the whole article."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import EditOvertaken, InvalidInput
from contentgen_core.model.article import ArticleStatus
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_http.console.faults import said_faults
from contentgen_http.console.pages.articles.article import ArticlePage, address_of
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, texts_of

AGAIN: Final = frozenset({ArticleStatus.DRAFT, ArticleStatus.GENERATED, ArticleStatus.FAILED})
"""The states of an article that may be written anew: nothing of it is out, or about to be."""


class EditingPages(ArticlePage):
    @get("/articles/{id:str}/edit")
    async def editor(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        article = await self.article_of(request, id)
        return self.show(
            request, "articles/edit.html", article=article, title=article.title, content=article.content, fault=""
        )

    @post("/articles/{id:str}/edit", status_code=200, slow=True)
    async def edit(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """The text as it was edited, whose sentences are checked again. Somebody else's change in between is shown
        beside what was typed."""
        form = await self.form(request)
        article = await self.article_of(request, id)
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
            article = await self.article_of(request, id)
            return again("articles-edit-overtaken", 409)
        except InvalidInput as error:
            return again("; ".join(said_faults(error, texts_of(request))), 400)
        return to(address_of(article), "note-saved")

    @get("/articles/{id:str}/again")
    async def ask_to_write_again(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Whether it is meant."""
        article = await self.article_of(request, id)
        if article.plan is None or article.status not in AGAIN:
            return to(address_of(article))
        return self.show(request, "articles/again.html", article=article)

    @post("/articles/{id:str}/again", status_code=200, slow=True)
    async def write_again(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Back to the plan, from which it is written anew once that is approved."""
        await self.form(request)
        article = await self.article_of(request, id)
        if article.plan is None or article.status not in AGAIN:
            return to(address_of(article))
        if article.status is not ArticleStatus.DRAFT:
            command = EditArticleCommand(request.user.caller, article.id, status=ArticleStatus.DRAFT)
            await self.services.writing.edit(command)
        return to(address_of(article, "plan"))

    @get("/articles/{id:str}/delete")
    async def ask_to_delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Whether it is meant."""
        article = await self.article_of(request, id)
        posts = await self.services.publishing.publications.of_article(request.user.caller, article.id)
        return self.show(request, "articles/delete.html", article=article, posts=posts)

    @post("/articles/{id:str}/delete", status_code=200)
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        article = await self.article_of(request, id)
        await self.services.writing.delete(request.user.caller, article.id)
        return to("/console/articles", "note-article-deleted")
