"""Real processes that parse: what ends them, what they may see, and that one tenant's never keep another's waiting."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import aclosing

import psutil
import pytest

from contentgen_adapters.shared.processes import worker
from contentgen_adapters.shared.processes.pool import (
    Limits,
    NotParsed,
    PoolBusy,
    ProcessDied,
    ProcessPool,
    TookTooLong,
    TookTooMuch,
)
from tests.support.parsers import PERFORM, Task

LIMITS = Limits(cpu=0.3, memory=300_000_000, answer=1_000_000)


@pytest.fixture
async def pool() -> AsyncIterator[ProcessPool]:
    async with aclosing(ProcessPool(2)) as made:
        yield made


def processes() -> list[psutil.Process]:
    return [p for p in psutil.Process().children() if worker.__name__ in p.cmdline()]


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
    assert len(processes()) == 1, "a process ends with whoever waited for it"


async def test_a_busy_job_is_no_fault_of_its_file_when_the_service_ends() -> None:
    pool = ProcessPool()
    job = asyncio.create_task(pool.run(PERFORM, Task("sleep"), "a", Limits(cpu=60)))
    while not processes():
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.5)
    await pool.aclose()
    with pytest.raises(PoolBusy):
        await job
    with pytest.raises(PoolBusy):
        await pool.run(PERFORM, Task(), "a", LIMITS)
    assert processes() == []
