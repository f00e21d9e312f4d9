"""The contract of `AgentEventWakeUps`.

Give it a fixture `unit_of_work`, and a fixture `wake_ups` that notifies of what is appended through that unit of
work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager

import pytest

from contentgen_core.model.ids import TenantId
from contentgen_core.ports.agent_events import AgentEventWakeUps
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from tests.contract.store.given import given_tenant, given_tenants

SOON_SECONDS = 5.0
A_WHILE_SECONDS = 0.2


class AgentEventWakeUpsContract:
    async def test_listening_begins_with_a_wake_up_for_all_tenants(self, wake_ups: AgentEventWakeUps) -> None:
        async with heard(wake_ups) as said:
            assert said == []  # the first wake-up was consumed: listening had begun

    async def test_an_event_is_notified_with_its_tenant_once_it_is_committed(
        self, unit_of_work: UnitOfWork, wake_ups: AgentEventWakeUps
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        async with heard(wake_ups) as said:
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id))
                await asyncio.sleep(A_WHILE_SECONDS)
                assert said == []
            await until(lambda: tenant.id in said)
            async with unit_of_work() as tx:
                assert await tx[AgentEvents].last_position(tenant.id) == 1

    async def test_every_listener_is_notified_of_every_tenant(
        self, unit_of_work: UnitOfWork, wake_ups: AgentEventWakeUps
    ) -> None:
        tenants = await given_tenants(unit_of_work)
        async with heard(wake_ups) as first, heard(wake_ups) as second:
            for tenant in tenants:
                async with unit_of_work() as tx:
                    await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id))
            wanted = {tenant.id for tenant in tenants}
            await until(lambda: set(first) >= wanted and set(second) >= wanted)

    async def test_what_is_rolled_back_is_not_notified(
        self, unit_of_work: UnitOfWork, wake_ups: AgentEventWakeUps
    ) -> None:
        undone, done = await given_tenants(unit_of_work)

        async def fail() -> None:
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=undone.id))
                raise ZeroDivisionError

        async with heard(wake_ups) as said:
            with pytest.raises(ZeroDivisionError):
                await fail()
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=done.id))
            await until(lambda: done.id in said)
            assert undone.id not in said

    async def test_a_listener_that_left_is_not_missed(
        self, unit_of_work: UnitOfWork, wake_ups: AgentEventWakeUps
    ) -> None:
        tenant = await given_tenant(unit_of_work)
        async with heard(wake_ups) as gone:
            pass
        async with heard(wake_ups) as said:
            async with unit_of_work() as tx:
                await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id))
            await until(lambda: tenant.id in said)
        assert gone == []


@asynccontextmanager
async def heard(wake_ups: AgentEventWakeUps) -> AsyncIterator[list[TenantId | None]]:
    """The wake-ups while the block runs, after the first one with which listening began."""
    said: list[TenantId | None] = []
    begun = asyncio.Event()

    async def listen() -> None:
        async with aclosing(wake_ups()) as words:
            assert await anext(words) is None
            begun.set()
            async for word in words:
                said.append(word)  # noqa: PERF401 - seen while it grows

    listening = asyncio.create_task(listen())
    try:
        async with asyncio.timeout(SOON_SECONDS):
            await begun.wait()
        yield said
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON_SECONDS):
        while not condition():
            await asyncio.sleep(0.01)
