"""POST /agents/{id}/execute: starting a run of an agent."""

from __future__ import annotations

from attrs import evolve, frozen

from contentgen_core.errors import AgentSwitchedOff, AlreadyExists, InvalidInput, NicheNotActivated, RunUnderWay
from contentgen_core.model.agent import Agent
from contentgen_core.model.execution import MAX_ARTICLES, Trigger
from contentgen_core.model.ids import ExecutionId, JobId, VoiceId
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.model.vocabulary import Processing
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.agents.starting import new_run, start
from contentgen_core.use_cases.context import context_of_agent
from contentgen_core.use_cases.idempotency import IdempotencyKey, previous_result, record_result
from contentgen_core.use_cases.quota import check_left
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.voices.choose import chosen_voice


@frozen
class ExecuteAgentCommand:
    """`articles`: how many to write; None: as many as the niche's schedule sets, else one. `voice_id`: None
    takes the default of the language."""

    caller: Caller
    agent_id: str
    articles: int | None = None
    autopublish: bool = False
    idempotency: IdempotencyKey | None = None
    voice_id: VoiceId | None = None
    processing: Processing = Processing.STANDARD


@use_case
class ExecuteAgent:
    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def __call__(self, command: ExecuteAgentCommand) -> ExecutionId:
        """Start a run, which a job carries out. Each article counts against the quota when it is started.

        Raises InvalidInput, NotPermitted, QuotaExceeded (none is left), NotFound, AgentSwitchedOff, NicheNotActivated,
        RunUnderWay, IdempotencyKeyReused."""
        if command.articles is not None and not 1 <= command.articles <= MAX_ARTICLES:
            raise InvalidInput.of("articles", f"from 1 to {MAX_ARTICLES}")
        require_role(command.caller, Role.EDITOR)
        try:
            return await self._start(command)
        except AlreadyExists:  # another request with this key was faster: now its result is recorded
            return await self._start(command)

    async def _start(self, command: ExecuteAgentCommand) -> ExecutionId:
        caller, now = command.caller, self.clock.now()
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # a concurrent start that waits here then sees this run
            earlier = await previous_result(tx, caller.tenant_id, command.idempotency, now)
            if earlier is not None:
                return ExecutionId(earlier)
            await check_left(tx, caller, Quota.ARTICLES, now)
            agent = await tx[Agents].get(caller.tenant_id, command.agent_id)
            niche = await _usable(tx, caller, agent)
            if await tx[Executions].under_way(caller.tenant_id, agent.id) is not None:
                raise RunUnderWay
            requested = command.articles
            if requested is None:
                schedule = await tx[ArticleSchedules].find(caller.tenant_id, niche.id)
                requested = 1 if schedule is None else schedule.articles_per_run
            run = new_run(
                agent, caller.tenant_id, caller.user_id, Trigger.MANUAL, requested, self.ids, now,
                autopublish=command.autopublish, processing=command.processing,
            )  # fmt: skip
            if command.voice_id is not None:
                language = (await context_of_agent(tx, caller.tenant_id, agent.key)).default_language
                run = evolve(run, voice=await chosen_voice(tx, caller.tenant_id, command.voice_id, language))
            await record_result(tx, caller.tenant_id, command.idempotency, run.id, now)
            await start(tx, run, JobId(self.ids.new()))
        return run.id


async def _usable(tx: Transaction, caller: Caller, agent: Agent) -> Niche:
    if not agent.enabled:
        raise AgentSwitchedOff(str(agent.key))
    niche = await tx[Niches].get(caller.tenant_id, agent.key.niche_key)
    if niche.activation is None:
        raise NicheNotActivated(niche.niche_key)
    return niche
