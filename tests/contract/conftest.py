"""A real PostgreSQL for the adapters' tests: one private server a run, a clean database a test."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import TupleRow

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.postgres.embedded import EmbeddedPostgres
from contentgen_adapters.postgres.migrate import migrate
from contentgen_adapters.postgres.pool import Pool, create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.ports.unit_of_work import UnitOfWork
from tests.contract.rows import Snapshot, rows_in_memory, rows_in_postgres
from tests.support.memory_disk import memory_disk
from tests.support.superuser import as_superuser


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """How to connect to a server without contentgen's tables."""
    with tempfile.TemporaryDirectory(prefix="pg", dir=memory_disk(), ignore_cleanup_errors=True) as directory:
        server = EmbeddedPostgres(Path(directory))
        conninfo = server.start()
        with psycopg.connect(as_superuser(conninfo), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # what a test leaves behind need not outlive a power cut
            connection.execute("SELECT pg_reload_conf()")
        yield conninfo
        server.stop()


@pytest.fixture(scope="session")
def emptied_postgres(postgres_server: str) -> Iterator[Callable[[], str]]:
    """Makes the database with all tables empty again, and says how to connect to it."""
    migrate(postgres_server)

    def connected() -> psycopg.Connection[TupleRow]:
        return psycopg.connect(as_superuser(postgres_server), autocommit=True)

    # One for all tests: the server reads for each new connection what it knows of every table.
    connection = connected()

    def emptied() -> str:
        nonlocal connection
        try:
            connection.execute(_EMPTY)
        except psycopg.OperationalError:  # a test has ended it
            connection.close()
            connection = connected()
            connection.execute(_EMPTY)
        return postgres_server

    yield emptied
    connection.close()


@pytest.fixture
def postgres_conninfo(emptied_postgres: Callable[[], str]) -> str:
    """How to connect to a database with all tables, each of them empty."""
    return emptied_postgres()


@pytest.fixture(params=["memory", "postgres"])
async def stored(request: pytest.FixtureRequest) -> AsyncIterator[tuple[UnitOfWork, Snapshot]]:
    """An empty database, and how to see every row of it."""
    if request.param == "memory":
        memory = MemoryUnitOfWork()

        yield memory, lambda: rows_in_memory(memory)
        return
    conninfo: str = request.getfixturevalue("postgres_conninfo")
    async with (
        await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as watching,
        create_pool(conninfo, min_size=1, max_size=8) as pool,
    ):
        yield PostgresUnitOfWork(pool), lambda: rows_in_postgres(watching)


@pytest.fixture
async def postgres_pool(postgres_conninfo: str) -> AsyncIterator[Pool]:
    async with create_pool(postgres_conninfo, min_size=1, max_size=20) as pool:
        yield pool


@pytest.fixture
def postgres_unit_of_work(postgres_pool: Pool) -> PostgresUnitOfWork:
    return PostgresUnitOfWork(postgres_pool)


# Deleting a few rows is much quicker than TRUNCATE, which makes new files for every table and index. Without the
# triggers of foreign keys the order of the tables does not matter. Most tables have never held a row.
_EMPTY = """
DO $$
DECLARE name regclass;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                AND relname <> 'schema_migrations' AND pg_relation_size(oid) > 0
    LOOP
        EXECUTE 'DELETE FROM ' || name;
    END LOOP;
END $$"""
