"""Circuit breakers that all processes share."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from attrs import evolve

from contentgen_core.model.circuit import OPENS_AFTER, Circuit
from contentgen_core.ports.repositories.circuits import Circuits
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing.runtime import MOMENT

OPEN = Circuit("m", "OpenAI", OPENS_AFTER, "HTTP 500", MOMENT, MOMENT + timedelta(seconds=2))


async def save(unit_of_work: UnitOfWork, circuit: Circuit) -> None:
    async with unit_of_work() as tx:
        await tx[Circuits].hold(circuit.name)
        await tx[Circuits].save(circuit)


class CircuitsContract:
    async def test_an_unknown_circuit_is_closed(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            assert await tx[Circuits].get("m") == Circuit("m")
            assert await tx[Circuits].hold("m") == Circuit("m")
            assert await tx[Circuits].open() == []

    async def test_a_circuit_is_stored_whole(self, unit_of_work: UnitOfWork) -> None:
        await save(unit_of_work, evolve(OPEN, noticed=True))
        async with unit_of_work() as tx:
            assert await tx[Circuits].get("m") == await tx[Circuits].hold("m") == evolve(OPEN, noticed=True)

    async def test_the_open_ones_are_listed_by_name(self, unit_of_work: UnitOfWork) -> None:
        for circuit in (evolve(OPEN, name="z"), evolve(OPEN, failures=OPENS_AFTER - 1), evolve(OPEN, name="a")):
            await save(unit_of_work, circuit)
        async with unit_of_work() as tx:
            assert [circuit.name for circuit in await tx[Circuits].open()] == ["a", "z"]

    async def test_those_that_opened_or_closed_unnoticed_are_listed(self, unit_of_work: UnitOfWork) -> None:
        opened, known = evolve(OPEN, name="opened"), evolve(OPEN, name="known", noticed=True)
        closed = Circuit("closed", "OpenAI", noticed=True)
        for circuit in (opened, known, closed, Circuit("quiet")):
            await save(unit_of_work, circuit)
        async with unit_of_work() as tx:
            assert await tx[Circuits].to_notice() == [closed, opened]

    async def test_failures_at_the_same_moment_are_all_counted(self, unit_of_work: UnitOfWork) -> None:
        async def fail() -> None:
            async with unit_of_work() as tx:
                circuit = await tx[Circuits].hold("m")
                await asyncio.sleep(0)
                await tx[Circuits].save(circuit.failed("OpenAI", "HTTP 500", MOMENT, None))

        await asyncio.gather(*(fail() for _ in range(8)))
        async with unit_of_work() as tx:
            assert (await tx[Circuits].get("m")).failures == 8
