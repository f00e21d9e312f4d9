"""/console: the first page."""

from __future__ import annotations

from litestar import Response, get

from contentgen_http.console.page import Page
from contentgen_http.console.pages.home.view import home
from contentgen_http.console.visit import Visit


class HomePage(Page):
    @get("/")
    async def home(self, request: Visit) -> Response[str]:
        return self.show(request, "home/page.html", home=await home(self.services, request.user.caller))
