"""What people search for, on the wire."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import search_report as model
from contentgen_core.model.search_report import ReportAbout, RowFault
from contentgen_core.use_cases.search_queries.import_export import ImportedExport
from contentgen_http.wire.base import Answer, AnswerOf, Body, Id


class SearchExportForm(Body, kw_only=True):
    """An export, as multipart/form-data."""

    file: Annotated[
        bytes,
        Meta(
            description="A CSV of queries, of pages, or of both, as Search Console, Matomo and Plausible export them, "
            "or Search Console's ZIP of them; 10 MB and 50,000 rows at most."
        ),
    ]
    niche_key: Annotated[Id, Meta(description="The niche, by its key or id, that the site is about.")]
    start: Annotated[
        date | UnsetType, Meta(description="The first day; needed where the export does not say (ISO 8601).")
    ] = UNSET
    end: Annotated[date | UnsetType, Meta(description="The last day.")] = UNSET


class Period(AnswerOf[model.Period], kw_only=True):
    """Some days, the first and the last included."""

    start: Annotated[date, Meta(description="The first.")]
    end: Annotated[date, Meta(description="The last.")]

    @classmethod
    def of(cls, period: model.Period) -> Period:
        return cls(start=period.starts_on, end=period.ends_on)


class SearchReport(AnswerOf[model.SearchReport], kw_only=True):
    """Figures of a niche in a period."""

    period: Annotated[Period, Meta(description="Which days.")]
    about: Annotated[ReportAbout, Meta(description="queries, pages, or both: a query and a page in each row.")]
    rows: Annotated[int, Meta(description="How many.")]
    clicks: Annotated[int, Meta(description="Clicks, or visits, of all rows.")]
    impressions: Annotated[
        int | UnsetType,
        Meta(description="Of all rows. Absent where the export does not have them."),
    ] = UNSET
    imported_at: Annotated[datetime, Meta(description="When it was imported.")]


class SkippedRow(Answer, kw_only=True):
    """A row that was left out."""

    line: Annotated[int, Meta(description="Its line in the table, from 1.")]
    reason: Annotated[RowFault, Meta(description="Why.")]


class ImportedTable(AnswerOf[model.ExportTable], kw_only=True):
    """What was read of a table."""

    file: Annotated[str, Meta(description="Its file.")]
    about: Annotated[ReportAbout, Meta(description="What its rows name.")]
    rows: Annotated[int, Meta(description="Rows below its header.")]
    merged: Annotated[int, Meta(description="Of them added to another row of the same query and page.")]
    skipped: Annotated[
        dict[RowFault, int],
        Meta(
            description="Left out, by reason: noName (neither query nor page), withheld (the engine does not tell the "
            "query), tooLong, noPage (no address), badNumber, moreClicks (than impressions)."
        ),
    ]
    examples: Annotated[list[SkippedRow], Meta(description="The first twenty of these.")]

    @classmethod
    def of(cls, table: model.ExportTable) -> ImportedTable:
        return cls.copy_from(table, examples=[SkippedRow(line=line, reason=reason) for line, reason in table.examples])


class SearchImport(AnswerOf[ImportedExport], kw_only=True):
    """What an import brought."""

    reports: Annotated[list[SearchReport], Meta(description="What is stored; one of the same period was replaced.")]
    tables: Annotated[list[ImportedTable], Meta(description="What was read, table by table.")]
    unused: Annotated[list[str], Meta(description="Tables of the archive that are about something else.")]
    dropped: Annotated[list[Period], Meta(description="Periods that went, since six newer ones are kept.")]

    @classmethod
    def of(cls, imported: ImportedExport) -> SearchImport:
        return cls.copy_from(imported, tables=imported.export.tables, unused=imported.export.unused)
