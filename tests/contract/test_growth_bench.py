"""The questions of the benchmark `growth` are those that the repositories ask, and are explained as they run."""

from __future__ import annotations

import psycopg
import pytest
from benchmarks.growth.plans import Connection, plans
from benchmarks.growth.questions import questions
from benchmarks.growth.tables import Size

from contentgen_adapters.postgres.unit_of_work import PostgresTransaction
from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

QUESTIONS = questions(Size(10, 100, 200))


@pytest.fixture
async def connection(postgres_conninfo: str) -> Connection:
    return await psycopg.AsyncConnection.connect(postgres_conninfo, autocommit=True)


@pytest.mark.parametrize("asked", QUESTIONS)
async def test_each_question_is_one_of_the_repositories(connection: Connection, asked: str) -> None:
    async with connection:
        try:
            found = await plans(connection, QUESTIONS[asked])
        except NotFound:  # in an empty database
            return
    assert found
    assert all(plan.nodes and plan.milliseconds > 0 for plan in found)


async def test_what_a_question_changes_is_undone(connection: Connection) -> None:
    async def suspend(tx: PostgresTransaction) -> None:
        await tx[Tenants].add(tenant)
        await tx[Tenants].set_suspended(tenant.id, MOMENT)
        assert (await tx[Tenants].get(tenant.id)).suspended_at == MOMENT

    tenant = builders.tenant()
    async with connection:
        added, changed, read = await plans(connection, suspend)
        [[left]] = await (await connection.execute("SELECT count(*) FROM tenants")).fetchall()
    assert left == 0
    assert added.nodes[0] == changed.nodes[0] == "ModifyTable"
    assert (added.changed, changed.changed, read.changed) == ({"tenants"}, {"tenants"}, set())
    assert read.rows == 0, "explained by itself, in a database without what came before it"


async def test_pages_are_those_that_a_statement_reads(connection: Connection) -> None:
    async def unknown(tx: PostgresTransaction) -> None:
        await tx[Tenants].after(TenantId(""), 10)

    async with connection:
        await connection.execute(
            "INSERT INTO tenants (id, name, plan, created_at)"  # names that cannot be packed: six rows a page
            " SELECT n, (SELECT string_agg(md5(n || ' ' || m), '') FROM generate_series(1, 40) AS m), 'free', now()"
            " FROM generate_series(1, 20) AS n"
        )
        try:
            [plan] = await plans(connection, unknown)
        finally:
            await connection.execute("DELETE FROM tenants")
    assert plan.rows == 10
    assert plan.pages > 1
