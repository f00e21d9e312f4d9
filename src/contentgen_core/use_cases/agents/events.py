"""Recording the events of a tenant's agents and of their runs, which the tenant's programs read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from contentgen_core.errors import NotFound
from contentgen_core.model.agent import Agent
from contentgen_core.model.agent_event import AgentEvent, AgentEventKind
from contentgen_core.model.execution import Execution, ExecutionStatus
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.unit_of_work import Transaction

_KINDS: Final = {
    ExecutionStatus.RUNNING: AgentEventKind.EXECUTION_STARTED,
    ExecutionStatus.COMPLETED: AgentEventKind.EXECUTION_COMPLETED,
    ExecutionStatus.FAILED: AgentEventKind.EXECUTION_FAILED,
}


async def record_agent_events(tx: Transaction, kind: AgentEventKind, agents: Iterable[Agent], now: datetime) -> None:
    """Append an event for each of a tenant's own agents. Call it late in the transaction that changed them: other
    transactions of the tenant that append wait until it ends."""
    for agent in agents:
        assert agent.tenant_id is not None, "system agents have no events"
        await tx[AgentEvents].append(
            AgentEvent(agent.tenant_id, kind, now, agent.id, agent.key, agent.name, agent.enabled)
        )


async def record_run_event(tx: Transaction, execution: Execution, now: datetime) -> None:
    """Append the event of the state that a run has reached. Call it late in the transaction that changed it: other
    transactions of the tenant that append wait until it ends."""
    try:
        enabled = (await tx[Agents].get(execution.tenant_id, execution.agent_id)).enabled
    except NotFound:  # the agent was deleted since the run began
        enabled = False
    await tx[AgentEvents].append(
        AgentEvent(
            tenant_id=execution.tenant_id,
            kind=_KINDS[execution.status],
            at=now,
            agent_id=execution.agent_id,
            agent_key=execution.agent_key,
            agent_name=execution.agent_name,
            enabled=enabled,
            execution_id=execution.id,
            article_ids=tuple(article.article_id for article in execution.articles),
            error=execution.errors[-1].reason if execution.status is ExecutionStatus.FAILED else None,
        )
    )
