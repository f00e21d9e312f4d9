"""GET and PATCH /niches/{id}/article-schedule: when the agents of a niche start by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NicheNotActivated
from contentgen_core.model.ids import NicheId
from contentgen_core.model.niche import Niche
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.tenancy.schedules import changed_settings, next_fire, upcoming_fires
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, TimeZones
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

# An attempt is lost only when another change, or the start of a run, succeeded.
ATTEMPTS: Final = 5


@use_case
class ManageArticleSchedules:
    """`niche_id`: the id or key of an activated niche. Both methods raise NotFound and NicheNotActivated."""

    unit_of_work: UnitOfWork
    time_zones: TimeZones
    clock: Clock

    async def read(self, caller: Caller, niche_id: str) -> ArticleSchedule:
        """An empty schedule where none is stored."""
        async with self.unit_of_work() as tx:
            niche = await _activated_niche(tx, caller, niche_id)
            return await _schedule(tx, caller, niche)

    async def all(self, caller: Caller) -> Mapping[NicheId, ArticleSchedule]:
        """Return the tenant's stored schedules, by niche."""
        async with self.unit_of_work() as tx:
            return {schedule.niche_id: schedule for schedule in await tx[ArticleSchedules].of_tenant(caller.tenant_id)}

    async def change(self, caller: Caller, niche_id: str, changes: Mapping[str, Any]) -> ArticleSchedule:
        """The schedule with some keys set or (None) removed. A change of days, time or zone computes the next run from
        now; any other change keeps it.

        Raises InvalidInput, NotPermitted, ConcurrentChange."""
        # Validates the changed keys alone; whether any is missing depends on the stored ones.
        alone = {key: value for key, value in changes.items() if (key, value) != ("enabled", True)}
        changed_settings({}, alone, self.time_zones.names)
        require_role(caller, Role.EDITOR)
        for _ in range(ATTEMPTS - 1):
            with suppress(ConcurrentChange):
                return await self._apply_changes(caller, niche_id, changes)
        return await self._apply_changes(caller, niche_id, changes)

    def upcoming(self, schedule: ArticleSchedule, count: int) -> list[datetime]:
        """Return the next moments (UTC) at which a schedule starts; none while it is not enabled."""
        timing, first = schedule.timing, schedule.next_fire_at
        if timing is None or first is None:
            return []
        return [first, *upcoming_fires(timing, self.time_zones.zone(timing.time_zone), first, count - 1)]

    async def _apply_changes(self, caller: Caller, niche_id: str, changes: Mapping[str, Any]) -> ArticleSchedule:
        async with self.unit_of_work() as tx:
            niche = await _activated_niche(tx, caller, niche_id)
            schedule = await _schedule(tx, caller, niche)
            if changes.get("enabled") is True and "timeZone" not in schedule.settings:
                zone_of_tenant = (await tx[Tenants].get(caller.tenant_id)).time_zone
                changes = changes if zone_of_tenant is None else {"timeZone": zone_of_tenant, **changes}
            settings = changed_settings(schedule.settings, changes, self.time_zones.names)
            changed = evolve(schedule, settings=settings, set_by=caller.user_id)
            if changed.timing != schedule.timing:
                changed = evolve(changed, next_fire_at=None)
            if changed.timing is not None and changed.next_fire_at is None:
                zone = self.time_zones.zone(changed.timing.time_zone)
                changed = evolve(changed, next_fire_at=next_fire(changed.timing, zone, self.clock.now()))
            return await tx[ArticleSchedules].save(changed)


async def _activated_niche(tx: Transaction, caller: Caller, niche_id: str) -> Niche:
    niche = await tx[Niches].get(caller.tenant_id, niche_id)
    if niche.activation is None:
        raise NicheNotActivated(niche.niche_key)
    return niche


async def _schedule(tx: Transaction, caller: Caller, niche: Niche) -> ArticleSchedule:
    found = await tx[ArticleSchedules].find(caller.tenant_id, niche.id)
    return found or ArticleSchedule(caller.tenant_id, niche.id, caller.user_id)
