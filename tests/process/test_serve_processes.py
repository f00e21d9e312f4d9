"""`contentgen serve` as it starts by default: processes that answer requests, and others that do jobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import psutil
import pytest

from contentgen_http.processes.process_deaths import MOST_DEATHS
from tests.contract.test_metrics import figures
from tests.process.articles import ENDED, started, statuses, used
from tests.process.fleet import children, kill
from tests.process.service import STOP_SECONDS, Service, alive, connect, data_directory, run, until
from tests.support.model_server import ModelServer

API, JOB = 2, 2
OPTIONS = ("--workers", str(API), "--job-workers", str(JOB))
ARTICLES = 12


@pytest.fixture(scope="module")
def model_of_all() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def several(model_of_all: ModelServer) -> Iterator[Service]:
    with data_directory() as directory:
        service = Service(directory, model_of_all.environment, options=OPTIONS)
        try:
            service.start()
            yield service
        finally:
            service.close()


def processes(service: Service) -> list[int]:
    """Once all are there."""
    process = service.process
    assert process is not None
    return until(lambda: found if len(found := children(process.pid)) == API + JOB else None, 30, service.log)


def workers(service: Service) -> set[int]:
    """The processes that do the jobs under way, as they told the database."""
    with connect(service.data_dir) as database:
        names = database.execute("SELECT DISTINCT worker FROM jobs WHERE state = 'running'").fetchall()
    return {int(name.split("-")[-2]) for (name,) in names}


def listening(service: Service) -> set[int]:
    """The processes that accept connections at its port."""
    return {
        pid
        for pid in processes(service)
        if any(
            open_.status == "LISTEN" and open_.laddr.port == service.port
            for open_ in psutil.Process(pid).net_connections()
        )
    }


def test_jobs_are_done_by_processes_apart_from_those_that_answer(several: Service, model_of_all: ModelServer) -> None:
    model_of_all.delay = 1.0
    with several.client() as client:
        started(client, 2 * ARTICLES)
        found: set[int] = set()

        def all_at_work() -> bool:
            found.update(workers(several))
            return len(found) == JOB

        until(all_at_work, 30, lambda: found)
        assert found < set(processes(several))
        assert not found & listening(several)
        model_of_all.delay = 0.02
        until(lambda: set(statuses(client).values()) <= ENDED, 60, lambda: statuses(client))
        assert set(statuses(client).values()) == {"generated"}


def test_a_job_process_that_is_killed_loses_and_doubles_no_article(several: Service, model_of_all: ModelServer) -> None:
    model_of_all.delay = 1.0
    with several.client() as client:
        before = used(client)
        ids = started(client, ARTICLES)
        until(lambda: model_of_all.under_way() >= 4, 30, lambda: model_of_all.calls)
        busy = until(lambda: workers(several), 30, several.log)
        killed = busy.pop()
        kill(killed)
        model_of_all.delay = 0.02
        with connect(several.data_dir) as database:  # as if the time of its lease had gone by
            database.execute(
                "UPDATE jobs SET leased_until = now() WHERE state = 'running' AND worker LIKE %s", (f"%-{killed}-%",)
            )
        until(lambda: {statuses(client)[id] for id in ids} <= ENDED, 60, lambda: statuses(client))
        assert {statuses(client)[id] for id in ids} == {"generated"}
        assert used(client) - before == ARTICLES
    assert killed not in processes(several)
    assert len(listening(several)) == API
    with connect(several.data_dir) as database:
        assert database.execute("SELECT DISTINCT state FROM jobs").fetchall() == [("done",)]


def test_processes_without_a_redis_share_one_limit(several: Service) -> None:
    made = run("tenants", "create", "--name", "Small", "--plan", "free", "--json", data_dir=several.data_dir)
    key = httpx.Response(200, text=made.stdout).json()["apiKey"]
    with ExitStack() as stack:
        clients = [stack.enter_context(several.client(key)) for _ in range(12)]  # connections to both processes
        answers = [clients[n % 12].get("/tenant") for n in range(36)]
    limit = int(answers[0].headers["RateLimit-Limit"])
    left = [int(answer.headers["RateLimit-Remaining"]) for answer in answers]
    assert left[0] == limit - 1
    assert left[-1] <= limit - 18, "each process by itself would have counted half of what is left"


def test_a_scrape_tells_of_all_processes(several: Service) -> None:
    processes(several)

    def places() -> float:
        return figures(several.http.get("/metrics").text)["contentgen_job_places"]

    until(lambda: places() == 16 * JOB, 10, places)


def test_a_job_process_that_dies_again_and_again_is_told_by_health(several: Service) -> None:
    kept = max(set(processes(several)) - listening(several))
    assert several.http.get("/health").status_code == 200
    killed: set[int] = set()

    def is_told() -> bool:
        assert several.process is not None
        if len(found := children(several.process.pid)) == API + JOB:
            for pid in set(found) - {kept} - listening(several):
                kill(pid)
                killed.add(pid)
        return several.http.get("/health").status_code == 503

    until(is_told, 120, several.log)
    assert "has ended 5 times in a row" in several.http.get("/health").json()["detail"]
    assert len(killed) == MOST_DEATHS
    assert several.http.get("/ready").status_code == 200


def test_a_fork_server_that_is_killed_is_started_again_with_all_processes(several: Service) -> None:
    before = processes(several)
    [server] = {psutil.Process(pid).ppid() for pid in before}
    kill(server)
    until(lambda: not any(map(alive, before)), STOP_SECONDS, several.log)
    assert not set(processes(several)) & set(before)

    def ready() -> bool:
        try:  # connections wait until somebody accepts them
            return several.http.get("/ready").status_code == 200
        except httpx.TransportError:
            return False

    until(ready, 30, several.log)


def test_a_fork_server_that_is_killed_again_and_again_ends_nothing(several: Service) -> None:
    assert several.process is not None
    supervisor = several.process.pid

    def server() -> int | None:
        for child in psutil.Process(supervisor).children():
            with suppress(psutil.NoSuchProcess):  # a process that has just ended has no command line
                if "forkserver" in " ".join(child.cmdline()):
                    return child.pid
        return None

    killed: set[int] = set()
    for _ in range(3):
        following = until(lambda: pid if (pid := server()) not in killed else None, 30, several.log)
        kill(following)
        killed.add(following)

    def ready() -> bool:
        try:
            return several.http.get("/ready").status_code == 200
        except httpx.TransportError:
            return False

    until(ready, 60, several.log)
    assert several.process.poll() is None
    assert len(killed) == 3


def test_a_signal_ends_all_of_them_in_time_and_what_is_under_way_goes_on_after(
    several: Service, model_of_all: ModelServer
) -> None:
    model_of_all.delay = 30.0
    pids = processes(several)
    with several.client() as client:
        [id] = started(client, 1)
        until(lambda: workers(several), 30, several.log)
    several.end()
    assert several.process is not None
    assert several.process.returncode == 0
    assert not any(map(alive, pids))
    model_of_all.delay = 0.02
    several.start()
    with several.client() as client:
        until(lambda: statuses(client)[id] == "generated", 60, lambda: statuses(client))
    with connect(several.data_dir) as database:
        [(attempts,)] = database.execute("SELECT attempts FROM jobs ORDER BY id DESC LIMIT 1").fetchall()
    assert attempts == 1, f"an attempt that was handed back is not counted\n{several.log()}"


def test_processes_end_when_the_one_that_watches_them_is_killed(several: Service) -> None:
    pids = processes(several)
    several.kill()
    until(lambda: not any(map(alive, pids)), STOP_SECONDS, several.log)


def test_what_is_wrong_with_the_settings_is_told_by_the_process_that_found_it(data_dir: Path) -> None:
    ended = run("serve", *OPTIONS, "--port", "0", data_dir=data_dir, env={"CONTENTGEN_CONTENT_MODEL": "anthropic"})
    assert ended.returncode == 1
    assert "contentgen: The Anthropic writer has no key." in ended.stderr
