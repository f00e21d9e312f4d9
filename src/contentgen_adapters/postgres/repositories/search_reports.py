"""What people search for, by niche and period."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.revisions import insertion
from contentgen_adapters.postgres.session import Row, Session
from contentgen_adapters.shared.search_order import most_shown_first
from contentgen_core.model.ids import SearchReportId, TenantId
from contentgen_core.model.search_report import Period, ReportAbout, SearchFigures, SearchReport
from contentgen_core.ports.repositories.search_reports import MAX_REPORTS, SearchReports

_COLUMNS: Final = (
    "id, tenant_id, niche_id, niche_key, starts_on, ends_on, about, rows, clicks, impressions, imported_at"
)
_COPY: Final = 'COPY search_figures (report_id, place, query, page, clicks, impressions, "position") FROM STDIN'


@repository(SearchReports)
class PostgresSearchReports:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, report: SearchReport, figures: Sequence[SearchFigures]) -> None:
        values = _values(report)
        await self._session.change(
            "DELETE FROM search_reports WHERE tenant_id = %(tenant_id)s AND niche_key = %(niche_key)s"
            " AND ends_on = %(ends_on)s AND starts_on = %(starts_on)s AND about = %(about)s",
            values,
        )
        await self._session.change(insertion("search_reports", values), values)
        rows = enumerate(most_shown_first(figures))
        await self._session.copy(
            _COPY, ((report.id, n, f.query, f.page, f.clicks, f.impressions, f.position) for n, f in rows)
        )

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> list[SearchReport]:
        rows = await self._session.read(
            f"SELECT {_COLUMNS} FROM search_reports WHERE tenant_id = %s AND niche_key = %s"
            " ORDER BY ends_on DESC, starts_on DESC, about LIMIT %s",
            (findable(tenant_id), findable(niche_key), MAX_REPORTS),
        )
        return list(map(_report, rows))

    async def figures(self, tenant_id: TenantId, report_id: SearchReportId, limit: int) -> list[SearchFigures]:
        rows = await self._session.read(
            'SELECT query, page, clicks, impressions, "position" FROM search_figures WHERE report_id ='
            " (SELECT id FROM search_reports WHERE id = %s AND tenant_id = %s) ORDER BY place LIMIT %s",
            (findable(report_id), findable(tenant_id), limit),
        )
        return [SearchFigures(*row) for row in rows]

    async def count_rows(self, tenant_id: TenantId) -> int:
        rows = await self._session.read(
            "SELECT coalesce(sum(rows), 0)::bigint FROM search_reports WHERE tenant_id = %s", (findable(tenant_id),)
        )
        count: int = rows[0][0]
        return count

    async def drop(self, tenant_id: TenantId, report_ids: Sequence[SearchReportId]) -> None:
        await self._session.change(
            "DELETE FROM search_reports WHERE tenant_id = %s AND id = ANY(%s)",
            (findable(tenant_id), findables(report_ids)),
        )


def _values(report: SearchReport) -> dict[str, object]:
    return {
        "id": report.id,
        "tenant_id": report.tenant_id,
        "niche_id": report.niche_id,
        "niche_key": report.niche_key,
        "starts_on": report.period.starts_on,
        "ends_on": report.period.ends_on,
        "about": report.about.value,
        "rows": report.rows,
        "clicks": report.clicks,
        "impressions": report.impressions,
        "imported_at": report.imported_at,
    }


def _report(row: Row) -> SearchReport:
    id, tenant_id, niche_id, niche_key, starts_on, ends_on, about, *figures = row
    return SearchReport(id, tenant_id, niche_id, niche_key, Period(starts_on, ends_on), ReportAbout(about), *figures)
