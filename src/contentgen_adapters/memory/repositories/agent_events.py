"""What happened to agents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import TENANTS
from contentgen_adapters.memory.records import existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.agent_event import KEPT, AgentEvent
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.agent_events import AgentEvents

AGENT_EVENTS: Final = TableOf[tuple[TenantId, int], AgentEvent]("agent_events")
AGENT_EVENT_POSITIONS: Final = TableOf[TenantId, int]("agent_event_positions")


@repository(AgentEvents)
class MemoryAgentEvents:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def append(self, event: AgentEvent) -> AgentEvent:
        await self._session.writing()
        existing(self._session[TENANTS], event.tenant_id, "tenant")
        placed = evolve(event, position=await self.last_position(event.tenant_id) + 1)
        self._session[AGENT_EVENT_POSITIONS].put(event.tenant_id, placed.position)
        self._session[AGENT_EVENTS].put((event.tenant_id, placed.position), placed)
        self._session.to_tell.add(event.tenant_id)
        for old in [e for e in self._session[AGENT_EVENTS].rows() if e.at <= event.at - KEPT]:
            self._session[AGENT_EVENTS].drop((old.tenant_id, old.position))
        return placed

    async def after(self, tenant_id: TenantId, position: int, limit: int) -> list[AgentEvent]:
        later = (e for e in self._session[AGENT_EVENTS].rows() if e.tenant_id == tenant_id and e.position > position)
        return sorted(later, key=lambda event: event.position)[:limit]

    async def last_position(self, tenant_id: TenantId) -> int:
        return self._session[AGENT_EVENT_POSITIONS].get(tenant_id) or 0

    async def last_positions(self, tenant_ids: Collection[TenantId]) -> dict[TenantId, int]:
        return {tenant_id: await self.last_position(tenant_id) for tenant_id in tenant_ids}


class MemoryWakeUps:
    """Tells the listeners of this process. For one event loop."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[TenantId]] = set()

    def tell(self, tenant_ids: Collection[TenantId]) -> None:
        for listener in self._listeners:
            for tenant_id in tenant_ids:
                listener.put_nowait(tenant_id)

    async def __call__(self) -> AsyncGenerator[TenantId | None, None]:
        said = asyncio.Queue[TenantId]()
        self._listeners.add(said)
        try:
            yield None
            while True:
                yield await said.get()
        finally:
            self._listeners.discard(said)
