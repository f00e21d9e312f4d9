"""The tenant and its keys."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.ids import ApiKeyId
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body
from contentgen_http.services import Services
from contentgen_http.wire import tenants
from contentgen_http.wire.base import Done

KEYS: Final = "Account"
TAG: Final = "Tenant"


class TenantRoutes(Controller):
    services: Services

    @operation("GET", "/tenant", tag=TAG, answer=tenants.Tenant)
    async def get_tenant(self, request: TenantRequest) -> tenants.Tenant:
        """Read your tenant.

        Its name, its plan and its settings.
        """
        return tenants.Tenant.of(await self.services.people.tenant.tenant(request.user))

    @operation("GET", "/tenant/quotas", tag=TAG, answer=tenants.Quotas)
    async def get_quotas(self, request: TenantRequest) -> tenants.Quotas:
        """Read your quotas.

        Every allowance of your plan: how much it is, how much is used and when it starts anew.
        """
        return tenants.Quotas.of(request.user.plan, await self.services.people.tenant.quotas(request.user))

    @operation(
        "PATCH",
        "/tenant/settings",
        tag=TAG,
        body=tenants.TenantPatch,
        answer=tenants.Tenant,
        raises=(errors.NotPermitted,),
        example={"name": "Acme", "timeZone": "Europe/Paris"},
    )
    async def edit_tenant(self, request: TenantRequest) -> tenants.Tenant:
        """Edit your tenant's settings.

        For admins and owners. Article schedules that name no time zone get this one when they are enabled.
        """
        body = await read_body(request, tenants.TenantPatch)
        return tenants.Tenant.of(await self.services.people.edit_tenant(request.user, body.to_changes()))

    @operation(
        "POST",
        "/account/keys",
        tag=KEYS,
        body=tenants.NewApiKey,
        answer=tenants.CreatedApiKey,
        raises=(errors.NotPermitted, errors.QuotaExceeded, errors.NotFound),
        example={"name": "Staging"},
    )
    async def create_api_key(self, request: TenantRequest) -> tenants.CreatedApiKey:
        """Create an API key.

        It is shown in this answer and never again. For admins and owners, also for somebody else of the team who is not
        above them. Each person can have 100 keys that work.
        """
        body = await read_body(request, tenants.NewApiKey)
        new = await self.services.people.keys.create(request.user, body.name, body.expiry(), body.owner())
        return tenants.CreatedApiKey.of(new)

    @operation("GET", "/account/keys", tag=KEYS, answer=tenants.ApiKeyList)
    async def list_api_keys(self, request: TenantRequest) -> tenants.ApiKeyList:
        """List API keys.

        Revoked and expired ones too, newest first: the team's for admins and owners, your own otherwise.
        """
        return tenants.ApiKeyList.of(await self.services.people.keys.list(request.user))

    @operation("DELETE", "/account/keys/{id:str}", tag=KEYS, answer=Done, raises=(errors.NotPermitted, errors.NotFound))
    async def revoke_api_key(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Revoke an API key.

        It stops working everywhere within a second. Your own; for admins and owners, also that of somebody who is not
        above them.
        """
        await self.services.people.keys.revoke(request.user, ApiKeyId(path_id("API key", id)))
        return Done()
