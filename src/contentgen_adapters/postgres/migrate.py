"""The database's tables, brought up to date by numbered files of plain SQL.

Each file runs once, in a transaction of its own, in the order of the numbers, and is recorded with its checksum. A file
that was released never changes: what is wrong in it is put right by a later one.

Two marks may stand in lines of their own before a file's first statement:
`-- outside a transaction`: its statements run one by one (CREATE INDEX CONCURRENTLY); if one fails the file is not
recorded and runs again from its start, so each has to bear a repetition.
`-- contract`: versions from before it cannot work with the database any more, and refuse it. All others have to:
while a service is updated its processes of both versions work side by side."""

from __future__ import annotations

import hashlib
import re
import time
from importlib import resources
from typing import Final

import psycopg
from attrs import frozen

from contentgen_core.errors import ContentgenError

_LOCK: Final = 7_316_224_851_037_402  # any number will do, as long as nobody else on the database takes it
_WAIT_SECONDS: Final = 60.0  # while another process migrates
_ASK_AGAIN_SECONDS: Final = 0.2
_LOCK_SECONDS: Final = 5  # for a table; whoever comes after us for that table waits as long
_CONNECT_SECONDS: Final = 10
_OLDEST_SERVER: Final = 15  # NULLS NOT DISTINCT

_RECORD: Final = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    number     integer PRIMARY KEY,
    name       text NOT NULL,
    checksum   text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    contract   boolean NOT NULL DEFAULT false
)"""
_RECORD_CONTRACT: Final = (
    "ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS contract boolean NOT NULL DEFAULT false"
)
_MARK: Final = re.compile(r"^-- (outside a transaction|contract)\b", re.MULTILINE)


class MigrationError(ContentgenError):
    """The database cannot be brought up to date; the message says why and what to do."""

    code = "cannot_migrate"


@frozen
class Migration:
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Of the text without regard to how lines end, which a checkout may change."""
        return hashlib.sha256("\n".join(self.sql.splitlines()).encode()).hexdigest()

    @property
    def marks(self) -> frozenset[str]:
        """Those before its first statement: `outside a transaction`, `contract`."""
        lines = self.sql.splitlines()
        head = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("--")), len(lines))
        return frozenset(_MARK.findall("\n".join(lines[:head])))

    @property
    def statements(self) -> list[str]:
        """One by one, for what cannot run in a transaction; each ends its line with a semicolon."""
        return [part for part in re.split(r";[ \t]*$", self.sql, flags=re.MULTILINE) if _is_statement(part)]


def _is_statement(text: str) -> bool:
    return any(line.strip() and not line.strip().startswith("--") for line in text.splitlines())


@frozen
class Applied:
    number: int
    name: str
    checksum: str
    contract: bool = False


def load_migrations() -> tuple[Migration, ...]:
    """The files of this version by number."""
    files = resources.files("contentgen_adapters.postgres").joinpath("migrations").iterdir()
    return tuple(
        sorted(
            (
                Migration(int(file.name.partition("_")[0]), file.name.removesuffix(".sql"), file.read_text("utf-8"))
                for file in files
                if file.name.endswith(".sql")
            ),
            key=lambda migration: migration.number,
        )
    )


def migrate(conninfo: str, migrations: tuple[Migration, ...] | None = None) -> list[str]:
    """Apply what is missing; the names applied, in order. Several processes may call this at once: one works, the
    others wait for it. Blocks. Raises MigrationError; files before the failing one stay applied."""
    wanted = load_migrations() if migrations is None else migrations
    try:
        with _connect(conninfo) as connection:
            _check_server(connection)
            _take_turn(connection)
            connection.execute(f"SET lock_timeout = '{_LOCK_SECONDS}s'")
            connection.execute(_RECORD)
            if not _has_contract(connection):
                connection.execute(_RECORD_CONTRACT)
            missing = _missing(wanted, _applied(connection))
            for migration in missing:
                _apply(connection, migration)
    except psycopg.Error as exc:
        raise MigrationError(f"The database cannot be migrated: {exc}") from exc
    return [migration.name for migration in missing]


def pending(conninfo: str, migrations: tuple[Migration, ...] | None = None) -> list[str]:
    """The names of what `migrate` would apply; empty when the database fits this version. Changes nothing. Blocks.
    Raises MigrationError when the database cannot be reached, is newer than this version or has been tampered with."""
    wanted = load_migrations() if migrations is None else migrations
    try:
        with _connect(conninfo) as connection:
            exists = connection.execute("SELECT to_regclass('schema_migrations') IS NOT NULL").fetchone()
            applied = _applied(connection) if exists is not None and exists[0] else []
    except psycopg.Error as exc:
        raise MigrationError(f"The state of the database cannot be read: {exc}") from exc
    return [migration.name for migration in _missing(wanted, applied)]


