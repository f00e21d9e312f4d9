"""A job that does not move for a minute: where it waits is told, once."""

from __future__ import annotations

import asyncio

from contentgen_http.jobs.stuck_jobs import STANDSTILL_SECONDS, Standstills


async def wait_for_the_model(gate: asyncio.Event) -> None:
    await gate.wait()


async def sections(*gates: asyncio.Event) -> None:
    async with asyncio.TaskGroup() as group:
        for gate in gates:
            group.create_task(wait_for_the_model(gate))


async def gathered(*gates: asyncio.Event) -> None:
    await asyncio.gather(*(wait_for_the_model(gate) for gate in gates))


async def test_where_each_task_of_a_job_waits_is_told_once_after_a_minute() -> None:
    for work in (sections, gathered):
        gates = [asyncio.Event() for _ in range(3)]
        gates[0].set()
        task, standstills = asyncio.create_task(work(*gates)), Standstills()
        for _ in range(3):
            await asyncio.sleep(0)
        assert standstills.found({task: "job"}, 0.0) == []
        assert standstills.found({task: "job"}, STANDSTILL_SECONDS - 1) == []
        [(job, places)] = standstills.found({task: "job"}, STANDSTILL_SECONDS)
        assert job == "job"
        assert len(places) == 2
        assert all("Event.wait" in place for place in places)
        assert standstills.found({task: "job"}, 2 * STANDSTILL_SECONDS) == []
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_job_of_which_one_task_moves_does_not_stand_still() -> None:
    gates = [asyncio.Event() for _ in range(2)]
    task, standstills = asyncio.create_task(sections(*gates)), Standstills()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    standstills.found({task: "job"}, 0.0)
    gates[0].set()
    for _ in range(3):
        await asyncio.sleep(0)
    assert standstills.found({task: "job"}, STANDSTILL_SECONDS) == []
    assert len(standstills.found({task: "job"}, 2 * STANDSTILL_SECONDS)) == 1
    gates[1].set()
    await task
