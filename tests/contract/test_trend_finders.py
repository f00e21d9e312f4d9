"""Where trends come from, under one contract: feeds, searches, the knowledge base; and what is special of each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from datetime import datetime, timedelta
from email.utils import format_datetime
from html import escape

import pytest
from attrs import define, field

from contentgen_adapters.feeds.catalog import Feed
from contentgen_adapters.feeds.finder import FeedFinder, FeedPolicy
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.memory.web_search import MemoryPage, MemoryWebSearch
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.text.language import LangidDetector
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.knowledge import KbScope, Origin
from contentgen_core.model.trend import TrendCategory
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.web_search import ConfiguredWebSearches, WebFindings, WebQuery, WebResult
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT, ManualClock
from contentgen_core.testing.trend_finder import NICHE, WEEK, TrendFinderContract
from contentgen_core.use_cases.trends.finders import NewKnowledge, SearchedPages
from tests.support.web_server import WebServer

DETECTOR = LangidDetector()
PAGE = "https://news.example.org"
PLATFORM = KbScope(NICHE.niche_key)


# ------------------------------------------------------------------------------------------------------------- feeds


@define
class FeedRoom:
    finder: FeedFinder
    server: WebServer
    items: list[str] = field(factory=list)

    async def publish(self, path: str, title: str, text: str, published: datetime) -> str:
        self.items.append(
            f"<item><link>{PAGE}{path}</link><title>{escape(title)}</title><description>{escape(text)}</description>"
            f"<pubDate>{format_datetime(published)}</pubDate></item>"
        )
        self._put("/feed", self.items)
        return f"{PAGE}{path}"

    async def elsewhere(self, path: str, title: str, text: str, published: datetime) -> None:
        self._put("/bees", [f"<item><link>{PAGE}{path}</link><title>{title}</title></item>"])

    def _put(self, path: str, items: list[str]) -> None:
        self.server.put(path, rss("".join(items)), "application/rss+xml")


def rss(items: str) -> str:
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>{items}</channel></rss>'


class TestFeeds(TrendFinderContract):
    @pytest.fixture
    def server(self) -> Iterator[WebServer]:
        with WebServer() as server:
            server.put("/feed", rss(""), "application/rss+xml")
            yield server

    @pytest.fixture
    async def newsroom(self, server: WebServer) -> AsyncIterator[FeedRoom]:
        guard = AddressGuard(parse_hosts(server.host))
        feeds = [
            Feed(NICHE.niche_key, TrendCategory.NEWS, server.url("/feed")),
            Feed("beekeeping", TrendCategory.NEWS, server.url("/bees")),
        ]
        policy = FeedPolicy(min_interval=timedelta())
        async with aclosing(ProcessPool()) as pool:
            finder = FeedFinder(lambda: guarded_client(guard), feeds, ManualClock(), DETECTOR, pool, policy)
            yield FeedRoom(finder, server)
            await finder.aclose()


# ---------------------------------------------------------------------------------------------------------- searches


@define
class SearchRoom:
    pages: dict[str, MemoryPage] = field(factory=dict)

    @property
    def finder(self) -> SearchedPages:
        return SearchedPages(ConfiguredWebSearches(MemoryWebSearch(self.pages), None, ""), DETECTOR, ManualClock(), 1)

    async def publish(self, path: str, title: str, text: str, published: datetime) -> str:
        self.pages[f"{PAGE}{path}"] = MemoryPage(title, text, published.isoformat())
        return f"{PAGE}{path}"

    async def elsewhere(self, path: str, title: str, text: str, published: datetime) -> None:
        await self.publish(path, title, text, published)


class TestSearches(TrendFinderContract):
    @pytest.fixture
    def newsroom(self) -> SearchRoom:
        return SearchRoom()


@define
class Scripted:
    """A search that records what it is asked and gives the same pages each time, or fails."""

    results: tuple[WebResult, ...] = ()
    failing: bool = False
    asked: list[str] = field(factory=list)
    provider: str = "scripted"

    async def search(self, query: WebQuery) -> WebFindings:
        self.asked.append(query.text)
        if self.failing:
            raise ProviderFailed("Scripted", "away", retryable=True)
        return WebFindings(self.provider, self.results)


def searched(search: Scripted | None, times: int, clock: ManualClock | None = None) -> SearchedPages:
    return SearchedPages(ConfiguredWebSearches(search, None, ""), DETECTOR, clock or ManualClock(), times)


async def test_without_a_search_or_without_leave_nothing_is_searched() -> None:
    search = Scripted()
    assert (await searched(search, 0).find(NICHE, MOMENT)).candidates == ()
    assert (await searched(None, 3).find(NICHE, MOMENT)).faults == ()
    assert search.asked == []


async def test_keywords_are_searched_for_in_turn_hour_by_hour() -> None:
    search, clock = Scripted(), ManualClock()
    niche = builders.niche(tenant_id=None, keywords=("a", "b", "c", "d", "e"))
    for _ in range(5):
        await searched(search, 2, clock).find(niche, MOMENT)
        clock.advance(hours=1)
    assert sorted(search.asked) == sorted("abcde" * 2)
    await searched(search, 9, clock).find(niche, MOMENT)
    assert sorted(search.asked[-5:]) == list("abcde")


async def test_a_search_that_fails_is_a_fault_and_not_asked_again() -> None:
    search = Scripted(failing=True)
    niche = builders.niche(tenant_id=None, keywords=("a", "b", "c"))
    findings = await searched(search, 3).find(niche, MOMENT)
    assert findings.candidates == ()
    assert len(findings.faults) == len(search.asked) == 1
    assert "scripted" in findings.faults[0]


async def test_a_result_without_a_readable_date_is_left_out() -> None:
    dates = ("2 hours ago", None, "soon", "Mar 9, 2026", "")
    results = tuple(WebResult(f"{PAGE}/{n}", f"Title {n}", "", date) for n, date in enumerate(dates))
    found = await searched(Scripted(results), 1).find(NICHE, MOMENT - WEEK)
    assert [page.source.url for page in found.candidates] == [f"{PAGE}/0", f"{PAGE}/3"]


# ---------------------------------------------------------------------------------------------------- knowledge base


@define
class KnowledgeRoom:
    unit_of_work: MemoryUnitOfWork = field(factory=MemoryUnitOfWork)

    @property
    def finder(self) -> NewKnowledge:
        return NewKnowledge(self.unit_of_work, frozenset({"GB", "FR"}), ManualClock())

    async def publish(
        self, path: str, title: str, text: str, published: datetime, scope: KbScope = PLATFORM, **more: object
    ) -> str:
        url = f"{PAGE}{path}"
        fields: dict[str, object] = {"url": url, "published": published.date(), "created_at": MOMENT} | more
        document = builders.kb_document(scope=scope, title=title, **fields)
        async with self.unit_of_work() as tx:
            await tx[Knowledge].add([(document, [builders.passage(document, text=text)])])
        return url

    async def elsewhere(self, path: str, title: str, text: str, published: datetime) -> None:
        await self.publish(path, title, text, published, KbScope("beekeeping"))


class TestKnowledge(TrendFinderContract):
    @pytest.fixture
    def newsroom(self) -> KnowledgeRoom:
        return KnowledgeRoom()

    async def test_what_is_dated_ahead_is_of_the_day_it_came_in(self, newsroom: KnowledgeRoom) -> None:
        came_in = MOMENT - timedelta(days=2)
        await newsroom.publish("/a", "Pump", "Text.", MOMENT + timedelta(days=90), created_at=came_in)
        [page] = (await newsroom.finder.find(NICHE, MOMENT - WEEK)).candidates
        assert page.source.published_at == came_in

    async def test_no_tenants_document_is_ever_found(self, newsroom: KnowledgeRoom) -> None:
        tenant = builders.tenant()
        async with newsroom.unit_of_work() as tx:
            await tx[Tenants].add(tenant)
        for country in (None, "GB"):
            scope = KbScope(NICHE.niche_key, tenant.id, country)
            await newsroom.publish(f"/{country}", "A secret pump", "Secret.", MOMENT, scope)
        own_niche = builders.niche(tenant_id=tenant.id, niche_key=NICHE.niche_key)
        for niche in (NICHE, own_niche):
            assert (await newsroom.finder.find(niche, MOMENT - WEEK)).candidates == ()

    async def test_documents_of_every_country_are_found_with_their_text(self, newsroom: KnowledgeRoom) -> None:
        await newsroom.publish("/fr", "La pompe", "Elle pompe.", MOMENT, KbScope(NICHE.niche_key, None, "FR"),
                               language=Language.FR)  # fmt: skip
        [page] = (await newsroom.finder.find(NICHE, MOMENT - WEEK)).candidates
        assert (page.language, page.text, page.source.category) == (Language.FR, "Elle pompe.", TrendCategory.KNOWLEDGE)

    async def test_the_text_is_that_of_all_passages(self, newsroom: KnowledgeRoom) -> None:
        document = builders.kb_document(scope=PLATFORM, url=f"{PAGE}/pump")
        passages = [builders.passage(document, text=f"Part {n}.", chunk_index=n) for n in range(3)]
        async with newsroom.unit_of_work() as tx:
            await tx[Knowledge].add([(document, passages)])
        [page] = (await newsroom.finder.find(NICHE, MOMENT - WEEK)).candidates
        assert (page.source.excerpt, page.text) == ("Part 0.", "Part 0.\n\nPart 1.\n\nPart 2.")

    async def test_what_has_no_address_or_was_written_by_a_model_is_no_source(self, newsroom: KnowledgeRoom) -> None:
        await newsroom.publish("/1", "Pump", "Text.", MOMENT, url=None)
        await newsroom.publish("/2", "Pump", "Text.", MOMENT, url="file:///etc/passwd")
        await newsroom.publish("/3", "Pump", "Text.", MOMENT, origin=Origin.AI)
        assert (await newsroom.finder.find(NICHE, MOMENT - WEEK)).candidates == ()
