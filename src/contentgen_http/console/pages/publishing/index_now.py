"""/console/publishing/index-now: sites whose changed pages are told to search engines."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import Conflict, InvalidInput, NotFound
from contentgen_core.model.ids import IndexNowSiteId
from contentgen_core.model.tenant import Role
from contentgen_core.model.web_address import MAX_URL
from contentgen_http.api.requests import path_id
from contentgen_http.console.errors import sentence, status_of
from contentgen_http.console.page import Page
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Visit, texts_of

SITES: Final = "/console/publishing/index-now"


class IndexNowPages(Page):
    @get("/publishing/index-now")
    async def sites(self, request: Visit) -> Response[str]:
        return await self._shown(request)

    @post("/publishing/index-now", status_code=200)
    @sent_once
    async def create(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        site = form.text("site").rstrip("/")
        try:
            await self.services.publishing.index_now.create(request.user.caller, site)
        except (InvalidInput, Conflict) as error:
            fault = sentence(error, texts_of(request))
            return await self._shown(request, fault=fault, site=form.text("site"), status=status_of(error))
        return to(SITES, "note-site-added")

    @post("/publishing/index-now/{id:str}/submit", status_code=303)
    async def submit(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """Tell now what is noted, after the key was put in its place for example."""
        await self.form(request)
        await self.services.publishing.index_now.submit(request.user.caller, _id(id))
        return to(SITES, "note-site-submitted")

    @get("/publishing/index-now/{id:str}/delete")
    async def ask(self, request: Visit, id: FromPath[str]) -> Response[str]:
        sites = await self.services.publishing.index_now.list(request.user.caller)
        for site in sites:
            if site.id == _id(id):
                return self.show(request, "publishing/forget_site.html", site=site)
        raise NotFound("site", id)

    @post("/publishing/index-now/{id:str}/delete", status_code=303)
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.publishing.index_now.delete(request.user.caller, _id(id))
        return to(SITES, "note-site-deleted")

    async def _shown(self, request: Visit, *, fault: str = "", site: str = "", status: int = 200) -> Response[str]:
        caller = request.user.caller
        sites = await self.services.publishing.index_now.list(caller)
        return self.show(
            request,
            "publishing/index_now.html",
            status=status,
            sites=sites,
            fault=fault,
            site=site,
            max_url=MAX_URL,
            may_submit=caller.role.includes(Role.EDITOR),
            may_change=caller.role.includes(Role.ADMIN),
        )


def _id(text: str) -> IndexNowSiteId:
    return IndexNowSiteId(path_id("site", text))
