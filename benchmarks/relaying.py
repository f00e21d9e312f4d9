"""Measure how fast jobs enqueued in the database reach the queue that workers listen to."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Final

import redis
from tests.support.redis_server import RedisServer

from benchmarks.installation import installation
from benchmarks.instant_model import InstantModel
from benchmarks.processes import data_directory
from benchmarks.report import Figure, at_least
from contentgen_adapters.dramatiq.queue import NAMESPACE, QUEUE, DramatiqQueue
from contentgen_adapters.runtime import Uuid7Ids
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.use_cases.dispatch import BATCH, DispatchJobs
from contentgen_http.services import Services

DESCRIPTION: Final = "the relay: jobs a second from the table to the queue"

JOBS: Final = 5_000
ROUNDS: Final = 3
TARGET: Final = 1_000.0


def run() -> list[Figure]:
    with data_directory() as folder, RedisServer() as server:
        return asyncio.run(_run(folder, server))


async def _run(folder: Path, server: RedisServer) -> list[Figure]:
    queue = DramatiqQueue(server.url)
    async with installation(folder, InstantModel(), 0) as here:
        caller = await here.tenant()
        speeds, pairs, bare = [], [], []
        for _ in range(ROUNDS):
            speeds.append(await _relayed(here.services, caller, queue, server, relays=1))
            pairs.append(await _relayed(here.services, caller, queue, server, relays=2))
            bare.append(await _sent(queue, server))
    queue.close()
    return [
        at_least(
            f"one relay, {JOBS:,} due jobs in batches of {BATCH}",
            median(speeds),
            TARGET,
            "/s",
            product=f"{median(speeds):,.0f} jobs/s",
            reference=f"{median(bare):,.0f} jobs/s (the same messages sent by Dramatiq's broker alone)",
        ),
        Figure("two relays at once, in one process", f"{median(pairs):,.0f} jobs/s", "", "", "(information)"),
    ]


async def _relayed(services: Services, caller: Caller, queue: DramatiqQueue, server: RedisServer, relays: int) -> float:
    await _enqueued(services, caller)
    relay = DispatchJobs(services.ports.unit_of_work, queue, services.ports.clock)
    with _drained(server) as arrived:
        begun = time.perf_counter()

        async def relaying() -> None:
            while sum(arrived) < JOBS:
                if len(await relay()) < BATCH:
                    await asyncio.sleep(0.005)

        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            for _ in range(relays):
                group.create_task(relaying())
        seconds = time.perf_counter() - begun
    assert sum(arrived) == JOBS, "each job is told of once"
    now = services.ports.clock.now()
    async with services.ports.unit_of_work() as tx:
        assert len(await tx[Jobs].claim("benchmark", frozenset(JobKind), now, now + timedelta(hours=1), JOBS)) == JOBS
    return JOBS / seconds


async def _sent(queue: DramatiqQueue, server: RedisServer) -> float:
    with _drained(server) as arrived:
        begun = time.perf_counter()
        for first in range(0, JOBS, BATCH):
            await queue.send([JobId(str(number)) for number in range(first, first + BATCH)])
        seconds = time.perf_counter() - begun
        while sum(arrived) < JOBS:  # noqa: ASYNC110 - a thread counts
            await asyncio.sleep(0.01)
    return JOBS / seconds


async def _enqueued(services: Services, caller: Caller) -> None:
    ids, now = Uuid7Ids(), services.ports.clock.now()
    for _ in range(0, JOBS, 500):
        async with services.ports.unit_of_work() as tx:
            for _ in range(500):
                job = Job(JobId(ids.new()), JobKind.GENERATE_ARTICLE, caller.tenant_id, ids.new(), now)
                await tx[Jobs].enqueue(job)


@contextmanager
def _drained(server: RedisServer) -> Iterator[list[int]]:
    """Takes messages off the queue as workers would, since the relay fills it only so far; counts them."""
    arrived: list[int] = []
    done = threading.Event()

    def drain(client: redis.Redis) -> None:
        line = f"{NAMESPACE}:{QUEUE}"
        while not done.wait(0.05):
            taken = client.lpop(line, 2_000)
            if isinstance(taken, list):
                arrived.append(len(taken))
                client.hdel(f"{line}.msgs", *taken)

    with server.client() as client:
        thread = threading.Thread(target=drain, args=(client,))
        thread.start()
        try:
            yield arrived
        finally:
            done.set()
            thread.join()
