"""Mail to an address whose owner may not have asked for it is bounded, however the address is written."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from contentgen_adapters.memory.rate_limiter import MemoryRateLimiter
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import DailyQuotaExceeded, RateLimited
from contentgen_core.testing.runtime import ManualClock
from contentgen_http.server.rate_limit import MAILS_PER_DAY, MAILS_PER_MINUTE, SIGN_IN, Limits, SentMails, mailbox
from tests.support.http import Generous

SAME = ("ada@example.org", " Ada@EXAMPLE.org", "ada+1@example.org", "ADA+news+2@example.org", '"ada"@example.org',
        "\uff41da@example.org")  # fmt: skip


async def send(limits: Limits, address: str, purpose: str = "") -> None:
    async with limits.mail(address, purpose):
        pass


async def test_a_mailbox_gets_so_many_mails_a_day() -> None:
    clock = ManualClock()
    limits = Limits(Generous(), clock, 1, MemoryUnitOfWork())
    for n in range(MAILS_PER_DAY):
        await send(limits, SAME[n % len(SAME)])
    with pytest.raises(DailyQuotaExceeded) as refused:
        await send(limits, "ada+another@example.org")
    assert refused.value.resets_at is not None
    assert timedelta(0) < refused.value.resets_at - clock.now() <= timedelta(days=1)
    await send(limits, "bo@example.org")
    clock.advance(days=1)
    await send(limits, "ada@example.org")


async def test_several_processes_send_no_more_than_one() -> None:
    clock, store = ManualClock(), MemoryUnitOfWork()
    processes = [Limits(Generous(), clock, 1, store) for _ in range(4)]
    sent = 0
    for n in range(4 * MAILS_PER_DAY):
        try:
            await send(processes[n % len(processes)], "ada@example.org")
            sent += 1
        except DailyQuotaExceeded:
            pass
    assert sent == MAILS_PER_DAY
    clock.advance(days=1)
    await send(processes[0], "ada@example.org")


def test_other_mailboxes_are_others() -> None:
    others = ("ada@example.org", "ad@example.org", "ada@example.com", "a.da@example.org")
    assert len({mailbox(address) for address in others}) == len(others)
    assert {mailbox(address) for address in SAME} == {mailbox("ada@example.org")}


async def test_a_mail_that_is_not_sent_does_not_count() -> None:
    limits = Limits(Generous(), ManualClock(), 1, MemoryUnitOfWork())
    for _ in range(3 * MAILS_PER_DAY):
        with pytest.raises(ConnectionError):
            async with limits.mail("ada@example.org"):
                raise ConnectionError
    for _ in range(MAILS_PER_DAY):
        await send(limits, "ada@example.org")
    with pytest.raises(DailyQuotaExceeded):
        await send(limits, "ada@example.org")


async def test_a_mailbox_gets_so_many_mails_a_minute() -> None:
    clock = ManualClock()
    limits = Limits(MemoryRateLimiter(lambda: clock.now().timestamp()), clock, 1, MemoryUnitOfWork())
    for _ in range(MAILS_PER_MINUTE):
        await send(limits, "ada@example.org")
    with pytest.raises(RateLimited):
        await send(limits, "ada+1@example.org")
    await send(limits, "bo@example.org")
    clock.advance(seconds=60)
    await send(limits, "ada@example.org")


async def test_no_flood_of_addresses_denies_another_its_mail() -> None:
    limits = Limits(Generous(), ManualClock(), 1, MemoryUnitOfWork(), SentMails(most=50))
    for _ in range(MAILS_PER_DAY):
        await send(limits, "bombed@example.org")
    for n in range(49):
        await send(limits, f"invented-{n}@example.org")
    with pytest.raises(DailyQuotaExceeded):
        await send(limits, "bombed@example.org")
    for n in range(500):
        await send(limits, f"invented-{n}@example.org")
    await send(limits, "ada@example.org")
    with pytest.raises(DailyQuotaExceeded):
        await send(limits, "bombed@example.org")


async def test_what_others_have_sent_to_an_address_leaves_its_owner_the_links_to_sign_in() -> None:
    limits = Limits(Generous(), ManualClock(), 1, MemoryUnitOfWork())
    for _ in range(MAILS_PER_DAY):
        await send(limits, "ada@example.org")
    await send(limits, "ada@example.org", SIGN_IN)


async def test_mails_that_are_sent_at_once_are_each_counted() -> None:
    limits = Limits(Generous(), ManualClock(), 1, MemoryUnitOfWork())
    sent: list[int] = []

    async def slowly(number: int) -> None:
        async with limits.mail("ada@example.org"):
            await asyncio.sleep(0.01)
            sent.append(number)

    found = await asyncio.gather(*(slowly(n) for n in range(50)), return_exceptions=True)
    assert len(sent) == MAILS_PER_MINUTE
    assert sum(isinstance(one, RateLimited) for one in found) == 50 - MAILS_PER_MINUTE
    assert not limits.mails.under_way
    await send(limits, "ada@example.org")
