"""/console/articles/{id}/versions: what the text was, who changed it, what differs, and the way back."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any, Final

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from contentgen_http.console.pages.articles.article import ArticlePage, address_of, article_id
from contentgen_http.console.pages.articles.changes import changed_words
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, whole_number

VERSIONS: Final = 25
"""Of one page."""


class VersionPages(ArticlePage):
    @get("/articles/{id:str}/versions")
    async def versions(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Newest first; and, with `from` (and `to`), what two of them differ in."""
        access, caller, asked = await self.listed_access(request, id), request.user.caller, request.query_params
        before = whole_number(asked.get("before", ""))
        versions = await self.services.writing.versions.page(caller, access.article.id, before, VERSIONS + 1)
        start = whole_number(asked.get("from", ""))
        compared = None
        if start is not None:
            compared = await self.services.writing.versions.compared(
                caller, access.article.id, start, whole_number(asked.get("to", ""))
            )
        return self.show_part(
            request,
            access,
            "versions",
            "articles/versions.html",
            versions=versions[:VERSIONS],
            earlier={newer.number: older.number for newer, older in pairwise(versions)},
            older=versions[VERSIONS - 1].number if len(versions) > VERSIONS else None,
            people=await self.named(request, [id for each in versions for id in (each.by, each.approved_by)]),
            compared=compared,
            changes=await asyncio.to_thread(lambda: [changed_words(each) for each in compared.changes])
            if compared
            else [],
        )

    @get("/articles/{id:str}/versions/{number:str}")
    async def version(self, request: Visit, id: FromPath[str], number: FromPath[str]) -> Response[Any]:
        """A version's text."""
        access, caller = await self.listed_access(request, id), request.user.caller
        version, text = await self.services.writing.versions.one(caller, access.article.id, _required(number))
        blocks = await asyncio.to_thread(self.services.ports.renderer.text_blocks, text.content)
        return self.show_part(
            request, access, "versions", "articles/version.html", version=version, text=text, blocks=blocks,
            people=await self.named(request, (version.by, version.approved_by)),
        )  # fmt: skip

    @post("/articles/{id:str}/versions/{number:str}/restore", status_code=200)
    async def restore(self, request: Visit, id: FromPath[str], number: FromPath[str]) -> Response[Any]:
        """The article says again what it said; what it says now stays a version."""
        await self.form(request)
        article = await self.services.writing.restore_version(request.user.caller, article_id(id), _required(number))
        return to(address_of(article), "note-restored")


def _required(text: str) -> int:
    """Raises the framework's 404."""
    number = whole_number(text)
    if number is None:
        raise NotFoundException
    return number
