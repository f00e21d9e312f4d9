"""Read one table of an export: each row becomes figures, or is counted with the reason why not."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from itertools import islice
from typing import Final

from attrs import define, evolve, field

from contentgen_adapters.search_exports.columns import Column, Layout, fold, layout_of
from contentgen_adapters.search_exports.numbers import BadNumber, count_of, decimal_of
from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.delimited import delimited_rows, delimiter_of
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.tracking import without_tracking
from contentgen_core.errors import UnreadableFile
from contentgen_core.model.search_report import (
    MAX_EXAMPLES,
    MAX_PAGE,
    MAX_QUERY,
    MAX_ROWS,
    ExportTable,
    Period,
    ReportAbout,
    RowFault,
    SearchFigures,
)
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.policies.topics.validation import topic_key

HEAD_WITHIN: Final = 20
"""Rows among which the one that names the columns is."""
_WITHHELD: Final = frozenset(
    {"not provided", "not set", "other", "keyword not defined", "suchbegriff nicht definiert", "mot cle non defini"}
)
_LONGEST_WITHHELD: Final = 40
"""Characters, with the brackets around it."""
_DAYS: Final = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%Y%m%d")
_PATH: Final = re.compile(r"/\S*")

Key = tuple[str, str]


class _Skipped(Exception):
    """A row is left out."""

    def __init__(self, fault: RowFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@define
class _Rows:
    """The rows of a table that were read so far."""

    now: dict[Key, SearchFigures] = field(factory=dict)
    before: dict[Key, SearchFigures] = field(factory=dict)
    days: set[date] = field(factory=set)
    read: int = 0
    merged: int = 0
    skipped: Counter[RowFault] = field(factory=Counter)
    examples: list[tuple[int, RowFault]] = field(factory=list)

    def skip(self, line: int, fault: RowFault) -> None:
        self.skipped[fault] += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append((line, fault))


def read_table(content: bytes, name: str) -> tuple[ExportTable | None, Period | None]:
    """The table of a file, None where it is not about queries or pages; and the days that it names, if it does. Raises
    UnreadableFile for one that is damaged, or too long."""
    text = decode(content)
    rows = enumerate(delimited_rows(text, delimiter_of(text)), start=1)
    try:
        layout = next((found for found in map(_layout, islice(rows, HEAD_WITHIN)) if found is not None), None)
        if layout is None:
            return None, None
        if not layout.is_of_search:
            return None, _period(_dates(rows, layout))
        found = _read(rows, layout, name)
    except csv.Error as exc:
        raise UnreadableFile(f"{name}: the table is damaged: {exc}.") from exc
    about = _about([*found.now, *found.before])
    table = ExportTable(
        file=name,
        about=about,
        figures=tuple(found.now.values()),
        former=tuple(found.before.values()),
        year_before=layout.year_before,
        rows=found.read,
        merged=found.merged,
        skipped=dict(found.skipped),
        examples=tuple(found.examples),
    )
    return table, _period(found.days)


def figures_of(query: str, page: str, clicks: int, impressions: int, position: float) -> SearchFigures | None:
    """Figures that an engine gave as numbers; None where they name no query and page that can be kept."""
    address, query = _address(page), topic_key(query)
    if not query or address is None or len(query) > MAX_QUERY or len(address) > MAX_PAGE or not is_storable(query):
        return None
    shown = max(impressions, clicks)
    return SearchFigures(query, address, clicks, shown, position if position >= 1 and shown else None)


def merge(figures: Sequence[SearchFigures]) -> list[SearchFigures]:
    """Add up the figures of the same query and page."""
    side: dict[Key, SearchFigures] = {}
    for one in figures:
        _add(side, (one.query, one.page), one)
    return list(side.values())


def _layout(numbered: tuple[int, Sequence[str]]) -> Layout | None:
    """The layout, if the row names columns."""
    layout = layout_of(numbered[1])
    named = bool(layout.names) and bool(layout.now)
    return layout if named else None


def _read(rows: Iterator[tuple[int, list[str]]], layout: Layout, name: str) -> _Rows:
    found = _Rows()
    for line, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        found.read += 1
        if found.read > MAX_ROWS:
            raise UnreadableFile(f"{name}: the table has more than {MAX_ROWS:,} rows. Split it.")
        try:
            key = _key(row, layout)
            now, before = _figures(row, layout.now, key), _figures(row, layout.before, key)
            if now is None and before is None:
                raise _Skipped(RowFault.BAD_NUMBER)
        except _Skipped as skip:
            found.skip(line, skip.fault)
            continue
        merged = [_add(side, key, one) for side, one in ((found.now, now), (found.before, before)) if one is not None]
        found.merged += any(merged)
        if day := _day(_cell(row, layout.names.get(Column.DATE))):
            found.days.add(day)
    return found


def _key(row: Sequence[str], layout: Layout) -> Key:
    query = _cell(row, layout.names.get(Column.QUERY))
    page = _cell(row, layout.names.get(Column.PAGE))
    label = _cell(row, layout.names.get(Column.LABEL))
    if label and not (query or page):
        query, page = ("", label) if _address(label) else (label, "")
    if not query and not page:
        raise _Skipped(RowFault.NO_NAME)
    if len(query) <= _LONGEST_WITHHELD and fold(query) in _WITHHELD:
        raise _Skipped(RowFault.WITHHELD)
    query = topic_key(query)
    if len(query) > MAX_QUERY or len(page) > MAX_PAGE:
        raise _Skipped(RowFault.TOO_LONG)
    address = _address(page)
    if page and address is None:
        raise _Skipped(RowFault.NO_PAGE)
    if not is_storable(query):
        raise _Skipped(RowFault.NO_NAME)
    return query, address or ""


def _address(text: str) -> str | None:
    """The address or the path of a page, without its fragment and tracking parameters; None for anything else."""
    bare, _, query = text.partition("#")[0].partition("?")
    kept = without_tracking(query)
    address = f"{bare}?{kept}" if kept else bare
    if _PATH.fullmatch(address) and is_storable(address):
        return address
    return web_address(address)


def _figures(row: Sequence[str], places: Mapping[Column, int], key: Key) -> SearchFigures | None:
    """Return the figures of one period; None where the row has none of them. Raises _Skipped."""
    if not places:
        return None
    try:
        clicks = count_of(_cell(row, places.get(Column.CLICKS, places.get(Column.VISITS))))
        impressions = count_of(_cell(row, places.get(Column.IMPRESSIONS)))
        position = decimal_of(_cell(row, places.get(Column.POSITION)))
    except BadNumber:
        raise _Skipped(RowFault.BAD_NUMBER) from None
    if clicks is None and not impressions:
        return None
    if impressions is not None and (clicks or 0) > impressions:
        raise _Skipped(RowFault.MORE_CLICKS)
    if position is not None and position < 1:
        if impressions or position < 0:
            raise _Skipped(RowFault.BAD_NUMBER)
        position = None  # what was never shown has no place
    return SearchFigures(*key, clicks or 0, impressions, position)


def _add(side: dict[Key, SearchFigures], key: Key, new: SearchFigures) -> bool:
    """Whether there were figures of the same query and page, to which these are added."""
    known = side.get(key)
    side[key] = new if known is None else _sum(known, new)
    return known is not None


def _sum(one: SearchFigures, other: SearchFigures) -> SearchFigures:
    shown = [f.impressions for f in (one, other) if f.impressions is not None]
    placed = [(f.position, f.impressions or 1) for f in (one, other) if f.position is not None]
    weight = sum(times for _, times in placed)
    return evolve(
        one,
        clicks=one.clicks + other.clicks,
        impressions=sum(shown) if shown else None,
        position=sum(place * times for place, times in placed) / weight if placed else None,
    )


def _about(keys: Sequence[Key]) -> ReportAbout:
    queries, pages = any(query for query, _ in keys), any(page for _, page in keys)
    return ReportAbout.BOTH if queries and pages else ReportAbout.PAGES if pages else ReportAbout.QUERIES


def _dates(rows: Iterator[tuple[int, list[str]]], layout: Layout) -> set[date]:
    found = (_day(_cell(row, layout.names.get(Column.DATE))) for _, row in islice(rows, MAX_ROWS))
    return {day for day in found if day is not None}


def _period(days: set[date]) -> Period | None:
    return Period(min(days), max(days)) if days else None


def _day(text: str) -> date | None:
    for form in _DAYS if text else ():
        with suppress(ValueError):
            return datetime.strptime(text[:10], form).date()  # noqa: DTZ007 - a day, whatever its zone
    return None


def _cell(row: Sequence[str], place: int | None) -> str:
    return row[place].strip() if place is not None and place < len(row) else ""
