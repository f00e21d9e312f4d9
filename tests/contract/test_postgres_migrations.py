"""Bringing a database up to date, and refusing what cannot be."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from contentgen_adapters.postgres.migrate import Migration, MigrationError, load_migrations, migrate, pending
from tests.support.superuser import as_superuser

FIRST = Migration(1, "0001_first", "CREATE TABLE first (id integer); INSERT INTO first VALUES (1);")
SECOND = Migration(2, "0002_second", "CREATE TABLE second (id integer);")
BROKEN = Migration(2, "0002_broken", "CREATE TABLE second (id integer); SELECT nonsense;")


@pytest.fixture
def empty_database(postgres_server: str) -> Iterator[str]:
    with psycopg.connect(as_superuser(postgres_server), autocommit=True) as connection:
        connection.execute("CREATE DATABASE untouched OWNER contentgen")
        yield make_conninfo(postgres_server, dbname="untouched")
        connection.execute("DROP DATABASE untouched WITH (FORCE)")


def tables(conninfo: str) -> set[str]:
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    return {name for (name,) in rows}


def test_each_file_has_a_number_of_its_own() -> None:
    migrations = load_migrations()
    assert len({migration.number for migration in migrations}) == len(migrations)
    assert migrations[0].name == "0001_foundation"


def test_an_empty_database_gets_all_tables_once(empty_database: str) -> None:
    names = [migration.name for migration in load_migrations()]
    assert pending(empty_database) == names
    assert tables(empty_database) == set()
    assert migrate(empty_database) == names
    assert {"tenants", "articles", "jobs", "kb_passages", "schema_migrations"} <= tables(empty_database)
    assert pending(empty_database) == []
    assert migrate(empty_database) == []


def test_only_what_is_missing_is_applied(empty_database: str) -> None:
    assert migrate(empty_database, (FIRST,)) == ["0001_first"]
    assert pending(empty_database, (FIRST, SECOND)) == ["0002_second"]
    assert migrate(empty_database, (FIRST, SECOND)) == ["0002_second"]


def test_a_failing_migration_leaves_nothing_of_itself_and_all_before_it(empty_database: str) -> None:
    with pytest.raises(MigrationError, match="0002_broken failed, and nothing of it was applied"):
        migrate(empty_database, (FIRST, BROKEN))
    assert tables(empty_database) == {"first", "schema_migrations"}
    assert migrate(empty_database, (FIRST, SECOND)) == ["0002_second"]


def test_processes_that_migrate_at_the_same_time_apply_each_file_once(empty_database: str) -> None:
    applied: list[str] = []
    threads = [
        threading.Thread(target=lambda: applied.extend(migrate(empty_database, (FIRST, SECOND)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert applied == ["0001_first", "0002_second"]


@pytest.mark.parametrize(
    ("known", "why"),
    [
        ((Migration(1, "0001_first", "SELECT 1"), SECOND), "0001_first is not what it was"),
        ((FIRST, Migration(2, "0002_second", SECOND.sql + " -- changed")), "0002_second is not what it was"),
    ],
    ids=["changed_first", "changed_comment"],
)
def test_a_database_of_another_history_is_refused(empty_database: str, known: tuple[Migration, ...], why: str) -> None:
    migrate(empty_database, (FIRST, SECOND))
    for operation in (migrate, pending):
        with pytest.raises(MigrationError, match=why):
            operation(empty_database, known)


def test_a_version_works_with_a_newer_database_unless_that_was_contracted(empty_database: str) -> None:
    contract = Migration(3, "0003_contract", "-- Nobody reads it any more.\n-- contract\nDROP TABLE first;")
    migrate(empty_database, (FIRST, SECOND))
    assert migrate(empty_database, (FIRST,)) == []
    assert pending(empty_database, (FIRST,)) == []
    migrate(empty_database, (FIRST, SECOND, contract))
    for operation in (migrate, pending):
        with pytest.raises(MigrationError, match="newer than this version of contentgen can work with: it has 0003"):
            operation(empty_database, (FIRST, SECOND))


def test_a_database_from_before_contracts_were_recorded_is_taken_over(empty_database: str) -> None:
    migrate(empty_database, (FIRST,))
    with psycopg.connect(empty_database) as connection:
        connection.execute("ALTER TABLE schema_migrations DROP COLUMN contract")
    assert pending(empty_database, (FIRST, SECOND)) == ["0002_second"]
    assert migrate(empty_database, (FIRST, SECOND)) == ["0002_second"]


INDEX = Migration(
    2,
    "0002_index",
    "-- outside a transaction\nDROP INDEX CONCURRENTLY IF EXISTS first_id;\n"
    "CREATE UNIQUE INDEX CONCURRENTLY first_id ON first (id);\n",
)


def test_an_index_is_built_while_others_write_and_wait_for_their_turn(empty_database: str) -> None:
    migrate(empty_database, (FIRST,))
    applied: list[str] = []
    threads = [threading.Thread(target=lambda: applied.extend(migrate(empty_database, (FIRST, INDEX)))) for _ in "123"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert applied == ["0002_index"]
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = 'first_id'::regclass").fetchone()


def test_an_index_that_failed_half_way_is_built_at_the_next_try(empty_database: str) -> None:
    migrate(empty_database, (FIRST,))
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("INSERT INTO first VALUES (1)")  # twice: no unique index
        with pytest.raises(MigrationError, match="0002_index failed at its statement 2; it begins anew"):
            migrate(empty_database, (FIRST, INDEX))
        connection.execute("DELETE FROM first")
        assert migrate(empty_database, (FIRST, INDEX)) == ["0002_index"]


def test_a_migration_does_not_queue_for_long_behind_a_table_in_use(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contentgen_adapters.postgres.migrate._LOCK_SECONDS", 1)
    migrate(empty_database, (FIRST,))
    alter = Migration(2, "0002_alter", "ALTER TABLE first ADD COLUMN note text;")
    with psycopg.connect(empty_database) as busy:
        busy.execute("SELECT * FROM first")
        with pytest.raises(MigrationError, match="0002_alter was not applied: a table was in use for 1 s"):
            migrate(empty_database, (FIRST, alter))
    assert migrate(empty_database, (FIRST, alter)) == ["0002_alter"]


def test_a_database_that_lacks_an_earlier_migration_is_refused(empty_database: str) -> None:
    third = Migration(3, "0003_third", "SELECT 3")
    migrate(empty_database, (FIRST, third))
    for operation in (migrate, pending):
        with pytest.raises(MigrationError, match="later migrations than 0002_second, but not 0002_second"):
            operation(empty_database, (FIRST, SECOND, third))


def test_the_ends_of_lines_do_not_count_as_a_change(empty_database: str) -> None:
    unix, windows = (Migration(1, "0001_first", end.join(["SELECT 1;", "SELECT 2;"])) for end in ("\n", "\r\n"))
    migrate(empty_database, (unix,))
    assert pending(empty_database, (windows,)) == []


def test_a_database_that_cannot_hold_every_script_is_refused(postgres_server: str) -> None:
    with psycopg.connect(as_superuser(postgres_server), autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0")
        with pytest.raises(MigrationError, match="encoding LATIN1"):
            migrate(make_conninfo(postgres_server, dbname="latin"))
        connection.execute("DROP DATABASE latin WITH (FORCE)")


def test_a_database_out_of_reach_is_a_clear_error() -> None:
    for operation in (migrate, pending):
        with pytest.raises(MigrationError, match="database"):
            operation("host=/nowhere dbname=nothing")
