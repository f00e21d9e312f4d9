"""Agents: a tenant's own and the platform's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from attrs import evolve

from contentgen_adapters.memory.common_tables import ACTIVATIONS, AGENTS
from contentgen_adapters.memory.records import owned
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import AgentId, TenantId
from contentgen_core.ports.repositories.agents import Agents


@repository(Agents)
class MemoryAgents:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, agent: Agent) -> None:
        await self._session.writing()
        if any(a.key == agent.key and a.tenant_id == agent.tenant_id for a in self._session[AGENTS].rows()):
            raise AlreadyExists(f"There is an agent {agent.key} already.")
        self._session[AGENTS].put(agent.id, agent)

    async def find(self, tenant_id: TenantId, key: AgentKey) -> Agent | None:
        named = [agent for agent in self._visible(tenant_id) if agent.key == key]
        return min(named, key=lambda agent: agent.system, default=None)

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Agent:
        named = [agent for agent in self._visible(tenant_id) if id_or_key in (agent.id, str(agent.key))]
        if not named:
            raise NotFound("agent", id_or_key)
        return min(named, key=lambda agent: (agent.id != id_or_key, agent.system))

    async def save(self, agent: Agent) -> None:
        await self._session.writing()
        self._session[AGENTS].put(agent.id, evolve(self._owned(agent.tenant_id, agent.id), **_changing(agent)))

    async def delete(self, tenant_id: TenantId | None, agent_id: AgentId) -> None:
        await self._session.writing()
        self._session[AGENTS].drop(self._owned(tenant_id, agent_id).id)

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

    async def list_system(self, limit: int) -> Sequence[Agent]:
        system = [agent for agent in self._session[AGENTS].rows() if agent.system]
        return sorted(system, key=lambda agent: (agent.key.niche_key, agent.key.country))[:limit]

    async def count_own(self, tenant_id: TenantId) -> int:
        return sum(agent.tenant_id == tenant_id for agent in self._session[AGENTS].rows())

    async def set_enabled(self, tenant_id: TenantId, niche_key: str, enabled: bool, now: datetime) -> Sequence[Agent]:
        await self._session.writing()
        changed = [
            evolve(agent, enabled=enabled, updated_at=now)
            for agent in self._session[AGENTS].rows()
            if agent.tenant_id == tenant_id and agent.key.niche_key == niche_key and agent.enabled != enabled
        ]
        for agent in changed:
            self._session[AGENTS].put(agent.id, agent)
        return sorted(changed, key=lambda agent: agent.key.country)

    def _owned(self, tenant_id: TenantId | None, agent_id: AgentId) -> Agent:
        return owned(self._session[AGENTS], tenant_id, agent_id, "agent")

    def _visible(self, tenant_id: TenantId) -> Sequence[Agent]:
        activations = self._session[ACTIVATIONS]
        return [
            agent
            for agent in self._session[AGENTS].rows()
            if agent.tenant_id == tenant_id
            or (agent.system and activations.get((tenant_id, agent.key.niche_key)) is not None)
        ]


def _changing(agent: Agent) -> dict[str, Any]:
    """What may change of an agent."""
    return {name: getattr(agent, name) for name in ("name", "enabled", "websearch_premium", "updated_at")}
