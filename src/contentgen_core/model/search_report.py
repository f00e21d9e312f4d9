"""Figures of queries and pages, as a search engine or a site's analytics reports them."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Final

from attrs import field, frozen

from contentgen_core.model.ids import NicheId, SearchReportId, TenantId

MAX_QUERY: Final = 500
MAX_PAGE: Final = 2_000
"""Characters of a query, and of a page's address."""
MAX_ROWS: Final = 50_000
"""Of one file."""
MAX_COUNT: Final = 1_000_000_000_000
MAX_EXPORT_BYTES: Final = 10 * 1024 * 1024
MAX_EXAMPLES: Final = 20
"""Skipped rows that are named."""


@frozen
class Period:
    """Days from `starts_on` to `ends_on`, both included."""

    starts_on: date
    ends_on: date

    @property
    def days(self) -> int:
        return (self.ends_on - self.starts_on).days + 1


class ReportAbout(StrEnum):
    """The subject of a report's rows: a query each, a page each, or a query and a page that was shown for it."""

    QUERIES = "queries"
    PAGES = "pages"
    BOTH = "both"


class RowFault(StrEnum):
    """The reason why a row is left out. withheld: the engine does not tell the query; more_clicks: than impressions."""

    NO_NAME = "noName"
    WITHHELD = "withheld"
    TOO_LONG = "tooLong"
    NO_PAGE = "noPage"
    BAD_NUMBER = "badNumber"
    MORE_CLICKS = "moreClicks"


@frozen
class SearchFigures:
    """The figures of a query ("" where the row names none) and a page ("" likewise). `impressions`: how often it was
    shown in results, None where the export does not say; `position`: its average place in them, from 1."""

    query: str
    page: str
    clicks: int
    impressions: int | None = None
    position: float | None = None


@frozen
class ExportTable:
    """A table of an export. `former`: of the period that it is compared with, if it is; `year_before`: whether that is
    the same days a year earlier, instead of those just before. `rows`: read; `merged`: of them into another row of the
    same query and page; `skipped`: left out, by reason, with `examples` by their line."""

    file: str
    about: ReportAbout
    figures: tuple[SearchFigures, ...]
    former: tuple[SearchFigures, ...] = ()
    year_before: bool = False
    rows: int = 0
    merged: int = 0
    skipped: dict[RowFault, int] = field(factory=dict)
    examples: tuple[tuple[int, RowFault], ...] = ()


@frozen
class SearchExport:
    """The content of an exported file. `period`: None where it does not say; `unused`: names of the tables in it that
    are about something else (countries, devices)."""

    tables: tuple[ExportTable, ...]
    period: Period | None = None
    unused: tuple[str, ...] = ()


@frozen
class SearchReport:
    """The figures of a niche's site in a period. `rows`: how many there are; `clicks`, `impressions`: their sums."""

    id: SearchReportId
    tenant_id: TenantId
    niche_id: NicheId
    niche_key: str
    period: Period
    about: ReportAbout
    rows: int
    clicks: int
    impressions: int | None
    imported_at: datetime
