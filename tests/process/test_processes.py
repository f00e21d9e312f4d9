"""Several processes behind one address, and workers without a Redis."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.process.articles import ENDED, started, statuses
from tests.process.fleet import Worker, children, kill
from tests.process.service import (
    CONTENTGEN,
    START_SECONDS,
    STOP_SECONDS,
    Service,
    alive,
    data_directory,
    environment,
    figure,
    run,
    until,
)
from tests.support.redis_server import RedisServer

PROCESSES = 3


@pytest.fixture(scope="module")
def several() -> Iterator[Service]:
    with RedisServer() as redis, data_directory() as directory:
        service = Service(directory, {"CONTENTGEN_REDIS_URL": redis.url}, options=["--workers", str(PROCESSES)])
        try:
            service.start()
            until(lambda: len(api_processes(service)) == PROCESSES, START_SECONDS, service.log)
            yield service
        finally:
            service.close()


def api_processes(service: Service) -> list[int]:
    assert service.process is not None
    return children(service.process.pid)


def all_api_processes(service: Service) -> list[int]:
    """Once all have begun: the service is ready with the first."""
    until(lambda: len(api_processes(service)) == PROCESSES, START_SECONDS, service.log)
    return api_processes(service)


def test_a_revoked_key_stops_in_every_process_within_a_second(several: Service) -> None:
    made = run("tenants", "create", "--name", "Short", "--plan", "business", "--json", data_dir=several.data_dir)
    tenant = httpx.Response(200, text=made.stdout).json()
    with ExitStack() as stack:
        # Each keeps its connection, and so its process; enough of them that every process has some.
        clients = [stack.enter_context(several.client(tenant["apiKey"])) for _ in range(40)]
        assert {client.get("/tenant").status_code for client in clients} == {200}
        listed = run("keys", "list", "--tenant", tenant["tenantId"], "--json", data_dir=several.data_dir)
        [key] = httpx.Response(200, text=listed.stdout).json()
        revoked = run("keys", "revoke", key["id"], "--tenant", tenant["tenantId"], data_dir=several.data_dir)
        assert revoked.returncode == 0, revoked.stderr
        done = time.monotonic()
        for client in clients:
            client.get("/tenant")  # what was believed of the key may still be
        time.sleep(max(0.0, 1 - (time.monotonic() - done)))
        assert {client.get("/tenant").status_code for client in clients} == {401}


def test_processes_share_one_limit(several: Service) -> None:
    made = run("tenants", "create", "--name", "Small", "--plan", "free", "--json", data_dir=several.data_dir)
    key = httpx.Response(200, text=made.stdout).json()["apiKey"]
    with ExitStack() as stack:
        clients = [stack.enter_context(several.client(key)) for _ in range(12)]
        answers = [clients[n % 12].get("/tenant") for n in range(36)]
    limit = int(answers[0].headers["RateLimit-Limit"])
    left = [int(answer.headers["RateLimit-Remaining"]) for answer in answers]
    # Each request takes one, whichever process answers; some tokens come back meanwhile.
    assert left[0] == limit - 1
    assert left[-1] <= limit - 18, "each process by itself would have counted a third"


def test_a_killed_process_is_started_again_while_the_others_answer(several: Service) -> None:
    before = api_processes(several)
    kill(before[0])
    with several.client() as client:
        for _ in range(20):
            assert client.get("/tenant").status_code == 200
    until(lambda: len(api_processes(several)) == PROCESSES, START_SECONDS, several.log)
    assert set(api_processes(several)) - set(before)


def test_a_signal_ends_all_of_them_in_time_and_frees_the_port(several: Service) -> None:
    pids = all_api_processes(several)
    figure(f"{PROCESSES} processes ended {several.end():.1f} s after SIGTERM")
    assert several.process is not None
    assert several.process.returncode == 0
    assert not any(map(alive, pids))
    with pytest.raises(httpx.ConnectError):
        several.http.get("/health")
    assert "Traceback" not in several.log()
    several.start()


def test_processes_end_when_the_one_that_watches_them_is_killed(several: Service) -> None:
    pids = all_api_processes(several)
    several.kill()
    until(lambda: not any(map(alive, pids)), STOP_SECONDS, several.log)
    several.start()


def test_a_worker_without_a_redis_claims_from_the_database(several: Service, data_dir: Path) -> None:
    """Beside a service that does none itself, since that one has a Redis; this worker has none and needs none."""
    worker = Worker(several.data_dir, {}, processes=2)
    try:
        worker.start()
        until(lambda: len(worker.pids) == 2, START_SECONDS, worker.log)
        with several.client() as client:
            started(client, 4)
            until(lambda: set(statuses(client).values()) <= ENDED, 60, lambda: (statuses(client), worker.log()[-3000:]))
            assert set(statuses(client).values()) == {"generated"}
    finally:
        worker.close()


def refusal(*arguments: str, data_dir: Path, **env: str) -> str:
    ended = run(*arguments, data_dir=data_dir, env=env)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    [line] = [line for line in ended.stderr.splitlines() if line.startswith("contentgen: ")]
    assert "Traceback" not in ended.stderr
    return line


def test_a_worker_without_a_database_is_told_what_it_lacks(data_dir: Path) -> None:
    said = refusal("worker", data_dir=data_dir)
    assert "CONTENTGEN_DATABASE_URL" in said
    assert str(data_dir) in said
    assert not data_dir.exists()


@pytest.mark.parametrize("url", ["localhost:6379", "http://cache:6379", "redis://:s3cret-word@cache:port/0"])
@pytest.mark.parametrize("command", ["worker", "serve"])
def test_an_address_that_is_no_redis_is_told(data_dir: Path, command: str, url: str) -> None:
    (data_dir / "postgres").mkdir(parents=True)
    said = refusal(command, data_dir=data_dir, CONTENTGEN_REDIS_URL=url)
    assert "CONTENTGEN_REDIS_URL" in said
    assert "s3cret-word" not in said


@pytest.mark.parametrize(
    "arguments",
    [["worker", "--processes", "0"], ["worker", "--concurrency", "1001"], ["serve", "--workers", "65"]],
)
def test_numbers_out_of_bounds_are_told(arguments: list[str], data_dir: Path) -> None:
    ended = subprocess.run(
        [CONTENTGEN, *arguments, "--data-dir", str(data_dir)],
        env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert arguments[1] in ended.stderr
    assert not data_dir.exists()
