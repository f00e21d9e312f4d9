"""Agents, a tenant's own and those of the platform."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import TenantId


class Agents(Protocol):
    async def add(self, agent: Agent) -> None:
        """Raises AlreadyExists when the tenant has that key already."""
        ...

    async def find(self, tenant_id: TenantId, key: AgentKey) -> Agent | None:
        """The tenant's own agent, else a system agent of a niche that the tenant activated."""
        ...

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Agent:
        """An id goes before a key, an own agent before a system agent of the same key. Raises NotFound."""
        ...

    async def list(
        self, tenant_id: TenantId, niche_key: str | None, enabled: bool | None, limit: int
    ) -> tuple[list[Agent], int]:
        """Own agents and the system agents of activated niches, by key; and how many there are without the limit."""
        ...

    async def count_own(self, tenant_id: TenantId) -> int: ...

    async def set_enabled(self, tenant_id: TenantId, niche_key: str, enabled: bool) -> None:
        """Switch all of the tenant's own agents of a niche."""
        ...
