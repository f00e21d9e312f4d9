"""POST /search-queries/import: an export of a search engine or of a site's analytics becomes reports of a niche."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from attrs import frozen

from contentgen_core.errors import FieldError, InvalidInput, QuotaExceeded
from contentgen_core.model.ids import SearchReportId
from contentgen_core.model.niche import Niche
from contentgen_core.model.search_report import (
    MAX_EXPORT_BYTES,
    ExportTable,
    Period,
    ReportAbout,
    SearchExport,
    SearchFigures,
    SearchReport,
)
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.search_reports import SearchReports
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.search_exports import SearchExportReader
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.context import context_of_niche
from contentgen_core.use_cases.search_queries.manage_search_demand import ManageSearchDemand
from contentgen_core.use_cases.use_case import use_case

KEPT_PERIODS: Final = 6
"""Of a niche: the newest ones."""
MOST_ROWS: Final = 300_000
"""Of all reports of a tenant."""
MAX_DAYS: Final = 500
"""Of a period: search engines keep sixteen months."""
YEAR: Final = timedelta(days=365)


@frozen
class ImportSearchExport:
    """`first_day`, `last_day`: of the period, where the file does not say, or says it wrongly."""

    caller: Caller
    niche: str
    file_name: str
    content: bytes
    first_day: date | None = None
    last_day: date | None = None


@frozen
class ImportedExport:
    """`export`: what was read, without its figures being of any use here; `reports`: what is stored; `dropped`: periods
    that were dropped because newer ones are there."""

    export: SearchExport
    reports: tuple[SearchReport, ...]
    dropped: tuple[Period, ...]


@use_case
class ImportSearchQueries:
    unit_of_work: UnitOfWork
    reader: SearchExportReader
    demand: ManageSearchDemand
    clock: Clock
    ids: Ids

    async def __call__(self, command: ImportSearchExport) -> ImportedExport:
        """Figures of the same period, and of the same kind, are replaced; then the queries are looked at. Raises
        InvalidInput, NotPermitted, NotFound unless the niche is activated, UnreadableFile, QuotaExceeded,
        ConcurrentChange, Unavailable."""
        caller = command.caller
        require_role(caller, Role.EDITOR)
        if len(command.content) > MAX_EXPORT_BYTES:
            raise InvalidInput.of("file", f"at most {MAX_EXPORT_BYTES // 1024 // 1024} MB")
        async with self.unit_of_work() as tx:
            niche = (await context_of_niche(tx, caller.tenant_id, command.niche)).niche
        export = await self.reader.read(command.content, command.file_name, caller.tenant_id)
        period = self._period(command, export)
        stored = list(self._reports(caller, niche, export, period))
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # so that concurrent imports cannot exceed the bound
            for report, figures in stored:
                await tx[SearchReports].put(report, figures)
            dropped = await _retain(tx, caller, niche)
            await self.demand.imported(tx, caller.tenant_id, niche)
            rows = await tx[SearchReports].count_rows(caller.tenant_id)
            if rows > MOST_ROWS:
                message = f"A tenant keeps {MOST_ROWS:,} rows of search queries. Delete those of a niche."
                raise QuotaExceeded(message, limit=MOST_ROWS, used=rows, resets_at=None)
        kept = tuple(report for report, _ in stored if report.period not in dropped)
        return ImportedExport(export, kept, dropped)

    def _period(self, command: ImportSearchExport, export: SearchExport) -> Period:
        """Raises InvalidInput."""
        first, last = command.first_day, command.last_day
        if first is None and last is None:
            if export.period is None:
                message = "the export does not say which days it is about: give the first and the last one"
                raise InvalidInput(FieldError("start", message), FieldError("end", message))
            first, last = export.period.starts_on, export.period.ends_on
        if first is None or last is None:
            raise InvalidInput.of("start" if first is None else "end", "give the first and the last day")
        period = Period(first, last)
        if not 1 <= period.days <= MAX_DAYS:
            raise InvalidInput.of("end", f"1 to {MAX_DAYS} days, from the first to the last")
        if last > self.clock.now().date() + timedelta(days=1):  # it is tomorrow already in the east
            raise InvalidInput.of("end", "lies in the future")
        return period

    def _reports(
        self, caller: Caller, niche: Niche, export: SearchExport, period: Period
    ) -> Iterator[tuple[SearchReport, Sequence[SearchFigures]]]:
        for table in export.tables:
            yield self._report(caller, niche, table.about, period, table.figures), table.figures
            if table.former:
                before = _previous_period(period, table)
                yield self._report(caller, niche, table.about, before, table.former), table.former

    def _report(
        self, caller: Caller, niche: Niche, about: ReportAbout, period: Period, figures: Sequence[SearchFigures]
    ) -> SearchReport:
        shown = [row.impressions for row in figures if row.impressions is not None]
        return SearchReport(
            id=SearchReportId(self.ids.new()),
            tenant_id=caller.tenant_id,
            niche_id=niche.id,
            niche_key=niche.niche_key,
            period=period,
            about=about,
            rows=len(figures),
            clicks=sum(row.clicks for row in figures),
            impressions=sum(shown) if shown else None,
            imported_at=self.clock.now(),
        )


def _previous_period(period: Period, table: ExportTable) -> Period:
    """Return the period that a table is compared with."""
    by = YEAR if table.year_before else timedelta(days=period.days)
    return Period(period.starts_on - by, period.ends_on - by)


async def _retain(tx: Transaction, caller: Caller, niche: Niche) -> tuple[Period, ...]:
    reports = await tx[SearchReports].of_niche(caller.tenant_id, niche.niche_key)
    dropped = list(dict.fromkeys(report.period for report in reports))[KEPT_PERIODS:]
    await tx[SearchReports].drop(caller.tenant_id, [report.id for report in reports if report.period in dropped])
    return tuple(dropped)
