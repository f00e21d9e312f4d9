"""Both adapters tell of events, the database's also after it lost its connection."""

from __future__ import annotations

import psycopg
import pytest

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.postgres.repositories.agent_events import PostgresWakeUps
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.ports.agent_events import AgentEventWakeUps
from contentgen_core.ports.repositories.agent_events import AgentEvents
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from tests.contract.store.agent_event_wake_ups import AgentEventWakeUpsContract, heard, until
from tests.contract.store.given import given_tenant


class TestMemory(AgentEventWakeUpsContract):
    @pytest.fixture
    def unit_of_work(self) -> MemoryUnitOfWork:
        return MemoryUnitOfWork()

    @pytest.fixture
    def wake_ups(self, unit_of_work: MemoryUnitOfWork) -> AgentEventWakeUps:
        return unit_of_work.agent_event_wake_ups


class TestPostgres(AgentEventWakeUpsContract):
    @pytest.fixture
    def unit_of_work(self, postgres_unit_of_work: PostgresUnitOfWork) -> UnitOfWork:
        return postgres_unit_of_work

    @pytest.fixture
    def wake_ups(self, postgres_conninfo: str) -> AgentEventWakeUps:
        return PostgresWakeUps(postgres_conninfo)


async def test_after_a_lost_connection_everybody_is_told_to_look(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    tenant = await given_tenant(postgres_unit_of_work)
    async with heard(PostgresWakeUps(postgres_conninfo)) as said:
        with psycopg.connect(postgres_conninfo, autocommit=True) as connection:
            ended = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'contentgen listener'"
            ).fetchall()
        assert len(ended) == 1
        await until(lambda: None in said)
        async with postgres_unit_of_work() as tx:
            await tx[AgentEvents].append(builders.agent_event(tenant_id=tenant.id))
        await until(lambda: tenant.id in said)
