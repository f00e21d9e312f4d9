"""Agents: a tenant's own and the platform's."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import TenantId


class MemoryAgents:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, agent: Agent) -> None:
        await self._session.writing()
        if any(a.key == agent.key and a.tenant_id == agent.tenant_id for a in self._session.agents.rows()):
            raise AlreadyExists(f"There is an agent {agent.key} already.")
        self._session.agents.put(agent.id, agent)

    async def find(self, tenant_id: TenantId, key: AgentKey) -> Agent | None:
        named = [agent for agent in self._visible(tenant_id) if agent.key == key]
        return min(named, key=lambda agent: agent.system, default=None)

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Agent:
        named = [agent for agent in self._visible(tenant_id) if id_or_key in (agent.id, str(agent.key))]
        if not named:
            raise NotFound("agent", id_or_key)
        return min(named, key=lambda agent: (agent.id != id_or_key, agent.system))

    async def list(
        self, tenant_id: TenantId, niche_key: str | None, enabled: bool | None, limit: int
    ) -> tuple[list[Agent], int]:
        agents = [
            agent
            for agent in self._visible(tenant_id)
            if (niche_key is None or agent.key.niche_key == niche_key) and (enabled is None or agent.enabled == enabled)
        ]
        agents.sort(key=lambda agent: (agent.key.niche_key, agent.key.country, agent.id))
        return agents[:limit], len(agents)

    async def count_own(self, tenant_id: TenantId) -> int:
        return sum(agent.tenant_id == tenant_id for agent in self._session.agents.rows())

    async def set_enabled(self, tenant_id: TenantId, niche_key: str, enabled: bool) -> None:
        await self._session.writing()
        for agent in list(self._session.agents.rows()):
            if agent.tenant_id == tenant_id and agent.key.niche_key == niche_key:
                self._session.agents.put(agent.id, evolve(agent, enabled=enabled))

    def _visible(self, tenant_id: TenantId) -> Sequence[Agent]:
        activations = self._session.activations
        return [
            agent
            for agent in self._session.agents.rows()
            if agent.tenant_id == tenant_id
            or (agent.system and activations.get((tenant_id, agent.key.niche_key)) is not None)
        ]