def _connect(conninfo: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(conninfo, autocommit=True, connect_timeout=_CONNECT_SECONDS, client_encoding="UTF8")


def _check_server(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    major = connection.info.server_version // 10_000
    if major < _OLDEST_SERVER:
        raise MigrationError(f"PostgreSQL {_OLDEST_SERVER} or newer is needed; this server is version {major}.")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise MigrationError(f"The database has the encoding {encoding}. Create it with ENCODING 'UTF8'.")


def _take_turn(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """One process migrates at a time; the lock is let go when its connection closes. Raises MigrationError.

    Asked for again and again: whoever waited inside of a statement would hold a snapshot, for whose end the other's
    CREATE INDEX CONCURRENTLY waits."""
    deadline = time.monotonic() + _WAIT_SECONDS
    while connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone() != (True,):
        if time.monotonic() > deadline:
            raise MigrationError("Another process has been migrating this database for a minute. Try again later.")
        time.sleep(_ASK_AGAIN_SECONDS)


def _has_contract(connection: psycopg.Connection[tuple[object, ...]]) -> bool:
    found = connection.execute(
        "SELECT 1 FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass AND attname = 'contract'"
    ).fetchone()
    return found is not None


def _applied(connection: psycopg.Connection[tuple[object, ...]]) -> list[Applied]:
    contract = "contract" if _has_contract(connection) else "false"
    rows = connection.execute(
        f"SELECT number, name, checksum, {contract} FROM schema_migrations ORDER BY number".encode()  # noqa: S608
    ).fetchall()
    return [Applied(int(str(number)), str(name), str(checksum), bool(broke)) for number, name, checksum, broke in rows]


def _missing(wanted: tuple[Migration, ...], applied: list[Applied]) -> tuple[Migration, ...]:
    """What comes after the applied ones. Raises MigrationError unless these are exactly the first of `wanted`, and
    perhaps later ones that this version does not know but can work with."""
    known = {migration.number: migration for migration in wanted}
    for done in applied:
        migration = known.get(done.number)
        if migration is None:
            if not done.contract and done.number > max(known, default=0):
                continue
            raise MigrationError(
                f"The database is newer than this version of contentgen can work with: it has {done.name}, which is"
                " not known here. Update contentgen, or restore a backup from before its update."
            )
        if migration.checksum != done.checksum:
            raise MigrationError(
                f"{migration.name} is not what it was when it was applied to this database. A released migration never"
                " changes: install contentgen again, or put the change into a new migration."
            )
    last = max((done.number for done in applied), default=0)
    gaps = {migration.number for migration in wanted if migration.number <= last} - {done.number for done in applied}
    if gaps:
        names = ", ".join(known[number].name for number in sorted(gaps))
        raise MigrationError(
            f"The database has later migrations than {names}, but not {names} itself. Restore a backup, or apply the"
            " file by hand after comparing its tables with the database's."
        )
    return tuple(migration for migration in wanted if migration.number > last)


def _apply(connection: psycopg.Connection[tuple[object, ...]], migration: Migration) -> None:
    if "outside a transaction" in migration.marks:
        _apply_one_by_one(connection, migration)
        return
    try:
        with connection.transaction():
            connection.execute(migration.sql.encode())
            _record(connection, migration)
    except psycopg.errors.LockNotAvailable as exc:
        raise MigrationError(
            f"{migration.name} was not applied: a table was in use for {_LOCK_SECONDS} s (a long transaction, a"
            " backup?). Nothing of it was applied; try again."
        ) from exc
    except psycopg.Error as exc:
        raise MigrationError(f"{migration.name} failed, and nothing of it was applied: {exc}") from exc


def _apply_one_by_one(connection: psycopg.Connection[tuple[object, ...]], migration: Migration) -> None:
    for number, statement in enumerate(migration.statements, start=1):
        try:
            connection.execute(statement.encode())
        except psycopg.Error as exc:
            raise MigrationError(
                f"{migration.name} failed at its statement {number}; it begins anew at the next try: {exc}"
            ) from exc
    _record(connection, migration)


def _record(connection: psycopg.Connection[tuple[object, ...]], migration: Migration) -> None:
    connection.execute(
        "INSERT INTO schema_migrations (number, name, checksum, contract) VALUES (%s, %s, %s, %s)",
        (migration.number, migration.name, migration.checksum, "contract" in migration.marks),
    )
