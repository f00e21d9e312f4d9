"""Runs of agents."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, Records
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.execution import Execution
from contentgen_core.model.ids import AgentId, ExecutionId, TenantId
from contentgen_core.ports.repositories.executions import Executions

_SELECT: Final = f"SELECT {RECORD} FROM executions"


@repository(Executions)
class PostgresExecutions:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, "executions", Execution, "execution")

    async def add(self, execution: Execution) -> None:
        columns = {
            "agent_id": execution.agent_id,
            "status": execution.status.value,
            "fire_at": execution.fire_at,
            "created_at": execution.created_at,
        }
        await self._records.add(execution, columns)

    async def get(self, tenant_id: TenantId, execution_id: ExecutionId) -> Execution:
        return await self._records.get(tenant_id, execution_id)

    async def save(self, execution: Execution) -> Execution:
        return await self._records.save(execution, {"status": execution.status.value})

    async def newest(
        self, tenant_id: TenantId, agent_id: AgentId, limit: int, *, before: ExecutionId | None = None
    ) -> list[Execution]:
        older, values = "", [findable(tenant_id), findable(agent_id)]
        if before is not None:
            older = " AND (created_at, id) < (SELECT created_at, id FROM executions WHERE tenant_id = %s AND id = %s)"
            values += [findable(tenant_id), findable(before)]
        rows = await self._session.read(
            f"{_SELECT} WHERE tenant_id = %s AND agent_id = %s{older} ORDER BY created_at DESC, id DESC LIMIT %s",
            (*values, limit),
        )
        return [self._records.read(row) for row in rows]

    async def under_way(self, tenant_id: TenantId, agent_id: AgentId) -> Execution | None:
        rows = await self._session.read(
            f"{_SELECT} WHERE tenant_id = %s AND agent_id = %s AND status IN ('queued', 'running')",
            (findable(tenant_id), findable(agent_id)),
        )
        return self._records.read(rows[0]) if rows else None

    async def fired(self, tenant_id: TenantId, agent_id: AgentId, fire_at: datetime) -> bool:
        rows = await self._session.read(
            "SELECT 1 FROM executions WHERE tenant_id = %s AND agent_id = %s AND fire_at = %s",
            (findable(tenant_id), findable(agent_id), fire_at),
        )
        return bool(rows)
