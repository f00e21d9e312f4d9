"""Starting a run: its record and its job, in the caller's transaction."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve

from contentgen_core.model.agent import Agent
from contentgen_core.model.execution import Execution, RunError, Trigger
from contentgen_core.model.ids import ExecutionId, JobId, TenantId, UserId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.vocabulary import Processing
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.runtime import Ids
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.agents.events import record_run_event


def new_run(
    agent: Agent,
    tenant_id: TenantId,
    by: UserId,
    trigger: Trigger,
    requested: int,
    ids: Ids,
    now: datetime,
    *,
    autopublish: bool,
    fire_at: datetime | None = None,
    processing: Processing = Processing.STANDARD,
) -> Execution:
    """A queued run of the agent, not stored yet. `by`: the user it writes for; `fire_at`: the moment of its
    schedule."""
    return Execution(
        id=ExecutionId(ids.new()),
        tenant_id=tenant_id,
        agent_id=agent.id,
        agent_key=agent.key,
        agent_name=agent.name,
        trigger=trigger,
        requested=requested,
        created_at=now,
        created_by=by,
        autopublish=autopublish,
        fire_at=fire_at,
        processing=processing,
    )


async def start(tx: Transaction, execution: Execution, job_id: JobId) -> None:
    """Store the run and enqueue its job. Raises RunUnderWay, AlreadyExists (for this moment of the schedule)."""
    await tx[Executions].add(evolve(execution, job_id=job_id))
    job = Job(job_id, JobKind.EXECUTE_AGENT, execution.tenant_id, execution.id, run_at=execution.created_at)
    await tx[Jobs].enqueue(job)


async def record_refused(tx: Transaction, execution: Execution, error: RunError, now: datetime) -> None:
    """Store a run that could not start, as failed, with its event. Raises AlreadyExists (for this moment of the
    schedule)."""
    failed = execution.failed(now, error)
    await tx[Executions].add(failed)
    await record_run_event(tx, failed, now)
