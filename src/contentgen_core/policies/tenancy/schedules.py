"""Article schedules: validating their settings, and when they fire, across changes of the zone's clocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Final

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.model.execution import MAX_ARTICLES
from contentgen_core.model.schedule import DAYS, Timing
from contentgen_core.model.vocabulary import Processing
from contentgen_core.policies.text.json_limits import free_form_faults

NEXT_RUN: Final = "nextRunAt"
"""A key that answers add to the settings; it is ignored in requests."""
DAYS_SEARCHED: Final = 16
"""Two weeks and a day at either end: a zone may skip a day, which may be the only one of a week."""
MAX_AHEAD: Final = timedelta(days=DAYS_SEARCHED)
"""A next run further ahead than this was computed by a clock that was wrong."""
WEEKS_PER_MONTH: Final = 30 / 7

_DAY: Final = timedelta(days=1)
_NEEDED: Final = ("days", "hour", "timeZone")


def changed_settings(
    settings: Mapping[str, Any], changes: Mapping[str, Any], time_zones: Collection[str]
) -> dict[str, Any]:
    """The settings with changes applied: null removes a key, unknown keys are kept.

    `time_zones`: the valid values of `timeZone`. Raises InvalidInput naming every faulty key."""
    merged = {k: v for k, v in {**settings, **changes}.items() if v is not None and k != NEXT_RUN}
    faults = [
        FieldError(key, must)
        for key, (holds, must) in _rules(time_zones).items()
        if key in merged and not holds(merged[key])
    ]
    faulty = {fault.field for fault in faults}
    if merged.get("enabled") is True:
        faults += [FieldError(key, "is needed while the schedule is enabled") for key in _NEEDED if key not in merged]
        if "days" not in faulty and merged.get("days") == []:
            faults.append(FieldError("days", "at least one while the schedule is enabled"))
    faults += free_form_faults(merged)
    if faults:
        raise InvalidInput(*faults)
    return merged


def _rules(time_zones: Collection[str]) -> dict[str, tuple[Callable[[Any], bool], str]]:
    return {
        "enabled": (_is_bool, "must be true or false"),
        "days": (_are_days, f"must be a list of {', '.join(DAYS)}, each once at most"),
        "hour": (_range_check(0, 23), "must be a whole number from 0 to 23"),
        "minute": (_range_check(0, 59), "must be a whole number from 0 to 59"),
        "timeZone": (
            lambda value: isinstance(value, str) and value in time_zones,
            "must be the name of an IANA time zone, such as Europe/Paris",
        ),
        "articlesPerRun": (_range_check(1, MAX_ARTICLES), f"must be a whole number from 1 to {MAX_ARTICLES}"),
        "autopublish": (_is_bool, "must be true or false"),
        "processing": (lambda value: value in list(Processing), f"must be one of {', '.join(Processing)}"),
    }


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _range_check(least: int, most: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _are_days(value: object) -> bool:
    return isinstance(value, list) and all(day in DAYS for day in value) and len(value) == len(set(value))


def next_fire(timing: Timing, zone: tzinfo, after: datetime) -> datetime:
    """The first moment (UTC) after `after` at which the clocks of the zone show the time on one of the days. A local
    time that does not exist on its day fires at the moment the clocks jump over it; one that occurs twice fires the
    first time only."""
    return min(moment for moment in _fires_around(timing, zone, after) if moment > after)


def upcoming_fires(timing: Timing, zone: tzinfo, after: datetime, count: int) -> list[datetime]:
    """The first `count` such moments after `after`, in order."""
    moments: list[datetime] = []
    while len(moments) < count:
        moments.append(next_fire(timing, zone, moments[-1] if moments else after))
    return moments


def latest_fire(timing: Timing, zone: tzinfo, until: datetime) -> datetime:
    """The last such moment that is not after `until`."""
    return max(moment for moment in _fires_around(timing, zone, until) if moment <= until)


def fires_between(timing: Timing, zone: tzinfo, start: datetime, end: datetime) -> list[datetime]:
    """Return all moments at which the timing fires from `start` to before `end`, in order."""
    day, last = start.astimezone(zone).date() - _DAY, end.astimezone(zone).date() + _DAY
    moments = []
    while day <= last:
        if day.weekday() in timing.days:
            moments.append(moment_of(day, timing.hour, timing.minute, zone))
        day += _DAY
    return sorted({moment for moment in moments if start <= moment < end})


def due_run(timing: Timing, zone: tzinfo, next_fire_at: datetime, now: datetime) -> datetime | None:
    """The moment of the run to start at `now`: None before the next one is due; after an outage only the latest one
    missed."""
    return max(next_fire_at, latest_fire(timing, zone, now)) if next_fire_at <= now else None


def articles_per_month(timing: Timing, articles_per_run: int, agents: int) -> float:
    """The articles that a schedule writes in 30 days."""
    return WEEKS_PER_MONTH * len(timing.days) * articles_per_run * agents


def _fires_around(timing: Timing, zone: tzinfo, moment: datetime) -> list[datetime]:
    today = moment.astimezone(zone).date()
    days = (today + n * _DAY for n in range(-DAYS_SEARCHED, DAYS_SEARCHED + 1))
    return [moment_of(day, timing.hour, timing.minute, zone) for day in days if day.weekday() in timing.days]


def moment_of(day: date, hour: int, minute: int, zone: tzinfo) -> datetime:
    """The moment (UTC) at which the clocks of a zone first show a time on a day, or jump over it."""
    shown = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
    moment = shown.astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == shown.replace(tzinfo=None):
        return moment
    # PEP 495: in a gap, fold=0 uses the offset before the jump and gives a moment after it, fold=1 one before it.
    before, after = shown.replace(fold=1).astimezone(UTC), moment
    return _jump_between(before, after, zone)


def _jump_between(before: datetime, after: datetime, zone: tzinfo) -> datetime:
    """The moment, to the second, from which the zone has another offset than at `before`."""
    offset = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + timedelta(seconds=(after - before) // timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after
