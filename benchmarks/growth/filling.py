"""A database of a given size: the product's schema, one row of each kind as the product stores it, and copies of it."""

from __future__ import annotations

import sys
import time
from typing import Final

from attrs import asdict

from benchmarks.growth import prototypes
from benchmarks.growth.plans import Connection
from benchmarks.growth.prototypes import Prototypes
from benchmarks.growth.tables import TABLES, Size, Table
from contentgen_core.ports.unit_of_work import UnitOfWork

_DONE: Final = "growth_filled"
"""A table of what is filled, so that a run that was stopped goes on."""
_OF_TRIGGERS: Final = {
    "kb_documents": (
        "TRUNCATE kb_document_counts",
        "INSERT INTO kb_document_counts (scope_id, origin, language, documents, listed, passages, known_at)"
        " SELECT scope_id, origin, language, count(*), count(*) FILTER (WHERE passages > 0), sum(passages),"
        " sum(passages * extract(epoch FROM kb_known_at(published, fetched_at, created_at)))"
        " FROM kb_documents WHERE deleted_at IS NULL GROUP BY 1, 2, 3",
    ),
    "kb_entities": (
        "TRUNCATE kb_entity_sums, kb_entity_counts",
        "INSERT INTO kb_entity_sums (scope_id, key, names, mentions, passages)"
        " SELECT scope_id, key, count(*), sum(mentions), sum(passages) FROM kb_entities GROUP BY 1, 2",
    ),
    "writing_months": (
        "TRUNCATE writing_of_all",
        "INSERT INTO writing_of_all (month, currency, parts, written, failed, words, covered, coverage, sentences,"
        " supported, input_tokens, output_tokens, unpriced, cached_tokens, micros)"
        " SELECT month, currency, count(*), sum(written), sum(failed), sum(words), sum(covered),"
        " sum(coverage::numeric), sum(sentences), sum(supported), sum(input_tokens), sum(output_tokens), sum(unpriced),"
        " sum(cached_tokens), sum(micros) FROM writing_months GROUP BY 1, 2",
    ),
    "conflicts": (
        "TRUNCATE conflict_counts",
        "INSERT INTO conflict_counts (search_id, state, conflicts)"
        " SELECT search_id, state, count(*) FROM conflicts GROUP BY 1, 2",
    ),
    "articles": (
        "TRUNCATE article_sources, article_counts, public_article_counts, written_articles",
        "INSERT INTO article_sources (tenant_id, document_id, article_id)"
        " SELECT DISTINCT tenant_id, source->>'parent_id', id"
        " FROM articles CROSS JOIN jsonb_array_elements(sources) AS source ORDER BY 1, 2, 3",
        "INSERT INTO article_counts (tenant_id, niche_key, status, language, approval_state, articles)"
        " SELECT tenant_id, niche_key, status, language, approval_state, count(*) FROM articles GROUP BY 1, 2, 3, 4, 5",
        "INSERT INTO public_article_counts (language, category, articles)"
        " SELECT language, coalesce(public_category, ''), count(*) FROM articles a"
        " WHERE is_public AND article_is_public(a) GROUP BY 1, 2",
        "INSERT INTO written_articles (articles) SELECT sum(articles) FROM article_counts WHERE is_written(status)",
    ),
}
"""What triggers keep, by the table that they stand on."""
_SECONDARY: Final = """
    SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = %s::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)"""
_REFERENCES: Final = """
    SELECT quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = %s::regclass AND contype = 'f'"""


class Filling:
    """Grows a database from size to size."""

    def __init__(self, connection: Connection, made: Prototypes) -> None:
        self._connection, self._made = connection, made

    @classmethod
    async def begun(cls, connection: Connection, unit_of_work: UnitOfWork) -> Filling:
        """Stores the prototypes unless a run before did."""
        await connection.execute(f"CREATE TABLE IF NOT EXISTS {_DONE} (what text PRIMARY KEY, value text)")
        known = dict(await (await connection.execute(f"SELECT what, value FROM {_DONE}")).fetchall())
        if "tenant" not in known:
            known = asdict(await prototypes.store(unit_of_work, connection))
            for what, value in known.items():
                await connection.execute(f"INSERT INTO {_DONE} VALUES (%s, %s)", (what, value))
        return cls(connection, Prototypes(**{name: known[name] for name in Prototypes.NAMES}))

    async def grow(self, before: Size, now: Size) -> None:
        for table in TABLES:
            await self._once(f"{table.name} {now.articles}", table, before, now)
        await self._connection.execute("VACUUM (ANALYZE)")

    async def kept(self, what: str) -> str | None:
        rows = await self._connection.execute(f"SELECT value FROM {_DONE} WHERE what = %s", (what,))
        return next((value for (value,) in await rows.fetchall()), None)

    async def keep(self, what: str, value: str) -> None:
        """Keep the database for a run that continues with it."""
        again = "ON CONFLICT (what) DO UPDATE SET value = excluded.value"
        await self._connection.execute(f"INSERT INTO {_DONE} VALUES (%s, %s) {again}", (what, value))

    async def _once(self, what: str, table: Table, before: Size, now: Size) -> None:
        if await self.kept(what) is not None:
            return
        begun = time.perf_counter()
        async with self._connection.transaction():
            await self._copies(table, before, now)
            await self.keep(what, "")
        print(f"{what} rows after {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)

    async def _copies(self, table: Table, before: Size, now: Size) -> None:
        """Copy rows. Indexes are built and references checked afterwards, in a fraction of the time of row by row."""
        execute = self._connection.execute
        await execute("SET LOCAL maintenance_work_mem = '512MB'")
        await execute("SET LOCAL work_mem = '256MB'")
        await execute("SET LOCAL synchronous_commit = off")
        indexes = await (await execute(_SECONDARY, (table.name,))).fetchall()
        references = await (await execute(_REFERENCES, (table.name,))).fetchall()
        for name, _ in indexes:
            await execute(f"DROP INDEX {name}".encode())
        for name, _ in references:
            await execute(f"ALTER TABLE {table.name} DROP CONSTRAINT {name}".encode())
        await execute(f"ALTER TABLE {table.name} DISABLE TRIGGER USER".encode())
        columns = await self._columns(table.name)
        condition = self._made.condition(columns)
        await execute(table.insertion(columns, before, now, condition).encode())
        for _, definition in indexes:
            await execute(definition.encode())
        for name, definition in references:
            await execute(f"ALTER TABLE {table.name} ADD CONSTRAINT {name} {definition}".encode())
        await execute(f"ALTER TABLE {table.name} ENABLE TRIGGER USER".encode())
        for statement in _OF_TRIGGERS.get(table.name, ()):
            await execute(statement)

    async def _columns(self, table: str) -> list[str]:
        rows = await self._connection.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
            " AND attgenerated = ''",
            (table,),
        )
        return [name for (name,) in await rows.fetchall()]
