"""The calendar as a page shows it: days by the clocks of the team, and in each the lanes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from attrs import frozen

from contentgen_core.model.calendar import CalendarEntry, CalendarKind

LANES: Final = (CalendarKind.PLANNED, CalendarKind.SCHEDULED, CalendarKind.PUBLISHED)
SHOWN_OF_DAY: Final = 4
"""Entries of a lane in a day of the grid; the others are named by their number, and lead to that day."""
LISTED_OF_DAY: Final = 12
"""The same for the list that stands in for the grid on small screens."""
AGENDA_DAYS: Final = 31
_DAY: Final = timedelta(days=1)
_EARLIEST: Final = date(1990, 1, 1)
_LATEST: Final = date(2199, 12, 31)


class View(StrEnum):
    MONTH = "month"
    WEEK = "week"
    AGENDA = "agenda"


@frozen
class Span:
    """`first`: the day that the view is about; `start`, `end`: the days that are shown, from the one to before the
    other. `before`, `after`: the first days of the neighbours."""

    view: View
    first: date
    start: date
    end: date
    before: date
    after: date

    @property
    def days(self) -> list[date]:
        return list(_days(self))

    def moments(self, zone: str) -> tuple[datetime, datetime]:
        """When the span begins and ends, by the clocks of a zone."""
        begin, stop = (datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC) for day in (self.start, self.end))
        return begin, stop


@frozen
class ShownDay:
    """`numbers`: of the entries of each lane, which may be more than it holds; `beside`: of another month than the one
    that is shown."""

    day: date
    lanes: Mapping[CalendarKind, Sequence[CalendarEntry]]
    numbers: Mapping[CalendarKind, int]
    today: bool
    beside: bool

    @property
    def empty(self) -> bool:
        return not any(self.lanes.values())


def span_of(view: str, begin: str, today: date) -> Span:
    """The days of a view. `begin`: a day in it, such as 2026-11-25; today for what is none."""
    day = _day(begin, today)
    if view == View.WEEK:
        start = day - day.weekday() * _DAY
        return Span(View.WEEK, start, start, start + 7 * _DAY, start - 7 * _DAY, start + 7 * _DAY)
    if view == View.AGENDA:
        days = AGENDA_DAYS * _DAY
        return Span(View.AGENDA, day, day, day + days, day - days, day + days)
    first = day.replace(day=1)
    following = (first + 31 * _DAY).replace(day=1)
    start = first - first.weekday() * _DAY
    end = following + (-following.weekday() % 7) * _DAY
    return Span(View.MONTH, first, start, end, (first - _DAY).replace(day=1), following)


def starts_of(span: Span, zone: str) -> list[datetime]:
    """When each day of the span begins, by the clocks of a zone."""
    return [datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC) for day in span.days]


def shown_days(
    span: Span,
    entries: Iterable[CalendarEntry],
    zone: str,
    today: date,
    numbers: Mapping[tuple[date, CalendarKind], int] = MappingProxyType({}),
) -> list[ShownDay]:
    """Each day of the span, with its entries by lane in the order of their time. `numbers`: of a day's entries in a
    lane, where not all of them are given."""
    found: dict[tuple[date, CalendarKind], list[CalendarEntry]] = {}
    clocks = ZoneInfo(zone)
    for entry in entries:
        found.setdefault((entry.at.astimezone(clocks).date(), entry.kind), []).append(entry)
    return [
        ShownDay(
            day,
            {lane: found.get((day, lane), []) for lane in LANES},
            {lane: max(numbers.get((day, lane), 0), len(found.get((day, lane), ()))) for lane in LANES},
            today=day == today,
            beside=span.view is View.MONTH and day.month != span.first.month,
        )
        for day in _days(span)
    ]


def weeks(days: Sequence[ShownDay]) -> list[Sequence[ShownDay]]:
    """The days in rows of seven."""
    return [days[at : at + 7] for at in range(0, len(days), 7)]


def _days(span: Span) -> Iterator[date]:
    day = span.start
    while day < span.end:
        yield day
        day += _DAY


def _day(text: str, otherwise: date) -> date:
    try:
        return min(max(date.fromisoformat(text), _EARLIEST), _LATEST)
    except ValueError:
        return otherwise
