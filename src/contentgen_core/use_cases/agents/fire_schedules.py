"""Starting the runs of article schedules at their time: in any number of processes, each run once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.agent import Agent
from contentgen_core.model.execution import RunError, RunFault, Trigger
from contentgen_core.model.ids import JobId, NicheId, TenantId
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.tenant import Quota
from contentgen_core.policies.tenancy.quotas import limit_of, month_window, quota_error
from contentgen_core.policies.tenancy.schedules import MAX_AHEAD, due_run, next_fire
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids, TimeZones
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.agents.starting import new_run, record_refused, start
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 50
# More agents than a tenant can have in one niche: one per country.
AGENTS: Final = 1_000


@use_case
class FireSchedules:
    unit_of_work: UnitOfWork
    time_zones: TimeZones
    clock: Clock
    ids: Ids

    async def fire_due(self) -> None:
        """Start a run of every own agent that is switched on, for each enabled schedule that is due.

        One transaction per schedule, so that a failing one delays no other. Raises the first failure at the end."""
        failures: list[Exception] = []
        while True:
            now = self.clock.now()
            async with self.unit_of_work() as tx:
                due = await tx[ArticleSchedules].due(now, now + MAX_AHEAD, BATCH)
            for tenant_id, niche_id in due:
                try:
                    await self._fire(tenant_id, niche_id, now)
                except Exception as failure:
                    failures.append(failure)
            if failures:
                raise failures[0]
            if len(due) < BATCH:
                return

    async def _fire(self, tenant_id: TenantId, niche_id: NicheId, now: datetime) -> None:
        async with self.unit_of_work() as tx:
            schedule = await tx[ArticleSchedules].lock(tenant_id, niche_id)
            if schedule is None or schedule.next_fire_at is None or schedule.timing is None:
                return  # another process has locked it, or the tenant has just switched it off
            zone = self.time_zones.zone(schedule.timing.time_zone)
            fire_at = due_run(schedule.timing, zone, schedule.next_fire_at, now)
            if fire_at is not None:
                await self._start_runs(tx, schedule, fire_at, now)
            elif schedule.next_fire_at <= now + MAX_AHEAD:
                return  # fired between the query and the lock
            following = next_fire(schedule.timing, zone, now)
            await tx[ArticleSchedules].save(evolve(schedule, next_fire_at=following))

    async def _start_runs(self, tx: Transaction, schedule: ArticleSchedule, fire_at: datetime, now: datetime) -> None:
        await tx[Tenants].lock(schedule.tenant_id)
        refusal = await _no_article_left(tx, schedule.tenant_id, now)
        for agent in await _agents(tx, schedule):
            # The clock was set back, and the schedule's next run was computed anew for the same moment.
            if await tx[Executions].fired(schedule.tenant_id, agent.id, fire_at):
                continue
            error = refusal
            if error is None and await tx[Executions].under_way(schedule.tenant_id, agent.id) is not None:
                error = RunError(
                    RunFault.RUN_UNDER_WAY, "The agent's last run had not ended when the schedule came round."
                )
            run = new_run(
                agent, schedule.tenant_id, schedule.set_by, Trigger.SCHEDULE, schedule.articles_per_run, self.ids, now,
                autopublish=schedule.autopublish, fire_at=fire_at, processing=schedule.processing,
            )  # fmt: skip
            if error is None:
                await start(tx, run, JobId(self.ids.new()))
            else:
                await record_refused(tx, run, error, now)


async def _agents(tx: Transaction, schedule: ArticleSchedule) -> Sequence[Agent]:
    """The agents that the schedule starts: none once the niche is not activated."""
    try:
        niche = await tx[Niches].get(schedule.tenant_id, schedule.niche_id)
    except NotFound:
        return ()
    if niche.activation is None:
        return ()
    agents, _ = await tx[Agents].list(schedule.tenant_id, niche.niche_key, True, AGENTS)
    return [agent for agent in agents if not agent.system]


async def _no_article_left(tx: Transaction, tenant_id: TenantId, now: datetime) -> RunError | None:
    plan = (await tx[Tenants].get(tenant_id)).plan
    limit = limit_of(plan, Quota.ARTICLES)
    used = await tx[Quotas].used(tenant_id, Quota.ARTICLES, month_window(now))
    if limit is None or used < limit:
        return None
    return RunError(RunFault.QUOTA_EXCEEDED, quota_error(plan, Quota.ARTICLES, used, now).detail)
