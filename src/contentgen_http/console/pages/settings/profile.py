"""/console/settings/profile: one's own name and language, and the name and time zone of the team."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post

from contentgen_core.errors import ContentgenError
from contentgen_core.use_cases.tenants.settings import TenantChanges
from contentgen_http.console.pages.settings.settings_page import NONE_TYPED, SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Form, Visit

PROFILE: Final = "/console/settings/profile"


class ProfilePage(SettingsPage):
    @get("/settings")
    async def first(self, request: Visit) -> Response[Any]:
        return to(PROFILE)

    @get("/settings/profile")
    async def profile(self, request: Visit) -> Response[str]:
        return await self._page(request)

    @post("/settings/profile/name", status_code=200)
    async def rename(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        try:
            await self.services.people.account.rename(request.user.caller, form.text("name"))
        except ContentgenError as error:
            return await self._page(request, error, form)
        return to(PROFILE, "note-settings-saved")

    @post("/settings/profile/team", status_code=200)
    async def edit_team(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        changes = TenantChanges(name=form.text("team"), time_zone=form.text("zone") or None)
        try:
            await self.services.people.edit_tenant(request.user.caller, changes)
        except ContentgenError as error:
            return await self._page(request, error, form)
        return to(PROFILE, "note-settings-saved")

    async def _page(
        self, request: Visit, error: ContentgenError | None = None, typed: Form = NONE_TYPED
    ) -> Response[str]:
        zones = sorted(self.services.ports.time_zones.names)
        account = await self.services.people.account.read(request.user.caller)
        return self.settings(request, "profile", error=error, typed=typed, account=account, zones=zones)
