"""GET /agents/{id}/executions, and POST …/{executionId}/stop: the runs of an agent, and ending one early."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.concurrency import retry_overtaken
from contentgen_core.errors import NotFound
from contentgen_core.model.execution import Execution, RunError, RunFault
from contentgen_core.model.ids import ArticleId, ExecutionId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.articles import ArticleOutcome, Articles
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

STOPPED: Final = "Stopped by a person: no further article was started."


@frozen
class ExecutionsOfAgent:
    """`articles`: those of the executions that still exist, as they are now."""

    executions: Sequence[Execution]
    articles: Mapping[ArticleId, ArticleOutcome]


@use_case
class ReadExecutions:
    unit_of_work: UnitOfWork

    async def __call__(
        self, caller: Caller, agent_id: str, limit: int = 20, *, before: ExecutionId | None = None
    ) -> ExecutionsOfAgent:
        """The agent's runs for this tenant, newest first; `before`: those older than this one. Raises NotFound."""
        async with self.unit_of_work() as tx:
            agent = await tx[Agents].get(caller.tenant_id, agent_id)
            runs = await tx[Executions].newest(caller.tenant_id, agent.id, limit, before=before)
            ids = [article.article_id for run in runs for article in run.articles]
            articles = await tx[Articles].outcomes(caller.tenant_id, ids) if ids else {}
        return ExecutionsOfAgent(runs, articles)


@use_case
class StopExecution:
    unit_of_work: UnitOfWork

    async def __call__(self, caller: Caller, agent_id: str, execution_id: ExecutionId) -> Execution:
        """Start no further article in a run. Those begun are written to their end, and the run ends with them. Does
        nothing to a run that has ended, or that starts no further article anyway. Raises NotPermitted, NotFound."""
        require_role(caller, Role.EDITOR)

        async def transaction() -> Execution:
            async with self.unit_of_work() as tx:
                await tx[Tenants].lock(caller.tenant_id)  # the run starts its articles under this lock
                agent = await tx[Agents].get(caller.tenant_id, agent_id)
                run = await tx[Executions].get(caller.tenant_id, execution_id)
                if run.agent_id != agent.id:
                    raise NotFound("execution", execution_id)
                if run.ended or run.filled:
                    return run
                return await tx[Executions].save(run.filled_for(RunError(RunFault.STOPPED, STOPPED)))

        return await retry_overtaken(transaction)
