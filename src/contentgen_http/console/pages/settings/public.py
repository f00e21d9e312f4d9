"""/console/settings/public and /console/settings/trends: what everybody may read, for platform administrators."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.ports.repositories.public_articles import PublicArticleQuery
from contentgen_core.ports.repositories.trends import TrendQuery
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.settings.settings_page import SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, page_number

PUBLIC: Final = "/console/settings/public"
PER_PAGE: Final = 20
MAX_SEARCH: Final = 200
MOST_TRENDS: Final = 100


class PublicModerationPages(SettingsPage):
    @get("/settings/public")
    async def public(self, request: Visit) -> Response[str]:
        """Public articles of all tenants, the latest first."""
        require_platform_admin(request.user.caller)
        search, page = request.query_params.get("search", "")[:MAX_SEARCH].replace("\0", ""), page_number(request)
        query = PublicArticleQuery(page=page, limit=PER_PAGE, search=search.strip() or None)
        found = await self.services.public.read.articles(query)
        pages = max(1, -(-found.total // PER_PAGE))
        return self.settings(request, "public", found=found, search=search, page=page, pages=pages)

    @get("/settings/public/{slug:str}/hide")
    async def ask_to_hide(self, request: Visit, slug: FromPath[str]) -> Response[str]:
        require_platform_admin(request.user.caller)
        article = await self.services.public.read.article(path_id("article", slug))
        return self.ask(
            request, "settings-public-hide-ask", "settings-public-hide", PUBLIC,
            hint="settings-public-hide-hint", name=article.title,
        )  # fmt: skip

    @post("/settings/public/{slug:str}/hide", status_code=200)
    async def hide(self, request: Visit, slug: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.public.moderate.hide(request.user.caller, path_id("article", slug))
        return to(PUBLIC, "note-hidden")

    @get("/settings/trends")
    async def trends(self, request: Visit) -> Response[str]:
        """Those with the highest scores, as everybody sees them, with how many followed them."""
        require_platform_admin(request.user.caller)
        shown = await self.services.public.read.trends(TrendQuery(limit=MOST_TRENDS))
        every = self.services.options.trends_every
        minutes = int(every.total_seconds() // 60) if every else 0
        return self.settings(request, "trends", trends=shown.page.trends, names=shown.names, minutes=minutes)
