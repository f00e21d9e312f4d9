"""Agent events: numbered per tenant, in the order in which they become visible."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.agent_event import KEPT, AgentEventKind
from contentgen_core.model.ids import ArticleId, ExecutionId, TenantId
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import ALIEN_IDS, alien_ids, given_tenant, given_tenants


class AgentEventsContract:
    async def test_an_event_is_given_back_as_it_was_appended(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        event = builders.agent_event(
            tenant_id=tenant.id,
            kind=AgentEventKind.EXECUTION_FAILED,
            agent_name="Énergie \U0001f321",
            enabled=False,
            execution_id=ExecutionId("e"),
            article_ids=(ArticleId("a"), ArticleId("b")),
            error="nothing to write about",
        )
        async with unit_of_work() as tx:
            placed = await tx[AgentEvents].append(event)
        assert placed == evolve(event, position=1)
        async with unit_of_work() as tx:
            assert await tx[AgentEvents].after(tenant.id, 0, 10) == [placed]

    async def test_positions_of_each_tenant_follow_each_other_without_a_gap(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)

        async def append(tenant_id: TenantId) -> int:
            async with unit_of_work() as tx:
                return (await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant_id))).position

        async with unit_of_work() as tx:
            assert await tx[AgentEvents].last_position(tenant.id) == 0
        given = await asyncio.gather(*(append(tenant.id) for _ in range(12)))
        assert sorted(given) == list(range(1, 13))
        assert await append(other.id) == 1
        async with unit_of_work() as tx:
            assert await tx[AgentEvents].last_position(tenant.id) == 12
            page = await tx[AgentEvents].after(tenant.id, 4, 3)
            assert [event.position for event in page] == [5, 6, 7]
            assert await tx[AgentEvents].after(tenant.id, 12, 3) == []
            assert [event.tenant_id for event in await tx[AgentEvents].after(other.id, 0, 9)] == [other.id]

    async def test_a_position_that_was_rolled_back_is_given_to_the_next_event(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)

        async def fail() -> None:
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fail()
        async with unit_of_work() as tx:
            assert (await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id))).position == 1

    async def test_a_reader_that_saw_an_event_never_meets_an_earlier_one_later(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        entered, leave = asyncio.Event(), asyncio.Event()

        async def slow() -> None:
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id, agent_name="slow"))
                entered.set()
                await leave.wait()

        async def quick() -> None:
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id, agent_name="quick"))

        first = asyncio.create_task(slow())
        await entered.wait()
        second = asyncio.create_task(quick())
        await asyncio.sleep(0.05)
        async with unit_of_work() as tx:
            assert await tx[AgentEvents].after(tenant.id, 0, 9) == []
        leave.set()
        await asyncio.gather(first, second)
        async with unit_of_work() as tx:
            found = await tx[AgentEvents].after(tenant.id, 0, 9)
        assert [(event.position, event.agent_name) for event in found] == [(1, "slow"), (2, "quick")]

    async def test_events_are_forgotten_after_a_week_and_their_positions_never(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for at in (MOMENT, MOMENT + timedelta(days=1), MOMENT + KEPT):
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id, at=at))
        async with unit_of_work() as tx:
            assert [event.position for event in await tx[AgentEvents].after(tenant.id, 0, 9)] == [2, 3]
            assert await tx[AgentEvents].last_position(tenant.id) == 3

    async def test_the_last_positions_of_many_tenants_come_at_once(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        quiet = await given_tenant(unit_of_work)
        for tenant_id in (tenant.id, other.id, other.id):
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant_id))
        aliens = [TenantId(alien) for alien in ALIEN_IDS.values()]
        async with unit_of_work() as tx:
            found = await tx[AgentEvents].last_positions([quiet.id, other.id, *aliens, tenant.id])
            assert {tenant_id: last for tenant_id, last in found.items() if last} == {tenant.id: 1, other.id: 2}
            assert not any((await tx[AgentEvents].last_positions([quiet.id])).values())
            assert await tx[AgentEvents].last_positions([]) == {}

    @alien_ids
    async def test_an_unknown_tenant_has_no_events(self, unit_of_work: UnitOfWork, alien: str) -> None:
        async with unit_of_work() as tx:
            assert await tx[AgentEvents].after(TenantId(alien), 0, 9) == []
            assert await tx[AgentEvents].last_position(TenantId(alien)) == 0

    async def test_an_event_of_an_unknown_tenant_is_refused(self, unit_of_work: UnitOfWork) -> None:
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event())
