"""Starting on what is there: a full data directory, a damaged one, a wrong one, a port that is taken."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPResponse
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg.rows import TupleRow

from tests.process.articles import generate, problem, statuses
from tests.process.service import ONE_PROCESS, Service, connect, data_directory, figure, free_port, run, until

AGENT = "home-energy-GB"
TOPIC = "Choosing a heat pump for an older house"
HEALTHY_SECONDS = 15.0  # 4 s where nothing else runs


@pytest.fixture(scope="module")
def filled() -> Iterator[Path]:
    """The data directory of a demo that was stopped; tests work on copies."""
    with data_directory() as directory:
        service = Service(directory, installed=True)
        try:
            service.start()
            service.interrupt()
        finally:
            service.close()
        yield directory


@pytest.fixture
def copied(filled: Path, data_dir: Path) -> Path:
    shutil.copytree(filled, data_dir, ignore=shutil.ignore_patterns("postgres.socket", "postgres.locks"))
    return data_dir


def refusal(data_dir: Path, *options: str) -> str:
    """What `serve` says, in one message, when it cannot start."""
    ended = run("serve", "--port", str(free_port()), *options, data_dir=data_dir)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr
    said = [line for line in ended.stderr.splitlines() if line.startswith("contentgen: ")]
    assert len(said) == 1, ended.stderr
    return ended.stderr


def covered(client: httpx.Client, topic: str = TOPIC) -> httpx.Response:
    return client.post("/writer/check-kb-coverage", json={"agentKey": AGENT, "topic": topic})


def test_a_start_on_what_is_there_answers_within_seconds(copied: Path, serve: Callable[..., Service]) -> None:
    service = serve(installed=True)
    seconds = service.start("/health", HEALTHY_SECONDS)
    figure(f"/health answered {seconds:.2f} s after the start on an existing data directory")
    until(lambda: service.http.get("/ready").status_code == 200, HEALTHY_SECONDS, service.log)
    assert {name: part["state"] for name, part in service.http.get("/ready").json()["parts"].items()} == {
        "database": "up",
        "embeddings": "up",
        "index": "up",
        "objects": "up",
        "sealingKeys": "up",
        "threads": "up",
    }
    with service.client() as client:
        assert covered(client).json()["coverage"]["sourcesFound"] > 0
    assert service.demo_key in service.log()


@pytest.mark.parametrize("options", [ONE_PROCESS, ()])
def test_while_it_starts_it_says_that_it_is_alive_and_all_else_waits(
    copied: Path, serve: Callable[..., Service], options: tuple[str, ...]
) -> None:
    service = serve(installed=True)
    service.options = list(options)
    service.start("/health", HEALTHY_SECONDS)
    with ExitStack() as stack:
        probe, client, silent = (
            stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=60)) for _ in range(3)
        )
        at_first = asked(probe, "/health")
        assert asked(client, "/")[0] == "200"  # by the application, which it waited for
        assert asked(probe, "/health") == asked(client, "/health") == asked(silent, "/health") == at_first


@pytest.mark.parametrize("options", [ONE_PROCESS, ()])
def test_stopped_while_it_starts_it_ends_tidily_at_any_moment(
    copied: Path, serve: Callable[..., Service], options: tuple[str, ...]
) -> None:
    service = serve(installed=True)
    service.options = list(options)
    for later in (0.0, 0.7, 1.5):
        service.start("/health", HEALTHY_SECONDS)
        time.sleep(later)
        service.end()
        assert service.process is not None
        assert service.process.returncode == 0, service.log()
    assert "Traceback" not in service.log()
    service.start()


def asked(connection: socket.socket, path: str) -> list[str]:
    """The status, the headers but for the time, and the body."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\nX-Request-Id: mine\r\n\r\n".encode())
    answer = HTTPResponse(connection)
    answer.begin()
    headers = [f"{name}: {value}" for name, value in answer.getheaders() if name != "date"]
    return [str(answer.status), *headers, answer.read().decode()]


