"""Runs of agents: one at a time, one per moment of a schedule, seen by their tenant alone."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound, RunUnderWay
from contentgen_core.model.execution import Execution, ExecutionStatus, RunArticle, RunError, RunFault, Trigger
from contentgen_core.model.ids import AgentId, ArticleId, ExecutionId
from contentgen_core.model.vocabulary import Processing
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given_tenant


async def _stored(unit_of_work: UnitOfWork, **changes: object) -> Execution:
    if "tenant_id" not in changes:
        changes["tenant_id"] = (await given_tenant(unit_of_work)).id
    execution = builders.execution(**changes)
    await _add(unit_of_work, execution)
    return execution


async def _add(unit_of_work: UnitOfWork, execution: Execution) -> None:
    async with unit_of_work() as tx:
        await tx[Executions].add(execution)


def _another(execution: Execution, **changes: object) -> Execution:
    """Of the same agent and tenant."""
    return builders.execution(**{"tenant_id": execution.tenant_id, "agent_id": execution.agent_id} | changes)


class ExecutionsContract:
    async def test_an_execution_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        execution = await _stored(
            unit_of_work,
            trigger=Trigger.SCHEDULE,
            requested=3,
            autopublish=True,
            fire_at=MOMENT,
            status=ExecutionStatus.COMPLETED,
            filled=True,
            articles=(RunArticle(ArticleId("a"), "Énergie"),),
            errors=(RunError(RunFault.NO_TOPIC, "nothing new \U0001f321"), RunError(RunFault.RUN_FAILED, "", "Heat")),
            started_at=MOMENT,
            completed_at=MOMENT,
            job_id=None,
            processing=Processing.BATCH,
        )
        async with unit_of_work() as tx:
            assert await tx[Executions].get(execution.tenant_id, execution.id) == execution

    async def test_an_agent_runs_once_at_a_time(self, unit_of_work: UnitOfWork) -> None:
        first = await _stored(unit_of_work)
        with pytest.raises(RunUnderWay):
            await _add(unit_of_work, _another(first))
        async with unit_of_work() as tx:
            assert await tx[Executions].under_way(first.tenant_id, first.agent_id) == first
            running = await tx[Executions].save(first.running(MOMENT))
        with pytest.raises(RunUnderWay):
            await _add(unit_of_work, _another(first))
        async with unit_of_work() as tx:
            assert await tx[Executions].under_way(first.tenant_id, first.agent_id) == running
            await tx[Executions].save(running.completed(MOMENT))
        async with unit_of_work() as tx:
            assert await tx[Executions].under_way(first.tenant_id, first.agent_id) is None
        await _add(unit_of_work, _another(first))

    async def test_of_runs_started_at_the_same_time_one_is_let_in(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        runs = [builders.execution(tenant_id=tenant.id, agent_id=AgentId("a")) for _ in range(6)]
        outcomes = await asyncio.gather(*(_add(unit_of_work, run) for run in runs), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes if outcome is not None] == [RunUnderWay] * 5

    async def test_a_run_that_has_ended_is_recorded_beside_one_under_way(self, unit_of_work: UnitOfWork) -> None:
        first = await _stored(unit_of_work)
        refused = _another(first).failed(MOMENT, RunError(RunFault.RUN_UNDER_WAY, "busy"))
        await _add(unit_of_work, refused)
        async with unit_of_work() as tx:
            assert await tx[Executions].under_way(first.tenant_id, first.agent_id) == first

    async def test_other_agents_and_other_tenants_run_beside_it(self, unit_of_work: UnitOfWork) -> None:
        first, other = await _stored(unit_of_work, fire_at=MOMENT), await given_tenant(unit_of_work)
        await _add(unit_of_work, builders.execution(tenant_id=first.tenant_id, fire_at=MOMENT))
        await _add(unit_of_work, _another(first, tenant_id=other.id, fire_at=MOMENT))

    async def test_a_moment_of_a_schedule_has_one_run_of_an_agent(self, unit_of_work: UnitOfWork) -> None:
        error = RunError(RunFault.QUOTA_EXCEEDED, "none left")
        first = await _stored(unit_of_work, fire_at=MOMENT)
        with pytest.raises(AlreadyExists):
            await _add(unit_of_work, _another(first, fire_at=MOMENT).failed(MOMENT, error))
        later = MOMENT + timedelta(minutes=1)
        await _add(unit_of_work, _another(first, fire_at=later).failed(MOMENT, error))
        async with unit_of_work() as tx:
            assert await tx[Executions].fired(first.tenant_id, first.agent_id, MOMENT)
            assert await tx[Executions].fired(first.tenant_id, first.agent_id, later)
            assert not await tx[Executions].fired(first.tenant_id, first.agent_id, later + timedelta(seconds=1))
            assert not await tx[Executions].fired(first.tenant_id, AgentId("another"), MOMENT)

    async def test_a_saved_execution_has_the_next_revision(self, unit_of_work: UnitOfWork) -> None:
        execution = await _stored(unit_of_work)
        changed = execution.running(MOMENT).with_article(ArticleId("a"), "Heat")
        async with unit_of_work() as tx:
            saved = await tx[Executions].save(changed)
        assert saved == evolve(changed, revision=execution.revision + 1)
        async with unit_of_work() as tx:
            assert await tx[Executions].get(execution.tenant_id, execution.id) == saved

    async def test_a_save_of_an_older_execution_is_refused(self, unit_of_work: UnitOfWork) -> None:
        execution = await _stored(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Executions].save(execution)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Executions].save(execution)

    async def test_the_newest_of_an_agent_come_first(self, unit_of_work: UnitOfWork) -> None:
        first = await _stored(unit_of_work, status=ExecutionStatus.COMPLETED)
        second, third = (
            _another(first, status=ExecutionStatus.FAILED, created_at=MOMENT + timedelta(minutes=n)) for n in (1, 1)
        )
        for execution in (third, second):
            await _add(unit_of_work, execution)
        await _stored(unit_of_work, tenant_id=first.tenant_id)
        await _stored(unit_of_work, agent_id=first.agent_id)
        newest = [*sorted((second, third), key=lambda run: run.id, reverse=True), first]
        async with unit_of_work() as tx:
            assert await tx[Executions].newest(first.tenant_id, first.agent_id, 10) == newest
            assert await tx[Executions].newest(first.tenant_id, first.agent_id, 2) == newest[:2]
            for place, last in enumerate(newest):
                older = await tx[Executions].newest(first.tenant_id, first.agent_id, 1, before=last.id)
                assert older == newest[place + 1 : place + 2]
            nobody = ExecutionId(builders.new_id())
            assert await tx[Executions].newest(first.tenant_id, first.agent_id, 10, before=nobody) == []

    async def test_another_tenants_execution_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        execution, other = await _stored(unit_of_work), await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Executions].get(other.id, execution.id)
            assert await tx[Executions].newest(other.id, execution.agent_id, 10) == []
            assert await tx[Executions].under_way(other.id, execution.agent_id) is None
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Executions].save(evolve(execution, tenant_id=other.id))

    @alien_ids
    async def test_what_names_no_execution_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Executions].get(tenant.id, ExecutionId(alien))
            assert await tx[Executions].newest(tenant.id, AgentId(alien), 10) == []
            assert await tx[Executions].under_way(tenant.id, AgentId(alien)) is None
            assert not await tx[Executions].fired(tenant.id, AgentId(alien), MOMENT)
