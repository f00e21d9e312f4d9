"""/console/publishing/posts: what happened to a post, what that means, and what can be done about it."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import Conflict, InvalidInput, NotFound
from contentgen_core.model.ids import PublicationId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import Publication, PublicationStatus
from contentgen_core.model.publishing_target import Feature, ProviderInfo
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.ports.publishing import PublishFailed
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.page import Page
from contentgen_http.console.pages.publishing.view import ASKED_FIRST, Action, meaning, possible
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, texts_of

POSTS = "/console/publishing/posts"


class PostPages(Page):
    @get("/publishing/posts/{id:str}")
    async def post_page(self, request: Visit, id: FromPath[str]) -> Response[str]:
        return await self._shown(request, await self._publication(request, id))

    @get("/publishing/posts/{id:str}/now")
    async def now(self, request: Visit, id: FromPath[str]) -> Response[str]:
        """The part of the page that follows a publication while it is under way."""
        return await self._shown(request, await self._publication(request, id), template="publishing/post_part.html")

    @get("/publishing/posts/{id:str}/ask")
    async def ask(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Before something is done that cannot be undone."""
        publication = await self._publication(request, id)
        asked = request.query_params.get("do", "")
        if asked not in ASKED_FIRST:
            return to(f"{POSTS}/{publication.id}")
        return await self._shown(request, publication, template="publishing/ask.html", action=Action(asked))

    @post("/publishing/posts/{id:str}", status_code=200)
    @sent_once
    async def do(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Do what a button asks for; what the target or a rule has against it is said on the page."""
        form = await self.form(request)
        publication = await self._publication(request, id)
        try:
            note = await self._done(request.user.caller, publication.id, form)
        except (Conflict, InvalidInput, NotFound, PublishFailed) as error:
            fault = sentence(error, texts_of(request))
            status = status_of(error)
            present = await self._publication(request, id)
            return await self._shown(request, present, fault=fault, status=status, url=form.text("url"))
        return to(f"{POSTS}/{publication.id}", note)

    async def _done(self, caller: Caller, id: PublicationId, form: Form) -> str:
        """The note that says what was done. Raises as the use cases do."""
        publishing, asked = self.services.publishing, form.text("do")
        manage = publishing.publications
        if asked == Action.CHECK:
            await publishing.verify.these(caller, [id])
            return "note-post-checked"
        if asked in (Action.AGAIN, Action.OVERWRITE, Action.ANEW):
            await manage.retry(caller, id, overwrite=asked == Action.OVERWRITE, anew=asked == Action.ANEW)
            return "note-post-sent"
        if asked == Action.CANCEL:
            await manage.cancel(caller, id)
            return "note-post-cancelled"
        if asked == Action.DRAFT:
            await publishing.withdraw.unpublish(caller, id)
            return "note-post-draft"
        if asked == Action.DELETE:
            await publishing.withdraw.delete(caller, id)
            return "note-post-deleted"
        if asked in (Action.MARK_PUBLISHED, Action.MARK_FAILED):
            await manage.mark(caller, id, PublicationStatus(asked), form.text("url") or None)
            return "note-post-marked"
        raise InvalidInput.of("do", f"one of {', '.join(Action)}")

    async def _publication(self, request: Visit, id: str) -> Publication:
        publication_id = PublicationId(path_id("publication", id))
        return await self.services.publishing.publications.get(request.user.caller, publication_id)

    async def _target(self, request: Visit, publication: Publication) -> Integration | None:
        try:
            return await self.services.publishing.integrations.get(request.user.caller, publication.integration_id)
        except NotFound:
            return None

    def _kind(self, provider: str) -> ProviderInfo | None:
        """None for one that is not installed any more."""
        try:
            return self.services.ports.targets.get(provider)
        except NotFound:
            return None

    async def _title(self, request: Visit, publication: Publication) -> str:
        if publication.article_id is None:
            return publication.request.title or ""
        return (await self.services.writing.articles.one(request.user.caller, publication.article_id)).title

    async def _shown(
        self,
        request: Visit,
        publication: Publication,
        *,
        template: str = "publishing/post.html",
        status: int = 200,
        fault: str = "",
        url: str = "",
        **more: Any,
    ) -> Response[str]:
        target, title = await asyncio.gather(self._target(request, publication), self._title(request, publication))
        info, now = self._kind(publication.provider), self.services.ports.clock.now()
        editor = request.user.caller.role.includes(Role.EDITOR)
        return self.show(
            request,
            template,
            status=status,
            post=publication,
            title=title,
            target=target,
            kind=info.name if info else publication.provider,
            meaning=meaning(publication, now),
            can_be_asked=info is not None and Feature.FIND in info.features,
            actions=possible(publication, target, info, now) if editor else [],
            asked_first=ASKED_FIRST,
            fault=fault,
            url=url or publication.url or "",
            **more,
        )
