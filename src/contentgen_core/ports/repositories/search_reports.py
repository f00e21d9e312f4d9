"""What people search for, by niche and period."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from contentgen_core.model.ids import SearchReportId, TenantId
from contentgen_core.model.search_report import SearchFigures, SearchReport

MAX_REPORTS: Final = 100
"""Of a niche, in one answer."""


class SearchReports(Protocol):
    """A tenant sees its own reports only; a niche takes its reports along."""

    async def put(self, report: SearchReport, figures: Sequence[SearchFigures]) -> None:
        """Store a report, in place of one of the same niche, period and `about`. No query and page come twice. Raises
        NotFound for an unknown tenant or niche."""
        ...

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> list[SearchReport]:
        """The newest period first: by its last day, then its first, then `about`. At most MAX_REPORTS."""
        ...

    async def figures(self, tenant_id: TenantId, report_id: SearchReportId, limit: int) -> list[SearchFigures]:
        """Those with most impressions first (unknown ones last), then most clicks, then by query and page. None of an
        unknown report."""
        ...

    async def count_rows(self, tenant_id: TenantId) -> int:
        """Of all reports of the tenant."""
        ...

    async def drop(self, tenant_id: TenantId, report_ids: Sequence[SearchReportId]) -> None:
        """Unknown ones are ignored."""
        ...
