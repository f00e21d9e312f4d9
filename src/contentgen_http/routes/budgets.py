"""Budgets of models."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body
from contentgen_http.services import Services
from contentgen_http.wire.budgets import BudgetList, BudgetPatch

AGENTS: Final = "Agents"
TENANT: Final = "Tenant"
_CHANGES: Final = (errors.NotPermitted, errors.NotFound)


class BudgetRoutes(Controller):
    services: Services

    @operation("GET", "/tenant/budgets", tag=TENANT, answer=BudgetList)
    async def list_budgets(self, request: TenantRequest) -> BudgetList:
        """Read your budgets.

        What language models may take in a month for all that you have written (set by whoever runs the service), and
        for single agents; and what articles took and may still take. An article that could pass one does not begin
        (403, `budget_exceeded`), and costs nothing of the quota.
        """
        return BudgetList.of(await self.services.people.budgets.read(request.user))

    @operation(
        "PATCH",
        "/agents/{id:str}/budget",
        tag=AGENTS,
        body=BudgetPatch,
        answer=BudgetList,
        raises=_CHANGES,
        example={"tokens": 5_000_000},
    )
    async def set_agent_budget(self, request: TenantRequest, id: FromPath[str]) -> BudgetList:
        """Set the budget of an agent.

        In tokens, or in the currency of the operator's prices. From the next article on; also for a system agent, for
        you alone. For admins and owners.
        """
        limit = (await read_body(request, BudgetPatch)).to_limit()
        set_budget = self.services.people.budgets.set_of_agent
        return BudgetList.of(await set_budget(request.user, path_id("agent", id), limit))

    @operation("DELETE", "/agents/{id:str}/budget", tag=AGENTS, answer=BudgetList, raises=_CHANGES)
    async def clear_agent_budget(self, request: TenantRequest, id: FromPath[str]) -> BudgetList:
        """Remove the budget of an agent.

        For admins and owners.
        """
        set_budget = self.services.people.budgets.set_of_agent
        return BudgetList.of(await set_budget(request.user, path_id("agent", id), None))
