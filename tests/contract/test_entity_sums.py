"""The sums behind the strongest entities are those of the entities, whatever happens, and so is who is strongest."""

from __future__ import annotations

import asyncio
import random

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.entity import EntityMention, EntityType
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Passage
from contentgen_core.model.tenant import Tenant
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.testing import builders
from tests.contract.store.given import given_tenant

NICHE = "boats"
KEPT = "SELECT scope_id, key, names, mentions, passages FROM kb_entity_sums ORDER BY 1, 2"
SUMMED = (
    "SELECT scope_id, key, count(*), sum(mentions)::bigint, sum(passages)::bigint FROM kb_entities"
    " GROUP BY 1, 2 ORDER BY 1, 2"
)
NUMBERS = "SELECT scope_id, entities FROM kb_entity_counts WHERE entities <> 0 ORDER BY 1"
COUNTED = "SELECT scope_id, count(DISTINCT key) FROM kb_entities GROUP BY 1 ORDER BY 1"


def run(conninfo: str, *statements: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def require_equal_sums(conninfo: str) -> int:
    """How many entities there are."""
    with psycopg.connect(conninfo) as connection:
        kept, summed, numbers, counted = (
            connection.execute(query.encode()).fetchall() for query in (KEPT, SUMMED, NUMBERS, COUNTED)
        )
    assert kept == summed
    assert numbers == counted
    return len(kept)


@pytest.fixture
async def tenant(postgres_unit_of_work: PostgresUnitOfWork) -> Tenant:
    return await given_tenant(postgres_unit_of_work)


def some_document(tenant: Tenant, chance: random.Random) -> tuple[KbDocument, list[Passage]]:
    document = builders.kb_document(scope=KbScope(NICHE, chance.choice((None, tenant.id))))
    named = [
        tuple(
            EntityMention(key, chance.choice((key, key.upper())), EntityType.CONCEPT, chance.randrange(1, 4))
            for key in chance.sample(("keel", "mast", "rudder", "sail", "tiller"), chance.randrange(4))
        )
        for _ in range(3)
    ]
    return document, [builders.passage(document, chunk_index=n, entities=each) for n, each in enumerate(named)]


async def test_simultaneous_imports_and_removals_leave_exact_sums(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str, tenant: Tenant
) -> None:
    async def work(chance: random.Random) -> list[KbDocument]:
        mine: list[KbDocument] = []
        for _ in range(4):
            documents = [some_document(tenant, chance) for _ in range(3)]
            async with postgres_unit_of_work() as tx:
                await tx[Knowledge].add(documents)
            mine += [document for document, _ in documents]
            async with postgres_unit_of_work() as tx:
                await tx[Knowledge].remove([mine.pop(chance.randrange(len(mine))).id])
        return mine

    left = await asyncio.gather(*(work(random.Random(seed)) for seed in range(4)))
    assert require_equal_sums(postgres_conninfo) > 5
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].remove([document.id for each in left for document in each])
    assert require_equal_sums(postgres_conninfo) == 0


async def test_statements_over_many_entities_are_summed_and_what_was_there_before_is(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str, tenant: Tenant
) -> None:
    chance = random.Random(3)
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].add([some_document(tenant, chance) for _ in range(20)])
    for statement in (
        "UPDATE kb_entities SET passages = passages + 100, mentions = mentions + 200 WHERE key < 'p'",
        "DELETE FROM kb_entities WHERE key = 'sail'",
        "DELETE FROM kb_entities WHERE name = 'KEEL'",
    ):
        assert require_equal_sums(postgres_conninfo)
        run(postgres_conninfo, statement)
    assert require_equal_sums(postgres_conninfo) == 2 * 4
    run(postgres_conninfo, "DELETE FROM kb_entity_sums")
    run(postgres_conninfo, "CALL sum_entities_of_all_scopes()", "CALL sum_entities_of_all_scopes()")
    assert require_equal_sums(postgres_conninfo) == 2 * 4


FIGURES = st.one_of(st.integers(1, 4), st.integers(90, 130), st.integers(1, 3_000))
NAMES = st.dictionaries(
    st.tuples(st.integers(0, 2), st.sampled_from("abcdefghijkl"), st.sampled_from("xy")),
    st.tuples(FIGURES, FIGURES),
    max_size=60,
)


