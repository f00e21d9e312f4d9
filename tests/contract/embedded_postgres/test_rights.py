"""What the service, PostgreSQL and whoever reads their files may do."""

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import LiteralString

import psutil
import psycopg
import pytest
from psycopg import sql

from contentgen_adapters.postgres.embedded import EmbeddedPostgres, EmbeddedPostgresError, programs, server
from contentgen_adapters.postgres.embedded.cluster import Binaries, find_binaries, server_user
from contentgen_adapters.postgres.migrate import migrate
from tests.contract.embedded_postgres.clusters import end_all_on, processes_on, query
from tests.support.superuser import as_superuser


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT pg_read_file('/etc/hostname')",
        "SELECT pg_ls_dir('.')",
        "COPY (SELECT 1) TO PROGRAM 'cat'",
        "COPY jobs FROM '/etc/hostname'",
        "ALTER SYSTEM SET fsync = off",
        "SET session_replication_role = replica",
        "SET SESSION AUTHORIZATION app",
        "SET ROLE app",
        "CREATE ROLE another SUPERUSER",
        "ALTER ROLE contentgen SUPERUSER",
    ],
)
def test_the_service_has_no_rights_on_server_and_files(postgres_conninfo: str, statement: LiteralString) -> None:
    with (
        psycopg.connect(postgres_conninfo, autocommit=True) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement)


def test_a_database_of_before_is_given_to_the_service(users: Callable[[], EmbeddedPostgres]) -> None:
    server = users()
    conninfo = server.start()
    migrate(conninfo)
    with psycopg.connect(as_superuser(conninfo), autocommit=True) as connection:
        connection.execute("ALTER DATABASE contentgen OWNER TO app")
        connection.execute("CREATE TYPE shade AS ENUM ('light')")
        connection.execute("CREATE VIEW shades AS SELECT 'light'::shade AS shade")
        for (table,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall():
            connection.execute(sql.SQL("ALTER TABLE {} OWNER TO app").format(sql.Identifier(table)))
        for (routine,) in connection.execute(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        ).fetchall():
            connection.execute(f"ALTER ROUTINE {routine} OWNER TO app")
    server.stop()
    assert users().start() == conninfo
    owned = (
        "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public' UNION"
        " SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = 'public'::regnamespace UNION"
        " SELECT DISTINCT pg_get_userbyid(proowner) FROM pg_proc WHERE pronamespace = 'public'::regnamespace UNION"
        " SELECT DISTINCT pg_get_userbyid(typowner) FROM pg_type WHERE typnamespace = 'public'::regnamespace UNION"
        " SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'contentgen'"
    )
    with psycopg.connect(conninfo) as connection:
        assert connection.execute(owned).fetchall() == [("contentgen",)]
    assert migrate(conninfo) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="about what root alone meets: PostgreSQL refuses to run as root")
class TestAsRoot:
    def test_the_server_runs_as_someone_else_even_below_a_closed_directory(
        self, data_dir: Path, users: Callable[[], EmbeddedPostgres]
    ) -> None:
        data_dir.chmod(0o700)
        assert data_dir.stat().st_uid == 0
        assert query(users().start(), "SELECT 1") == (1,)
        _, *server = processes_on(data_dir)
        assert users_of(server) == {(data_dir / "postgres").stat().st_uid}
        assert 0 not in users_of(server)
        assert capabilities_of(server) == {0}
        assert (data_dir.stat().st_uid, data_dir.stat().st_mode & 0o777) == (0, 0o700)

    def test_programs_below_a_closed_directory_are_copied_to_where_they_can_be_run(
        self, data_dir: Path, users: Callable[[], EmbeddedPostgres], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        closed, place = tmp_path / "closed", data_dir.parent / f"{data_dir.name}-place"
        found = find_binaries()[max(find_binaries())]
        shutil.copytree(found.bin.parent, closed / "pginstall", ignore=shutil.ignore_patterns("include"))
        closed.chmod(0o700)
        place.mkdir(mode=0o755)
        monkeypatch.setattr(programs, "PLACES", (tmp_path / "none", closed, place))
        monkeypatch.setattr(
            server, "find_binaries", lambda: {found.major: Binaries(closed / "pginstall" / "bin", found.major)}
        )
        try:
            for _ in range(2):
                user = users()
                assert query(user.start(), "SELECT 1") == (1,)
                _, *processes = processes_on(data_dir)
                assert Path(processes[0].exe()).parents[2] == place
                assert capabilities_of(processes) == {0}
                user.stop()
            assert len(list(place.iterdir())) == 1
        finally:
            end_all_on(data_dir)
            shutil.rmtree(place)

    def test_a_backup_restored_with_owner_and_mode_of_root_is_taken_back(
        self, data_dir: Path, users: Callable[[], EmbeddedPostgres]
    ) -> None:
        cluster = data_dir / "postgres"
        for path in (cluster, *cluster.rglob("*")):
            os.chown(path, 0, 0)
        cluster.chmod(0o755)
        assert query(users().start(), "SELECT 1") == (1,)

    @pytest.mark.parametrize("given_before", [0, 1, 10, 500])
    def test_a_start_that_ended_while_it_took_a_backup_back_is_made_good_by_the_next(
        self, data_dir: Path, users: Callable[[], EmbeddedPostgres], monkeypatch: pytest.MonkeyPatch, given_before: int
    ) -> None:
        paths = (data_dir / "postgres", *(data_dir / "postgres").rglob("*"))
        for path in paths:
            os.chown(path, 0, 0)
        given = iter(range(given_before))
        user = server_user(data_dir / "postgres")

        def ends(path: Path, uid: int, gid: int, *, follow_symlinks: bool) -> None:
            if next(given, None) is None:
                raise KeyboardInterrupt
            chown(path, uid, gid, follow_symlinks=follow_symlinks)

        chown = os.chown
        with monkeypatch.context() as patched:
            patched.setattr(os, "chown", ends)
            with pytest.raises(KeyboardInterrupt):
                users().start()
        assert query(users().start(), "SELECT 1") == (1,)
        assert {path.stat().st_uid for path in paths if path.exists()} == {user.uid}

    def test_where_nothing_can_be_copied_the_error_says_what_to_do(
        self, users: Callable[[], EmbeddedPostgres], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = find_binaries()[max(find_binaries())]
        (tmp_path / "pginstall").symlink_to(found.bin.parent)
        tmp_path.chmod(0o700)
        monkeypatch.setattr(programs, "PLACES", ())
        closed = Binaries(tmp_path / "pginstall" / "bin", found.major)
        monkeypatch.setattr(server, "find_binaries", lambda: {found.major: closed})
        with pytest.raises(EmbeddedPostgresError, match="Run contentgen as an ordinary user"):
            users().start()


def users_of(processes: list[psutil.Process]) -> set[int]:
    """All user ids of all of them."""
    ids: set[int] = set()
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):  # some end soon after a start
            ids |= set(process.uids())
    return ids


def capabilities_of(processes: list[psutil.Process]) -> set[int]:
    """All sets of all of them but the bounding set, which gives nothing."""
    lines: list[str] = []
    for process in processes:
        with contextlib.suppress(FileNotFoundError):  # some end soon after a start
            lines += Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return {int(line.split()[1], 16) for line in lines if line.startswith(("CapEff", "CapPrm", "CapInh", "CapAmb"))}
