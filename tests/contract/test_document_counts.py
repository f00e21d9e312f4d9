"""The counts behind the figures of a knowledge base are those of its documents, whatever happens."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta

import psycopg
import pytest

from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Origin, Passage
from contentgen_core.model.tenant import Tenant
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given_tenant

NICHE = "boats"
KEPT = (
    "SELECT scope_id, origin, language, documents, listed, passages, known_at FROM kb_document_counts"
    " WHERE documents <> 0 ORDER BY 1, 2, 3"
)
COUNTED = (
    "SELECT scope_id, origin, language, count(*), count(*) FILTER (WHERE passages > 0), sum(passages),"
    " sum(passages * extract(epoch FROM coalesce(published::timestamp AT TIME ZONE 'UTC', fetched_at, created_at)))"
    " FROM kb_documents WHERE deleted_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
)


def run(conninfo: str, *statements: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def counts(conninfo: str) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Those that are kept, and those of the documents."""
    with psycopg.connect(conninfo) as connection:
        kept, counted = (connection.execute(query.encode()).fetchall() for query in (KEPT, COUNTED))
        return kept, counted


@pytest.fixture
async def tenant(postgres_unit_of_work: PostgresUnitOfWork) -> Tenant:
    return await given_tenant(postgres_unit_of_work)


def some_document(tenant: Tenant, chance: random.Random) -> tuple[KbDocument, list[Passage]]:
    document = builders.kb_document(
        scope=KbScope(NICHE, chance.choice((None, tenant.id))),
        origin=chance.choice((Origin.WEB, Origin.IMPORT)),
        language=chance.choice((Language.EN, Language.FR)),
        created_at=MOMENT - timedelta(days=chance.randrange(50)),
        fetched_at=chance.choice((None, MOMENT)),
        published=chance.choice((None, (MOMENT + timedelta(days=chance.randrange(-90, 90))).date())),
    )
    return document, [builders.passage(document, chunk_index=n) for n in range(chance.randrange(3))]


async def test_simultaneous_imports_and_removals_leave_exact_counts(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str, tenant: Tenant
) -> None:
    async def work(chance: random.Random) -> None:
        mine = []
        for _ in range(4):
            documents = [some_document(tenant, chance) for _ in range(3)]
            async with postgres_unit_of_work() as tx:
                await tx[Knowledge].add(documents)
            mine += documents
            async with postgres_unit_of_work() as tx:
                await tx[Knowledge].remove([mine.pop(chance.randrange(len(mine)))[0].id])

    await asyncio.gather(*(work(random.Random(seed)) for seed in range(4)))
    kept, counted = counts(postgres_conninfo)
    assert kept == counted
    assert sum(int(str(row[3])) for row in kept) == 4 * 4 * 2


async def test_statements_over_many_documents_are_counted_and_what_was_there_before_is(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str, tenant: Tenant
) -> None:
    chance = random.Random(3)
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].add([some_document(tenant, chance) for _ in range(40)])
    for statement in (
        "UPDATE kb_documents SET language = 'de' WHERE published IS NULL",
        "UPDATE kb_documents SET passages = passages + 1, published = '2026-02-03' WHERE origin = 'web'",
        "UPDATE kb_documents SET deleted_at = now() WHERE fetched_at IS NULL",
        "DELETE FROM kb_passages",
        "DELETE FROM kb_documents WHERE language = 'en'",
        "DELETE FROM kb_document_counts",
    ):
        assert counts(postgres_conninfo)[0] == counts(postgres_conninfo)[1]
        run(postgres_conninfo, statement)
    assert counts(postgres_conninfo)[0] == []
    run(postgres_conninfo, "CALL count_documents_of_all_scopes()", "CALL count_documents_of_all_scopes()")
    kept, counted = counts(postgres_conninfo)
    assert kept == counted != []


async def test_figures_of_a_large_scope_read_no_document_but_the_newest(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str, tenant: Tenant
) -> None:
    document = builders.kb_document(scope=KbScope(NICHE, tenant.id))
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].add([(document, [builders.passage(document)])])
    run(
        postgres_conninfo,
        "INSERT INTO kb_documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', 'd' || n, 'source_key', n,"
        " 'source_digest', '\\x' || lpad(n::text, 64, '0'), 'created_at', d.created_at - n * interval '1 minute'))).*"
        " FROM kb_documents d, generate_series(1, 3000) AS n",
        "VACUUM ANALYZE kb_documents, kb_document_counts",
    )

    def read() -> int:
        with psycopg.connect(postgres_conninfo) as connection:
            connection.execute("SELECT pg_stat_force_next_flush()")
            query = "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'kb_documents'"
            return int((connection.execute(query).fetchone() or (0,))[0])

    before = read()
    async with postgres_unit_of_work() as tx:
        figures = await tx[Overview].figures(KbView(NICHE, tenant.id), MOMENT)
    assert (figures.documents, figures.newest) == (3_001, document.created_at)
    await asyncio.sleep(1.1)  # until the session has told what it read
    assert read() - before <= 10
