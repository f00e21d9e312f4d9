"""Sums that many transactions add to: with their commit, so that none waits for what another does meanwhile."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import NotFound
from contentgen_core.model.budget import Spending
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Tenant
from contentgen_core.model.writing import EndedWriting, FiguresBy, WritingFigures
from contentgen_core.ports.repositories.budgets import Budgets
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.repositories.writing_months import WritingMonths
from contentgen_core.testing import builders
from tests.contract.store.given import given_tenant

MARCH = date(2026, 3, 1)
SECONDS = 5.0


@pytest.fixture
async def tenant(postgres_unit_of_work: PostgresUnitOfWork) -> Tenant:
    return await given_tenant(postgres_unit_of_work)


def ended(tenant: TenantId, words: int = 100) -> EndedWriting:
    return EndedWriting(tenant, MARCH, "boats-GB", "m", WritingFigures(written=1, words=words))


async def words(unit_of_work: PostgresUnitOfWork, tenant: Tenant) -> int:
    async with unit_of_work() as tx:
        return sum(f.words for _, f in await tx[WritingMonths].figures(tenant.id, FiguresBy.MONTH, MARCH, 10))


async def test_nobody_waits_for_what_another_does_until_it_commits(
    postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant
) -> None:
    spending = Spending(10, 5, "EUR")
    async with postgres_unit_of_work() as tx:
        await tx[WritingMonths].add(ended(tenant.id))
        await tx[Budgets].settle(tenant.id, "boats-GB", MARCH, spending, "a")
        async with asyncio.timeout(SECONDS), postgres_unit_of_work() as other:
            await other[WritingMonths].add(ended(tenant.id, 20))
            await other[Budgets].spend(tenant.id, "boats-GB", MARCH, spending, "b")
        assert await words(postgres_unit_of_work, tenant) == 20
    assert await words(postgres_unit_of_work, tenant) == 120


async def test_a_transaction_reads_what_it_added(postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant) -> None:
    async with postgres_unit_of_work() as tx:
        for _ in range(2):
            await tx[WritingMonths].add(ended(tenant.id))
        [(_, figures)] = await tx[WritingMonths].figures(tenant.id, FiguresBy.MONTH, MARCH, 10)
        assert figures.words == 200
        await tx[WritingMonths].add(ended(tenant.id))
    assert await words(postgres_unit_of_work, tenant) == 300


async def test_what_fails_with_the_commit_is_raised_and_nothing_is_kept(postgres_conninfo: str) -> None:
    made = builders.tenant()

    async def add_for_a_tenant_that_is_not_there(unit_of_work: PostgresUnitOfWork) -> None:
        async with unit_of_work() as tx:
            await tx[Tenants].add(made)
            await tx[WritingMonths].add(ended(made.id))
            await tx[WritingMonths].add(ended(TenantId("nobody")))

    async with create_pool(postgres_conninfo, min_size=1, max_size=1) as pool:
        unit_of_work = PostgresUnitOfWork(pool)
        with pytest.raises(NotFound):
            await add_for_a_tenant_that_is_not_there(unit_of_work)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Tenants].get(made.id)
        async with unit_of_work() as tx:  # over the same connection
            await tx[Tenants].add(made)
            await tx[WritingMonths].add(ended(made.id))
        assert await words(unit_of_work, made) == 100


async def test_what_is_given_up_adds_nothing(postgres_unit_of_work: PostgresUnitOfWork, tenant: Tenant) -> None:
    async def add_and_fail() -> None:
        async with postgres_unit_of_work() as tx:
            await tx[WritingMonths].add(ended(tenant.id))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await add_and_fail()
    assert await words(postgres_unit_of_work, tenant) == 0
