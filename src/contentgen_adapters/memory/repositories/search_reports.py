"""What people search for, by niche and period."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_adapters.memory.common_tables import NICHES, SEARCH_FIGURES, SEARCH_REPORTS, TENANTS
from contentgen_adapters.memory.records import existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.shared.search_order import most_shown_first
from contentgen_core.model.ids import SearchReportId, TenantId
from contentgen_core.model.search_report import SearchFigures, SearchReport
from contentgen_core.ports.repositories.search_reports import MAX_REPORTS, SearchReports


@repository(SearchReports)
class MemorySearchReports:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, report: SearchReport, figures: Sequence[SearchFigures]) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], report.tenant_id, "tenant")
        existing(self._session[NICHES], report.niche_id, "niche")
        same = [r.id for r in self._of(report.tenant_id) if _place(r) == _place(report)]
        await self.drop(report.tenant_id, same)
        self._session[SEARCH_REPORTS].put(report.id, report)
        self._session[SEARCH_FIGURES].put(report.id, most_shown_first(figures))

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> list[SearchReport]:
        found = [report for report in self._of(tenant_id) if report.niche_key == niche_key]
        by_about = sorted(found, key=lambda report: report.about)
        return sorted(by_about, key=lambda r: (r.period.ends_on, r.period.starts_on), reverse=True)[:MAX_REPORTS]

    async def figures(self, tenant_id: TenantId, report_id: SearchReportId, limit: int) -> list[SearchFigures]:
        report = self._session[SEARCH_REPORTS].get(report_id)
        if report is None or report.tenant_id != tenant_id:
            return []
        return list((self._session[SEARCH_FIGURES].get(report_id) or ())[:limit])

    async def count_rows(self, tenant_id: TenantId) -> int:
        return sum(report.rows for report in self._of(tenant_id))

    async def drop(self, tenant_id: TenantId, report_ids: Sequence[SearchReportId]) -> None:
        await self._session.writing()
        for report in self._of(tenant_id):
            if report.id in report_ids:
                self._session[SEARCH_REPORTS].drop(report.id)
                self._session[SEARCH_FIGURES].drop(report.id)

    def _of(self, tenant_id: TenantId) -> list[SearchReport]:
        return [report for report in self._session[SEARCH_REPORTS].rows() if report.tenant_id == tenant_id]


def _place(report: SearchReport) -> tuple[object, ...]:
    return report.niche_key, report.period, report.about
