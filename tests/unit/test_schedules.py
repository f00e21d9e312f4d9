"""When schedules fire, in every time zone there is, and what they may say."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_adapters.runtime import IanaTimeZones
from contentgen_core.errors import InvalidInput
from contentgen_core.model.schedule import Timing
from contentgen_core.policies.tenancy.schedules import (
    articles_per_month,
    changed_settings,
    due_run,
    fires_between,
    latest_fire,
    moment_of,
    next_fire,
    upcoming_fires,
)
from contentgen_core.policies.text.json_limits import MAX_BYTES, MAX_INTEGER
from contentgen_core.testing import strategies

ZONES = IanaTimeZones()
EVERY_DAY = frozenset(range(7))
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)

timings = st.builds(
    Timing,
    st.frozensets(st.integers(0, 6), min_size=1),
    st.integers(0, 23),
    st.integers(0, 59),
    st.sampled_from(sorted(ZONES.names)),
)
# Around the changes of clocks, where chance would rarely lead: two of every year of this century's first four decades.
changes = st.builds(
    lambda year, month, day, minute: datetime(year, month, day, tzinfo=UTC) + timedelta(minutes=minute),
    st.integers(2000, 2039), st.sampled_from([3, 4, 9, 10, 11]), st.integers(1, 28), st.integers(0, 1439),
)  # fmt: skip
moments = strategies.moments() | changes


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def every_day(hour: int, minute: int, zone: str) -> Timing:
    return Timing(EVERY_DAY, hour, minute, zone)


def following(timing: Timing, after: datetime, count: int) -> list[datetime]:
    return upcoming_fires(timing, ZONES.zone(timing.time_zone), after, count)


def shows(timing: Timing, zone: tzinfo, moment: datetime) -> bool:
    local = moment.astimezone(zone)
    return (local.hour, local.minute, local.second) == (timing.hour, timing.minute, 0) and (
        local.weekday() in timing.days
    )


def jumps(zone: tzinfo, moment: datetime) -> bool:
    """Whether the clocks of a zone are put on at a moment."""
    before, after = (moment - SECOND).astimezone(zone), moment.astimezone(zone)
    return after.replace(tzinfo=None) - before.replace(tzinfo=None) > SECOND


# ------------------------------------------------------------------------------------------------------ in all zones


@given(timings, moments)
def test_the_next_run_is_after_now_and_on_time_or_at_a_jump_of_the_clocks(timing: Timing, now: datetime) -> None:
    zone = ZONES.zone(timing.time_zone)
    moment = next_fire(timing, zone, now)
    assert now < moment <= now + timedelta(days=9)
    assert moment.tzinfo is UTC
    assert shows(timing, zone, moment) or jumps(zone, moment)


@given(timings, moments, st.floats(0, 1))
def test_no_run_lies_between_now_and_the_next_one(timing: Timing, now: datetime, share: float) -> None:
    zone = ZONES.zone(timing.time_zone)
    moment = next_fire(timing, zone, now)
    between = now + share * (moment - now)
    if between < moment:
        assert next_fire(timing, zone, between) == moment
        assert latest_fire(timing, zone, between) <= now


@given(timings, moments)
@example(every_day(2, 30, "Europe/Paris"), at("2026-03-27T12:00Z"))
@example(every_day(2, 30, "Europe/Paris"), at("2026-10-23T12:00Z"))
@example(every_day(0, 30, "America/Havana"), at("2026-03-06T12:00Z"))
@example(every_day(9, 0, "Pacific/Apia"), at("2011-12-27T12:00Z"))
def test_every_chosen_day_has_exactly_one_run(timing: Timing, now: datetime) -> None:
    zone = ZONES.zone(timing.time_zone)
    fires = following(timing, now, 6)
    assert fires == sorted(set(fires))
    first, last = (fire.astimezone(zone).date() for fire in (fires[0], fires[-1]))
    inside = (first + n * DAY for n in range((last - first).days + 1))
    expected = {moment_of(day, timing.hour, timing.minute, zone) for day in inside if day.weekday() in timing.days}
    # A day that the zone skipped runs at the end of the gap, which is the beginning of the day after.
    assert set(fires) | {fires[0], fires[-1]} == expected | {fires[0], fires[-1]}


@given(timings, moments)
def test_the_latest_run_and_the_next_one_follow_each_other(timing: Timing, now: datetime) -> None:
    zone = ZONES.zone(timing.time_zone)
    last = latest_fire(timing, zone, now)
    assert last <= now < next_fire(timing, zone, last)
    assert next_fire(timing, zone, last - SECOND) == last


@given(st.frozensets(st.integers(0, 6), min_size=1), st.integers(0, 23), st.integers(0, 59), moments)
def test_in_utc_it_is_plain_reckoning(days: frozenset[int], hour: int, minute: int, now: datetime) -> None:
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    ahead = [today + n * DAY for n in range(8)]
    expected = next(moment for moment in ahead if moment > now and moment.weekday() in days)
    assert next_fire(Timing(days, hour, minute, "UTC"), UTC, now) == expected


def test_every_zone_can_be_read_and_none_is_without_a_place() -> None:
    assert {"UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata"} <= ZONES.names
    assert not {"Factory", "localtime", "posixrules"} & ZONES.names
    now = at("2026-06-01T00:00Z")
    for name in ZONES.names:
        assert next_fire(every_day(0, 0, name), ZONES.zone(name), now) > now


# ----------------------------------------------------------------------------------------------- clocks that change


@pytest.mark.parametrize(
    ("zone", "hour", "minute", "after", "expected"),
    [
        # 02:00 becomes 03:00: half past two fires as the clocks jump, and the day after at half past two
        ("Europe/Paris", 2, 30, "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:30Z"]),
        # 03:00 becomes 02:00: half past two is there twice and fires the first time
        ("Europe/Paris", 2, 30, "2026-10-24T12:00Z", ["2026-10-25T00:30Z", "2026-10-26T01:30Z"]),
        # midnight does not exist
        ("America/Havana", 0, 0, "2026-03-07T12:00Z", ["2026-03-08T05:00Z", "2026-03-09T04:00Z"]),
        # half an hour
        ("Australia/Lord_Howe", 2, 15, "2026-10-03T00:00Z", ["2026-10-03T15:30Z", "2026-10-04T15:15Z"]),
        # Samoa had no 30 December 2011: its run is at the end of the 29th
        ("Pacific/Apia", 9, 0, "2011-12-29T18:00Z", ["2011-12-29T19:00Z", "2011-12-30T10:00Z", "2011-12-30T19:00Z"]),
        ("Asia/Kathmandu", 9, 0, "2026-01-01T00:00Z", ["2026-01-01T03:15Z"]),
    ],
)
def test_a_time_that_does_not_exist_or_exists_twice_fires_once(
    zone: str, hour: int, minute: int, after: str, expected: list[str]
) -> None:
    assert following(every_day(hour, minute, zone), at(after), len(expected)) == [at(text) for text in expected]


def test_a_local_time_keeps_its_hour_over_the_year() -> None:
    zone = ZONES.zone("America/New_York")
    hours = {moment_of(date(2026, month, 15), 9, 0, zone).hour for month in range(1, 13)}
    assert hours == {13, 14}


def test_a_weekly_run_on_a_day_that_was_skipped_is_not_lost() -> None:
    friday = Timing(frozenset({4}), 9, 0, "Pacific/Apia")
    assert following(friday, at("2011-12-24T00:00Z"), 2) == [at("2011-12-30T10:00Z"), at("2012-01-05T19:00Z")]


# --------------------------------------------------------------------------------------------------------- outages


@given(timings, moments, st.timedeltas(timedelta(0), timedelta(days=400)))
def test_after_an_outage_one_run_is_made_up_for_the_latest_missed(
    timing: Timing, planned_after: datetime, late: timedelta
) -> None:
    zone = ZONES.zone(timing.time_zone)
    planned = next_fire(timing, zone, planned_after)
    assert due_run(timing, zone, planned, planned - SECOND) is None
    assert due_run(timing, zone, planned, planned) == planned
    now = planned + late
    run = due_run(timing, zone, planned, now)
    assert run is not None
    assert planned <= run <= now
    assert due_run(timing, zone, next_fire(timing, zone, now), now) is None


def test_a_month_has_thirty_days() -> None:
    assert articles_per_month(Timing(EVERY_DAY, 9, 0, "UTC"), 2, 3) == pytest.approx(180)
    assert articles_per_month(Timing(frozenset({0}), 9, 0, "UTC"), 1, 1) == pytest.approx(30 / 7)


# -------------------------------------------------------------------------------------------------- what it may say

SOUND: dict[str, Any] = {"enabled": True, "days": ["mon", "fri"], "hour": 9, "timeZone": "Europe/Paris"}


def faults(changes: dict[str, Any], settings: dict[str, Any] | None = None) -> set[str]:
    with pytest.raises(InvalidInput) as refused:
        changed_settings(settings or {}, changes, ZONES.names)
    return {error.field for error in refused.value.errors}


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("enabled", [1, "true", [True]]),
        ("days", ["mon", [], ["monday"], ["mon", "mon"], [1], {}]),
        ("hour", [-1, 24, 9.5, "9", True]),
        ("minute", [-1, 60, 0.5, "0", False]),
        ("timeZone", ["", "Paris", "europe/paris", "Factory", "../etc/passwd", 1, "posix/Europe/Paris"]),
        ("articlesPerRun", [0, 11, 1.5, "1", True]),
        ("autopublish", [0, "no"]),
    ],
)
def test_a_known_key_must_hold_what_it_stands_for(key: str, values: list[object]) -> None:
    for value in values:
        assert faults({**SOUND, key: value}) == {key}


def test_all_faults_are_named_at_once() -> None:
    assert faults({"enabled": True, "hour": 30, "articlesPerRun": 0}) == {"hour", "articlesPerRun", "days", "timeZone"}


def test_what_is_not_enabled_may_be_incomplete() -> None:
    assert changed_settings({}, {"hour": 9, "days": []}, ZONES.names) == {"hour": 9, "days": []}
    assert faults({"enabled": True}, {"hour": 9, "days": []}) == {"days", "timeZone"}


def test_null_clears_and_other_keys_are_kept() -> None:
    settings = changed_settings({}, {**SOUND, "note": {"a": None}, "colour": "red", "nextRunAt": "soon"}, ZONES.names)
    assert settings == {**SOUND, "note": {"a": None}, "colour": "red"}
    assert changed_settings(settings, {"colour": None, "minute": 5}, ZONES.names) == {
        **SOUND, "note": {"a": None}, "minute": 5,
    }  # fmt: skip
    assert faults({"days": None}, settings) == {"days"}


@pytest.mark.parametrize(
    "value",
    ["nul \0", {"nul\0": 1}, MAX_INTEGER + 1, [-MAX_INTEGER - 1], "x" * MAX_BYTES, "é" * (MAX_BYTES // 2)],
    ids=["nul", "nul_in_a_name", "large", "small", "long", "long_in_bytes"],
)
def test_other_keys_hold_what_everybody_can_carry(value: object) -> None:
    assert faults({"note": value})


def test_the_bound_is_on_all_of_it_in_bytes() -> None:
    room = MAX_BYTES - len(json.dumps({"note": ""}, separators=(",", ":")))
    assert changed_settings({}, {"note": "x" * room}, ZONES.names)
    assert faults({"note": "x" * (room + 1)}) == {"body"}
    assert faults({"more": 1}, {"note": "x" * room}) == {"body"}


def test_depth_is_bounded() -> None:
    deep: object = 1
    for _ in range(40):
        deep = [deep]
    assert faults({"note": deep})


@given(timings, moments, st.integers(1, 93))
def test_the_fires_of_a_range_are_those_that_follow_one_after_the_other(
    timing: Timing, start: datetime, days: int
) -> None:
    zone, end = ZONES.zone(timing.time_zone), start + days * DAY
    expected, moment = [], start - timedelta(microseconds=1)
    while (moment := next_fire(timing, zone, moment)) < end:
        expected.append(moment)
    assert fires_between(timing, zone, start, end) == expected
