"""One service, several workers, a Redis between them: whatever dies, every job ends once and no quota is lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from contentgen_adapters.dramatiq.queue import DramatiqQueue
from contentgen_core.model.ids import JobId
from tests.process.articles import ENDED, generate, started, statuses, topics, used
from tests.process.fleet import Worker, kill
from tests.process.service import Service, alive, connect, figure, until
from tests.process.test_tenants import new_tenant
from tests.support.model_server import Call, ModelServer
from tests.support.redis_server import RedisServer

BOUNDED_SECONDS = 15.0  # of an end: 2 s of grace, what Redis takes, and a busy machine


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


@pytest.fixture
def fleet(
    data_dir: Path, model: ModelServer, redis: RedisServer
) -> Iterator[Callable[..., tuple[Service, list[Worker]]]]:
    """Starts a service with workers; they have ended when the test has."""
    with ExitStack() as stack:

        def start(workers: int = 1, **options: int) -> tuple[Service, list[Worker]]:
            env = model.environment | {"CONTENTGEN_REDIS_URL": redis.url}
            service = Service(data_dir, env)
            stack.callback(service.close)
            service.start()
            made = [Worker(data_dir, env, **options) for _ in range(workers)]
            for worker in made:
                stack.callback(worker.close)
                worker.start()
            return service, made

        yield start


def expire_leases_of_the_dead(database: psycopg.Connection[Any]) -> None:
    """As if half a minute had gone by. A worker's name has the number of its process in it."""
    for (worker,) in database.execute("SELECT DISTINCT worker FROM jobs WHERE state = 'running'").fetchall():
        if not alive(int(worker.rsplit("-", 2)[1])):
            database.execute(
                "UPDATE jobs SET leased_until = now() WHERE worker = %s AND state = 'running' AND leased_until > now()",
                (worker,),
            )


def all_ended(service: Service, client: httpx.Client, seconds: float = 90) -> dict[str, str]:
    """The status of each article, once none is under way. Leases of dead workers run out meanwhile."""

    def ended() -> dict[str, str] | None:
        with connect(service.data_dir) as database:
            expire_leases_of_the_dead(database)
        found = statuses(client)
        return found if set(found.values()) <= ENDED else None

    return until(ended, seconds, lambda: (statuses(client), jobs(service)))


def jobs(service: Service) -> list[tuple[str, int]]:
    """(state, attempts) of each job."""
    with connect(service.data_dir) as database:
        return database.execute("SELECT state, attempts FROM jobs ORDER BY id").fetchall()


def ids_of_jobs(service: Service) -> list[JobId]:
    with connect(service.data_dir) as database:
        return [JobId(id) for (id,) in database.execute("SELECT id FROM jobs ORDER BY id")]


def generated_once(service: Service, client: httpx.Client, ids: list[str]) -> None:
    """Every article that was accepted is there, its job done, its quota counted once."""
    found = all_ended(service, client)
    assert sorted(found) == sorted(ids)
    assert set(found.values()) == {"generated"}, found
    until(lambda: {state for state, _ in jobs(service)} == {"done"}, 10, lambda: jobs(service))
    assert len(jobs(service)) == len(ids)
    assert used(client) == len(ids)


def test_a_killed_worker_in_the_middle_of_fifty_generations_loses_and_doubles_nothing(
    fleet: Callable[..., tuple[Service, list[Worker]]], model: ModelServer
) -> None:
    model.delay = 1.0
    service, (doomed, other) = fleet(2, concurrency=25)
    with service.client() as client:
        ids = started(client, 50)
        until(lambda: model.answered("section") >= 6, 60, lambda: model.work())
        doomed.kill()
        model.delay = 0.05
        generated_once(service, client, ids)
    assert max(model.work().values()) <= 2, "an interruption costs at most the call that was under way"
    assert model.count("rewrite") == 0
    assert "Traceback" not in other.log() + service.log()


def test_a_relay_that_is_killed_while_it_sends_loses_and_doubles_nothing(
    fleet: Callable[..., tuple[Service, list[Worker]]], model: ModelServer, redis: RedisServer
) -> None:
    """The first worker does little and tells of much; what it told is done by the second."""
    model.delay = 0.3
    service, [relay] = fleet(1, concurrency=1)
    with service.client() as client, redis.client() as messages:
        ids = started(client, 10)
        until(lambda: messages.llen("contentgen:jobs") > 0, 30, relay.log)
        ids += [generate(client, niche, topic).json()["articleId"] for niche, topic in topics(30)[10:]]
        relay.kill()
        second = Worker(service.data_dir, relay.env, concurrency=8)
        try:
            second.start()
            model.delay = 0.02
            generated_once(service, client, ids)
        finally:
            second.close()
    assert max(model.work().values()) <= 2


def test_messages_that_come_twice_through_two_relays_are_done_once(
    fleet: Callable[..., tuple[Service, list[Worker]]], model: ModelServer, redis: RedisServer
) -> None:
    model.delay = 0.2
    service, _ = fleet(2, concurrency=4)
    queue = DramatiqQueue(redis.url)
    with service.client() as client:
        ids = started(client, 16)
        asyncio.run(queue.send(2 * ids_of_jobs(service)))
        generated_once(service, client, ids)
        asyncio.run(queue.send(ids_of_jobs(service)))
        until(lambda: asyncio.run(queue.waiting()) == 0, 30, "an empty queue")
        generated_once(service, client, ids)
    queue.close()
    assert set(model.work().values()) == {1}
    assert {attempts for _, attempts in jobs(service)} == {1}


