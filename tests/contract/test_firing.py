"""Schedules and runs started by many at once, over memory and over PostgreSQL."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.runtime import IanaTimeZones
from contentgen_core.errors import RunUnderWay
from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.execution import Execution
from contentgen_core.model.job import JobKind
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Tenant
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT, ManualClock, SequentialIds
from contentgen_core.use_cases.agents.execute import ExecuteAgent, ExecuteAgentCommand
from contentgen_core.use_cases.agents.fire_schedules import FireSchedules
from contentgen_core.use_cases.niches.article_schedule import ManageArticleSchedules
from tests.contract.store.given import given

CALLERS = 8
COUNTRIES = ("DE", "FR", "GB")


@pytest.fixture(params=["memory", "postgres"])
def unit_of_work(request: pytest.FixtureRequest) -> UnitOfWork:
    if request.param == "memory":
        return MemoryUnitOfWork()
    unit_of_work: UnitOfWork = request.getfixturevalue("postgres_unit_of_work")
    return unit_of_work


async def used_niche(unit_of_work: UnitOfWork) -> tuple[Tenant, Niche, list[Agent]]:
    tenant, niche = builders.tenant(), builders.niche()
    agents = [builders.agent(tenant_id=tenant.id, key=AgentKey(niche.niche_key, country)) for country in COUNTRIES]
    await given(unit_of_work, tenant, niche, *agents)
    async with unit_of_work() as tx:
        await tx[Niches].set_activation(tenant.id, niche, builders.activation(countries=COUNTRIES))
    return tenant, niche, agents


async def plan(unit_of_work: UnitOfWork, tenant: Tenant, niche: Niche) -> None:
    """A run every day at nine, the first one a minute ago."""
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    settings = {"enabled": True, "days": days, "hour": 11, "minute": 59, "timeZone": "UTC"}
    due = builders.article_schedule(tenant_id=tenant.id, niche_id=niche.id, settings=settings)
    async with unit_of_work() as tx:
        await tx[ArticleSchedules].save(evolve(due, next_fire_at=MOMENT - timedelta(minutes=1)))


def firing(unit_of_work: UnitOfWork, clock: ManualClock, number: int = 0) -> FireSchedules:
    """As one process of many: its ids begin at a time of its own."""
    return FireSchedules(unit_of_work, IanaTimeZones(), clock, SequentialIds(MOMENT + timedelta(hours=number)))


async def runs(unit_of_work: UnitOfWork, tenant: Tenant, agent: Agent) -> list[Execution]:
    async with unit_of_work() as tx:
        return await tx[Executions].newest(tenant.id, agent.id, 100)


async def test_eight_that_fire_at_once_start_each_run_once(unit_of_work: UnitOfWork) -> None:
    used = [await used_niche(unit_of_work) for _ in range(5)]
    for tenant, niche, _ in used:
        await plan(unit_of_work, tenant, niche)
    clock = ManualClock()
    for day in range(2):
        await asyncio.gather(*(firing(unit_of_work, clock, 10 * day + n + 1).fire_due() for n in range(CALLERS)))
        async with unit_of_work() as tx:
            jobs = await tx[Jobs].claim("w", frozenset(JobKind), clock.now(), clock.now() + timedelta(hours=1), 100)
            assert Counter(job.kind for job in jobs) == {JobKind.EXECUTE_AGENT: 5 * len(COUNTRIES)}
            for tenant, niche, _ in used:
                schedule = await tx[ArticleSchedules].find(tenant.id, niche.id)
                assert schedule is not None
                assert schedule.next_fire_at == MOMENT + timedelta(days=day + 1, minutes=-1)
            for job in jobs:
                run = await tx[Executions].get(job.tenant_id, job.subject_id)  # type: ignore[arg-type]
                await tx[Executions].save(run.running(clock.now()).completed(clock.now()))
                await tx[Jobs].finish(job)
        clock.advance(days=1)
    for tenant, _, agents in used:
        for agent in agents:
            moments = [run.fire_at for run in await runs(unit_of_work, tenant, agent)]
            assert moments == [MOMENT + timedelta(days=day, minutes=-1) for day in (1, 0)]


async def test_firing_while_the_schedule_is_changed_loses_neither(unit_of_work: UnitOfWork) -> None:
    tenant, niche, agents = await used_niche(unit_of_work)
    await plan(unit_of_work, tenant, niche)
    clock, caller = ManualClock(), builders.caller(tenant_id=tenant.id)
    manage = ManageArticleSchedules(unit_of_work, IanaTimeZones(), clock)
    await asyncio.gather(
        *(firing(unit_of_work, clock, n + 1).fire_due() for n in range(4)),
        *(manage.change(caller, niche.id, {f"note{n}": n}) for n in range(4)),
    )
    await firing(unit_of_work, clock, 9).fire_due()
    assert {f"note{n}" for n in range(4)} <= set((await manage.read(caller, niche.id)).settings)
    for agent in agents:
        assert len(await runs(unit_of_work, tenant, agent)) == 1


async def test_of_eight_that_start_an_agent_at_once_one_does(unit_of_work: UnitOfWork) -> None:
    tenant, _, agents = await used_niche(unit_of_work)
    caller, clock = builders.caller(tenant_id=tenant.id), ManualClock()

    async def execute(number: int) -> str:
        ids = SequentialIds(MOMENT + timedelta(hours=number))
        return await ExecuteAgent(unit_of_work, clock, ids)(ExecuteAgentCommand(caller, agents[0].id, 1))

    outcomes = await asyncio.gather(*(execute(n) for n in range(CALLERS)), return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, RunUnderWay)]
    [started] = [outcome for outcome in outcomes if isinstance(outcome, str)]
    assert len(refused) == CALLERS - 1
    assert [run.id for run in await runs(unit_of_work, tenant, agents[0])] == [started]


async def test_a_person_and_the_schedule_at_once_start_an_agent_once(unit_of_work: UnitOfWork) -> None:
    tenant, niche, agents = await used_niche(unit_of_work)
    await plan(unit_of_work, tenant, niche)
    caller, clock = builders.caller(tenant_id=tenant.id), ManualClock()
    execute = ExecuteAgent(unit_of_work, clock, SequentialIds(MOMENT + timedelta(hours=20)))
    await asyncio.gather(
        firing(unit_of_work, clock, 1).fire_due(),
        execute(ExecuteAgentCommand(caller, agents[0].id, 1)),
        return_exceptions=True,
    )
    assert sum(not run.ended for run in await runs(unit_of_work, tenant, agents[0])) == 1
