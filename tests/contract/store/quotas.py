"""Quotas, counted exactly, and idempotency keys, used once."""

from __future__ import annotations

import asyncio
from datetime import date, datetime, timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Quota
from contentgen_core.ports.repositories.idempotency import Idempotency, IdempotencyRecord
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given_tenant, given_tenants

MARCH = date(2026, 3, 1)
APRIL = date(2026, 4, 1)


async def _consume(
    unit_of_work: UnitOfWork, tenant_id: TenantId, limit: int | None, window: date = MARCH, amount: int = 1
) -> bool:
    async with unit_of_work() as tx:
        return await tx[Quotas].consume(tenant_id, Quota.ARTICLES, window, limit, amount)


async def _used(unit_of_work: UnitOfWork, tenant_id: TenantId, window: date = MARCH) -> int:
    async with unit_of_work() as tx:
        return await tx[Quotas].used(tenant_id, Quota.ARTICLES, window)


class QuotasContract:
    async def test_a_quota_ends_at_its_limit(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        assert await _used(unit_of_work, tenant.id) == 0
        assert [await _consume(unit_of_work, tenant.id, 2) for _ in range(4)] == [True, True, False, False]
        assert await _used(unit_of_work, tenant.id) == 2

    async def test_twelve_consumers_of_the_last_three_get_exactly_three(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for _ in range(17):
            await _consume(unit_of_work, tenant.id, 20)
        outcomes = await asyncio.gather(*(_consume(unit_of_work, tenant.id, 20) for _ in range(12)))
        assert sorted(outcomes) == [False] * 9 + [True] * 3
        assert await _used(unit_of_work, tenant.id) == 20

    async def test_the_first_consumers_of_a_window_are_counted_exactly(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        outcomes = await asyncio.gather(*(_consume(unit_of_work, tenant.id, 3) for _ in range(12)))
        assert sorted(outcomes) == [False] * 9 + [True] * 3

    async def test_a_limit_of_none_counts_without_end_and_of_zero_allows_nothing(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        assert all([await _consume(unit_of_work, tenant.id, None) for _ in range(5)])
        assert await _used(unit_of_work, tenant.id) == 5
        assert not await _consume(unit_of_work, other.id, 0)
        assert await _used(unit_of_work, other.id) == 0

    async def test_a_lowered_limit_refuses_and_keeps_the_count(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        for _ in range(3):
            await _consume(unit_of_work, tenant.id, 20)
        assert not await _consume(unit_of_work, tenant.id, 2)
        assert await _used(unit_of_work, tenant.id) == 3

    async def test_tenants_quotas_and_windows_are_counted_apart(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        assert await _consume(unit_of_work, tenant.id, 1)
        assert await _consume(unit_of_work, tenant.id, 1, APRIL)
        assert await _consume(unit_of_work, other.id, 1)
        async with unit_of_work() as tx:
            assert await tx[Quotas].consume(tenant.id, Quota.ENRICHMENTS, MARCH, 1)
            assert await tx[Quotas].used(tenant.id, Quota.COVERAGE_CHECKS, MARCH) == 0
        assert not await _consume(unit_of_work, tenant.id, 1)

    async def test_several_quotas_are_read_at_once_each_in_its_window(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        today = date(2026, 3, 10)
        async with unit_of_work() as tx:
            for quota, window in ((Quota.ARTICLES, MARCH), (Quota.ARTICLES, today), (Quota.ENRICHMENTS, today)):
                await tx[Quotas].consume(tenant.id, quota, window, None)
            await tx[Quotas].consume(tenant.id, Quota.ENRICHMENTS, today, None)
        windows = {Quota.ARTICLES: MARCH, Quota.ENRICHMENTS: today, Quota.COVERAGE_CHECKS: today}
        async with unit_of_work() as tx:
            used = await tx[Quotas].used_of(tenant.id, windows)
            assert used == {Quota.ARTICLES: 1, Quota.ENRICHMENTS: 2, Quota.COVERAGE_CHECKS: 0}
            assert set((await tx[Quotas].used_of(other.id, windows)).values()) == {0}
            assert await tx[Quotas].used_of(tenant.id, {}) == {}

    async def test_what_is_given_back_can_be_consumed_again(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        for owner in (tenant, other):
            assert await _consume(unit_of_work, owner.id, 1)
        async with unit_of_work() as tx:
            await tx[Quotas].refund(tenant.id, Quota.ARTICLES, MARCH)
        assert (await _used(unit_of_work, tenant.id), await _used(unit_of_work, other.id)) == (0, 1)
        assert await _consume(unit_of_work, tenant.id, 1)

    async def test_giving_back_more_than_was_used_leaves_nothing_used(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Quotas].refund(tenant.id, Quota.ARTICLES, MARCH)
        assert await _used(unit_of_work, tenant.id) == 0
        assert [await _consume(unit_of_work, tenant.id, 1) for _ in range(2)] == [True, False]

    async def test_several_are_counted_together_or_not_at_all(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        assert not await _consume(unit_of_work, other.id, 30, amount=31)
        assert await _used(unit_of_work, other.id) == 0
        assert await _consume(unit_of_work, tenant.id, 30, amount=15)
        assert await _consume(unit_of_work, tenant.id, 30, amount=13)
        assert not await _consume(unit_of_work, tenant.id, 30, amount=3)
        assert await _used(unit_of_work, tenant.id) == 28
        assert await _consume(unit_of_work, tenant.id, 30, amount=2)
        async with unit_of_work() as tx:
            await tx[Quotas].refund(tenant.id, Quota.ARTICLES, MARCH, 15)
        assert await _used(unit_of_work, tenant.id) == 15
        async with unit_of_work() as tx:
            await tx[Quotas].refund(tenant.id, Quota.ARTICLES, MARCH, 40)
        assert await _used(unit_of_work, tenant.id) == 0

    async def test_of_several_consumers_at_once_none_passes_the_limit(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        outcomes = await asyncio.gather(*(_consume(unit_of_work, tenant.id, 30, amount=7) for _ in range(8)))
        assert sorted(outcomes) == [False] * 4 + [True] * 4
        assert await _used(unit_of_work, tenant.id) == 28


def _record(tenant_id: TenantId, key: str = "k1", at: datetime = MOMENT) -> IdempotencyRecord:
    return IdempotencyRecord(tenant_id, key, builders.sha256("body"), builders.new_id(), at)


async def _add(unit_of_work: UnitOfWork, record: IdempotencyRecord) -> None:
    async with unit_of_work() as tx:
        await tx[Idempotency].add(record)


ALMOST_A_DAY = timedelta(hours=23, minutes=59)
OVER_A_DAY = timedelta(hours=24, seconds=1)


class IdempotencyContract:
    async def test_a_used_key_is_found_for_24_hours(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        record = _record(tenant.id)
        await _add(unit_of_work, record)
        async with unit_of_work() as tx:
            assert await tx[Idempotency].find(tenant.id, "k1", MOMENT) == record
            assert await tx[Idempotency].find(tenant.id, "k1", MOMENT + ALMOST_A_DAY) == record
            assert await tx[Idempotency].find(tenant.id, "k1", MOMENT + OVER_A_DAY) is None
            assert await tx[Idempotency].find(tenant.id, "k2", MOMENT) is None
            assert await tx[Idempotency].find(other.id, "k1", MOMENT) is None

    async def test_a_key_is_used_once_in_24_hours(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        record = _record(tenant.id)
        await _add(unit_of_work, record)
        for later in (timedelta(0), ALMOST_A_DAY):
            with pytest.raises(AlreadyExists):
                await _add(unit_of_work, _record(tenant.id, at=MOMENT + later))
        for unlike in (_record(other.id), _record(tenant.id, "k2")):
            await _add(unit_of_work, unlike)
        async with unit_of_work() as tx:
            assert await tx[Idempotency].find(tenant.id, "k1", MOMENT) == record

    async def test_a_record_older_than_24_hours_is_replaced(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await _add(unit_of_work, _record(tenant.id))
        now = MOMENT + OVER_A_DAY
        newer = evolve(_record(tenant.id, at=now), fingerprint=builders.sha256("another body"))
        await _add(unit_of_work, newer)
        async with unit_of_work() as tx:
            assert await tx[Idempotency].find(tenant.id, "k1", now) == newer
        with pytest.raises(AlreadyExists):
            await _add(unit_of_work, _record(tenant.id, at=now))

    async def test_a_key_used_twice_at_once_is_used_once(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        records = [_record(tenant.id) for _ in range(6)]
        outcomes = await asyncio.gather(*(_add(unit_of_work, r) for r in records), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes if outcome is not None] == [AlreadyExists] * 5

    async def test_a_second_user_of_a_key_waits_for_the_first_to_end(self, unit_of_work: UnitOfWork) -> None:
        """And gets the key when the first one failed."""
        tenant = await given_tenant(unit_of_work)
        added, fail = asyncio.Event(), asyncio.Event()

        async def add_and_fail() -> None:
            async with unit_of_work() as tx:
                await tx[Idempotency].add(_record(tenant.id))
                added.set()
                await fail.wait()
                raise LookupError

        first = asyncio.create_task(add_and_fail())
        await added.wait()
        record = _record(tenant.id)
        second = asyncio.create_task(_add(unit_of_work, record))
        done, _ = await asyncio.wait({second}, timeout=0.05)
        assert not done
        fail.set()
        with pytest.raises(LookupError):
            await first
        await second
        async with unit_of_work() as tx:
            assert await tx[Idempotency].find(tenant.id, "k1", MOMENT) == record
