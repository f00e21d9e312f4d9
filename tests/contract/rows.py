"""Every row that is stored, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

import attrs
import psycopg
from psycopg import sql

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork

Rows = Counter[tuple[str, str]]
Snapshot = Callable[[], Awaitable[Rows]]


async def rows_in_memory(memory: MemoryUnitOfWork) -> Rows:
    tables = {table.name: getattr(memory._store, table.name) for table in attrs.fields(type(memory._store))}
    return Counter((name, repr(row)) for name, rows in tables.items() for row in rows.items())


async def rows_in_postgres(conninfo: str) -> Rows:
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        tables = await (
            await connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
        ).fetchall()
        found: Rows = Counter()
        for (table,) in tables:
            shown = await connection.execute(sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(table)))
            found.update((table, row) for (row,) in await shown.fetchall())
        return found
