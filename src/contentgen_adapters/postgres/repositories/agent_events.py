"""What happened to agents."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from typing import Final

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.listen import payloads
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.agent_event import KEPT, AgentEvent
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.agent_events import AgentEvents

CHANNEL: Final = "contentgen_agent_events"
_SWEPT_AT_ONCE: Final = 10

# The row of the tenant's position stays locked until the commit: a sequence would give out numbers that are committed
# in another order, and a reader that resumes after one would miss those before it.
_APPEND: Final = (
    "WITH swept AS (DELETE FROM agent_events WHERE ctid IN (SELECT ctid FROM agent_events WHERE at <= %(oldest)s"
    f" ORDER BY at LIMIT {_SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)),"
    " place AS (INSERT INTO agent_event_positions AS p (tenant_id, last) VALUES (%(tenant_id)s, 1)"
    " ON CONFLICT (tenant_id) DO UPDATE SET last = p.last + 1 RETURNING last)"
    " INSERT INTO agent_events (tenant_id, position, at, record)"
    " SELECT %(tenant_id)s, last, %(at)s, %(record)s FROM place"
    f" RETURNING position, pg_notify('{CHANNEL}', %(tenant_id)s)"
)


@repository(AgentEvents)
class PostgresAgentEvents:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def append(self, event: AgentEvent) -> AgentEvent:
        rows = await self._session.write(
            _APPEND,
            {
                "tenant_id": event.tenant_id,
                "at": event.at,
                "oldest": event.at - KEPT,
                "record": dumps(event, AgentEvent),
            },
        )
        return evolve(event, position=rows[0][0])

    async def after(self, tenant_id: TenantId, position: int, limit: int) -> list[AgentEvent]:
        rows = await self._session.read(
            "SELECT position, record::text FROM agent_events WHERE tenant_id = %s AND position > %s"
            " ORDER BY position LIMIT %s",
            (findable(tenant_id), position, limit),
        )
        return [evolve(loads(record, AgentEvent), position=place) for place, record in rows]

    async def last_position(self, tenant_id: TenantId) -> int:
        rows = await self._session.read(
            "SELECT last FROM agent_event_positions WHERE tenant_id = %s", (findable(tenant_id),)
        )
        return rows[0][0] if rows else 0

    async def last_positions(self, tenant_ids: Collection[TenantId]) -> dict[TenantId, int]:
        rows = await self._session.read(
            "SELECT tenant_id, last FROM agent_event_positions WHERE tenant_id = ANY(%s)",
            ([findable(tenant_id) for tenant_id in tenant_ids],),
        )
        return {TenantId(tenant_id): last for tenant_id, last in rows}


class PostgresWakeUps:
    """Told by the database. Holds a connection of its own while somebody listens."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo

    async def __call__(self) -> AsyncGenerator[TenantId | None, None]:
        async with aclosing(payloads(self._conninfo, CHANNEL)) as said:
            async for tenant_id in said:
                yield None if tenant_id is None else TenantId(tenant_id)
