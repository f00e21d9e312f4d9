"""/console/articles/{id}/updates: what its sources say now, and links to other articles."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen
from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import Conflict, ContentgenError, InvalidInput
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.freshness import StaleSentence
from contentgen_core.model.ids import ArticleLinkId, ArticleUpdateId
from contentgen_core.use_cases.article_links.decide import ShownLink
from contentgen_core.use_cases.articles.patch import MAX_PATCHES, AcceptedPatch
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence
from contentgen_http.console.faults import said_faults
from contentgen_http.console.pages.articles.article import ArticlePage, article_id
from contentgen_http.console.pages.articles.changes import ChangedWords, word_changes
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, texts_of, whole_number

UPDATES: Final = 10
"""Of one article that are shown."""


@frozen
class ShownChange:
    """A sentence whose source reads otherwise: what differs in the source, and between it and what is proposed.
    `text`: what is to be written, as it was typed or is proposed; `chosen`: whether it is to be accepted."""

    change: StaleSentence
    source: Sequence[ChangedWords]
    words: Sequence[ChangedWords]
    text: str
    chosen: bool


@frozen
class PlacedLink:
    """A link, with its sentence around its words."""

    shown: ShownLink
    before: str
    after: str


class UpdatePages(ArticlePage):
    @get("/articles/{id:str}/updates")
    async def updates(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        return await self._page(request, id)

    @post("/articles/{id:str}/updates/propose", status_code=200, slow=True)
    @sent_once
    async def propose(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Look what the sources say now, and propose what the article is to say."""
        await self.form(request)
        found = await self.services.writing.propose_update(request.user.caller, article_id(id))
        return to(f"/console/articles/{article_id(id)}/updates", "note-proposed" if found else "note-fresh")

    @post("/articles/{id:str}/updates/{update:str}/accept", status_code=200)
    async def accept(self, request: Visit, id: FromPath[str], update: FromPath[str]) -> Response[Any]:
        """The chosen sentences, as they were typed."""
        form = await self.form(request)
        try:
            done = await self.services.writing.updates.accept(
                request.user.caller, update_id(update), _accepted(form), publish="publish" in form
            )
        except (Conflict, InvalidInput) as error:
            return await self._page(request, id, error, form)
        return to(f"/console/articles/{done.article_id}/updates", "note-updated")

    @post("/articles/{id:str}/updates/{update:str}/reject", status_code=200)
    async def reject(self, request: Visit, id: FromPath[str], update: FromPath[str]) -> Response[Any]:
        """The article stays as it is."""
        await self.form(request)
        done = await self.services.writing.updates.reject(request.user.caller, update_id(update))
        return to(f"/console/articles/{done.article_id}/updates", "note-update-rejected")

    @post("/articles/{id:str}/links/propose", status_code=200, slow=True)
    @sent_once
    async def propose_links(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.writing.propose_links(request.user.caller, article_id(id))
        return to(f"/console/articles/{article_id(id)}/updates#links", "note-links-proposed")

    @post("/articles/{id:str}/links/{link:str}/decide", status_code=200)
    async def decide_link(self, request: Visit, id: FromPath[str], link: FromPath[str]) -> Response[Any]:
        """Accept or reject a link."""
        form = await self.form(request)
        links, which = self.services.writing.links, ArticleLinkId(path_id("link", link))
        decide = links.accept if form.text("decision") == "accept" else links.reject
        done = await decide(request.user.caller, which)
        return to(f"/console/articles/{done.link.article_id}/updates#links", "note-link-decided")

    async def _page(
        self, request: Visit, id: str, error: ContentgenError | None = None, form: Form | None = None
    ) -> Response[str]:
        """`error`: why `form` was refused."""
        access, caller, writing = await self.access(request, id), request.user.caller, self.services.writing
        article = access.article
        freshness, updates, links, people = await asyncio.gather(
            writing.freshness(caller, article.id),
            writing.updates.of_article(caller, article.id, UPDATES),
            writing.links.of_article(caller, article.id),
            self.people(caller),
        )
        open_one = next((one for one in updates if one.state is UpdateState.PROPOSED), None)
        return self.show_part(
            request,
            access,
            "updates",
            "articles/updates.html",
            status=(400 if isinstance(error, InvalidInput) else 409) if error else 200,
            freshness=freshness,
            update=open_one,
            changes=await asyncio.to_thread(_changes, open_one, _typed(form)) if open_one else [],
            decided=[one for one in updates if one is not open_one],
            links=[_placed(link) for link in links],
            people=people,
            publish=form is not None and "publish" in form,
            fault=_said(error, request),
        )


def update_id(id: str) -> ArticleUpdateId:
    """Raises NotFound for what is no id."""
    return ArticleUpdateId(path_id("update", id))


def _accepted(form: Form) -> list[AcceptedPatch]:
    places = [place for text in form.texts("change")[: MAX_PATCHES + 1] if (place := whole_number(text)) is not None]
    return [AcceptedPatch(place, form.text(f"text-{place}")) for place in places]


def _typed(form: Form | None) -> Mapping[int, str] | None:
    """What was chosen in a form, by position; None without one."""
    return None if form is None else {patch.position: patch.text or "" for patch in _accepted(form)}


def _changes(update: ArticleUpdate, typed: Mapping[int, str] | None) -> list[ShownChange]:
    found = []
    for change in update.changes:
        text = (typed or {}).get(change.position, change.proposal or "")
        chosen = change.position in typed if typed is not None else change.proposal is not None and not change.undecided
        words = word_changes(change.text, change.proposal) if change.proposal is not None else []
        found.append(ShownChange(change, word_changes(change.was, change.now or ""), words, text, chosen))
    return found


def _placed(link: ShownLink) -> PlacedLink:
    before, _, after = link.link.sentence.partition(link.link.anchor)
    return PlacedLink(link, before, after)


def _said(error: ContentgenError | None, request: Visit) -> str:
    if isinstance(error, InvalidInput):
        return "; ".join(said_faults(error, texts_of(request)))
    return sentence(error, texts_of(request)) if error else ""
