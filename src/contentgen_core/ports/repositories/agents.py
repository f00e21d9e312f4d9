"""Agents of tenants and of the platform."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import AgentId, TenantId


class Agents(Protocol):
    """A tenant sees its own agents and the system agents of the niches that it activated."""

    async def add(self, agent: Agent) -> None:
        """Raises AlreadyExists when the tenant (or, for a system agent, the platform) has that key already."""
        ...

    async def find(self, tenant_id: TenantId, key: AgentKey) -> Agent | None:
        """The tenant's own agent, else a system agent of a niche that the tenant activated."""
        ...

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Agent:
        """An id takes precedence over a key, an own agent over a system agent of the same key. Raises NotFound."""
        ...

    async def save(self, agent: Agent) -> None:
        """Store a changed agent; its key, owner and creation do not change. Raises NotFound."""
        ...

    async def delete(self, tenant_id: TenantId | None, agent_id: AgentId) -> None:
        """Delete an agent of the tenant; for None, of the platform. Raises NotFound."""
        ...

    async def list(
        self, tenant_id: TenantId, niche_key: str | None, enabled: bool | None, limit: int
    ) -> tuple[list[Agent], int]:
        """Own agents and the system agents of activated niches, by key; and how many there are without the limit."""
        ...

    async def list_system(self, limit: int) -> Sequence[Agent]:
        """The platform's agents, by key, for any tenant."""
        ...

    async def count_own(self, tenant_id: TenantId) -> int: ...

    async def set_enabled(self, tenant_id: TenantId, niche_key: str, enabled: bool, now: datetime) -> Sequence[Agent]:
        """Switch all of the tenant's own agents of a niche; returns those that changed, by key."""
        ...
