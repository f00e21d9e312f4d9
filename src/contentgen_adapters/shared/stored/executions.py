"""The runs of agents."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from contentgen_adapters.shared.aggregates import Aggregate, StoredWhole, Unique, stored, taken
from contentgen_core.errors import RunUnderWay
from contentgen_core.model.execution import Execution, ExecutionStatus
from contentgen_core.model.ids import AgentId, ExecutionId, TenantId
from contentgen_core.ports.repositories.executions import Executions

_UNDER_WAY: Final = (ExecutionStatus.QUEUED.value, ExecutionStatus.RUNNING.value)

EXECUTIONS: Final = Aggregate(
    Execution,
    table="executions",
    resource="execution",
    columns=lambda execution: {
        "agent_id": execution.agent_id,
        "status": execution.status.value,
        "fire_at": execution.fire_at,
        "created_at": execution.created_at,
    },
    unique=(
        Unique("executions_under_way", ("agent_id",), RunUnderWay, among={"status": _UNDER_WAY}),
        Unique(
            "executions_fired",
            ("agent_id", "fire_at"),
            taken("The agent ran for this moment of its schedule already."),
        ),
    ),
)


@stored(Executions, EXECUTIONS)
class StoredExecutions(StoredWhole[Execution, ExecutionId]):
    async def newest(
        self, tenant_id: TenantId, agent_id: AgentId, limit: int, *, before: ExecutionId | None = None
    ) -> list[Execution]:
        return await self.records.ordered(
            tenant_id, by=("created_at", "id"), newest=True, before=before, limit=limit, agent_id=agent_id
        )

    async def under_way(self, tenant_id: TenantId, agent_id: AgentId) -> Execution | None:
        return await self.records.find(tenant_id, agent_id=agent_id, status=_UNDER_WAY)

    async def fired(self, tenant_id: TenantId, agent_id: AgentId, fire_at: datetime) -> bool:
        return await self.records.find(tenant_id, agent_id=agent_id, fire_at=fire_at) is not None
