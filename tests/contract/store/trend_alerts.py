"""Subscriptions to trends, and anonymous counts of visits."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange
from contentgen_core.model.trend import TrendSlug
from contentgen_core.model.trend_alert import TrendAlert, TrendAlertId
from contentgen_core.ports.repositories.trend_alerts import TrendAlerts, TrendClicks
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids

DAY = MOMENT.date()
NEXT = DAY + timedelta(days=1)


def alert(**changes: Any) -> TrendAlert:
    id = builders.new_id()
    return evolve(TrendAlert(TrendAlertId(id), f"{id}@example.org"), **changes)


class TrendAlertsContract:
    async def test_a_subscription_is_read_as_it_was_put(self, unit_of_work: UnitOfWork) -> None:
        full = alert(
            niche_keys=("home-energy", "ecommerce"),
            min_score=42.5,
            announced=frozenset(map(TrendSlug, ("heat", "noise"))),
            digest_sent_at=MOMENT,
        )
        async with unit_of_work() as tx:
            stored = [await tx[TrendAlerts].put(each) for each in (full, alert())]
        async with unit_of_work() as tx:
            assert [await tx[TrendAlerts].get(each.id) for each in stored] == stored
        assert stored[0] == evolve(full, revision=1)

    async def test_an_address_has_one_subscription_which_wants_what_was_said_last(
        self, unit_of_work: UnitOfWork
    ) -> None:
        first = alert(announced=frozenset({TrendSlug("heat")}), digest_sent_at=MOMENT)
        async with unit_of_work() as tx:
            await tx[TrendAlerts].put(first)
        second = alert(email=first.email, niche_keys=("ecommerce",), min_score=90.0)
        async with unit_of_work() as tx:
            stored = await tx[TrendAlerts].put(second)
        assert stored == evolve(first, niche_keys=("ecommerce",), min_score=90.0, revision=2)
        async with unit_of_work() as tx:
            assert await tx[TrendAlerts].get(second.id) is None
            assert await tx[TrendAlerts].get(first.id) == stored

    async def test_only_who_read_the_latest_can_save(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            stored = await tx[TrendAlerts].put(alert())
        announced = evolve(stored, announced=frozenset({TrendSlug("heat")}), digest_sent_at=MOMENT)
        async with unit_of_work() as tx:
            assert await tx[TrendAlerts].save(announced) == evolve(announced, revision=2)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[TrendAlerts].save(announced)
        async with unit_of_work() as tx:
            await tx[TrendAlerts].remove(stored.id)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[TrendAlerts].save(evolve(announced, revision=2))

    async def test_a_removed_subscription_leaves_nothing_of_its_address(self, unit_of_work: UnitOfWork) -> None:
        first = alert(announced=frozenset({TrendSlug("heat")}))
        async with unit_of_work() as tx:
            await tx[TrendAlerts].put(first)
            await tx[TrendAlerts].remove(first.id)
            await tx[TrendAlerts].remove(first.id)
        again = alert(email=first.email)
        async with unit_of_work() as tx:
            assert await tx[TrendAlerts].put(again) == evolve(again, revision=1)

    async def test_those_that_are_due_come_by_id_a_part_at_a_time(self, unit_of_work: UnitOfWork) -> None:
        never, long_ago, just_now, at_the_time = (
            alert(digest_sent_at=at) for at in (None, MOMENT - timedelta(hours=1), MOMENT + timedelta(hours=1), MOMENT)
        )
        async with unit_of_work() as tx:
            for each in (just_now, long_ago, at_the_time, never):
                await tx[TrendAlerts].put(each)
        async with unit_of_work() as tx:
            first = await tx[TrendAlerts].due(MOMENT, None, 1)
            rest = await tx[TrendAlerts].due(MOMENT, first[-1].id, 10)
        assert [each.id for each in (*first, *rest)] == sorted([never.id, long_ago.id])

    @alien_ids
    async def test_an_alien_subscription_is_none(self, unit_of_work: UnitOfWork, alien: str) -> None:
        async with unit_of_work() as tx:
            assert await tx[TrendAlerts].get(TrendAlertId(alien)) is None
            await tx[TrendAlerts].remove(TrendAlertId(alien))


class TrendClicksContract:
    async def test_a_day_has_the_salt_that_was_given_first(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            assert await tx[TrendClicks].salt(DAY, b"\x00first") == b"\x00first"
        async with unit_of_work() as tx:
            assert await tx[TrendClicks].salt(DAY, b"second") == b"\x00first"
            assert await tx[TrendClicks].salt(NEXT, b"third") == b"third"

    async def test_a_digest_is_new_once_a_day(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            for day in (DAY, NEXT):
                await tx[TrendClicks].salt(day, b"salt")
            assert await tx[TrendClicks].add(DAY, b"\x01")
            assert not await tx[TrendClicks].add(DAY, b"\x01")
        async with unit_of_work() as tx:
            assert not await tx[TrendClicks].add(DAY, b"\x01")
            assert await tx[TrendClicks].add(DAY, b"\x02")
            assert await tx[TrendClicks].add(NEXT, b"\x01")

    async def test_former_days_are_forgotten_with_their_salts(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            for day in (DAY, NEXT):
                await tx[TrendClicks].salt(day, b"salt")
                await tx[TrendClicks].add(day, b"\x01")
        async with unit_of_work() as tx:
            assert await tx[TrendClicks].forget(NEXT) == 1
            assert await tx[TrendClicks].forget(NEXT) == 0
        async with unit_of_work() as tx:
            assert await tx[TrendClicks].salt(DAY, b"another") == b"another"
            assert await tx[TrendClicks].add(DAY, b"\x01")
            assert not await tx[TrendClicks].add(NEXT, b"\x01")

    async def test_a_salt_of_any_day_is_kept(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            for day in (date(1970, 1, 1), date(2999, 12, 31)):
                assert await tx[TrendClicks].salt(day, bytes(range(256))) == bytes(range(256))
