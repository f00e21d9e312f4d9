"""/console/settings/keys: API keys, each shown once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError, InvalidInput, NotFound
from contentgen_core.model.ids import ApiKeyId, UserId
from contentgen_core.model.tenant import ApiKey, Role
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.settings.settings_page import NONE_TYPED, NOTHING, SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit, page_number

KEYS: Final = "/console/settings/keys"
PER_PAGE: Final = 50


class KeyPages(SettingsPage):
    @get("/settings/keys")
    async def keys(self, request: Visit) -> Response[str]:
        """A key that was made just now is shown, this once."""
        return await self.show_once(request, lambda said: self._page(request, new=said))

    @post("/settings/keys", status_code=200)
    @sent_once
    async def create(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        owner = UserId(form.text("owner")) if form.text("owner") else None
        try:
            expires = _end_of(form.text("expires"), request.user.tenant.time_zone or "UTC")
            new = await self.services.people.keys.create(request.user.caller, form.text("name"), expires, owner)
        except ContentgenError as error:
            return await self._page(request, error, form)
        return self.to_once(request, KEYS, name=new.key.name, secret=new.secret)

    @get("/settings/keys/{id:str}/revoke")
    async def ask_to_revoke(self, request: Visit, id: FromPath[str]) -> Response[str]:
        key = next((key for key in await self._all(request) if key.id == id), None)
        if key is None:
            raise NotFound("API key", id)
        own = key.id == request.user.session.key_id
        hint = "settings-revoke-own-hint" if own else "settings-revoke-hint"
        return self.ask(request, "settings-revoke-ask", "settings-revoke", KEYS, hint=hint, name=key.name)

    @post("/settings/keys/{id:str}/revoke", status_code=200)
    async def revoke(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        try:
            await self.services.people.keys.revoke(request.user.caller, ApiKeyId(path_id("API key", id)))
        except ContentgenError as error:
            return await self._page(request, error)
        return to(KEYS, "note-revoked")

    async def _all(self, request: Visit) -> list[ApiKey]:
        return await self.services.people.keys.list(request.user.caller)

    async def _page(
        self,
        request: Visit,
        error: ContentgenError | None = None,
        typed: Form = NONE_TYPED,
        new: Mapping[str, str] = NOTHING,
    ) -> Response[str]:
        caller, now = request.user.caller, self.services.ports.clock.now()
        keys = sorted(await self._all(request), key=lambda key: not key.usable(now))
        members = await self.services.people.team.members(caller)
        pages = max(1, -(-len(keys) // PER_PAGE))
        page = min(page_number(request), pages)
        return self.settings(
            request,
            "keys",
            error=error,
            typed=typed,
            new=new,
            listed=keys[(page - 1) * PER_PAGE : page * PER_PAGE],
            page=page,
            pages=pages,
            names={member.user.id: member.user.name for member in members},
            owners=[m.user for m in members if caller.role.includes(m.user.role)],
            creates=caller.role.includes(Role.ADMIN),
            tomorrow=(now + timedelta(days=1)).date(),
        )


def _end_of(day: str, zone: str) -> datetime | None:
    """The end of a day in a zone; None where none is given. Raises InvalidInput."""
    if not day:
        return None
    try:
        following = date.fromisoformat(day) + timedelta(days=1)
    except (ValueError, OverflowError) as exc:
        raise InvalidInput.of("expiresAt", "a day such as 2027-01-31") from exc
    return datetime.combine(following, time(), ZoneInfo(zone))
