"""/console/settings/tenants: all tenants of the platform, for its administrators."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import Conflict, InvalidInput
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import PlanName
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.settings.budgets import amounts
from contentgen_http.console.pages.settings.settings_page import SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, texts_of

TENANTS: Final = "/console/settings/tenants"
PER_PAGE: Final = 50
MAX_SEARCH: Final = 100


class TenantPages(SettingsPage):
    @get("/settings/tenants")
    async def tenants(self, request: Visit) -> Response[str]:
        asked = request.query_params
        search = asked.get("search", "").strip().replace("\0", "")[:MAX_SEARCH]
        before = _id(asked["before"]) if asked.get("before") else None
        found = await self.services.people.platform_tenants.newest(request.user.caller, search, before, PER_PAGE)
        older = found[-1].id if len(found) == PER_PAGE else ""
        return self.settings(request, "tenants", tenants=found, search=search, older=older)

    @get("/settings/tenants/{id:str}")
    async def tenant(self, request: Visit, id: FromPath[str]) -> Response[str]:
        return await self._tenant(request, id)

    @post("/settings/tenants/{id:str}/plan", status_code=200)
    async def set_plan(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        plan = form.text("plan")
        if plan not in set(PlanName):
            raise InvalidInput.of("plan", "is no plan")
        await self.services.people.platform_tenants.set_plan(request.user.caller, _id(id), PlanName(plan))
        return to(f"{TENANTS}/{id}", "note-settings-saved")

    @get("/settings/tenants/{id:str}/suspend")
    async def ask_to_suspend(self, request: Visit, id: FromPath[str]) -> Response[str]:
        found = await self.services.people.platform_tenants.overview(request.user.caller, _id(id))
        return self.ask(
            request,
            "settings-suspend-ask",
            "settings-suspend",
            f"{TENANTS}/{found.tenant.id}",
            hint="settings-suspend-hint",
            name=found.tenant.name,
        )

    @post("/settings/tenants/{id:str}/suspend", status_code=200)
    async def suspend(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        try:
            await self.services.people.platform_tenants.suspend(request.user.caller, _id(id))
        except Conflict as error:
            return await self._tenant(request, id, error)
        return to(f"{TENANTS}/{id}", "note-suspended")

    @post("/settings/tenants/{id:str}/resume", status_code=200)
    async def resume(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.people.platform_tenants.resume(request.user.caller, _id(id))
        return to(f"{TENANTS}/{id}", "note-resumed")

    @get("/settings/plans")
    async def plans(self, request: Visit) -> Response[str]:
        """What each plan includes. The numbers are the product's; nobody changes them here."""
        require_platform_admin(request.user.caller)
        return self.settings(request, "plans", plans=PLANS)

    async def _tenant(self, request: Visit, id: str, error: Conflict | None = None) -> Response[str]:
        found = await self.services.people.platform_tenants.overview(request.user.caller, _id(id))
        budgets = self.services.people.budgets
        standings = (await budgets.of_tenant(found.tenant.id)).standings
        return self.settings(
            request,
            "tenant",
            error=error,
            found=found,
            plans=list(PlanName),
            standings=standings,
            currency=budgets.currency,
            amount=amounts(texts_of(request)),
        )


def _id(text: str) -> TenantId:
    return TenantId(path_id("tenant", text))
