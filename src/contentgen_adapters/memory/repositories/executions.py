"""Runs of agents."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, RunUnderWay
from contentgen_core.model.execution import Execution
from contentgen_core.model.ids import AgentId, ExecutionId, TenantId
from contentgen_core.ports.repositories.executions import Executions


@repository(Executions)
class MemoryExecutions:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session.executions, "execution")

    async def add(self, execution: Execution) -> None:
        await self._session.writing()
        tenant_id, agent_id = execution.tenant_id, execution.agent_id
        existing(self._session.tenants, tenant_id, "tenant")
        if not execution.ended and await self.under_way(tenant_id, agent_id) is not None:
            raise RunUnderWay
        if execution.fire_at is not None and await self.fired(tenant_id, agent_id, execution.fire_at):
            raise AlreadyExists("The agent ran for this moment of its schedule already.")
        self._session.executions.put(execution.id, execution)

    async def get(self, tenant_id: TenantId, execution_id: ExecutionId) -> Execution:
        return await self._records.get(tenant_id, execution_id)

    async def save(self, execution: Execution) -> Execution:
        return await self._records.save(execution)

    async def newest(
        self, tenant_id: TenantId, agent_id: AgentId, limit: int, *, before: ExecutionId | None = None
    ) -> list[Execution]:
        own = sorted(self._of(tenant_id, agent_id), key=_age, reverse=True)
        if before is None:
            return own[:limit]
        last = self._session.executions.get(before)
        if last is None or last.tenant_id != tenant_id:
            return []
        return [run for run in own if _age(run) < _age(last)][:limit]

    async def under_way(self, tenant_id: TenantId, agent_id: AgentId) -> Execution | None:
        return next((e for e in self._of(tenant_id, agent_id) if not e.ended), None)

    async def fired(self, tenant_id: TenantId, agent_id: AgentId, fire_at: datetime) -> bool:
        return any(e.fire_at == fire_at for e in self._of(tenant_id, agent_id))

    def _of(self, tenant_id: TenantId, agent_id: AgentId) -> Iterator[Execution]:
        for execution in self._session.executions.rows():
            if (execution.tenant_id, execution.agent_id) == (tenant_id, agent_id):
                yield execution


def _age(execution: Execution) -> tuple[datetime, ExecutionId]:
    return execution.created_at, execution.id
