"""Passages are read by their names without looking at others, whether or not the planner knows the tables yet."""

from __future__ import annotations

import asyncio

import psycopg

from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.testing import builders

DOCUMENTS = 2_000
NAMED = 20
TIMES = 10  # more often than the server plans a statement anew


def rows_read(conninfo: str) -> int:
    with psycopg.connect(conninfo) as connection:
        query = "SELECT sum(seq_tup_read + idx_tup_fetch)::int FROM pg_stat_user_tables WHERE relname = 'kb_documents'"
        return int((connection.execute(query).fetchone() or (0,))[0])


async def test_named_passages_of_documents_just_stored_read_those_alone(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    documents = [
        builders.kb_document(id=f"doc-{n:04d}", source_key=f"{n}", scope=KbScope("boats")) for n in range(DOCUMENTS)
    ]
    stored = [(document, [builders.passage(document)]) for document in documents]
    async with postgres_unit_of_work() as tx:
        await tx[Knowledge].add(stored)
    refs = [passages[0].ref for _, passages in stored[:NAMED]]
    await asyncio.sleep(1.1)  # until the session has told what it read
    before = rows_read(postgres_conninfo)
    async with postgres_unit_of_work() as tx:
        for _ in range(TIMES):
            assert list(await tx[Knowledge].passages(KbView("boats"), refs)) == refs
    await asyncio.sleep(1.1)
    assert rows_read(postgres_conninfo) - before <= NAMED * TIMES