def test_a_redis_that_stops_stops_nothing(
    fleet: Callable[..., tuple[Service, list[Worker]]], model: ModelServer, redis: RedisServer
) -> None:
    model.delay = 0.3
    service, [worker] = fleet(1, concurrency=4)
    slowest, ids = 0.0, []
    with service.client() as client:

        def start(chosen: list[tuple[str, str]]) -> None:
            nonlocal slowest
            for niche, topic in chosen:
                began = time.monotonic()
                answer = generate(client, niche, topic)
                slowest = max(slowest, time.monotonic() - began)
                assert answer.status_code == 200, answer.text
                ids.append(answer.json()["articleId"])

        start(topics(8))
        until(lambda: model.answered("section") > 0, 30, lambda: model.work())
        redis.stop()
        away = time.monotonic()
        start(topics(14)[8:])
        generated_once(service, client, ids)
        figure(f"all that was asked for before and after Redis went was there {time.monotonic() - away:.1f} s later")
        redis.start()
        until(lambda: "the queue of jobs is back" in worker.log(), 30, worker.log)
        until(lambda: statuses(client) and "the shared limits are back" in service.log(), 30, service.log)
        start(topics(20)[14:])
        generated_once(service, client, ids)
    figure(f"slowest request {slowest:.2f} s")
    assert service.log().count("the shared limits are away") == 1
    assert max(model.work().values()) == 1
    assert {attempts for _, attempts in jobs(service)} == {1}


def test_a_redis_that_forgot_its_messages_is_told_them_again(
    fleet: Callable[..., tuple[Service, list[Worker]]], model: ModelServer, redis: RedisServer
) -> None:
    model.delay = 0.5
    service, _ = fleet(1, concurrency=1)
    with service.client() as client, redis.client() as messages:
        ids = started(client, 5)
        # A tenant's share of one place is one job: another's waits as a message meanwhile.
        with service.client(new_tenant(service, "pro")["apiKey"]) as other:
            theirs = [generate(other, "home-energy", topic).json()["articleId"] for _, topic in topics(1)]
            until(lambda: messages.llen("contentgen:jobs") > 0, 30, lambda: jobs(service))
            messages.flushall()
            assert all_ended(service, client) == dict.fromkeys(ids, "generated")
            assert all_ended(service, other) == dict.fromkeys(theirs, "generated")
        until(lambda: {state for state, _ in jobs(service)} == {"done"}, 10, lambda: jobs(service))
    assert {attempts for _, attempts in jobs(service)} == {1}


def test_a_database_that_is_killed_under_load_costs_no_article(
    fleet: Callable[..., tuple[Service, list[Worker]]], model: ModelServer
) -> None:
    model.delay = 0.5
    service, _ = fleet(2, concurrency=8)
    with service.client() as client:
        ids = started(client, 20)
        until(lambda: model.answered("section") >= 4, 60, lambda: model.work())
        first = service.postmaster()
        assert first is not None
        kill(first)
        until(lambda: service.postmaster() not in (None, first), 30, service.logs)
        until(lambda: client.get("/tenant").status_code == 200, 30, service.logs)
        generated_once(service, client, ids)
    assert max(model.work().values()) <= 4


def test_a_job_that_kills_its_worker_fails_and_the_rest_goes_on(
    fleet: Callable[..., tuple[Service, list[Worker]]], model: ModelServer
) -> None:
    service, [worker] = fleet(1, concurrency=2)
    (niche, poison), *others = topics(13)

    def deadly(call: Call) -> None:
        if call.kind == "plan" and call.topic == poison:
            for pid in worker.pids:
                kill(pid)

    model.failing = deadly
    model.delay = 0.3
    with service.client() as client:
        poisoned = generate(client, niche, poison).json()["articleId"]
        ids = [generate(client, n, topic).json()["articleId"] for n, topic in others]
        found = all_ended(service, client)
        assert found.pop(poisoned) == "failed"
        assert sorted(found) == sorted(ids)
        assert set(found.values()) == {"generated"}, (found, jobs(service))
        assert used(client) == len(ids), "the failed one gave its quota back"
        assert "its process died with it" in client.get(f"/writer/{poisoned}").json()["error"]
    kills = model.work()["plan", poison, ""]
    assert 3 <= kills <= 5, "three that it caused alone, and those in which another was at work beside it"
    assert sorted({state for state, _ in jobs(service)}) == ["done", "failed"]
    assert worker.log().count("a process ended and is started again") == kills


def test_a_worker_that_is_told_to_stop_under_load_loses_and_doubles_nothing(
    fleet: Callable[..., tuple[Service, list[Worker]]], model: ModelServer
) -> None:
    model.delay = 1.5
    service, (leaving, _) = fleet(2, concurrency=8)
    with service.client() as client:
        ids = started(client, 24)
        until(lambda: model.answered("plan") >= 8, 60, lambda: model.work())
        took = leaving.terminate()
        figure(f"the worker ended {took:.1f} s after SIGTERM")
        assert took < BOUNDED_SECONDS
        model.delay = 0.05
        generated_once(service, client, ids)
    assert {attempts for _, attempts in jobs(service)} == {1}, "what was handed back is not counted"
    assert max(model.work().values()) <= 2
    assert "Traceback" not in leaving.log()
