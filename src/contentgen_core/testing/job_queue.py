"""The contract of the queue of jobs.

class TestMine(JobQueueContract):
    @pytest.fixture
    def queue(self) -> JobQueue: ...
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from contentgen_core.model.ids import JobId
from contentgen_core.ports.job_queue import JobQueue

RETRY_POLICY = 5.0


async def seen(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what arrives comes from another thread
            await asyncio.sleep(0.01)


class JobQueueContract:
    async def test_what_is_sent_arrives_on_this_event_loop(self, queue: JobQueue) -> None:
        sent = [JobId(f"job {n}") for n in range(20)]
        arrived: dict[JobId, asyncio.AbstractEventLoop] = {}

        async def note(id: JobId) -> None:
            arrived[id] = asyncio.get_running_loop()

        await queue.send(sent)
        assert await queue.waiting() == 20
        async with queue.consume(note, 4, RETRY_POLICY):
            await seen(lambda: len(arrived) == 20)
        assert sorted(arrived) == sorted(sent)
        assert set(arrived.values()) == {asyncio.get_running_loop()}
        assert await queue.waiting() == 0

    async def test_what_is_sent_twice_arrives_twice(self, queue: JobQueue) -> None:
        arrived: list[JobId] = []

        async def note(id: JobId) -> None:
            arrived.append(id)

        async with queue.consume(note, 2, RETRY_POLICY):
            await queue.send([JobId("a"), JobId("a")])
            await seen(lambda: len(arrived) == 2)
        assert arrived == ["a", "a"]

    async def test_no_more_run_at_once_than_allowed_and_the_rest_stays_for_others(self, queue: JobQueue) -> None:
        at_once = most = done = 0
        go = asyncio.Event()

        async def work(id: JobId) -> None:
            nonlocal at_once, most, done
            at_once += 1
            most = max(most, at_once)
            await go.wait()
            at_once -= 1
            done += 1

        await queue.send([JobId(str(n)) for n in range(9)])
        async with queue.consume(work, 3, RETRY_POLICY):
            await seen(lambda: at_once == 3)
            await asyncio.sleep(0.3)
            assert await queue.waiting() == 6
            go.set()
            await seen(lambda: done == 9)
        assert most == 3

    async def test_a_failure_is_done_with_and_does_not_stop_the_others(self, queue: JobQueue) -> None:
        arrived: list[JobId] = []

        async def fail(id: JobId) -> None:
            arrived.append(id)
            if id == "bad":
                raise ZeroDivisionError

        async with queue.consume(fail, 1, RETRY_POLICY):
            await queue.send([JobId("bad"), JobId("good")])
            await seen(lambda: len(arrived) == 2)
            await asyncio.sleep(0.2)
        assert arrived == ["bad", "good"]

    async def test_its_end_waits_for_what_is_under_way_and_begins_no_more(self, queue: JobQueue) -> None:
        begun: list[JobId] = []
        ended: list[JobId] = []
        leaving = asyncio.Event()

        async def work(id: JobId) -> None:
            begun.append(id)
            await leaving.wait()
            await asyncio.sleep(0.3)
            ended.append(id)

        await queue.send([JobId(str(n)) for n in range(4)])
        async with queue.consume(work, 2, RETRY_POLICY):
            await seen(lambda: len(begun) == 2)
            asyncio.get_running_loop().call_later(0.1, leaving.set)
        assert len(begun) == len(ended) == 2
        assert await queue.waiting() == 2
