"""Telling a tenant's own programs of the runs of its agents."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from contentgen_core.errors import NotFound
from contentgen_core.model.agent_event import AgentEvent, AgentEventKind
from contentgen_core.model.execution import Execution, ExecutionStatus
from contentgen_core.ports.unit_of_work import Transaction

_KINDS: Final = {
    ExecutionStatus.RUNNING: AgentEventKind.EXECUTION_STARTED,
    ExecutionStatus.COMPLETED: AgentEventKind.EXECUTION_COMPLETED,
    ExecutionStatus.FAILED: AgentEventKind.EXECUTION_FAILED,
}


async def tell_of_run(tx: Transaction, execution: Execution, now: datetime) -> None:
    """Append the event of the state that an execution has come to. Late in the transaction that brought it there:
    others of the tenant that append wait for its end."""
    try:
        enabled = (await tx.agents.get(execution.tenant_id, execution.agent_id)).enabled
    except NotFound:  # deleted since the run began
        enabled = False
    await tx.agent_events.append(
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
