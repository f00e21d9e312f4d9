"""How many mails were sent to each mailbox on a day."""

from __future__ import annotations

import asyncio
from datetime import date

from contentgen_core.ports.repositories.mail_counts import MailCounts
from contentgen_core.ports.unit_of_work import UnitOfWork

TODAY, TOMORROW = date(2026, 3, 1), date(2026, 3, 2)


async def counted(unit_of_work: UnitOfWork, day: date = TODAY, mailbox: str = "a", limit: int = 5) -> bool:
    async with unit_of_work() as tx:
        return await tx[MailCounts].consume(day, mailbox, limit)


class MailCountsContract:
    async def test_as_many_are_counted_as_may_be_however_many_ask_at_once(self, unit_of_work: UnitOfWork) -> None:
        found = await asyncio.gather(*(counted(unit_of_work) for _ in range(12)))
        assert sum(found) == 5
        assert not await counted(unit_of_work, limit=0)
        assert await counted(unit_of_work, mailbox="b")
        assert await counted(unit_of_work, day=TOMORROW)

    async def test_what_is_given_back_is_counted_again(self, unit_of_work: UnitOfWork) -> None:
        assert await counted(unit_of_work, limit=1)
        for _ in range(2):  # no more than was counted
            async with unit_of_work() as tx:
                await tx[MailCounts].refund(TODAY, "a")
                await tx[MailCounts].refund(TODAY, "unknown")
        assert await counted(unit_of_work, limit=1)
        assert not await counted(unit_of_work, limit=1)

    async def test_former_days_are_forgotten_some_at_a_time(self, unit_of_work: UnitOfWork) -> None:
        for mailbox in "abc":
            assert await counted(unit_of_work, mailbox=mailbox, limit=1)
        assert await counted(unit_of_work, TOMORROW, limit=1)
        forgotten = []
        for _ in range(3):
            async with unit_of_work() as tx:
                forgotten.append(await tx[MailCounts].forget(TOMORROW, 2))
        assert forgotten == [2, 1, 0]
        assert await counted(unit_of_work, limit=1)
        assert not await counted(unit_of_work, TOMORROW, limit=1)
