"""Article schedules: one per tenant and niche, found when due, locked by one transaction at a time."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import NicheId, TenantId
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant

MAX_AHEAD = MOMENT + timedelta(days=16)


async def _stored(unit_of_work: UnitOfWork, **changes: object) -> ArticleSchedule:
    tenant, niche = await given_tenant(unit_of_work), builders.niche()
    await given(unit_of_work, niche)
    async with unit_of_work() as tx:
        schedule = builders.article_schedule(**{"tenant_id": tenant.id, "niche_id": niche.id} | changes)
        return await tx[ArticleSchedules].save(schedule)


async def _due(unit_of_work: UnitOfWork, now: datetime = MOMENT, limit: int = 10) -> list[tuple[TenantId, NicheId]]:
    async with unit_of_work() as tx:
        return await tx[ArticleSchedules].due(now, now + timedelta(days=16), limit)


def _key(schedule: ArticleSchedule) -> tuple[TenantId, NicheId]:
    return schedule.tenant_id, schedule.niche_id


class ArticleSchedulesContract:
    async def test_a_schedule_is_given_back_with_whatever_it_holds(self, unit_of_work: UnitOfWork) -> None:
        settings = {"enabled": False, "note": {"a": [1, 2.5, None, "é \U0001f321", True, {}]}, "ключ": ""}
        schedule = await _stored(unit_of_work, settings=settings, next_fire_at=None)
        assert schedule.revision == 1
        async with unit_of_work() as tx:
            assert await tx[ArticleSchedules].find(*_key(schedule)) == schedule
            assert await tx[ArticleSchedules].of_tenant(schedule.tenant_id) == [schedule]
            assert await tx[ArticleSchedules].of_tenant(TenantId(builders.new_id())) == []
            assert await tx[ArticleSchedules].find(TenantId(builders.new_id()), schedule.niche_id) is None
            assert await tx[ArticleSchedules].find(schedule.tenant_id, NicheId(builders.new_id())) is None

    async def test_a_changed_schedule_replaces_the_former_one(self, unit_of_work: UnitOfWork) -> None:
        schedule = await _stored(unit_of_work)
        changed = evolve(schedule, settings={}, next_fire_at=None)
        async with unit_of_work() as tx:
            assert await tx[ArticleSchedules].save(changed) == evolve(changed, revision=2)
        async with unit_of_work() as tx:
            assert await tx[ArticleSchedules].find(*_key(schedule)) == evolve(changed, revision=2)

    async def test_a_save_of_an_older_schedule_is_refused(self, unit_of_work: UnitOfWork) -> None:
        schedule = await _stored(unit_of_work)
        async with unit_of_work() as tx:
            await tx[ArticleSchedules].save(schedule)
        for revision in (0, 1, 3):
            with pytest.raises(ConcurrentChange):
                async with unit_of_work() as tx:
                    await tx[ArticleSchedules].save(evolve(schedule, revision=revision))

    async def test_of_first_schedules_saved_at_the_same_time_one_wins(self, unit_of_work: UnitOfWork) -> None:
        tenant, niche = await given_tenant(unit_of_work), builders.niche()
        await given(unit_of_work, niche)

        async def save(hour: int) -> ArticleSchedule:
            async with unit_of_work() as tx:
                made = builders.article_schedule(tenant_id=tenant.id, niche_id=niche.id, settings={"hour": hour})
                return await tx[ArticleSchedules].save(made)

        outcomes = await asyncio.gather(*(save(hour) for hour in range(6)), return_exceptions=True)
        (winner,) = (outcome for outcome in outcomes if isinstance(outcome, ArticleSchedule))
        assert sum(isinstance(outcome, ConcurrentChange) for outcome in outcomes) == 5
        async with unit_of_work() as tx:
            assert await tx[ArticleSchedules].find(tenant.id, niche.id) == winner

    async def test_a_schedule_needs_its_tenant_and_its_niche(self, unit_of_work: UnitOfWork) -> None:
        schedule = await _stored(unit_of_work)
        for missing in (
            evolve(schedule, tenant_id=TenantId(builders.new_id()), revision=0),
            evolve(schedule, niche_id=NicheId(builders.new_id()), revision=0),
        ):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[ArticleSchedules].save(missing)

    async def test_what_is_due_is_found_the_longest_due_first(self, unit_of_work: UnitOfWork) -> None:
        ahead, second, first, now = [
            await _stored(unit_of_work, next_fire_at=MOMENT + timedelta(minutes=minutes)) for minutes in (1, -5, -10, 0)
        ]
        await _stored(unit_of_work, next_fire_at=None)
        assert await _due(unit_of_work) == [_key(first), _key(second), _key(now)]
        assert await _due(unit_of_work, limit=2) == [_key(first), _key(second)]
        assert (await _due(unit_of_work, MOMENT + timedelta(minutes=1)))[-1] == _key(ahead)

    async def test_what_lies_too_far_ahead_is_found_too(self, unit_of_work: UnitOfWork) -> None:
        await _stored(unit_of_work, next_fire_at=MAX_AHEAD)
        beyond = await _stored(unit_of_work, next_fire_at=MAX_AHEAD + timedelta(seconds=1))
        due = await _stored(unit_of_work, next_fire_at=MOMENT)
        assert await _due(unit_of_work) == [_key(due), _key(beyond)]

    async def test_what_is_due_of_a_suspended_tenant_waits(self, unit_of_work: UnitOfWork) -> None:
        due = await _stored(unit_of_work, next_fire_at=MOMENT)
        for since, expected in ((MOMENT, []), (None, [_key(due)])):
            async with unit_of_work() as tx:
                await tx[Tenants].set_suspended(due.tenant_id, since)
            assert await _due(unit_of_work) == expected

    async def test_a_locked_schedule_is_changed_by_no_other_transaction(self, unit_of_work: UnitOfWork) -> None:
        schedule = await _stored(unit_of_work)

        async def lock_and_save() -> bool:
            async with unit_of_work() as tx:
                locked = await tx[ArticleSchedules].lock(*_key(schedule))
                if locked is None or locked.revision != schedule.revision:
                    return False
                await asyncio.sleep(0.02)
                await tx[ArticleSchedules].save(locked)
                return True

        assert sum(await asyncio.gather(*(lock_and_save() for _ in range(8)))) == 1
        async with unit_of_work() as tx:
            assert await tx[ArticleSchedules].lock(*_key(schedule)) == evolve(schedule, revision=2)

    async def test_the_schedule_of_a_deleted_niche_goes_with_it(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        niche = builders.niche(tenant_id=tenant.id)
        await given(unit_of_work, niche)
        async with unit_of_work() as tx:
            made = builders.article_schedule(tenant_id=tenant.id, niche_id=niche.id, next_fire_at=MOMENT)
            schedule = await tx[ArticleSchedules].save(made)
        async with unit_of_work() as tx:
            await tx[Niches].delete(niche)
        assert await _due(unit_of_work) == []
        async with unit_of_work() as tx:
            assert await tx[ArticleSchedules].find(*_key(schedule)) is None
            assert await tx[ArticleSchedules].lock(*_key(schedule)) is None

    @alien_ids
    async def test_what_names_nothing_is_no_schedule(self, unit_of_work: UnitOfWork, alien: str) -> None:
        schedule = await _stored(unit_of_work)
        async with unit_of_work() as tx:
            for key in ((TenantId(alien), schedule.niche_id), (schedule.tenant_id, NicheId(alien))):
                assert await tx[ArticleSchedules].find(*key) is None
                assert await tx[ArticleSchedules].lock(*key) is None
