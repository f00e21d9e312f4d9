"""Budgets, what was spent, and what is reserved."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from contentgen_core.model.budget import Budget, Reservation, Spending, Standing
from contentgen_core.model.ids import TenantId


class Budgets(Protocol):
    """Months are their first day (UTC). An agent's key of "" is the whole tenant."""

    async def set(self, budget: Budget) -> None:
        """In place of a former one. Raises NotFound for an unknown tenant."""
        ...

    async def clear(self, tenant_id: TenantId, agent_key: str) -> None:
        """Idempotent."""
        ...

    async def of(self, tenant_id: TenantId) -> list[Budget]:
        """The tenant's own first, then those of agents by key."""
        ...

    async def holding(self, tenant_id: TenantId, agent_key: str) -> list[Budget]:
        """Those that hold for what this agent writes, the tenant's own first. They are locked until the transaction
        ends: whoever else asks for one of them waits, and then sees what was reserved."""
        ...

    async def standing(self, budget: Budget, month: date, now: datetime, without: str = "") -> Standing:
        """What was spent in the month, and what is reserved, as one moment has them. `without`: the id of a reservation
        that is to be left out."""
        ...

    async def reserve(self, reservation: Reservation, now: datetime) -> None:
        """In place of a former one of the same id. Those of the tenant's requests that expired an hour ago are
        forgotten. Raises NotFound for an unknown tenant."""
        ...

    async def spend(self, tenant_id: TenantId, agent_key: str, month: date, spending: Spending, of: str) -> None:
        """Add to what was spent, and take it off the reservation of this id, which is never below 0. Call it late in
        the transaction: others that add to the same sums wait until it ends. Raises NotFound for an unknown tenant."""
        ...

    async def settle(self, tenant_id: TenantId, agent_key: str, month: date, spending: Spending, of: str) -> None:
        """As `spend`, and end the reservation."""
        ...
