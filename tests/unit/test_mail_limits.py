"""Mail to an address whose owner may not have asked for it is bounded, however the address is written."""

from __future__ import annotations

from datetime import timedelta

import pytest

from contentgen_core.errors import DailyQuotaExceeded
from contentgen_core.testing.runtime import ManualClock
from contentgen_http.rate_limit import MAILS_PER_DAY, Limits, mailbox
from tests.support.http import Generous

SAME = ("ada@example.org", " Ada@EXAMPLE.org", "ada+1@example.org", "ADA+news+2@example.org", '"ada"@example.org',
        "\uff41da@example.org")  # fmt: skip


async def test_a_mailbox_gets_so_many_mails_a_day() -> None:
    clock = ManualClock()
    limits = Limits(Generous(), clock, 1)
    for n in range(MAILS_PER_DAY):
        await limits.count_mail(SAME[n % len(SAME)])
    with pytest.raises(DailyQuotaExceeded) as refused:
        await limits.count_mail("ada+another@example.org")
    assert refused.value.resets_at is not None
    assert timedelta(0) < refused.value.resets_at - clock.now() <= timedelta(days=1)
    await limits.count_mail("bo@example.org")
    clock.advance(days=1)
    await limits.count_mail("ada@example.org")


def test_other_mailboxes_are_others() -> None:
    others = ("ada@example.org", "ad@example.org", "ada@example.com", "a.da@example.org")
    assert len({mailbox(address) for address in others}) == len(others)
    assert {mailbox(address) for address in SAME} == {mailbox("ada@example.org")}
