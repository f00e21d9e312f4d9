"""From imported queries to the queues that say what to do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from attrs import define, evolve

from contentgen_adapters.memory.search_console import MemorySearchConsole
from contentgen_core.errors import InvalidInput, NotFound, NotPermitted, QuotaExceeded
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId, SearchEntryId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.publication import PostStatus, PublicationStatus
from contentgen_core.model.search_demand import CurveSource, SearchEntry, SearchQueue
from contentgen_core.model.search_report import Period, ReportAbout, SearchFigures, SearchReport
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.searches.asked import chosen_reports
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.repositories.search_demands import SearchDemands
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.search_queries import import_export, map_queries
from contentgen_core.use_cases.search_queries.import_export import ImportSearchExport
from tests.support.house import NICHE, House, findable, open_house
from tests.support.understanding_embedder import UnderstandingEmbedder

NOW = Period(date(2026, 2, 1), date(2026, 2, 28))
BEFORE = Period(date(2026, 1, 4), date(2026, 1, 31))
HEAD = "Query,Page,Clicks,Impressions,Position\n"
PAGE = "https://blog.example.org/winter/"
COVERED = "heat pump efficiency in winter"


@define
class Site:
    """A house whose site is found by searches."""

    house: House

    async def imports(self, *rows: str, period: Period = NOW, head: str = HEAD) -> None:
        text = head + "\n".join(rows) + "\n"
        command = ImportSearchExport(
            self.house.caller, NICHE, "Queries.csv", text.encode(), period.starts_on, period.ends_on
        )
        await self.house.services.knowledge.import_search_queries(command)

    async def queues(self, *, dismissed: bool = False) -> dict[str, SearchEntry]:
        """The entries by their queries, once all work is done."""
        await self.house.work()
        page = await self.demand.entries(self.house.caller, NICHE, None, 1, 100, dismissed=dismissed)
        assert not page.running
        return {entry.demand.query: entry for entry in page.found.entries}

    @property
    def demand(self) -> Any:
        return self.house.services.knowledge.search_demand

    async def article(self, topic: str, **changes: Any) -> ArticleId:
        article = builders.article(
            tenant_id=self.house.caller.tenant_id,
            niche_key=NICHE,
            brief=builders.brief(topic=topic),
            topic_key=topic,
            title=topic.title(),
            **{"status": ArticleStatus.PUBLISHED} | changes,
        )
        async with self.house.services.ports.unit_of_work() as tx:
            await tx[Articles].add(article)
        return article.id

    async def published(self, article_id: ArticleId, url: str) -> None:
        publication = builders.publication(
            tenant_id=self.house.caller.tenant_id,
            article_id=article_id,
            status=PublicationStatus.PUBLISHED,
            post_status=PostStatus.PUBLISHED,
            url=url,
        )
        async with self.house.services.ports.unit_of_work() as tx:
            await tx[Publications].add(publication)


@asynccontextmanager
async def site() -> AsyncIterator[Site]:
    async with open_house() as house:
        yield Site(house)


async def test_queries_are_written_on_where_they_are_covered_else_enriched() -> None:
    async with site() as here:
        await here.imports(f"{COVERED},,2,1000,14", "vintage tractor gearbox,,1,800,22", "solar panels yield,,0,9,30")
        found = await here.queues()
        assert {query: entry.decision.queue for query, entry in found.items()} == {
            COVERED: SearchQueue.WRITE,
            "vintage tractor gearbox": SearchQueue.ENRICH,
        }
        assert found["vintage tractor gearbox"].demand.coverage.missing
        state = await here.demand.get(here.house.caller, NICHE)
        assert (state.demand.last.period, state.demand.last.before) == (NOW, None)
        assert (state.demand.last.queries, state.demand.last.curve_source) == (3, CurveSource.PUBLISHED)
        assert dict(state.demand.last.queues)[SearchQueue.WRITE] == 1


async def test_an_article_answers_by_its_page_or_by_its_topic() -> None:
    async with site() as here:
        by_page = await here.article("Something else")
        await here.published(by_page, "https://www.blog.example.org/winter")
        await here.imports(f"{COVERED},{PAGE}?utm_source=x,40,1000,5", "sizing heat pumps,,0,900,12")
        await here.imports(f"{COVERED},{PAGE},90,1000,3", period=BEFORE)
        found = await here.queues()
        [article] = found[COVERED].demand.articles
        assert (article.id, article.by_page, article.title) == (by_page, True, "Something Else")
        assert found[COVERED].decision.queue is SearchQueue.REFRESH
        assert found["sizing heat pumps"].decision.queue is SearchQueue.WRITE
        by_topic = await here.article("Heat pumps: sizing")
        await here.demand.look(here.house.caller, NICHE)
        assert "sizing heat pumps" not in await here.queues()
        assert by_topic


async def test_what_is_being_written_is_not_to_be_written_again() -> None:
    async with site() as here:
        await here.article(COVERED, status=ArticleStatus.DRAFT)
        await here.imports(f"{COVERED},,2,1000,14")
        assert await here.queues() == {}


async def test_pages_that_share_a_query_are_to_be_merged() -> None:
    async with site() as here:
        await here.imports(f"{COVERED},{PAGE},3,500,9", f"{COVERED},https://blog.example.org/b,1,400,8")
        [entry] = (await here.queues()).values()
        assert (entry.decision.queue, entry.decision.expected_position) == (SearchQueue.MERGE, 8.0)
        assert [page.address for page in entry.demand.pages] == [PAGE, "https://blog.example.org/b"]


async def test_queries_in_another_order_or_form_are_one() -> None:
    async with site() as here:
        await here.imports(f"{COVERED},,2,600,14", "winter efficiency of heat pumps,,1,500,14")
        [entry] = (await here.queues()).values()
        assert (entry.demand.query, entry.demand.variants) == (COVERED, ("winter efficiency of heat pumps",))
        assert (entry.demand.now.clicks, entry.demand.now.impressions) == (3, 1_100)


async def test_queries_that_mean_the_same_are_one_with_the_best_coverage() -> None:
    german = "wärmepumpe leistung bei frost"
    async with open_house(embedder=UnderstandingEmbedder({(german, COVERED): 0.95})) as house:
        here = Site(house)
        await here.imports(f"{german},,1,900,14", f"{COVERED},,2,100,14")
        [entry] = (await here.queues()).values()
        assert (entry.demand.query, entry.demand.variants) == (COVERED, (german,))
        assert (entry.demand.now.clicks, entry.demand.now.impressions) == (3, 1_000)


async def test_brand_queries_are_left_out() -> None:
    async with site() as here:
        await here.imports(f"acme {COVERED},,2,600,14", f"{COVERED},,2,600,14")
        await here.demand.set_brand_words(here.house.caller, NICHE, [" ACME ", "acme", ""])
        assert list(await here.queues()) == [COVERED]
        state = await here.demand.get(here.house.caller, NICHE)
        assert (state.demand.brand_words, state.demand.last.branded) == (("acme",), 1)
        with pytest.raises(InvalidInput):
            await here.demand.set_brand_words(here.house.caller, NICHE, ["x" * 101])


async def test_a_query_that_nobody_asks_for_any_more_has_lost_its_clicks() -> None:
    async with site() as here:
        article = await here.article(COVERED)
        await here.imports(f"{COVERED},,56,1000,3", period=BEFORE)
        await here.imports("sizing heat pumps,,0,900,12")
        entry = (await here.queues())[COVERED]
        assert (entry.decision.queue, entry.decision.gain) == (SearchQueue.REFRESH, 60.0)
        assert [one.id for one in entry.demand.articles] == [article]


async def test_a_dismissed_entry_stays_away_for_its_days() -> None:
    async with site() as here:
        await here.imports(f"{COVERED},,2,1000,14")
        entry = (await here.queues())[COVERED]
        await here.demand.dismiss(here.house.caller, entry.id, 7)
        assert await here.queues() == {}
        await here.imports(f"{COVERED},,3,2000,14")
        assert await here.queues() == {}
        assert list(await here.queues(dismissed=True)) == [COVERED]
        here.house.clock.advance(days=8)
        assert list(await here.queues()) == [COVERED]
        for days in (-1, 366):
            with pytest.raises(InvalidInput):
                await here.demand.dismiss(here.house.caller, entry.id, days)
        with pytest.raises(NotFound):
            await here.demand.dismiss(here.house.caller, SearchEntryId("nope"), 1)


async def test_coverage_is_assessed_once_while_the_knowledge_base_stays() -> None:
    async with site() as here:
        await here.imports(f"{COVERED},,2,1000,14", "vintage tractor gearbox,,1,800,22")
        await here.queues()
        demand = (await here.demand.get(here.house.caller, NICHE)).demand
        async with here.house.services.ports.unit_of_work() as tx:
            kept = await tx[SearchDemands].coverages(demand.id, demand.last.state)
            poor = {query: evolve(coverage, missing=("told",)) for query, coverage in kept.items()}
            await tx[SearchDemands].save_coverages(demand.id, demand.last.state, poor)
        await here.demand.look(here.house.caller, NICHE)
        assert (await here.queues())["vintage tractor gearbox"].demand.coverage.missing == ("told",)
        text = "A gearbox of a vintage tractor is oiled in winter."
        source = SourceText("https://kb.example.org/gearbox", "Gearboxes", text, language=Language.EN)
        scope = KbScope(NICHE, here.house.caller.tenant_id)
        await here.house.services.knowledge.import_sources(scope, [source])
        await findable(here.house.services)
        await here.demand.look(here.house.caller, NICHE)
        assert (await here.queues())["vintage tractor gearbox"].demand.coverage.missing != ("told",)


async def test_an_import_during_a_look_is_looked_at_after_it() -> None:
    async with site() as here:
        await here.imports(f"{COVERED},,2,1000,14")
        await here.imports("vintage tractor gearbox,,1,800,22")
        demand = (await here.demand.get(here.house.caller, NICHE)).demand
        assert (demand.job_id is None, demand.next_at) == (False, MOMENT)
        await here.queues()
        await here.house.services.upkeep.search_demand.fire_due()
        demand = (await here.demand.get(here.house.caller, NICHE)).demand
        assert demand.job_id is not None
        await here.queues()
        await here.house.services.upkeep.search_demand.fire_due()
        assert (await here.demand.get(here.house.caller, NICHE)).demand.job_id is None


async def test_only_so_many_rows_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async with site() as here:
        monkeypatch.setattr(import_export, "MOST_ROWS", 2)
        await here.imports("a,,1,10,1", "b,,1,10,1")
        with pytest.raises(QuotaExceeded):
            await here.imports("a,,1,10,1", period=BEFORE)
        assert [r.period for r in (await here.demand.get(here.house.caller, NICHE)).reports] == [NOW]


async def test_editors_may_and_viewers_may_not() -> None:
    async with site() as here:
        viewer = evolve(here.house.caller, role=Role.VIEWER)
        await here.imports(f"{COVERED},,2,1000,14")
        for refused in (
            here.demand.look(viewer, NICHE),
            here.demand.set_brand_words(viewer, NICHE, []),
            here.demand.delete(viewer, NICHE),
            here.demand.dismiss(viewer, SearchEntryId("x"), 1),
        ):
            with pytest.raises(NotPermitted):
                await refused
        await here.demand.delete(here.house.caller, NICHE)
        state = await here.demand.get(here.house.caller, NICHE)
        assert (state.demand, state.reports) == (None, [])
        with pytest.raises(NotFound):
            await here.demand.look(here.house.caller, NICHE)
        assert await here.queues() == {}


def report(period: Period, about: ReportAbout) -> SearchReport:
    id: Any = builders.new_id()
    return SearchReport(id, id, id, NICHE, period, about, 1, 1, 1, MOMENT)


def test_the_two_periods_are_of_the_same_kind() -> None:
    both, queries, pages = ReportAbout.BOTH, ReportAbout.QUERIES, ReportAbout.PAGES
    now = [report(NOW, both), report(NOW, queries)]
    assert chosen_reports([report(NOW, pages)]) is None
    chosen = chosen_reports([*now, report(BEFORE, both)])
    assert chosen is not None
    assert (chosen.now.about, chosen.before and chosen.before.about, chosen.pages) == (both, both, now[0])
    chosen = chosen_reports([*now, report(BEFORE, both), report(BEFORE, queries)])
    assert chosen is not None
    assert (chosen.now.about, chosen.before and chosen.before.about) == (queries, queries)
    overlapping = Period(BEFORE.starts_on, NOW.starts_on)
    chosen = chosen_reports([now[1], report(overlapping, queries), report(BEFORE, both)])
    assert chosen is not None
    assert chosen.before is None


def test_bounds_are_as_documented() -> None:
    assert (map_queries.LOOKED_AT, import_export.KEPT_PERIODS, import_export.MOST_ROWS) == (500, 6, 300_000)
    assert SearchFigures("a", "", 1).impressions is None


ACCOUNT = '{"client_email": "reader@example.org", "private_key": "very secret"}'


class TestSearchConsole:
    async def test_a_property_is_read_before_the_queries_are_looked_at(self) -> None:
        async with site() as here:
            console = console_of(here)
            last = (MOMENT - timedelta(days=3)).date()
            now = Period(last - timedelta(days=27), last)
            before = Period(now.starts_on - timedelta(days=28), now.starts_on - timedelta(days=1))
            lost = SearchFigures(COVERED, PAGE, 90, 1_000, 3.0)
            console.sites["sc-domain:example.org"] = {now: [evolve(lost, clicks=40, position=6.0)], before: [lost]}
            state = await connected(here)
            assert (state.demand.console.client_email, state.demand.console.error) == ("reader@example.org", None)
            assert "secret" not in repr(state)
            [entry] = (await here.queues()).values()
            assert entry.decision.queue is SearchQueue.REFRESH
            state = await here.demand.get(here.house.caller, NICHE)
            assert [(r.period, r.about) for r in state.reports] == [(now, "both"), (before, "both")]
            assert state.demand.console.fetched == (now, before)

    async def test_the_days_move_on_and_what_was_read_before_is_replaced(self) -> None:
        async with site() as here:
            console_of(here).sites["sc-domain:example.org"] = {}
            await connected(here)
            await here.imports("a,,1,10,1", period=Period(date(2025, 9, 1), date(2025, 9, 28)))
            for _ in range(9):
                await here.queues()
                here.house.clock.advance(days=1)
                await here.house.services.upkeep.search_demand.fire_due()
            await here.queues()
            state = await here.demand.get(here.house.caller, NICHE)
            assert len(state.reports) == 3
            assert state.reports[0].period.ends_on == (MOMENT + timedelta(days=6)).date()

    async def test_revoked_access_is_told_and_what_was_read_stays(self) -> None:
        async with site() as here:
            console = console_of(here)
            console.sites["sc-domain:example.org"] = {}
            await connected(here)
            await here.queues()
            console.sites.clear()
            here.house.clock.advance(days=1)
            await here.demand.look(here.house.caller, NICHE)
            await here.queues()
            state = await here.demand.get(here.house.caller, NICHE)
            assert "does not show sc-domain:example.org" in state.demand.console.error
            assert (len(state.reports), state.demand.last.error) == (2, None)
            console.sites["sc-domain:example.org"] = {}
            await here.demand.look(here.house.caller, NICHE)
            await here.queues()
            assert (await here.demand.get(here.house.caller, NICHE)).demand.console.error is None

    async def test_a_property_is_disconnected_with_its_key(self) -> None:
        async with site() as here:
            await connected(here)
            disconnect = here.house.services.knowledge.search_console.disconnect
            await disconnect(here.house.caller, NICHE)
            assert (await here.demand.get(here.house.caller, NICHE)).demand.console is None
            with pytest.raises(NotFound):
                await disconnect(here.house.caller, NICHE)
            await here.queues()

    @pytest.mark.parametrize(
        ("name", "account", "field"),
        [
            ("example.org", ACCOUNT, "site"),
            ("sc-domain:", ACCOUNT, "site"),
            ("sc-domain:a b", ACCOUNT, "site"),
            ("https://example.org/" + "a" * 500, ACCOUNT, "site"),
            ("sc-domain:example.org", "{}", "serviceAccount"),
            ("sc-domain:example.org", "x" * 10_001, "serviceAccount"),
        ],
    )
    async def test_what_cannot_be_read_is_refused(self, name: str, account: str, field: str) -> None:
        async with site() as here:
            with pytest.raises(InvalidInput) as refused:
                await connected(here, name, account)
            assert refused.value.errors[0].field == field

    async def test_administrators_connect(self) -> None:
        async with site() as here:
            connect = here.house.services.knowledge.search_console
            editor = evolve(here.house.caller, role=Role.EDITOR)
            with pytest.raises(NotPermitted):
                await connect.connect(editor, NICHE, "sc-domain:example.org", ACCOUNT)
            with pytest.raises(NotPermitted):
                await connect.disconnect(editor, NICHE)


def console_of(here: Site) -> MemorySearchConsole:
    console: Any = here.house.services.ports.search_console
    memory: MemorySearchConsole = console._port
    return memory


async def connected(here: Site, name: str = "sc-domain:example.org", account: str = ACCOUNT) -> Any:
    return await here.house.services.knowledge.search_console.connect(here.house.caller, NICHE, name, account)