def test_a_port_in_use_is_one_line_that_names_the_option(data_dir: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = run("serve", "--port", str(port), data_dir=data_dir)
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert str(port) in ended.stderr
    assert "--port" in ended.stderr
    assert not data_dir.exists(), "nothing was made"


@pytest.mark.parametrize("file", ["PG_VERSION", "global/pg_control"])
def test_a_damaged_database_is_told_and_left_as_it_is(copied: Path, file: str) -> None:
    damaged = copied / "postgres" / file
    damaged.write_bytes(b"\xff garbage " * 500)
    said = refusal(copied)
    assert str(copied / "postgres") in said
    assert "backup" in said
    assert damaged.read_bytes().startswith(b"\xff garbage")
    for command in (["migrate"], ["kb", "reindex"], ["tenants", "create", "--name", "A", "--plan", "free"]):
        ended = run(*command, data_dir=copied)
        assert ended.returncode == 1
        assert "backup" in ended.stderr
        assert "Traceback" not in ended.stderr


def test_a_damaged_index_is_told_and_rebuilt_beside_the_running_service(
    copied: Path, serve: Callable[..., Service]
) -> None:
    for path in (copied / "index").rglob("*"):
        if path.is_file():
            path.write_bytes(b"garbage" * 100)
    service = serve(installed=True)
    service.start("/health", HEALTHY_SECONDS)
    parts = problem(until_away(service), 503)["parts"]
    assert parts["database"]["state"] == "up"
    assert parts["index"]["state"] == "away"
    with service.client() as client:
        refused = problem(covered(client), 503)
        assert "contentgen kb reindex" in refused["detail"]
        assert statuses(client) == {}
        rebuilt = run("kb", "reindex", data_dir=copied)
        assert rebuilt.returncode == 0, rebuilt.stderr
        assert "indexed" in rebuilt.stdout
        until(lambda: service.http.get("/ready").status_code == 200, 15, lambda: service.http.get("/ready").text)
        assert covered(client).json()["coverage"]["sourcesFound"] > 0
        id = generate(client, "home-energy", TOPIC).json()["articleId"]
        until(lambda: client.get(f"/writer/{id}").json()["status"] == "generated", 60, client.get(f"/writer/{id}").text)
        assert client.get(f"/writer/{id}").json()["sources"]


def until_away(service: Service) -> httpx.Response:
    def away() -> httpx.Response | None:
        answer = service.http.get("/ready")
        return answer if answer.status_code == 503 and "reindex" in answer.text else None

    return until(away, 15, lambda: service.http.get("/ready").text)


def test_an_index_that_is_gone_comes_back_by_itself(copied: Path, serve: Callable[..., Service]) -> None:
    shutil.rmtree(copied / "index")
    service = serve(installed=True)
    service.start("/health", HEALTHY_SECONDS)
    with service.client() as client:
        until(lambda: covered(client).status_code == 200, 30, lambda: covered(client).text)  # 503 until it is whole
        assert covered(client).json()["coverage"]["sourcesFound"] > 0


def test_a_file_in_the_place_of_the_index_is_told_until_it_is_removed(
    copied: Path, serve: Callable[..., Service]
) -> None:
    index = copied / "index"
    shutil.rmtree(index)
    index.write_bytes(b"garbage")
    service = serve(installed=True)
    service.start("/health", HEALTHY_SECONDS)
    with service.client() as client:
        parts = problem(service.http.get("/ready"), 503)["parts"]
        assert (parts["database"]["state"], parts["index"]["state"]) == ("up", "away")
        assert str(index) in problem(covered(client), 503)["detail"]
        assert str(index) in run("kb", "reindex", data_dir=copied).stderr
        index.unlink()
        rebuilt = run("kb", "reindex", data_dir=copied)
        assert rebuilt.returncode == 0, rebuilt.stderr
        until(lambda: service.http.get("/ready").status_code == 200, 30, lambda: service.http.get("/ready").text)
        until(lambda: covered(client).status_code == 200, 30, lambda: covered(client).text)  # 503 until it is whole
        assert covered(client).json()["coverage"]["sourcesFound"] > 0


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_where_the_data_directory_should_be_is_told(data_dir: Path, below: str) -> None:
    data_dir.write_text("a file")
    said = refusal(data_dir / below)
    assert str(data_dir) in said
    assert data_dir.read_text() == "a file"


def test_a_data_directory_that_is_missing_is_made_where_the_database_is_elsewhere(
    copied: Path, serve: Callable[..., Service]
) -> None:
    keys = {"CONTENTGEN_SECRET_KEY": (copied / "secret.key").read_text().strip()}
    keys["CONTENTGEN_SEALING_KEYS"] = (copied / "sealing.key").read_text().strip()
    with_database = serve(keys, installed=True)
    with_database.start()
    with connect(copied) as database:
        url = f"postgresql:///{database.info.dbname}?host={database.info.host}&user={database.info.user}"
    missing = copied.parent / "missing"
    service = Service(missing, {**keys, "CONTENTGEN_DATABASE_URL": url}, installed=True)
    try:
        service.start()
        assert (missing / "demo.key").exists()
    finally:
        service.close()


def test_a_place_that_cannot_be_written_is_told() -> None:
    # Where nobody can make a directory, root included.
    assert "/proc/contentgen" in refusal(Path("/proc/contentgen"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "INSERT INTO schema_migrations (number, name, checksum, contract)"
            " VALUES (9999, '9999_of_the_future', 'x', true)",
            ("newer", "Update contentgen"),
        ),
        ("UPDATE schema_migrations SET checksum = 'another' WHERE number = 1", ("0001_foundation", "never changes")),
    ],
)
def test_a_database_of_another_version_is_refused_by_every_command(
    copied: Path, serve: Callable[..., Service], change: str, told: tuple[str, ...]
) -> None:
    service = serve(demo=False, installed=True)
    service.start("/ready", HEALTHY_SECONDS)
    with connect(copied) as database:
        database.execute(change)
    service.interrupt()
    for said in (refusal(copied), run("migrate", data_dir=copied).stderr):
        assert all(part in said for part in told), said
        assert len(said.splitlines()) == 1


def _emptied(database: psycopg.Connection[TupleRow]) -> bool:
    try:
        database.execute("DROP SCHEMA public CASCADE")
    except psycopg.errors.DeadlockDetected:
        return False
    database.execute("CREATE SCHEMA public")
    return True


def test_a_database_of_an_older_version_is_migrated_at_the_start(copied: Path, serve: Callable[..., Service]) -> None:
    service = serve(demo=False, installed=True)
    service.start("/ready", HEALTHY_SECONDS)
    with connect(copied) as database:
        # The oldest of all: one that no version has migrated yet. The service is at work on it meanwhile.
        until(lambda: _emptied(database), 20, "the database is empty")
    service.interrupt()
    service.start()
    with connect(copied) as database:
        known = database.execute("SELECT name FROM schema_migrations ORDER BY number").fetchall()
    assert known[0] == ("0001_foundation",)
    made = run("tenants", "create", "--name", "A", "--plan", "free", "--json", data_dir=copied)
    assert made.returncode == 0, made.stderr
