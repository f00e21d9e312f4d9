"""Which migrations the version before them survives, and which a busy database does not notice.

Squawk judges statements; what it lets through and should not is listed here. Where a finding is wanted all the same,
the line above the statement says so: `-- accepted: RULE: REASON`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_adapters.postgres.migrate import Migration

MIGRATIONS: Final = "src/contentgen_adapters/postgres/migrations"
SQUAWK: Final = str(Path(sys.executable).with_name("squawk"))
# Matters of style, and limits of time that the migrator sets for every file.
EXCLUDED: Final = (
    "require-lock-timeout", "require-statement-timeout", "prefer-bigint-over-int", "prefer-bigint-over-smallint",
    "prefer-robust-stmts", "prefer-identity", "prefer-text-field", "prefer-timestamp-tz",
)  # fmt: skip
LEAST_REASON: Final = 15
"""Letters of a reason."""

_ACCEPTED: Final = re.compile(r"^-- accepted: ([a-z-]+): (.+)$")
_PIECES: Final = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"|\$(\w*)\$.*?\$\1\$|;", re.DOTALL)
_NEW: Final = re.compile(r"^CREATE TABLE (?:IF NOT EXISTS )?(\w+)", re.IGNORECASE)
_INDEX: Final = re.compile(r"^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?(\w+)", re.IGNORECASE)
_HARMLESS: Final = re.compile(
    r"^(CREATE (UNIQUE )?INDEX|CREATE (TABLE|SEQUENCE|TYPE|EXTENSION|VIEW)|ALTER TABLE|DROP INDEX CONCURRENTLY|INSERT|"
    r"COMMENT ON|CREATE STATISTICS|ALTER TYPE \w+ ADD VALUE)\b",
    re.IGNORECASE,
)


@frozen
class Statement:
    """`first` and `last`: its lines, from 0, comments before it included."""

    text: str
    first: int
    last: int
    accepted: frozenset[str]


def faults(migration: Migration) -> list[str]:
    """Return the faults of a migration that comes after a release, a sentence each."""
    if "contract" in migration.marks:
        return _of_comments(migration)
    statements, found = split(migration.sql), _of_comments(migration)
    for line, rule, message in _squawk(migration):
        of = next((s for s in statements if s.first <= line <= s.last), None)
        if of is None or rule not in of.accepted:
            found.append(f"{migration.name}, line {line + 1}: {rule}: {message}")
    made: set[str] = {name[1] for s in statements if (name := _NEW.match(s.text))}
    for number, statement in enumerate(statements):
        found += (
            f"{migration.name}, line {statement.last + 1}: {rule}: {message}"
            for rule, message in _beyond_squawk(statement, made, statements[:number])
            if rule not in statement.accepted
        )
    return found


def split(sql: str) -> list[Statement]:
    """The statements of a file; semicolons in texts, comments and bodies of functions do not end one."""
    statements: list[Statement] = []
    begun, code = 0, ""
    position = 0
    for piece in _PIECES.finditer(sql):
        code += sql[position : piece.start()]
        position = piece.end()
        if piece[0] != ";":
            code += " " if piece[0].startswith(("--", "/*")) else piece[0]
            continue
        comments = (_ACCEPTED.match(line) for line in sql[begun : piece.start()].splitlines())
        accepted = frozenset(c[1] for c in comments if c and len(c[2].strip()) >= LEAST_REASON)
        first, last = sql.count("\n", 0, begun), sql.count("\n", 0, piece.start())
        statements.append(Statement(" ".join(code.split()), first, last, accepted))
        begun, code = piece.end(), ""
    return statements


def _of_comments(migration: Migration) -> list[str]:
    found = []
    for number, line in enumerate(migration.sql.splitlines(), start=1):
        if "squawk-ignore" in line:
            found.append(f"{migration.name}, line {number}: say `-- accepted: RULE: REASON` instead of squawk-ignore")
        elif line.startswith("-- accepted") and not (
            (said := _ACCEPTED.match(line)) and len(said[2].strip()) >= LEAST_REASON
        ):
            found.append(f"{migration.name}, line {number}: an exception names its rule and a reason")
    return found


def _beyond_squawk(statement: Statement, made: set[str], before: list[Statement]) -> list[tuple[str, str]]:
    text = statement.text
    if (index := _INDEX.match(text)) is not None:
        dropped = f"DROP INDEX CONCURRENTLY IF EXISTS {index[1]}".casefold()
        if not any(s.text.casefold() == dropped for s in before):
            return [("repeatable", f"one that failed stays, invalid: let `{dropped}` come before it")]
        return []
    table = re.match(r"^(?:UPDATE|DELETE FROM) (?:ONLY )?(\w+)", text, re.IGNORECASE)
    if table and table[1] not in made:
        return [("whole-table", "changes rows of a table in use: do it in batches from a program")]
    if not table and not _HARMLESS.match(text):
        return [("unusual", f"{' '.join(text.split()[:2])}: not known to be harmless")]
    return []


def _squawk(migration: Migration) -> list[tuple[int, str, str]]:
    """(line from 0, rule, message). The exit status tells of findings, too, so it says nothing else."""
    command = [SQUAWK, "--reporter", "json", "--pg-version", "15", "--exclude", ",".join(EXCLUDED)]
    if "outside a transaction" not in migration.marks:
        command.append("--assume-in-transaction")
    run = subprocess.run(command, input=migration.sql, capture_output=True, text=True, timeout=60, check=False)
    return [(one["line"], one["rule_name"], one["message"]) for one in json.loads(run.stdout or "[]")]


def newest_release(repository: Path) -> str | None:
    """Return the newest tag of a version (v1.2.3) that this checkout comes after; None if there is none."""
    if not (repository / ".git").exists():
        return None
    tags = _git(repository, "tag", "--merged", "HEAD", "--list", "v[0-9]*", "--sort=-v:refname").split()
    return tags[0] if tags else None


def released(repository: Path, tag: str) -> dict[str, str]:
    """The migrations of a release: the text of each by its name."""
    files = _git(repository, "ls-tree", "-r", "--name-only", tag, "--", MIGRATIONS).split()
    return {Path(file).stem: _git(repository, "show", f"{tag}:{file}") for file in files if file.endswith(".sql")}


def _git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
