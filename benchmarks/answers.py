"""Measure the cost of making an answer from a value of the core, beside the same conversion written out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from timeit import repeat
from typing import Any, Final

from benchmarks.report import Figure
from contentgen_core.model.calendar import CalendarEntry, CalendarKind
from contentgen_http.wire import calendar as wire
from contentgen_http.wire.base import optional, utc

DESCRIPTION: Final = "AnswerOf: an answer of 11 fields, beside one written out"

CALLS: Final = 5_000
ROUNDS: Final = 60
MOST: Final = 3.0


def run() -> list[Figure]:
    entry = CalendarEntry(
        kind=CalendarKind.PUBLISHED,
        at=datetime(2026, 11, 29, tzinfo=UTC),
        id="1",
        title="Heat pumps",
        niche_key="homes",
    )
    assert wire.CalendarEntry.of(entry) == _written_out(entry)
    by_hand = _microseconds(lambda: _written_out(entry))
    return [
        _figure("all fields copied", _microseconds(lambda: wire.CalendarEntry.of(entry)), by_hand),
        _figure(
            "two fields given",
            _microseconds(lambda: wire.CalendarEntry.copy_from(entry, title="Heat", url=None)),
            by_hand,
        ),
    ]


def _figure(what: str, took: float, by_hand: float) -> Figure:
    return Figure(
        what, f"{took:.2f} µs", f"{by_hand:.2f} µs written out", f"{took:.2f} µs", f"≤ {MOST} µs", took <= MOST
    )


def _microseconds(call: Callable[[], Any]) -> float:
    return min(repeat(call, number=CALLS, repeat=ROUNDS)) / CALLS * 1e6


def _written_out(entry: CalendarEntry) -> wire.CalendarEntry:
    return wire.CalendarEntry(
        kind=entry.kind,
        at=utc(entry.at),
        title=optional(entry.title),
        niche_key=optional(entry.niche_key),
        language=optional(entry.language),
        articles=optional(entry.articles),
        article_id=optional(entry.article_id),
        publication_id=optional(entry.publication_id),
        integration_id=optional(entry.integration_id),
        provider=optional(entry.provider),
        url=optional(entry.url),
    )
