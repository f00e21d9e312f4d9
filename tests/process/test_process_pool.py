"""Real processes that parse: what ends them, what they may see, and that one tenant's never keep another's waiting."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import aclosing

import psutil
import pytest

from contentgen_adapters.shared.processes.pool import (
    Limits,
    NotParsed,
    PoolBusy,
    ProcessDied,
    ProcessPool,
    TookTooLong,
    TookTooMuch,
)
from tests.support.parsers import ITEM_SECONDS, ITEMS, PERFORM, SHARE, Task
from tests.support.worker_processes import second_processes, workers

LIMITS = Limits(cpu=0.3, memory=300_000_000, answer=1_000_000)
BY_TWO = Limits(cpu=20, processes=2)


@pytest.fixture
async def pool() -> AsyncIterator[ProcessPool]:
    async with aclosing(ProcessPool(2)) as made:
        yield made


@pytest.mark.parametrize(
    ("task", "failure"),
    [
        (Task("spin"), TookTooLong),
        (Task("sleep"), TookTooLong),
        (Task("allocate", 1_000_000_000), TookTooMuch),
        (Task("talk", 2_000_000), TookTooMuch),
        (Task("die"), ProcessDied),
        (Task("raise"), ProcessDied),
    ],
    ids=lambda value: value.act if isinstance(value, Task) else "",
)
async def test_a_job_beyond_its_limits_ends_and_the_next_is_done(
    pool: ProcessPool, task: Task, failure: type[NotParsed]
) -> None:
    with pytest.raises(failure):
        await pool.run(PERFORM, task, "a", LIMITS)
    assert await pool.run(PERFORM, Task("talk", 3), "a", LIMITS) == "xxx"


async def test_a_process_is_kept_sees_no_secret_and_its_prints_are_lost(
    pool: ProcessPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTENTGEN_SECRET", "hidden")
    ids = {await pool.run(PERFORM, Task(act), "a", LIMITS) for act in ("echo", "print", "echo")}
    assert len(ids) == 1
    assert await pool.run(PERFORM, Task("secrets"), "a", LIMITS) == ""


async def test_what_a_killed_process_wrote_is_removed(pool: ProcessPool) -> None:
    folder = await pool.run(PERFORM, Task("folder"), "a", LIMITS)
    with pytest.raises(ProcessDied):
        await pool.run(PERFORM, Task("leave", 1_000), "a", LIMITS)
    assert not await asyncio.to_thread(os.path.exists, folder)


async def test_one_tenant_never_keeps_another_waiting(pool: ProcessPool) -> None:
    bombs = [asyncio.create_task(pool.run(PERFORM, Task("spin"), "bomber", Limits(cpu=20))) for _ in range(6)]
    await asyncio.sleep(0)
    began = time.monotonic()
    assert await pool.run(PERFORM, Task("talk", 1), "other", LIMITS) == "x"
    assert time.monotonic() - began < 10
    for bomb in bombs:
        bomb.cancel()  # as when a client has gone
    await asyncio.gather(*bombs, return_exceptions=True)
    assert len(workers()) == 1, "a process ends with whoever waited for it"


async def test_slow_files_of_two_tenants_do_not_keep_a_third_waiting() -> None:
    async with aclosing(ProcessPool()) as pool:
        slow = [
            asyncio.create_task(pool.run(PERFORM, Task("spin"), key, Limits(cpu=10))) for key in "ab" for _ in range(6)
        ]
        await asyncio.sleep(0.1)
        for _ in range(2):
            assert await pool.run(PERFORM, Task("talk", 1), "c", LIMITS) == "x"
        assert sum(task.done() for task in slow) <= 2, "of the two that are gone on with"
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)


async def test_a_slow_job_is_gone_on_with_where_there_is_a_place_and_else_begun_anew() -> None:
    async with aclosing(ProcessPool(2, slice_seconds=0.05)) as pool:
        first = asyncio.create_task(pool.run(PERFORM, Task("nap", 1), "a", LIMITS))
        second = asyncio.create_task(pool.run(PERFORM, Task("nap", 1), "b", LIMITS))
        assert await first != await second
        assert await pool.run(PERFORM, Task("talk", 2), "c", LIMITS) == "xx"


async def test_after_its_slice_a_job_lets_other_processes_go_first() -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    async with aclosing(ProcessPool(2, slice_seconds=0.05)) as pool:
        assert await pool.run(PERFORM, Task("priority", 2), "a", LIMITS) == str(max(own, 10))
    async with aclosing(ProcessPool(2, slice_seconds=60)) as pool:
        assert await pool.run(PERFORM, Task("priority", 0), "a", LIMITS) == str(own), "within its slice"
        assert not any(worker.is_slow for worker in pool._idle)


async def test_a_busy_job_is_no_fault_of_its_file_when_the_service_ends() -> None:
    pool = ProcessPool()
    job = asyncio.create_task(pool.run(PERFORM, Task("sleep"), "a", Limits(cpu=60)))
    while not workers():
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.5)
    await pool.aclose()
    with pytest.raises(PoolBusy):
        await job
    with pytest.raises(PoolBusy):
        await pool.run(PERFORM, Task(), "a", LIMITS)
    assert workers() == []


class TestTwoProcessesOfAJob:
    """A parser may share its items with a process that it forks."""

    @pytest.fixture
    async def pool(self) -> AsyncIterator[ProcessPool]:
        async with aclosing(ProcessPool()) as made:
            await made.run(SHARE, Task("start"), "a", Limits(cpu=20))
            yield made

    async def test_they_share_its_items_which_stay_in_order(self, pool: ProcessPool) -> None:
        items, makers = of(await pool.run(SHARE, Task(), "a", BY_TWO))
        assert items == list(range(ITEMS))
        assert len(makers) == 2

    async def test_only_where_no_other_job_is_under_way(self, pool: ProcessPool) -> None:
        other = asyncio.create_task(pool.run(PERFORM, Task("sleep"), "b", Limits(cpu=60)))
        await asyncio.sleep(0)
        _, makers = of(await pool.run(SHARE, Task(), "a", BY_TWO))
        assert len(makers) == 1
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)

    async def test_only_where_its_limits_let_it(self, pool: ProcessPool) -> None:
        _, makers = of(await pool.run(SHARE, Task(), "a", Limits(cpu=20)))
        assert len(makers) == 1

    async def test_what_the_second_does_not_bring_the_first_makes(self, pool: ProcessPool) -> None:
        items, makers = of(await pool.run(SHARE, Task("die"), "a", BY_TWO))
        assert items == list(range(ITEMS))
        assert len(makers) == 1

    async def test_nobody_makes_more_than_is_asked_for(self, pool: ProcessPool) -> None:
        made = await pool.run(SHARE, Task("talk", 20), "a", BY_TWO)
        assert of(made)[0] == list(range(ITEMS)), "who asks for more gets it"
        assert len(of(made[20:])[1]) == 1, "made as it was asked for"

    @pytest.mark.parametrize("item", [0, 30, ITEMS - 1])
    async def test_the_first_item_that_fails_is_told(self, pool: ProcessPool, item: int) -> None:
        made = await pool.run(SHARE, Task("raise", item), "a", BY_TWO)
        assert made[-1] == str(item)
        assert of(made[:-1])[0] == list(range(item))

    async def test_one_that_fails_does_not_wait_for_the_other(self, pool: ProcessPool) -> None:
        made = await pool.run(SHARE, Task("trap", 20), "a", BY_TWO)
        assert made[-1] == "20"
        assert of(made[:-1])[0] == list(range(20))

    async def test_once_more_is_by_one(self, pool: ProcessPool) -> None:
        items, makers = of(await pool.run_twice(SHARE, Task("kill"), "a", BY_TWO))
        assert items == list(range(ITEMS))
        assert len(makers) == 1

    async def test_the_time_of_both_counts(self, pool: ProcessPool) -> None:
        with pytest.raises(TookTooLong):
            await pool.run(SHARE, Task(), "a", Limits(cpu=ITEMS * ITEM_SECONDS * 0.8, processes=2))

    async def test_an_item_without_end_ends_with_the_time_of_the_job(self, pool: ProcessPool) -> None:
        with pytest.raises(TookTooLong):
            await pool.run(SHARE, Task("spin"), "a", Limits(cpu=2, processes=2))
        assert workers() == []

    async def test_both_end_with_whoever_waits(self, pool: ProcessPool) -> None:
        job = asyncio.create_task(pool.run(SHARE, Task("sleep"), "a", Limits(cpu=60, processes=2)))
        while not (second := second_processes()):
            await asyncio.sleep(0.02)
        both = [*second, *(each.parent() for each in second)]
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
        _, alive = await asyncio.to_thread(psutil.wait_procs, both, 5)
        assert alive == []


def of(made: list[str]) -> tuple[list[int], set[str]]:
    """The numbers of the items, and who made them."""
    pairs = [each.split() for each in made]
    return [int(item) for item, _ in pairs], {maker for _, maker in pairs}
