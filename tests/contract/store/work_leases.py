"""Leases on work that one process does at a time."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing.runtime import MOMENT

LATER = MOMENT + timedelta(minutes=2)


async def _take(unit_of_work: UnitOfWork, worker: str, at: int = 0, work: str = "upkeep") -> bool:
    now = MOMENT + timedelta(seconds=at)
    async with unit_of_work() as tx:
        return await tx[WorkLeases].acquire(work, worker, now, now + timedelta(seconds=30))


class WorkLeasesContract:
    async def test_work_is_one_workers_until_its_turn_is_over(self, unit_of_work: UnitOfWork) -> None:
        assert await _take(unit_of_work, "a")
        assert not await _take(unit_of_work, "b", 29)
        assert await _take(unit_of_work, "b", 30)
        assert not await _take(unit_of_work, "a", 31)

    async def test_who_takes_a_turn_again_keeps_it_for_longer(self, unit_of_work: UnitOfWork) -> None:
        for at in (0, 20, 40):
            assert await _take(unit_of_work, "a", at)
            assert not await _take(unit_of_work, "b", at + 29)

    async def test_of_many_who_come_at_once_one_gets_the_turn(self, unit_of_work: UnitOfWork) -> None:
        taken = await asyncio.gather(*(_take(unit_of_work, f"worker {n}") for n in range(12)))
        assert sum(taken) == 1

    async def test_work_released_until_a_time_cannot_be_acquired_before(self, unit_of_work: UnitOfWork) -> None:
        assert await _take(unit_of_work, "a")
        async with unit_of_work() as tx:
            await tx[WorkLeases].release_until("upkeep", "a", LATER)
        assert not await _take(unit_of_work, "a", 60)
        assert not await _take(unit_of_work, "b", 119)
        assert await _take(unit_of_work, "b", 120)

    async def test_who_lost_its_turn_puts_nothing_off(self, unit_of_work: UnitOfWork) -> None:
        assert await _take(unit_of_work, "a")
        assert await _take(unit_of_work, "b", 30)
        async with unit_of_work() as tx:
            await tx[WorkLeases].release_until("upkeep", "a", LATER + timedelta(days=1))
            await tx[WorkLeases].release_until("unknown", "a", LATER)
        assert await _take(unit_of_work, "c", 60)

    async def test_the_holder_is_who_took_a_turn_and_has_not_ended_it(self, unit_of_work: UnitOfWork) -> None:
        async def holder() -> str | None:
            async with unit_of_work() as tx:
                return await tx[WorkLeases].holder("upkeep")

        assert await holder() is None
        assert await _take(unit_of_work, "a")
        assert await holder() == "a"
        assert await _take(unit_of_work, "b", 31)
        assert await holder() == "b"
        async with unit_of_work() as tx:
            await tx[WorkLeases].release_until("upkeep", "b", MOMENT)
        assert await holder() is None

    async def test_different_work_has_different_turns(self, unit_of_work: UnitOfWork) -> None:
        assert await _take(unit_of_work, "a")
        assert await _take(unit_of_work, "b", work="other")
