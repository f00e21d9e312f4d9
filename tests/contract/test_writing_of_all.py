"""The figures of all tenants together are the sums of those of each, whatever happens."""

from __future__ import annotations

import asyncio
import random
from contextlib import nullcontext
from datetime import date

import psycopg
import pytest

from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.ids import TenantId
from contentgen_core.model.prices import Cost
from contentgen_core.model.writing import EndedWriting, FiguresBy, WritingFigures
from contentgen_core.ports.repositories.writing_months import WritingMonths
from tests.contract.store.given import given_tenants

FIGURES = (
    "sum(written), sum(failed), sum(words), sum(covered), sum(coverage::numeric), sum(sentences), sum(supported),"
    " sum(input_tokens), sum(output_tokens), sum(unpriced), sum(cached_tokens), sum(micros)"
)
KEPT = (
    f"SELECT month, currency, sum(parts), {FIGURES} FROM writing_of_all GROUP BY 1, 2"
    " HAVING sum(parts) <> 0 ORDER BY 1, 2"
)
SUMMED = f"SELECT month, currency, count(*), {FIGURES} FROM writing_months GROUP BY 1, 2 ORDER BY 1, 2"


def run(conninfo: str, statement: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(statement.encode())


def require_equal_sums(conninfo: str) -> int:
    """Of how many months and currencies."""
    with psycopg.connect(conninfo) as connection:
        kept, summed = (connection.execute(query.encode()).fetchall() for query in (KEPT, SUMMED))
    assert kept == summed
    return len(kept)


def some_writing(tenant: TenantId, chance: random.Random) -> EndedWriting:
    figures = WritingFigures(
        written=1,
        words=chance.randrange(2_000),
        covered=1,
        coverage=chance.random() * 100,
        sentences=40,
        supported=chance.randrange(40),
        input_tokens=chance.randrange(9_000),
        cached_tokens=chance.randrange(900),
        costs=chance.choice(((), (Cost(7, "EUR"),), (Cost(9, "USD"),))),
    )
    return EndedWriting(
        tenant, date(2026, chance.randrange(1, 4), 1), chance.choice("ab"), chance.choice("mn"), figures
    )


async def test_sums_are_exact_however_many_write_at_once(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    tenants = await given_tenants(postgres_unit_of_work)

    async def write(chance: random.Random) -> None:
        for _ in range(12):
            fails = chance.random() < 0.2
            with pytest.raises(LookupError) if fails else nullcontext():
                async with postgres_unit_of_work() as tx:
                    await tx[WritingMonths].add(some_writing(chance.choice(tenants).id, chance))
                    if fails:
                        raise LookupError

    await asyncio.gather(*(write(random.Random(seed)) for seed in range(6)))
    assert require_equal_sums(postgres_conninfo) == 3 * 3
    for statement in (
        "UPDATE writing_months SET currency = 'GBP', words = words + 1 WHERE currency = 'EUR'",
        f"DELETE FROM writing_months WHERE tenant_id = '{tenants[0].id}'",
        "UPDATE writing_months SET month = '2026-05-01', coverage = coverage / 3"
        " WHERE agent_key = 'a' AND month = '2026-03-01'",
        "DELETE FROM writing_months WHERE month = '2026-05-01'",
    ):
        run(postgres_conninfo, statement)
        assert require_equal_sums(postgres_conninfo)
    async with postgres_unit_of_work() as tx:
        months = [key for key, _ in await tx[WritingMonths].figures(None, FiguresBy.MONTH, date(2026, 1, 1), 24)]
    assert months == ["2026-01-01", "2026-02-01", "2026-03-01"], "a month whose figures are gone is none"
    run(postgres_conninfo, "TRUNCATE writing_months")
    assert require_equal_sums(postgres_conninfo) == 0


async def test_nobody_waits_for_what_another_tenant_adds(postgres_unit_of_work: PostgresUnitOfWork) -> None:
    one, other = await given_tenants(postgres_unit_of_work)
    async with postgres_unit_of_work() as tx:
        await tx[WritingMonths].add(some_writing(one.id, random.Random(1)))
        async with asyncio.timeout(5), postgres_unit_of_work() as second:
            await second[WritingMonths].add(some_writing(other.id, random.Random(1)))
