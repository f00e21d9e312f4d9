"""The queue within a process and the one on Dramatiq keep one contract."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from contentgen_adapters.dramatiq.queue import DramatiqQueue
from contentgen_adapters.memory.job_queue import MemoryJobQueue
from contentgen_core.model.ids import JobId
from contentgen_core.ports.job_queue import JobQueue, QueueUnavailable
from contentgen_core.testing.job_queue import JobQueueContract, seen
from tests.support.redis_server import RedisServer


@pytest.fixture(scope="module")
def redis_server() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


@pytest.fixture
def dramatiq_queue(redis_server: RedisServer) -> Iterator[DramatiqQueue]:
    with redis_server.client() as client:
        client.flushall()
    queue = DramatiqQueue(redis_server.url)
    yield queue
    queue.close()


class TestJobQueue(JobQueueContract):
    @pytest.fixture(params=["memory", "dramatiq"])
    def queue(self, request: pytest.FixtureRequest) -> JobQueue:
        if request.param == "memory":
            return MemoryJobQueue()
        queue: DramatiqQueue = request.getfixturevalue("dramatiq_queue")
        return queue


async def test_a_message_is_the_jobs_id_and_nothing_else(
    redis_server: RedisServer, dramatiq_queue: DramatiqQueue
) -> None:
    await dramatiq_queue.send([JobId("019abc")])
    with redis_server.client() as client:
        [message] = client.hvals("contentgen:jobs.msgs")
    assert b'"args":["019abc"],"kwargs":{}' in message


async def test_a_thousand_messages_are_sent_in_a_second(dramatiq_queue: DramatiqQueue) -> None:
    began = time.monotonic()
    for _ in range(10):
        await dramatiq_queue.send([JobId(str(n)) for n in range(100)])
    assert await dramatiq_queue.waiting() == 1_000
    assert time.monotonic() - began < 5  # a second where nothing else runs


async def test_a_broker_that_goes_away_is_told_and_found_again() -> None:
    with RedisServer() as server:
        queue = DramatiqQueue(server.url)
        arrived: list[JobId] = []

        async def note(id: JobId) -> None:
            arrived.append(id)

        async with queue.consume(note, 2, 5):
            await queue.send([JobId("before")])
            await seen(lambda: arrived == ["before"])
            server.stop()
            with pytest.raises(QueueUnavailable):
                await queue.waiting()
            with pytest.raises(QueueUnavailable):
                await queue.send([JobId("meanwhile")])
            server.start()
            await queue.send([JobId("after")])
            await seen(lambda: "after" in arrived, 20)
        queue.close()
        assert arrived == ["before", "after"]


async def test_its_end_is_in_time_while_the_broker_is_away() -> None:
    with RedisServer() as server:
        queue = DramatiqQueue(server.url)
        begun = asyncio.Event()

        async def work(id: JobId) -> None:
            begun.set()
            await asyncio.sleep(0.5)

        async with queue.consume(work, 2, 1):
            await queue.send([JobId("one")])
            await begun.wait()
            server.stop()
            began = time.monotonic()
        assert time.monotonic() - began < 8
        queue.close()


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", ""])
def test_an_address_that_is_none_of_redis_is_an_error(url: str) -> None:
    with pytest.raises(ValueError, match="redis://"):
        DramatiqQueue(url)
