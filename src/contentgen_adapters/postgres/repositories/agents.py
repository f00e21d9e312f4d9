"""Agents: a tenant's own, and the system's of the niches it activated."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session, require
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.area import looks_like_agent_key
from contentgen_core.model.ids import AgentId, TenantId
from contentgen_core.ports.repositories.agents import Agents

_AGENT: Final = (
    "a.id, a.niche_key, a.country, a.name, a.created_at, a.tenant_id, a.enabled, a.websearch_premium,"
    " coalesce(a.updated_at, a.created_at)"
)
_VISIBLE: Final = (
    "FROM agents a WHERE (a.tenant_id = %(tenant_id)s OR (a.tenant_id IS NULL AND EXISTS"
    " (SELECT FROM niche_activations n WHERE n.tenant_id = %(tenant_id)s AND n.niche_key = a.niche_key)))"
)
_CHOSEN: Final = (
    f"{_VISIBLE} AND (%(niche_key)s::text IS NULL OR a.niche_key = %(niche_key)s)"
    " AND (%(enabled)s::boolean IS NULL OR a.enabled = %(enabled)s)"
)


def _agent(row: Row) -> Agent:
    id, niche_key, country, *rest = row
    return Agent(id, AgentKey(niche_key, country), *rest)


@repository(Agents)
class PostgresAgents:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, agent: Agent) -> None:
        added = await self._session.change(
            "INSERT INTO agents (id, tenant_id, niche_key, country, name, enabled, created_at, websearch_premium,"
            " updated_at) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"
            " ON CONFLICT ON CONSTRAINT agents_key_unique DO NOTHING",
            (
                agent.id,
                agent.tenant_id,
                agent.key.niche_key,
                agent.key.country,
                agent.name,
                agent.enabled,
                agent.created_at,
                agent.websearch_premium,
                agent.updated_at,
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
        # No id looks like a key, so what is looked for under both names is one of the two.
        rows = await self._session.read(
            f"SELECT {_AGENT} {_VISIBLE} AND (a.id = %(named)s OR (a.niche_key = %(niche_key)s AND a.country ="
            " %(country)s)) ORDER BY a.id = %(named)s DESC, a.tenant_id IS NULL LIMIT 1",
            {"tenant_id": findable(tenant_id), "named": findable(id_or_key), **_key_parameters(id_or_key)},
        )
        [row] = require(rows, "agent", id_or_key)
        return _agent(row)

    async def save(self, agent: Agent) -> None:
        changed = await self._session.change(
            "UPDATE agents SET name = %s, enabled = %s, websearch_premium = %s, updated_at = %s"
            " WHERE id = %s AND tenant_id IS NOT DISTINCT FROM %s",
            (agent.name, agent.enabled, agent.websearch_premium, agent.updated_at, agent.id, agent.tenant_id),
        )
        require(changed, "agent", agent.id)

    async def delete(self, tenant_id: TenantId | None, agent_id: AgentId) -> None:
        owner = None if tenant_id is None else findable(tenant_id)
        deleted = await self._session.change(
            "DELETE FROM agents WHERE id = %s AND tenant_id IS NOT DISTINCT FROM %s", (findable(agent_id), owner)
        )
        require(deleted, "agent", agent_id)

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

    async def list_system(self, limit: int) -> Sequence[Agent]:
        rows = await self._session.read(
            f"SELECT {_AGENT} FROM agents a WHERE a.tenant_id IS NULL ORDER BY a.niche_key, a.country LIMIT %s",
            (limit,),
        )
        return [_agent(row) for row in rows]

    async def count_own(self, tenant_id: TenantId) -> int:
        rows = await self._session.read("SELECT count(*) FROM agents WHERE tenant_id = %s", (findable(tenant_id),))
        return int(rows[0][0])

    async def set_enabled(self, tenant_id: TenantId, niche_key: str, enabled: bool, now: datetime) -> Sequence[Agent]:
        rows = await self._session.write(
            "UPDATE agents a SET enabled = %s, updated_at = %s WHERE tenant_id = %s AND niche_key = %s"
            f" AND enabled <> %s RETURNING {_AGENT}",
            (enabled, now, findable(tenant_id), findable(niche_key), enabled),
        )
        return sorted((_agent(row) for row in rows), key=lambda agent: agent.key.country)


def _key_parameters(text: str) -> dict[str, str | None]:
    if not looks_like_agent_key(text):
        return {"niche_key": None, "country": None}
    key = AgentKey.parse(text)
    return {"niche_key": key.niche_key, "country": key.country}
