"""The counts of a search's conflicts are those of its conflicts, whatever happens."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

import psycopg
from attrs import evolve

from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.conflict import Conflict, ConflictSearch, ConflictState
from contentgen_core.model.ids import DocumentId
from contentgen_core.ports.repositories.conflicts import Conflicts
from tests.contract.store.conflicts import given_conflict, given_search
from tests.contract.store.given import given_tenant

KEPT = (
    "SELECT search_id, state, sum(conflicts)::bigint FROM conflict_counts GROUP BY 1, 2"
    " HAVING sum(conflicts) <> 0 ORDER BY 1, 2"
)
COUNTED = "SELECT search_id, state, count(*) FROM conflicts GROUP BY 1, 2 ORDER BY 1, 2"
CHANGED = (ConflictState.OPEN, ConflictState.OUTDATED)


def rows(conninfo: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(conninfo) as connection:
        return connection.execute(query.encode()).fetchall()


def run(conninfo: str, statement: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(statement.encode())


async def test_counts_are_exact_however_many_change_at_once(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    tenant = await given_tenant(postgres_unit_of_work)
    searches = [await given_search(postgres_unit_of_work, tenant.id, niche) for niche in ("boats", "cars")]

    async def add(chance: random.Random, search: ConflictSearch) -> list[Conflict]:
        keys = {str(chance.randrange(20)) for _ in range(4)}  # of which others add some too
        found = [given_conflict(search, key, DocumentId("d"), state=chance.choice(CHANGED)) for key in keys]
        async with postgres_unit_of_work() as tx:
            await tx[Conflicts].add(found)
            return await tx[Conflicts].page(search.id, None, None, 50)

    async def work(chance: random.Random) -> None:
        for _ in range(5):
            known = await add(chance, chance.choice(searches))
            with suppress(ConcurrentChange):
                async with postgres_unit_of_work() as tx:
                    chosen = chance.sample(known, min(3, len(known)))
                    for conflict in sorted(chosen, key=lambda one: one.id):  # else two would wait for each other
                        await tx[Conflicts].save(evolve(conflict, state=chance.choice(CHANGED)))

    await asyncio.gather(*(work(random.Random(seed)) for seed in range(6)))
    assert rows(postgres_conninfo, KEPT) == rows(postgres_conninfo, COUNTED)
    assert len(rows(postgres_conninfo, COUNTED)) == 4
    run(postgres_conninfo, "DELETE FROM conflicts WHERE key < '12'")
    assert rows(postgres_conninfo, KEPT) == rows(postgres_conninfo, COUNTED)
    async with postgres_unit_of_work() as tx:
        for search in searches:
            counted = await tx[Conflicts].count(search.id)
            assert counted == {
                ConflictState(str(state)): count
                for id, state, count in rows(postgres_conninfo, COUNTED)
                if id == search.id
            }
    run(postgres_conninfo, f"DELETE FROM conflict_searches WHERE id = '{searches[0].id}'")
    assert rows(postgres_conninfo, KEPT) == rows(postgres_conninfo, COUNTED) != []
    run(postgres_conninfo, "DELETE FROM conflict_searches")
    assert rows(postgres_conninfo, "SELECT 1 FROM conflict_counts") == []
