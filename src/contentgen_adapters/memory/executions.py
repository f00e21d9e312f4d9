"""Runs of agents."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound, RunUnderWay
from contentgen_core.model.execution import Execution
from contentgen_core.model.ids import AgentId, ExecutionId, TenantId


class MemoryExecutions:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, execution: Execution) -> None:
        await self._session.writing()
        tenant_id, agent_id = execution.tenant_id, execution.agent_id
        if self._session.tenants.get(tenant_id) is None:
            raise NotFound("tenant", tenant_id)
        if not execution.ended and await self.under_way(tenant_id, agent_id) is not None:
            raise RunUnderWay
        if execution.fire_at is not None and await self.fired(tenant_id, agent_id, execution.fire_at):
            raise AlreadyExists("The agent ran for this moment of its schedule already.")
        self._session.executions.put(execution.id, execution)

    async def get(self, tenant_id: TenantId, execution_id: ExecutionId) -> Execution:
        execution = self._session.executions.get(execution_id)
        if execution is None or execution.tenant_id != tenant_id:
            raise NotFound("execution", execution_id)
        return execution

    async def save(self, execution: Execution) -> Execution:
        await self._session.writing()
        stored = await self.get(execution.tenant_id, execution.id)
        if stored.revision != execution.revision:
            raise ConcurrentChange("The execution was changed meanwhile. Read it again.")
        saved = evolve(execution, revision=execution.revision + 1)
        self._session.executions.put(saved.id, saved)
        return saved

    async def newest(self, tenant_id: TenantId, agent_id: AgentId, limit: int) -> list[Execution]:
        own = sorted(self._of(tenant_id, agent_id), key=lambda e: (e.created_at, e.id), reverse=True)
        return own[:limit]

    async def under_way(self, tenant_id: TenantId, agent_id: AgentId) -> Execution | None:
        return next((e for e in self._of(tenant_id, agent_id) if not e.ended), None)

    async def fired(self, tenant_id: TenantId, agent_id: AgentId, fire_at: datetime) -> bool:
        return any(e.fire_at == fire_at for e in self._of(tenant_id, agent_id))

    def _of(self, tenant_id: TenantId, agent_id: AgentId) -> Iterator[Execution]:
        for execution in self._session.executions.rows():
            if (execution.tenant_id, execution.agent_id) == (tenant_id, agent_id):
                yield execution
