"""What the routes of all pages share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from litestar import Controller, Response
from litestar.response import Stream

from contentgen_http.console import shown_once
from contentgen_http.console.rendering import show, show_in_parts
from contentgen_http.console.visit import Form, Visit, read_form
from contentgen_http.server.rate_limit import Limits
from contentgen_http.services import Services


class Page(Controller):
    """The routes of a page. `services`, `limits`: set when the application is made."""

    services: ClassVar[Services]
    limits: ClassVar[Limits]

    def show(self, request: Visit, template: str, *, status: int = 200, **context: Any) -> Response[str]:
        """A template with what it shows, for the person who is signed in."""
        ports = self.services.ports
        return show(request, ports.key_maker, ports.clock, template, status=status, **context)

    async def show_in_parts(self, request: Visit, template: str, **context: Any) -> Response[str] | Stream:
        """The same of a page that may be long."""
        ports = self.services.ports
        return await show_in_parts(request, ports.key_maker, ports.clock, template, **context)

    async def show_once(
        self, request: Visit, page: Callable[[Mapping[str, str]], Awaitable[Response[str]]]
    ) -> Response[str]:
        """A page with what a form before it has left to be shown once, which is forgotten then. `page`: makes it with
        that."""
        said = shown_once.said_once(request, self.services.ports.secret_box)
        answer = await page(said)
        if said:
            shown_once.forget(request, answer)
        return answer

    def to_once(self, request: Visit, page: str, /, **said: str) -> Response[Any]:
        """On to the page at this address, which shows once what is `said`."""
        return shown_once.to_once(request, self.services.ports.secret_box, page, said)

    async def form(self, request: Visit) -> Form:
        """The form that was sent; raises as `visit.read_form`."""
        return await read_form(request, self.services.ports.key_maker)
