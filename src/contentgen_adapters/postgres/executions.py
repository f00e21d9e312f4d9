"""Runs of agents."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.execution import Execution
from contentgen_core.model.ids import AgentId, ExecutionId, TenantId

_SELECT: Final = "SELECT record::text, revision FROM executions"


class PostgresExecutions:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, execution: Execution) -> None:
        await self._session.change(
            "INSERT INTO executions (id, tenant_id, agent_id, status, fire_at, created_at, record, revision)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
            (
                execution.id,
                execution.tenant_id,
                execution.agent_id,
                execution.status.value,
                execution.fire_at,
                execution.created_at,
                dumps(execution, Execution),
                execution.revision,
            ),
        )

    async def get(self, tenant_id: TenantId, execution_id: ExecutionId) -> Execution:
        rows = await self._session.read(
            f"{_SELECT} WHERE id = %s AND tenant_id = %s", (findable(execution_id), findable(tenant_id))
        )
        if not rows:
            raise NotFound("execution", execution_id)
        return _execution(rows[0])

    async def save(self, execution: Execution) -> Execution:
        changed = await self._session.change(
            "UPDATE executions SET status = %s, record = %s, revision = revision + 1"
            " WHERE id = %s AND tenant_id = %s AND revision = %s",
            (
                execution.status.value,
                dumps(execution, Execution),
                findable(execution.id),
                findable(execution.tenant_id),
                execution.revision,
            ),
        )
        if not changed:
            await self.get(execution.tenant_id, execution.id)
            raise ConcurrentChange("The execution was changed meanwhile. Read it again.")
        return evolve(execution, revision=execution.revision + 1)

    async def newest(self, tenant_id: TenantId, agent_id: AgentId, limit: int) -> list[Execution]:
        rows = await self._session.read(
            f"{_SELECT} WHERE tenant_id = %s AND agent_id = %s ORDER BY created_at DESC, id DESC LIMIT %s",
            (findable(tenant_id), findable(agent_id), limit),
        )
        return [_execution(row) for row in rows]

    async def under_way(self, tenant_id: TenantId, agent_id: AgentId) -> Execution | None:
        rows = await self._session.read(
            f"{_SELECT} WHERE tenant_id = %s AND agent_id = %s AND status IN ('queued', 'running')",
            (findable(tenant_id), findable(agent_id)),
        )
        return _execution(rows[0]) if rows else None

    async def fired(self, tenant_id: TenantId, agent_id: AgentId, fire_at: datetime) -> bool:
        rows = await self._session.read(
            "SELECT 1 FROM executions WHERE tenant_id = %s AND agent_id = %s AND fire_at = %s",
            (findable(tenant_id), findable(agent_id), fire_at),
        )
        return bool(rows)


def _execution(row: Row) -> Execution:
    record, revision = row
    execution: Execution = loads(record, Execution)
    return evolve(execution, revision=revision)