@given(NAMES, st.integers(1, 8))
@example({(0, key, "x"): (1, 1) for key in "abcdefghijkl"}, 3)
@example({(0, "a", "x"): (1_010, 1), (0, "b", "x"): (1_090, 1), (0, "c", "x"): (1_050, 9)}, 1)
@example({(scope, key, "x"): (40, 1) for scope, key in ((0, "a"), (0, "b"), (1, "c"), (1, "b"), (2, "d"))}, 1)
@example({(0, "a", "x"): (9, 1), (1, "b", "x"): (9, 1), (0, "z", "x"): (5, 9), (1, "z", "x"): (5, 9)}, 1)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
async def test_the_strongest_are_those_of_all(
    postgres_unit_of_work: PostgresUnitOfWork,
    postgres_conninfo: str,
    names: dict[tuple[int, str, str], tuple[int, int]],
    limit: int,
) -> None:
    niche = f"niche-{builders.new_id()}"
    owner = await given_tenant(postgres_unit_of_work)
    scopes = (KbScope(niche), KbScope(niche, owner.id), KbScope(niche, owner.id, "GB"))
    async with postgres_unit_of_work() as tx:
        for scope in scopes:
            await tx[Knowledge].add([(builders.kb_document(scope=scope), [])])
    with psycopg.connect(postgres_conninfo) as connection:
        connection.cursor().executemany(
            "INSERT INTO kb_entities (scope_id, key, name, type, mentions, passages, documents)"
            " SELECT id, %s, %s, 'concept', %s, %s, 1 FROM kb_scopes WHERE niche_key = %s"
            " AND tenant_id IS NOT DISTINCT FROM %s AND country IS NOT DISTINCT FROM %s",
            [
                (key, name, passages + more, passages, niche, scopes[scope].tenant_id, scopes[scope].country)
                for (scope, key, name), (passages, more) in names.items()
            ],
        )
    totals: dict[str, tuple[int, int]] = {}
    for (_, key, _), (passages, more) in names.items():
        former = totals.get(key, (0, 0))
        totals[key] = (former[0] + passages, former[1] + passages + more)
    async with postgres_unit_of_work() as tx:
        page = await tx[Overview].strongest(KbView(niche, owner.id, frozenset({"GB"})), limit)
    expected = sorted(totals, key=lambda key: (-totals[key][0], -totals[key][1], key))
    assert [entity.keys[0] for entity in page.entities] == expected[:limit]
    assert page.total == len(expected)


async def test_the_strongest_of_a_large_scope_are_read_without_the_others(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str, tenant: Tenant
) -> None:
    async with postgres_unit_of_work() as tx:
        for scope in (KbScope(NICHE, tenant.id), KbScope(NICHE)):
            await tx[Knowledge].add([(builders.kb_document(scope=scope), [])])
    run(
        postgres_conninfo,
        "INSERT INTO kb_entities (scope_id, key, name, type, mentions, passages, documents)"
        " SELECT id, CASE WHEN tenant_id IS NULL AND n = 2 THEN 'new' ELSE 'e' || n END, 'E', 'concept',"
        " 6000 / n, 6000 / n, 1"
        " FROM kb_scopes, generate_series(1, CASE WHEN tenant_id IS NULL THEN 2 ELSE 5000 END) AS n"
        " WHERE niche_key = 'boats'",
        "VACUUM ANALYZE kb_entities, kb_entity_sums, kb_entity_counts",
    )

    def read() -> int:
        with psycopg.connect(postgres_conninfo) as connection:
            connection.execute("SELECT pg_stat_force_next_flush()")
            query = (
                "SELECT sum(seq_tup_read + idx_tup_fetch)::bigint FROM pg_stat_user_tables"
                " WHERE relname IN ('kb_entities', 'kb_entity_sums')"
            )
            return int((connection.execute(query).fetchone() or (0,))[0])

    before = read()
    async with postgres_unit_of_work() as tx:
        page = await tx[Overview].strongest(KbView(NICHE, tenant.id), 20)
    assert (len(page.entities), page.total) == (20, 5_001)
    await asyncio.sleep(1.1)  # until the session has told what it read
    assert read() - before <= 10 * 20
