"""Every row that is stored, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
from psycopg import sql

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork

Rows = Counter[tuple[str, str]]
Snapshot = Callable[[], Awaitable[Rows]]


async def rows_in_memory(memory: MemoryUnitOfWork) -> Rows:
    return Counter((name, repr(row)) for name, rows in memory._store.items() for row in rows.items())


async def rows_in_postgres(connection: psycopg.AsyncConnection[Any]) -> Rows:
    """In one statement over those tables that have ever held a row. `connection`: kept, and in no transaction."""
    tables = await (await connection.execute(_WRITTEN)).fetchall()
    shown = await connection.execute(sql.SQL(" UNION ALL ").join(_rows_of(table) for (table,) in tables))
    return Counter(await shown.fetchall())


def _rows_of(table: str) -> sql.Composed:
    return sql.SQL("SELECT {}, t::text FROM {} t").format(sql.Literal(table), sql.Identifier(table))


_WRITTEN = """
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
ORDER BY relname"""
