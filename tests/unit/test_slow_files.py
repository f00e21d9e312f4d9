"""Slow files and small ones in one pool, in virtual time: everybody gets a slice first, and nobody all places."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from contentgen_adapters.shared.processes.pool import SLICE_SECONDS, Limits, PoolBusy, ProcessPool, _Worker
from contentgen_adapters.shared.processes.worker import Outcome, Request
from tests.support.parsers import PERFORM, Task
from tests.support.virtual_time import now, virtually

SLOW = 40
"""Seconds of a slow file."""
STARTING = 0.5
LIMITS = Limits(cpu=60)
SMALL = Task("talk", 0)


class TimedWorker(_Worker):
    """Which has no process."""

    def slow_down(self) -> None:
        self.is_slow = True


class TimedPool(ProcessPool):
    """Whose processes take a second of virtual time for each unit of a task's size, .3 s at least."""

    at_once = 0
    most = 0

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[_Worker]:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            await asyncio.sleep(STARTING)
            yield TimedWorker(None, None, loaded={PERFORM.address})  # type: ignore[arg-type]
        finally:
            self.at_once -= 1

    async def _exchange(self, worker: _Worker, request: Request, seconds: float) -> tuple[Outcome, bytes]:
        task = msgspec.msgpack.decode(request.job, type=Task)
        await asyncio.sleep(max(0.3, task.size))
        return Outcome.DONE, msgspec.msgpack.encode(str(task.size))


async def _waited(pool: ProcessPool, hostile: int, files: int) -> tuple[float, list[float]]:
    """Seconds that a small file waits behind these slow ones; and when each slow one is done."""
    ended: list[float] = []

    async def slow(key: str) -> None:
        await pool.run(PERFORM, Task("talk", SLOW), key, LIMITS)
        ended.append(now())

    tasks = [asyncio.create_task(slow(f"hostile {n}")) for n in range(hostile) for _ in range(files)]
    await asyncio.sleep(5)
    began = now()
    await pool.run(PERFORM, SMALL, "small", LIMITS)
    took = now() - began
    await asyncio.gather(*tasks)
    return took, ended


@pytest.mark.parametrize(("hostile", "files"), [(1, 18), (2, 18), (20, 9)])
def test_a_small_file_waits_for_a_slice_of_each_other_tenant_at_most(hostile: int, files: int) -> None:
    pool = TimedPool()
    took, ended = virtually(_waited(pool, hostile, files))
    assert took <= (min(hostile, 20) + 2) * (SLICE_SECONDS + STARTING)
    assert len(ended) == hostile * files, "none is lost"
    assert pool.most <= 3


def test_without_slices_it_would_wait_for_whole_files() -> None:
    took, _ = virtually(_waited(TimedPool(slice_seconds=math.inf), 2, 18))
    assert took > SLOW / 2


def test_slow_files_take_turns_among_tenants() -> None:
    async def order() -> list[str]:
        pool, ended = TimedPool(), list[str]()

        async def slow(key: str) -> None:
            await pool.run(PERFORM, Task("talk", SLOW), key, LIMITS)
            ended.append(key)

        many = [asyncio.create_task(slow("many")) for _ in range(12)]
        await asyncio.sleep(60)
        few = [asyncio.create_task(slow("few")) for _ in range(2)]
        await asyncio.gather(*many, *few)
        return ended

    ended = virtually(order())
    assert len(ended) == 14
    assert [n for n, key in enumerate(ended) if key == "few"][-1] <= 6


def test_a_lone_slow_file_is_not_begun_twice() -> None:
    async def seconds() -> float:
        await TimedPool().run(PERFORM, Task("talk", SLOW), "a", LIMITS)
        return now()

    assert virtually(seconds()) == pytest.approx(STARTING + SLOW)


def test_whoever_goes_leaves_nothing_behind() -> None:
    async def left() -> tuple[int, int, int]:
        pool = TimedPool()
        tasks = [
            asyncio.create_task(pool.run(PERFORM, Task("talk", SLOW), key, LIMITS)) for key in "abc" for _ in range(5)
        ]
        await asyncio.sleep(12.3)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return pool.at_once, pool._places.busy + pool._slow.busy, pool._places.waiting + pool._slow.waiting

    assert virtually(left()) == (0, 0, 0)


def test_more_slow_files_than_may_wait_are_refused() -> None:
    async def refused() -> int:
        pool = TimedPool()
        tasks = [asyncio.create_task(pool.run(PERFORM, Task("talk", SLOW), "a", LIMITS)) for _ in range(60)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        return sum(isinstance(result, PoolBusy) for result in results)

    assert 0 < virtually(refused()) < 15
