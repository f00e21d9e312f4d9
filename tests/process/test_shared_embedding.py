"""A service of several processes that searches by meaning: one process has the model, for all of them."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import httpx
import psutil
import pytest

from tests.process.fleet import Worker, children, kill
from tests.process.service import STOP_SECONDS, Service, alive, data_directory, until

API, JOB = 2, 2
OPTIONS = ("--workers", str(API), "--job-workers", str(JOB))
PROGRAM = "contentgen_adapters.embeddings.semantic.program"
BY_MEANING = {"query": "Getting warmth out of the outside air", "limit": 5}  # of heat pumps, in other words


@pytest.fixture(scope="module")
def several() -> Iterator[Service]:
    with data_directory() as directory:
        service = Service(directory, {"CONTENTGEN_EMBEDDINGS": "semantic"}, options=OPTIONS)
        try:
            service.start()
            until(lambda: understood(service), 60, service.log)
            yield service
        finally:
            service.close()


def understood(service: Service) -> bool:
    with service.client() as client:
        found = client.get("/kb/home-energy/stats")
        return found.status_code == 200 and found.json()["understood"] == found.json()["total"] > 0


def programs(service: Service | Worker) -> list[int]:
    """The processes that embed, whoever of the service or worker started them."""
    assert service.process is not None
    found = []
    for process in psutil.Process(service.process.pid).children(recursive=True):
        try:
            if PROGRAM in process.cmdline():
                found.append(process.pid)
        except (psutil.NoSuchProcess, psutil.ZombieProcess):
            continue
    return found


def asked_by(pid: int) -> int:
    """How many processes have asked a program."""
    try:
        return len(psutil.Process(pid).net_connections("unix")) - 1  # without the one that these come over
    except psutil.NoSuchProcess:
        return 0


def search(service: Service) -> list[str]:
    """On a connection of its own, so that any process may answer."""
    with service.client() as client:
        answer = client.post("/documents/search", json=BY_MEANING).raise_for_status().json()
        return [found["parentTitle"] for found in answer["results"]]


def test_all_processes_ask_one(several: Service) -> None:
    def all_have_asked() -> bool:
        assert "pump" in search(several)[0].lower()
        return [asked_by(pid) for pid in programs(several)] == [API + JOB]

    until(all_have_asked, 60, lambda: [(pid, asked_by(pid)) for pid in programs(several)])


def test_one_that_is_killed_comes_back_and_no_search_fails(several: Service) -> None:
    before = search(several)
    [killed] = programs(several)
    kill(killed)
    assert search(several) == before
    [pid] = programs(several)
    assert pid != killed


def test_a_process_that_is_killed_takes_nothing_from_the_others(several: Service) -> None:
    assert several.process is not None
    before = search(several)
    pids = programs(several)
    dying = children(several.process.pid)[0]
    kill(dying)

    def found() -> list[str]:
        try:
            return search(several)
        except httpx.TransportError:  # it was that process which had taken the connection
            return []

    until(lambda: found() == before, 30, several.log)
    until(lambda: len(set(children(several.process.pid)) - {dying}) == API + JOB, 30, several.log)
    assert programs(several) == pids


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_the_service(several: Service, number: signal.Signals) -> None:
    search(several)
    pids = programs(several)
    assert len(pids) == 1
    several.end(number)
    until(lambda: not any(map(alive, pids)), STOP_SECONDS, several.log)
    several.start()


def test_the_processes_of_a_worker_have_that_of_its_supervisor() -> None:
    with data_directory() as directory:
        service = Service(directory)  # without a model: all waits to be understood
        service.start()
        service.close()
        worker = Worker(directory, {"CONTENTGEN_EMBEDDINGS": "semantic"}, processes=2)
        try:
            worker.start()
            until(lambda: programs(worker), 60, worker.log)
            assert worker.process is not None
            assert [psutil.Process(pid).ppid() for pid in programs(worker)] == [worker.process.pid]
            [pid] = programs(worker)
        finally:
            worker.close()
        until(lambda: not alive(pid), STOP_SECONDS, worker.log)
