"""What happened to the agents of each tenant, in an order that a reader can resume from."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from contentgen_core.model.agent_event import AgentEvent
from contentgen_core.model.ids import TenantId


class AgentEvents(Protocol):
    """Kept for a week (`model.agent_event.KEPT`), then swept a few at a time by later ones."""

    async def append(self, event: AgentEvent) -> AgentEvent:
        """Give the event the tenant's next position. Other transactions of the tenant that append wait for the end of
        this one, so that positions are committed in their order; after a rollback the position is given anew.

        To be called late in a transaction. Raises NotFound for an unknown tenant."""
        ...

    async def after(self, tenant_id: TenantId, position: int, limit: int) -> list[AgentEvent]:
        """Those with a greater position, in order."""
        ...

    async def last_position(self, tenant_id: TenantId) -> int:
        """0 when there was never one."""
        ...

    async def last_positions(self, tenant_ids: Collection[TenantId]) -> dict[TenantId, int]:
        """Those of many tenants at once; tenants without events may be left out."""
        ...
