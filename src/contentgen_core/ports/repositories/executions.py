"""The runs of agents."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from contentgen_core.model.execution import Execution
from contentgen_core.model.ids import AgentId, ExecutionId, TenantId


class Executions(Protocol):
    """An agent has at most one run under way for each tenant, and one for each moment of its schedule."""

    async def add(self, execution: Execution) -> None:
        """Raises RunUnderWay while another run of the agent has not ended, AlreadyExists when there is one of its
        `fire_at`; waits for a transaction that is adding either."""
        ...

    async def get(self, tenant_id: TenantId, execution_id: ExecutionId) -> Execution:
        """Raises NotFound."""
        ...

    async def save(self, execution: Execution) -> Execution:
        """Store a changed run that was read at `execution.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def newest(
        self, tenant_id: TenantId, agent_id: AgentId, limit: int, *, before: ExecutionId | None = None
    ) -> list[Execution]:
        """The agent's runs, newest first; `before`: those that are older than this one, none if it does not exist."""
        ...

    async def under_way(self, tenant_id: TenantId, agent_id: AgentId) -> Execution | None:
        """The run that has not ended."""
        ...

    async def fired(self, tenant_id: TenantId, agent_id: AgentId, fire_at: datetime) -> bool:
        """Whether there is a run of the agent for this moment of its schedule."""
        ...
