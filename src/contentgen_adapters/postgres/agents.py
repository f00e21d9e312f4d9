"""Agents: a tenant's own, and the system's of the niches it activated."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.ids import TenantId

_AGENT: Final = "a.id, a.niche_key, a.country, a.name, a.created_at, a.tenant_id, a.enabled"
_VISIBLE: Final = (
    "FROM agents a WHERE (a.tenant_id = %(tenant_id)s OR (a.tenant_id IS NULL AND EXISTS"
    " (SELECT FROM niche_activations n WHERE n.tenant_id = %(tenant_id)s AND n.niche_key = a.niche_key)))"
)
_CHOSEN: Final = (
    f"{_VISIBLE} AND (%(niche_key)s::text IS NULL OR a.niche_key = %(niche_key)s)"
    " AND (%(enabled)s::boolean IS NULL OR a.enabled = %(enabled)s)"
)


def _agent(row: Row) -> Agent:
    id, niche_key, country, name, created_at, tenant_id, enabled = row
    return Agent(id, AgentKey(niche_key, country), name, created_at, tenant_id, enabled)


class PostgresAgents:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, agent: Agent) -> None:
        added = await self._session.change(
            "INSERT INTO agents (id, tenant_id, niche_key, country, name, enabled, created_at)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT ON CONSTRAINT agents_key_unique DO NOTHING",
            (
                agent.id,
                agent.tenant_id,
                agent.key.niche_key,
                agent.key.country,
                agent.name,
                agent.enabled,
                agent.created_at,
            ),
        )
        if not added:
            raise AlreadyExists(f"There is an agent {agent.key} already.")

    async def find(self, tenant_id: TenantId, key: AgentKey) -> Agent | None:
        rows = await self._session.read(
            f"SELECT {_AGENT} {_VISIBLE} AND a.niche_key = %(niche_key)s AND a.country = %(country)s"
            " ORDER BY a.tenant_id IS NULL LIMIT 1",
            {
                "tenant_id": findable(tenant_id),
                "niche_key": findable(key.niche_key),
                "country": findable(key.country),
            },
        )
        return _agent(rows[0]) if rows else None

    async def get(self, tenant_id: TenantId, id_or_key: str) -> Agent:
        rows = await self._session.read(
            f"SELECT {_AGENT} {_VISIBLE} AND (a.id = %(text)s OR a.niche_key || '-' || a.country = %(text)s)"
            " ORDER BY a.id = %(text)s DESC, a.tenant_id IS NULL LIMIT 1",
            {"tenant_id": findable(tenant_id), "text": findable(id_or_key)},
        )
        if not rows:
            raise NotFound("agent", id_or_key)
        return _agent(rows[0])

    async def list(
        self, tenant_id: TenantId, niche_key: str | None, enabled: bool | None, limit: int
    ) -> tuple[list[Agent], int]:
        chosen = {"tenant_id": findable(tenant_id), "niche_key": niche_key, "enabled": enabled, "limit": limit}
        if niche_key is not None and findable(niche_key) is None:
            return [], 0
        rows = await self._session.read(
            f"SELECT {_AGENT}, count(*) OVER () {_CHOSEN} ORDER BY a.niche_key, a.country, a.id LIMIT %(limit)s", chosen
        )
        if rows:
            return [_agent(row[:-1]) for row in rows], rows[0][-1]
        counted = await self._session.read(f"SELECT count(*) {_CHOSEN}", chosen)  # none was asked for, perhaps
        return [], int(counted[0][0])

    async def count_own(self, tenant_id: TenantId) -> int:
        rows = await self._session.read("SELECT count(*) FROM agents WHERE tenant_id = %s", (findable(tenant_id),))
        return int(rows[0][0])

    async def set_enabled(self, tenant_id: TenantId, niche_key: str, enabled: bool) -> None:
        await self._session.change(
            "UPDATE agents SET enabled = %s WHERE tenant_id = %s AND niche_key = %s",
            (enabled, findable(tenant_id), findable(niche_key)),
        )
