"""Budgets as people set and read them: a tenant's by whoever runs the platform, an agent's by the tenant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from attrs import frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.budget import MAX_LIMIT, TOKENS, WHOLE_TENANT, Budget, Standing, WritingCosts
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_platform_admin, require_role
from contentgen_core.policies.tenancy.quotas import month_resets_at, month_window
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.budgets import Budgets
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

_CURRENCY: Final = re.compile(r"[A-Z]{3}")


@frozen
class Limit:
    """The limit of a month. `unit`: TOKENS, or a currency by its code of ISO 4217; `amount`: in tokens, or in
    millionths of the currency."""

    unit: str
    amount: int

    def check(self, costs: WritingCosts) -> None:
        """Check the limit. Raises InvalidInput, also for money whose prices nobody has set: nothing could be written
        then."""
        if not 0 <= self.amount <= MAX_LIMIT:
            raise InvalidInput.of("amount", "between 0 and a thousand million")
        if self.unit == TOKENS:
            return
        if _CURRENCY.fullmatch(self.unit) is None:
            raise InvalidInput.of("currency", "a code of ISO 4217, such as EUR")
        known = {prices.currency for prices in (costs.planning, costs.writing) if prices is not None}
        if known != {self.unit} or None in (costs.planning, costs.writing):
            told = f"they are in {', '.join(sorted(known))}" if known else "none are set"
            raise InvalidInput.of("currency", f"the operator's prices of tokens have to be in {self.unit}; {told}")


@frozen
class BudgetsOf:
    """The budgets of a tenant, its own first, and how it stands with each in the month that ends at `resets_at`."""

    month: date
    resets_at: datetime
    standings: Sequence[Standing]


@use_case
class ManageBudgets:
    unit_of_work: UnitOfWork
    clock: Clock
    costs: WritingCosts

    @property
    def currency(self) -> str | None:
        """The currency that a budget may be in, beside tokens; None where no prices are set."""
        prices = self.costs.writing
        return prices.currency if prices is not None and self.costs.planning is not None else None

    async def read(self, caller: Caller) -> BudgetsOf:
        """The caller's."""
        return await self.of_tenant(caller.tenant_id)

    async def of_tenant(self, tenant_id: TenantId) -> BudgetsOf:
        """Return a tenant's budgets, for operators."""
        now = self.clock.now()
        month = month_window(now)
        async with self.unit_of_work() as tx:
            budgets = await tx[Budgets].of(tenant_id)
            standings = [await tx[Budgets].standing(budget, month, now) for budget in budgets]
        return BudgetsOf(month, month_resets_at(now), standings)

    async def set_of_agent(self, caller: Caller, id_or_key: str, limit: Limit | None) -> BudgetsOf:
        """Set the budget of an agent; None removes it. Raises InvalidInput, NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            agent = await tx[Agents].get(caller.tenant_id, id_or_key)
            await self._set(tx, caller.tenant_id, str(agent.key), limit)
        return await self.read(caller)

    async def set_of_tenant(self, caller: Caller, tenant_id: TenantId, limit: Limit | None) -> BudgetsOf:
        """Set the budget of a tenant. Raises InvalidInput, NotPermitted for whoever is no platform administrator,
        NotFound."""
        require_platform_admin(caller)
        return await self.administer(tenant_id, limit)

    async def administer(self, tenant_id: TenantId, limit: Limit | None) -> BudgetsOf:
        """Set the budget of a tenant, for operators. Raises InvalidInput, NotFound."""
        async with self.unit_of_work() as tx:
            await tx[Tenants].get(tenant_id)
            await self._set(tx, tenant_id, WHOLE_TENANT, limit)
        return await self.of_tenant(tenant_id)

    async def _set(self, tx: Transaction, tenant_id: TenantId, agent_key: str, limit: Limit | None) -> None:
        if limit is None:
            await tx[Budgets].clear(tenant_id, agent_key)
            return
        limit.check(self.costs)
        await tx[Budgets].set(Budget(tenant_id, agent_key, limit.unit, limit.amount, self.clock.now()))
