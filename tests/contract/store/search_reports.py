"""What people search for, by niche and period, each tenant's seen by itself alone."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import NicheId, SearchReportId, TenantId
from contentgen_core.model.search_report import Period, ReportAbout, SearchFigures, SearchReport
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.search_reports import SearchReports
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

NICHE = "boats"
OCTOBER = Period(date(2026, 10, 1), date(2026, 10, 28))
SEPTEMBER = Period(date(2026, 9, 3), date(2026, 9, 30))
FIGURES = (
    SearchFigures("sails", "", 4),
    SearchFigures("oars", "https://boats.example.org/oars", 1, 20, 3.5),
    SearchFigures("masts", "https://boats.example.org/masts", 2, 300, 11.25),
    SearchFigures("keels", "", 9, 20, 1.0),
)


async def _report(unit_of_work: UnitOfWork, tenant_id: TenantId, **changes: Any) -> SearchReport:
    async with unit_of_work() as tx:
        niches = [niche for niche in await tx[Niches].list(tenant_id) if niche.tenant_id == tenant_id]
    if not niches:
        niches = [builders.niche(tenant_id=tenant_id, niche_key=NICHE)]
        await given(unit_of_work, niches[0])
    defaults: dict[str, Any] = {
        "id": SearchReportId(builders.new_id()),
        "tenant_id": tenant_id,
        "niche_id": niches[0].id,
        "niche_key": NICHE,
        "period": OCTOBER,
        "about": ReportAbout.BOTH,
        "rows": len(FIGURES),
        "clicks": 16,
        "impressions": 340,
        "imported_at": MOMENT,
    }
    report = SearchReport(**defaults | changes)
    async with unit_of_work() as tx:
        await tx[SearchReports].put(report, FIGURES)
    return report


class SearchReportsContract:
    async def test_a_report_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        report = await _report(unit_of_work, tenant.id)
        visits = await _report(unit_of_work, tenant.id, about=ReportAbout.QUERIES, impressions=None)
        async with unit_of_work() as tx:
            assert await tx[SearchReports].of_niche(tenant.id, NICHE) == [report, visits]
            sails, oars, masts, keels = FIGURES
            assert await tx[SearchReports].figures(tenant.id, report.id, 10) == [masts, keels, oars, sails]
            assert await tx[SearchReports].figures(tenant.id, report.id, 1) == [masts]
            assert await tx[SearchReports].count_rows(tenant.id) == 8

    async def test_one_of_the_same_period_and_kind_is_replaced(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        former = await _report(unit_of_work, tenant.id)
        before = await _report(unit_of_work, tenant.id, period=SEPTEMBER)
        new = await _report(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            assert await tx[SearchReports].of_niche(tenant.id, NICHE) == [new, before]
            assert await tx[SearchReports].figures(tenant.id, former.id, 10) == []
            assert len(await tx[SearchReports].figures(tenant.id, new.id, 10)) == len(FIGURES)

    async def test_the_newest_period_comes_first(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        longer = Period(date(2026, 8, 1), OCTOBER.ends_on)
        for period in (longer, SEPTEMBER, OCTOBER):
            await _report(unit_of_work, tenant.id, period=period)
        async with unit_of_work() as tx:
            found = await tx[SearchReports].of_niche(tenant.id, NICHE)
            assert [report.period for report in found] == [OCTOBER, longer, SEPTEMBER]
            await tx[SearchReports].drop(tenant.id, [found[0].id, SearchReportId("nope")])
            assert await tx[SearchReports].of_niche(tenant.id, NICHE) == found[1:]

    async def test_each_tenant_sees_its_own(self, unit_of_work: UnitOfWork) -> None:
        one, other = await given_tenants(unit_of_work)
        report = await _report(unit_of_work, one.id)
        own = await _report(unit_of_work, other.id)
        async with unit_of_work() as tx:
            assert await tx[SearchReports].of_niche(other.id, NICHE) == [own]
            assert await tx[SearchReports].figures(other.id, report.id, 10) == []
            await tx[SearchReports].drop(other.id, [report.id])
        async with unit_of_work() as tx:
            assert await tx[SearchReports].of_niche(one.id, NICHE) == [report]

    @alien_ids
    async def test_of_what_is_not_there_nothing_is_known(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[SearchReports].of_niche(tenant.id, alien) == []
            assert await tx[SearchReports].figures(tenant.id, SearchReportId(alien), 10) == []
            assert await tx[SearchReports].count_rows(TenantId(alien)) == 0
            await tx[SearchReports].drop(tenant.id, [SearchReportId(alien)])

    async def test_a_niche_takes_its_reports_along(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        report = await _report(unit_of_work, tenant.id)
        with pytest.raises(NotFound):
            await _report(unit_of_work, tenant.id, niche_id=NicheId("nope"))
        async with unit_of_work() as tx:
            await tx[Niches].delete(await tx[Niches].get(tenant.id, NICHE))
        async with unit_of_work() as tx:
            assert await tx[SearchReports].of_niche(tenant.id, NICHE) == []
            assert await tx[SearchReports].figures(tenant.id, report.id, 10) == []
