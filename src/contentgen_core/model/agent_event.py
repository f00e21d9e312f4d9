"""Events of a tenant's agents, which its own programs read from GET /agents/events."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.agent import AgentKey
from contentgen_core.model.ids import AgentId, ArticleId, ExecutionId, TenantId

KEPT: Final = timedelta(days=7)


class AgentEventKind(StrEnum):
    """Product decisions, "Niches and agents"."""

    AGENT_CREATED = "agent.created"
    AGENT_UPDATED = "agent.updated"
    AGENT_DELETED = "agent.deleted"
    EXECUTION_STARTED = "execution.started"
    EXECUTION_COMPLETED = "execution.completed"
    EXECUTION_FAILED = "execution.failed"


@frozen
class AgentEvent:
    """An event of one of a tenant's own agents. `position`: 1, 2, 3, … within the tenant, assigned by the repository (0
    before that). A tenant's events become visible in the order of their positions, so a reader never misses an earlier
    one."""

    tenant_id: TenantId
    kind: AgentEventKind
    at: datetime
    agent_id: AgentId
    agent_key: AgentKey
    agent_name: str
    enabled: bool = True
    execution_id: ExecutionId | None = None
    article_ids: tuple[ArticleId, ...] = ()
    error: str | None = None
    position: int = 0
