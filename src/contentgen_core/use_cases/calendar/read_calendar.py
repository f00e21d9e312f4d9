"""GET /calendar: what is planned, scheduled and published, in the order of its time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from datetime import datetime
from heapq import merge
from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_core.model.calendar import MAX_RANGE, CalendarDay, CalendarEntry, CalendarKind, CalendarQuery
from contentgen_core.model.ids import TenantId
from contentgen_core.policies.tenancy.schedules import fires_between
from contentgen_core.ports.repositories.calendar import Calendar
from contentgen_core.ports.runtime import TimeZones
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

MAX_ENTRIES: Final = 200
"""Of one answer."""
MAX_SCHEDULES: Final = 200
ALL_KINDS: Final = frozenset(CalendarKind)


@use_case
class ReadCalendar:
    unit_of_work: UnitOfWork
    time_zones: TimeZones

    async def __call__(
        self, tenant_id: TenantId, query: CalendarQuery, limit: int, kinds: Collection[CalendarKind] = ALL_KINDS
    ) -> list[CalendarEntry]:
        """The first entries, MAX_ENTRIES at most. With an integration: its posts alone, since what is planned, and
        scheduled articles, go to whichever are connected then; with a language: without runs, whose
        language is not known yet. Raises InvalidInput for a range that is empty or above MAX_RANGE."""
        _check(query)
        most = min(limit, MAX_ENTRIES)
        found: list[list[CalendarEntry]] = []
        async with self.unit_of_work() as tx:
            if CalendarKind.PLANNED in kinds:
                found += [await tx[Calendar].waiting_plans(tenant_id, query, most)]
                found += [await self._runs(tx, tenant_id, query)]
            if CalendarKind.SCHEDULED in kinds:
                found += [await tx[Calendar].scheduled(tenant_id, query, most)]
            if CalendarKind.PUBLISHED in kinds:
                found += [await tx[Calendar].published(tenant_id, query, most)]
        return list(merge(*found, key=lambda entry: entry.place))[:most]

    async def by_day(
        self, tenant_id: TenantId, query: CalendarQuery, kind: CalendarKind, starts: Sequence[datetime], limit: int
    ) -> list[CalendarDay]:
        """The first entries of each day, MAX_ENTRIES at most, and how many it has: what a grid of days shows takes no
        longer when a day has very many. `starts`: when each day begins, in their order and within the query. Raises
        InvalidInput as above."""
        _check(query)
        most = min(limit, MAX_ENTRIES)
        async with self.unit_of_work() as tx:
            days = await tx[Calendar].by_day(kind, tenant_id, query, starts, most)
            runs = await self._runs(tx, tenant_id, query) if kind is CalendarKind.PLANNED else []
        of_day: list[list[CalendarEntry]] = [[] for _ in starts]
        for run in runs:
            of_day[bisect_right(starts, run.at) - 1].append(run)
        return [
            day.joined(CalendarDay(tuple(more[:most]), len(more)), most) if more else day
            for day, more in zip(days, of_day, strict=True)
        ]

    async def _runs(self, tx: Transaction, tenant_id: TenantId, query: CalendarQuery) -> list[CalendarEntry]:
        """The runs that are to come, by the clocks of each schedule's time zone."""
        if query.language is not None or query.integration_id is not None:
            return []
        entries: list[CalendarEntry] = []
        for niche_key, schedule, agents in await tx[Calendar].schedules(tenant_id, MAX_SCHEDULES):
            timing, following = schedule.timing, schedule.next_fire_at
            if timing is None or following is None or query.niche_key not in (None, niche_key):
                continue
            zone, articles = self.time_zones.zone(timing.time_zone), agents * schedule.articles_per_run
            for at in fires_between(timing, zone, max(query.start, following), query.end):
                id = f"run-{schedule.niche_id}-{at:%Y%m%dT%H%M%SZ}"
                entries.append(CalendarEntry(CalendarKind.PLANNED, at, id, niche_key, articles=articles))
        later = [entry for entry in entries if entry.place > query.after_or_start]
        return sorted(later, key=lambda entry: entry.place)


def _check(query: CalendarQuery) -> None:
    if query.start >= query.end:
        raise InvalidInput.of("to", "must be later than from")
    if query.end - query.start > MAX_RANGE:
        raise InvalidInput.of("to", f"at most {MAX_RANGE.days} days after from")
