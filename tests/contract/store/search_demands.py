"""The demand of each niche, each tenant's seen by itself alone."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.coverage import ArticleCoverage, CoverageLevel
from contentgen_core.model.ids import ArticleId, JobId, NicheId, SearchDemandId, SearchEntryId
from contentgen_core.model.search_demand import (
    AnsweringArticle,
    CurveSource,
    Decision,
    Figures,
    MapReport,
    QueryDemand,
    SearchDemand,
    SearchEntry,
    SearchQueue,
    ShownPage,
)
from contentgen_core.model.search_report import Period
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.search_demands import SearchDemands
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

NICHE = "boats"
DAY = timedelta(days=1)
GOOD = ArticleCoverage(CoverageLevel.GOOD, 71.5, ("mast",))


async def _demand(unit_of_work: UnitOfWork, **changes: Any) -> SearchDemand:
    if "tenant_id" not in changes:
        changes["tenant_id"] = (await given_tenant(unit_of_work)).id
    if "niche_id" not in changes:
        niche = builders.niche(tenant_id=changes["tenant_id"], niche_key=changes.get("niche_key", NICHE))
        await given(unit_of_work, niche)
        changes["niche_id"] = niche.id
    defaults: dict[str, Any] = {
        "id": SearchDemandId(builders.new_id()),
        "niche_key": NICHE,
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "next_at": MOMENT,
    }
    demand = SearchDemand(**defaults | changes)
    async with unit_of_work() as tx:
        await tx[SearchDemands].add(demand)
    return demand


def _entry(of: SearchDemand, query: str, gain: float, queue: SearchQueue = SearchQueue.WRITE) -> SearchEntry:
    pages = (ShownPage("https://boats.example.org/", Figures(1, 20, 3.5), ArticleId("a")),)
    articles = (AnsweringArticle(ArticleId("a"), "Masts", by_page=True, stale=True),)
    found = QueryDemand(query, (f"{query}s",), Figures(2), Figures(3, 40, 2.0), pages, GOOD, articles)
    decision = Decision(queue, gain, "It is asked for.", 5.0, 0.072)
    return SearchEntry(SearchEntryId(builders.new_id()), of.tenant_id, of.id, of.niche_key, found, decision, MOMENT)


class SearchDemandsContract:
    async def test_a_demand_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        period = Period(date(2026, 2, 1), date(2026, 2, 28))
        report = MapReport(
            *(MOMENT, MOMENT + DAY, period, None, 9, 8, 1, ((SearchQueue.MERGE, 2),), CurveSource.OWN, ((1.0, 0.3),)),
            state="s",
            error="It ended early.",
        )
        demand = await _demand(unit_of_work, brand_words=("acme",), last=report)
        async with unit_of_work() as tx:
            assert await tx[SearchDemands].get(demand.tenant_id, demand.id) == demand
            assert await tx[SearchDemands].of_niche(demand.tenant_id, NICHE) == demand
            saved = await tx[SearchDemands].save(evolve(demand, job_id=JobId("j")))
        assert saved == evolve(demand, job_id=JobId("j"), revision=demand.revision + 1)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[SearchDemands].save(demand)
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[SearchDemands].add(evolve(demand, id=SearchDemandId(builders.new_id())))

    async def test_due_are_those_that_are_not_looked_at(self, unit_of_work: UnitOfWork) -> None:
        second = await _demand(unit_of_work)
        first = await _demand(unit_of_work, next_at=MOMENT - DAY)
        await _demand(unit_of_work, next_at=MOMENT + DAY)
        await _demand(unit_of_work, next_at=MOMENT - DAY, job_id=JobId("j"))
        async with unit_of_work() as tx:
            assert await tx[SearchDemands].due(MOMENT, 10) == [first, second]
            assert await tx[SearchDemands].due(MOMENT, 1) == [first]
            everybody = await tx[SearchDemands].after(None, 100)
            assert [demand.id for demand in everybody] == sorted(demand.id for demand in everybody)
            assert {first.id, second.id} <= {demand.id for demand in everybody}
            assert await tx[SearchDemands].after(everybody[-2].id, 9) == everybody[-1:]

    async def test_coverages_are_those_of_a_state(self, unit_of_work: UnitOfWork) -> None:
        demand = await _demand(unit_of_work)
        async with unit_of_work() as tx:
            await tx[SearchDemands].save_coverages(demand.id, "old", {"sails": GOOD, "oars": GOOD})
            await tx[SearchDemands].save_coverages(demand.id, "new", {"oars": evolve(GOOD, score=1.0)})
            await tx[SearchDemands].save_coverages(demand.id, "new", {})
        async with unit_of_work() as tx:
            assert await tx[SearchDemands].coverages(demand.id, "old") == {"sails": GOOD}
            assert await tx[SearchDemands].coverages(demand.id, "new") == {"oars": evolve(GOOD, score=1.0)}
            await tx[SearchDemands].replace_entries(demand.id, [], "new")
        async with unit_of_work() as tx:
            assert await tx[SearchDemands].coverages(demand.id, "old") == {}
            assert set(await tx[SearchDemands].coverages(demand.id, "new")) == {"oars"}

    async def test_entries_are_replaced_and_listed_by_gain(self, unit_of_work: UnitOfWork) -> None:
        demand = await _demand(unit_of_work)
        little, much = _entry(demand, "sail", 1.5), _entry(demand, "oar", 90.0)
        merge = _entry(demand, "keel", 7.0, SearchQueue.MERGE)
        async with unit_of_work() as tx:
            await tx[SearchDemands].replace_entries(demand.id, [_entry(demand, "gone", 3.0)], "s")
            await tx[SearchDemands].replace_entries(demand.id, [little, much, merge], "s")
        async with unit_of_work() as tx:
            page = await tx[SearchDemands].page(demand.tenant_id, NICHE, None, MOMENT, 1, 2)
            assert (page.entries, page.total) == ((much, merge), 3)
            assert (await tx[SearchDemands].page(demand.tenant_id, NICHE, None, MOMENT, 2, 2)).entries == (little,)
            page = await tx[SearchDemands].page(demand.tenant_id, NICHE, SearchQueue.WRITE, MOMENT, 1, 9)
            assert (page.entries, page.total) == ((much, little), 2)

    async def test_a_dismissed_entry_is_shown_apart_until_its_time(self, unit_of_work: UnitOfWork) -> None:
        demand = await _demand(unit_of_work)
        entry, other = _entry(demand, "sail", 1.5), _entry(demand, "oar", 1.0)
        async with unit_of_work() as tx:
            await tx[SearchDemands].replace_entries(demand.id, [entry, other], "s")
            dismissed = await tx[SearchDemands].dismiss(demand.tenant_id, entry.id, MOMENT + DAY)
        assert dismissed == evolve(entry, dismissed_until=MOMENT + DAY)
        async with unit_of_work() as tx:
            shown = await tx[SearchDemands].page(demand.tenant_id, NICHE, None, MOMENT, 1, 9)
            assert (shown.entries, shown.total) == ((other,), 1)
            apart = await tx[SearchDemands].page(demand.tenant_id, NICHE, None, MOMENT, 1, 9, dismissed=True)
            assert apart.entries == (dismissed,)
            until = await tx[SearchDemands].dismissed(demand.id, MOMENT)
            assert until == {"sail": MOMENT + DAY, "sails": MOMENT + DAY}
            assert await tx[SearchDemands].dismissed(demand.id, MOMENT + DAY) == {}
            assert (await tx[SearchDemands].page(demand.tenant_id, NICHE, None, MOMENT + DAY, 1, 9)).total == 2
            assert (await tx[SearchDemands].dismiss(demand.tenant_id, entry.id, None)) == entry

    @alien_ids
    async def test_each_tenant_sees_its_own_demand(self, unit_of_work: UnitOfWork, alien: str) -> None:
        one, other = await given_tenants(unit_of_work)
        demand = await _demand(unit_of_work, tenant_id=one.id)
        entry = _entry(demand, "sail", 1.0)
        async with unit_of_work() as tx:
            await tx[SearchDemands].replace_entries(demand.id, [entry], "s")
        async with unit_of_work() as tx:
            assert await tx[SearchDemands].of_niche(other.id, NICHE) is None
            assert await tx[SearchDemands].of_niche(one.id, alien) is None
            assert (await tx[SearchDemands].page(other.id, NICHE, None, MOMENT, 1, 9)).total == 0
        for tenant, id in ((other.id, demand.id), (one.id, SearchDemandId(alien))):
            for asked in ("get", "delete"):
                with pytest.raises(NotFound):
                    async with unit_of_work() as tx:
                        await getattr(tx[SearchDemands], asked)(tenant, id)
        for tenant, entry_id in ((other.id, entry.id), (one.id, SearchEntryId(alien))):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[SearchDemands].dismiss(tenant, entry_id, MOMENT)

    async def test_what_belongs_to_a_demand_goes_with_it(self, unit_of_work: UnitOfWork) -> None:
        demand = await _demand(unit_of_work)
        with pytest.raises(NotFound):
            await _demand(unit_of_work, tenant_id=demand.tenant_id, niche_id=NicheId("nope"), niche_key="other")
        for gone in (SearchDemandId("nope"),):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[SearchDemands].save_coverages(gone, "s", {"sail": GOOD})
        async with unit_of_work() as tx:
            await tx[SearchDemands].save_coverages(demand.id, "s", {"sail": GOOD})
            await tx[SearchDemands].replace_entries(demand.id, [_entry(demand, "sail", 1.0)], "s")
        async with unit_of_work() as tx:
            await tx[Niches].delete(await tx[Niches].get(demand.tenant_id, NICHE))
        async with unit_of_work() as tx:
            assert await tx[SearchDemands].of_niche(demand.tenant_id, NICHE) is None
            assert await tx[SearchDemands].coverages(demand.id, "s") == {}
            assert (await tx[SearchDemands].page(demand.tenant_id, NICHE, None, MOMENT, 1, 9)).total == 0
