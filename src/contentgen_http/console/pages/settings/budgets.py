"""/console/settings/budgets: what models may take in a month, for the team, and for each of its agents."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError, InvalidInput
from contentgen_core.model.budget import TOKENS, Budget
from contentgen_core.model.ids import TenantId
from contentgen_core.use_cases.budgets.manage_budgets import Limit
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.settings.settings_page import NONE_TYPED, SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Form, Visit, texts_of
from contentgen_http.texts import Texts
from contentgen_http.wire.budgets import MICROS

BUDGETS: Final = "/console/settings/budgets"
AGENTS_SHOWN: Final = 100


class BudgetPages(SettingsPage):
    @get("/settings/budgets")
    async def budgets(self, request: Visit) -> Response[str]:
        return await self._own(request)

    @post("/settings/budgets", status_code=200)
    async def set_agent_budget(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        try:
            agent = path_id("agent", form.text("agent"))
            await self.services.people.budgets.set_of_agent(request.user.caller, agent, limit_of(form))
        except ContentgenError as error:
            return await self._own(request, error, form)
        return to(BUDGETS, "note-settings-saved")

    @post("/settings/tenants/{id:str}/budget", status_code=200)
    async def set_tenant_budget(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form, tenant = await self.form(request), TenantId(path_id("tenant", id))
        await self.services.people.budgets.set_of_tenant(request.user.caller, tenant, limit_of(form))
        return to(f"/console/settings/tenants/{tenant}", "note-settings-saved")

    async def _own(
        self, request: Visit, error: ContentgenError | None = None, typed: Form = NONE_TYPED
    ) -> Response[str]:
        caller, budgets = request.user.caller, self.services.people.budgets
        agents, _ = await self.services.agents.list(caller, None, None, AGENTS_SHOWN)
        found = await budgets.read(caller)
        return self.settings(
            request,
            "budgets",
            error=error,
            typed=typed,
            found=found,
            agents=agents,
            currency=budgets.currency,
            amount=amounts(texts_of(request)),
        )


def amounts(texts: Texts) -> Callable[[Budget, int], str]:
    """How an amount of a budget is written."""

    def amount(budget: Budget, value: int) -> str:
        if budget.unit == TOKENS:
            return texts("settings-tokens-count", count=value)
        return texts.money(Decimal(value) / MICROS, budget.unit)

    return amount


def limit_of(form: Form) -> Limit | None:
    """What a form sets: nothing typed removes the budget. Raises InvalidInput."""
    typed = form.text("limit").replace(" ", "").replace("\u202f", "").replace(",", ".")
    if not typed:
        return None
    try:
        amount, unit = Decimal(typed), form.text("unit")
        return Limit(unit, int(amount) if unit == TOKENS else round(amount * MICROS))
    except (InvalidOperation, ValueError, OverflowError) as error:
        raise InvalidInput.of("amount", "is no number") from error
