"""Whoever remembers keys hears of every change that matters to them, from the database itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from attrs import define, evolve, field

from contentgen_adapters.postgres.embedded import EmbeddedPostgres
from contentgen_adapters.postgres.identity_changes import PostgresIdentityChanges
from contentgen_adapters.postgres.migrate import migrate
from contentgen_adapters.postgres.pool import Pool, create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import ApiKey, PlanName, Role, Tenant, User
from contentgen_core.ports.repositories.tenants import ApiKeys, Tenants, Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.process.service import data_directory


@define
class Ear:
    heard: list[TenantId] = field(factory=list)
    began: int = 0
    certain_times: int = 0

    def changed(self, tenant_id: TenantId) -> None:
        self.heard.append(tenant_id)

    def resync(self) -> None:
        self.began += 1

    def heartbeat(self) -> None:
        self.certain_times += 1


@asynccontextmanager
async def listening(conninfo: str) -> AsyncIterator[Ear]:
    ear = Ear()
    task = asyncio.create_task(PostgresIdentityChanges(conninfo).subscribe(ear))
    try:
        await until(lambda: ear.certain_times > 0)
        yield ear
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.02)


async def people(unit_of_work: UnitOfWork) -> tuple[Tenant, User, ApiKey]:
    tenant = builders.tenant()
    user = builders.user(tenant_id=tenant.id, role=Role.EDITOR)
    key = builders.api_key(tenant_id=tenant.id, user_id=user.id)
    async with unit_of_work() as tx:
        await tx[Tenants].add(tenant)
        await tx[Users].add(user)
        await tx[ApiKeys].add(key)
    return tenant, user, key


@pytest.fixture
def unit_of_work(postgres_pool: Pool) -> UnitOfWork:
    return PostgresUnitOfWork(postgres_pool)


async def _revoked(unit_of_work: UnitOfWork, tenant: Tenant, user: User, key: ApiKey) -> None:
    async with unit_of_work() as tx:
        await tx[ApiKeys].revoke(tenant.id, key.id, MOMENT)


async def _demoted(unit_of_work: UnitOfWork, tenant: Tenant, user: User, key: ApiKey) -> None:
    async with unit_of_work() as tx:
        await tx[Users].save(evolve(user, role=Role.VIEWER))


async def _removed(unit_of_work: UnitOfWork, tenant: Tenant, user: User, key: ApiKey) -> None:
    async with unit_of_work() as tx:
        await tx[Users].remove(tenant.id, user.id)


async def _other_plan(unit_of_work: UnitOfWork, tenant: Tenant, user: User, key: ApiKey) -> None:
    async with unit_of_work() as tx:
        await tx[Tenants].set_plan(tenant.id, PlanName.FREE)


async def _suspended(unit_of_work: UnitOfWork, tenant: Tenant, user: User, key: ApiKey) -> None:
    async with unit_of_work() as tx:
        await tx[Tenants].set_suspended(tenant.id, MOMENT)


@pytest.mark.parametrize("change", [_revoked, _demoted, _removed, _other_plan, _suspended])
async def test_what_changes_a_caller_is_told(
    postgres_conninfo: str, unit_of_work: UnitOfWork, change: Callable[..., Awaitable[None]]
) -> None:
    tenant, user, key = await people(unit_of_work)
    async with listening(postgres_conninfo) as ear:
        await change(unit_of_work, tenant, user, key)
        times = ear.certain_times
        await until(lambda: ear.certain_times > times + 1)
        assert tenant.id in ear.heard, "whoever is certain has heard it"


async def test_a_use_of_a_key_is_no_news(postgres_conninfo: str, unit_of_work: UnitOfWork) -> None:
    tenant, _, key = await people(unit_of_work)
    async with listening(postgres_conninfo) as ear:
        async with unit_of_work() as tx:
            await tx[ApiKeys].touch(key.id, MOMENT)
        times = ear.certain_times
        await until(lambda: ear.certain_times > times + 1)
        assert tenant.id not in ear.heard


async def test_after_a_restart_of_the_server_it_is_said_that_something_may_have_been_missed() -> None:
    with data_directory() as folder:
        server = EmbeddedPostgres(folder)
        conninfo = await asyncio.to_thread(server.start)
        try:
            await asyncio.to_thread(migrate, conninfo)
            async with listening(conninfo) as ear:
                await asyncio.to_thread(server.stop)
                await asyncio.sleep(0.5)
                silent = ear.certain_times
                await asyncio.sleep(0.5)
                assert ear.certain_times == silent, "nobody is certain of a server that is away"
                await asyncio.to_thread(server.start)
                await until(lambda: ear.began == 2 and ear.certain_times > silent)
                async with create_pool(conninfo, max_size=2) as pool:
                    unit_of_work = PostgresUnitOfWork(pool)
                    tenant, user, key = await people(unit_of_work)
                    await _revoked(unit_of_work, tenant, user, key)
                    await until(lambda: tenant.id in ear.heard)
        finally:
            await asyncio.to_thread(server.stop)
