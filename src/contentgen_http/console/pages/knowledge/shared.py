"""What the pages of knowledge share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response

from contentgen_core.model.niche import Niche
from contentgen_core.policies.tenancy.access import Permission, permissions_of
from contentgen_http.console.page import Page
from contentgen_http.console.visit import Visit

PER_PAGE: Final = 20


class KnowledgePage(Page):
    def show(self, request: Visit, template: str, *, status: int = 200, **context: Any) -> Response[str]:
        """With whether the person may add and change documents (`may_write`), and sources (`may_manage`)."""
        granted = permissions_of(request.user.user)
        context.setdefault("may_write", Permission.WRITE_CONTENT in granted)
        context.setdefault("may_manage", Permission.MANAGE_SETTINGS in granted)
        return super().show(request, template, status=status, **context)

    async def niches(self, request: Visit) -> Sequence[Niche]:
        """Those that are activated, by name."""
        return await self.services.agents.niches.activated(request.user.caller)


def address(path: str, **asked: str) -> str:
    """An address with what it asks for, empty values left out."""
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"{path}?{query}" if query else path
