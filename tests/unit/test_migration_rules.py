"""What was released survives what comes after it: migrations after the newest tag, and the check of them itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from contentgen_adapters.postgres.migrate import Migration, load_migrations
from tests.support.migration_rules import MIGRATIONS, faults, newest_release, released, split

ROOT = Path(__file__).parents[2]
LAST_WITHOUT_TAG = "1.7.0"
"""The versions up to this one were cut from the history afterwards."""


def migration(sql: str) -> Migration:
    return Migration(99, "0099_sample", sql)


def test_every_migration_after_the_newest_release_leaves_the_released_version_working() -> None:
    tag = newest_release(ROOT)
    before = released(ROOT, tag) if tag else {m.name: m.sql for m in load_migrations()}
    new = [m for m in load_migrations() if m.name not in before]
    assert [fault for m in new for fault in faults(m)] == []
    last = max(int(name[:4]) for name in before)
    assert all(m.number > last for m in new)


def test_no_released_migration_was_changed_or_taken_away() -> None:
    tag = newest_release(ROOT)
    known = {m.name: m for m in load_migrations()}
    for name, sql in (released(ROOT, tag) if tag else {}).items():
        assert Migration(0, name, sql).checksum == known[name].checksum, name


def test_a_checkout_of_a_released_version_has_its_tags() -> None:
    """A shallow clone without tags would have nothing to compare with, and the two tests above could not fail."""
    [newest, *_] = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    if (ROOT / ".git").exists() and newest != LAST_WITHOUT_TAG:
        assert newest_release(ROOT) is not None, "fetch the tags: git fetch --tags --unshallow (or --depth with tags)"


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE things (id text PRIMARY KEY);\nCREATE INDEX things_id ON things (id);",
        "ALTER TABLE jobs ADD COLUMN note text;",
        "ALTER TABLE jobs ADD COLUMN tries integer NOT NULL DEFAULT 0;",
        "ALTER TABLE jobs ADD CONSTRAINT positive CHECK (tries > 0) NOT VALID;",
        "INSERT INTO niches (id) VALUES ('a; DROP TABLE x');",
        "CREATE TABLE counts (n integer);\nUPDATE counts SET n = 0;",
        "-- outside a transaction\nDROP INDEX CONCURRENTLY IF EXISTS i;\nCREATE INDEX CONCURRENTLY i ON jobs (kind);",
        "-- accepted: require-concurrent-index-creation: has a row a tenant, built in milliseconds\n"
        "CREATE INDEX i ON tenants (plan);",
        "-- Nobody has read it since 1.4.\n-- contract\nALTER TABLE jobs DROP COLUMN note;",
    ],
)
def test_additions_that_lock_nothing_for_long_pass(sql: str) -> None:
    assert faults(migration(sql)) == []


@pytest.mark.parametrize(
    ("sql", "rule"),
    [
        ("DROP TABLE jobs;", "ban-drop-table"),
        ("ALTER TABLE jobs DROP COLUMN note;", "ban-drop-column"),
        ("ALTER TABLE jobs RENAME COLUMN a TO b;", "renaming-column"),
        ("ALTER TABLE jobs RENAME TO tasks;", "renaming-table"),
        ("ALTER TABLE jobs ALTER COLUMN n TYPE bigint;", "changing-column-type"),
        ("ALTER TABLE jobs ALTER COLUMN n SET NOT NULL;", "adding-not-nullable-field"),
        ("ALTER TABLE jobs ADD COLUMN m integer NOT NULL;", "adding-required-field"),
        ("ALTER TABLE jobs ADD COLUMN m uuid DEFAULT gen_random_uuid();", "adding-field-with-default"),
        ("ALTER TABLE jobs ADD CONSTRAINT c CHECK (n > 0);", "constraint-missing-not-valid"),
        ("ALTER TABLE jobs ADD CONSTRAINT f FOREIGN KEY (n) REFERENCES y (id);", "adding-foreign-key-constraint"),
        ("ALTER TABLE jobs ADD UNIQUE (n);", "disallowed-unique-constraint"),
        ("ALTER TABLE jobs ALTER COLUMN n DROP DEFAULT;", "ban-drop-default"),
        ("CREATE INDEX i ON jobs (n);", "require-concurrent-index-creation"),
        ("CREATE INDEX CONCURRENTLY i ON jobs (n);", "ban-concurrent-index-creation-in-transaction"),
        ("DROP INDEX i;", "require-concurrent-index-deletion"),
        ("-- outside a transaction\nCREATE INDEX CONCURRENTLY i ON jobs (n);", "repeatable"),
        ("UPDATE jobs SET n = 1;", "whole-table"),
        ("DELETE FROM jobs;", "whole-table"),
        ("TRUNCATE jobs;", "unusual"),
        ("LOCK TABLE jobs;", "unusual"),
        ("DO $$ BEGIN DROP TABLE y; END $$;", "unusual"),
        ("CREATE TRIGGER t BEFORE INSERT ON jobs EXECUTE FUNCTION f();", "unusual"),
        ("VACUUM FULL jobs;", "unusual"),
        ("REVOKE ALL ON jobs FROM x;", "unusual"),
        ("this is no SQL;", "unusual"),
    ],
)
def test_what_the_version_before_would_not_survive_is_found(sql: str, rule: str) -> None:
    table = "" if sql.startswith("-- outside") else "-- A sample.\nCREATE TABLE harmless (id text PRIMARY KEY);\n\n"
    found = faults(migration(table + sql))
    assert any(f": {rule}: " in fault for fault in found), found
    assert not table or all("line 2:" not in fault for fault in found)


@pytest.mark.parametrize(
    "comment",
    [
        "-- squawk-ignore require-concurrent-index-creation",
        "-- accepted: require-concurrent-index-creation",
        "-- accepted: require-concurrent-index-creation: small",
        "-- accepted: ban-drop-table: another rule than the one that is broken",
    ],
)
def test_an_exception_needs_its_rule_and_a_reason(comment: str) -> None:
    assert faults(migration(f"{comment}\nCREATE INDEX i ON jobs (n);"))


def test_an_exception_holds_for_one_statement() -> None:
    accepted = "-- accepted: require-concurrent-index-creation: has a row a tenant, built in milliseconds\n"
    [fault] = faults(migration(f"{accepted}CREATE INDEX i ON tenants (plan);\nCREATE INDEX j ON jobs (n);"))
    assert "line 3" in fault


def test_semicolons_in_texts_comments_and_bodies_end_no_statement() -> None:
    sql = "-- a; b\nINSERT INTO t VALUES ('x;''y');\nDO $b$ BEGIN; END $b$; /* ; */ SELECT \"a;b\";"
    assert [s.text for s in split(sql)] == [
        "INSERT INTO t VALUES ('x;''y')", "DO $b$ BEGIN; END $b$", 'SELECT "a;b"',
    ]  # fmt: skip


def test_the_newest_release_and_its_files_are_found(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        named = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *named, *arguments], cwd=tmp_path, check=True, capture_output=True)

    assert newest_release(tmp_path) is None
    folder = tmp_path / MIGRATIONS
    folder.mkdir(parents=True)
    git("init", "-q")
    (folder / "0001_first.sql").write_text("SELECT 1;")
    git("add", "-A")
    git("commit", "-qm", "first")
    assert newest_release(tmp_path) is None
    for tag in ("v0.9.0", "v0.10.0", "other"):
        git("tag", tag)
    (folder / "0002_second.sql").write_text("SELECT 2;")
    git("add", "-A")
    git("commit", "-qm", "second")
    assert newest_release(tmp_path) == "v0.10.0"
    assert released(tmp_path, "v0.10.0") == {"0001_first": "SELECT 1;"}
