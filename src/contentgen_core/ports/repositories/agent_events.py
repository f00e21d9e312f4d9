"""The events of each tenant's agents, in an order from which a reader can resume."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from contentgen_core.model.agent_event import AgentEvent
from contentgen_core.model.ids import TenantId


class AgentEvents(Protocol):
    """Events are kept for a week (`model.agent_event.KEPT`); later ones delete a few old ones at a time."""

    async def append(self, event: AgentEvent) -> AgentEvent:
        """Append the event at the tenant's next position. Other transactions of the tenant that append wait until this
        one ends, so that positions are committed in order; after a rollback the position is used again.

        Call it late in a transaction. Raises NotFound for an unknown tenant."""
        ...

    async def after(self, tenant_id: TenantId, position: int, limit: int) -> list[AgentEvent]:
        """The events after a position, in order."""
        ...

    async def last_position(self, tenant_id: TenantId) -> int:
        """0 when there was none."""
        ...

    async def last_positions(self, tenant_ids: Collection[TenantId]) -> dict[TenantId, int]:
        """The last positions of many tenants; tenants without events may be left out."""
        ...
