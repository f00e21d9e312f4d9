"""One's own account."""

from __future__ import annotations

from typing import Final

from litestar import Controller

from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, read_body
from contentgen_http.services import Services
from contentgen_http.wire import account as wire
from contentgen_http.wire.base import absent_as_none

TAG: Final = "Account"


class AccountRoutes(Controller):
    services: Services

    @operation("GET", "/account", tag=TAG, answer=wire.Account)
    async def get_account(self, request: TenantRequest) -> wire.Account:
        """Read your account.

        Who you are, where you belong, and what you may do there.
        """
        return wire.Account.of(await self.services.people.account.read(request.user))

    @operation(
        "PATCH",
        "/account/profile",
        tag=TAG,
        body=wire.ProfilePatch,
        answer=wire.Profile,
        example={"name": "Ada Lovelace"},
    )
    async def edit_profile(self, request: TenantRequest) -> wire.Profile:
        """Edit your profile.

        Your own name, whatever your role is.
        """
        body = await read_body(request, wire.ProfilePatch)
        return wire.Profile.of(await self.services.people.account.rename(request.user, absent_as_none(body.name)))
