"""Facts that all processes of an installation share."""

from __future__ import annotations

import asyncio

from contentgen_core.ports.repositories.installation import Installation
from contentgen_core.ports.unit_of_work import UnitOfWork


async def _agree(unit_of_work: UnitOfWork, name: str, value: str) -> str:
    async with unit_of_work() as tx:
        return await tx[Installation].get_or_put(name, value)


class InstallationContract:
    async def test_the_first_value_stands(self, unit_of_work: UnitOfWork) -> None:
        assert await _agree(unit_of_work, "secret", "first") == "first"
        assert await _agree(unit_of_work, "secret", "second") == "first"
        assert await _agree(unit_of_work, "another", "second") == "second"

    async def test_a_value_is_found_once_it_is_there(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            assert await tx[Installation].find("secret") is None
        await _agree(unit_of_work, "secret", "first")
        async with unit_of_work() as tx:
            assert await tx[Installation].find("secret") == "first"
            assert await tx[Installation].find("another") is None

    async def test_many_at_once_agree_on_one_value(self, unit_of_work: UnitOfWork) -> None:
        agreed = await asyncio.gather(*(_agree(unit_of_work, "secret", str(n)) for n in range(8)))
        assert len(set(agreed)) == 1

    async def test_a_replaced_value_is_what_all_agree_on_from_then_on(self, unit_of_work: UnitOfWork) -> None:
        await _agree(unit_of_work, "secret", "first")
        async with unit_of_work() as tx:
            await tx[Installation].put("secret", "second")
            await tx[Installation].put("another", "new")
        assert await _agree(unit_of_work, "secret", "third") == "second"
        assert await _agree(unit_of_work, "another", "third") == "new"
