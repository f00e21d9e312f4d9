"""Trends over memory: found, kept, refreshed by one process whoever dies, their sources read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from attrs import define, evolve, field

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.pages.memory import MemoryPage, MemoryPageReader
from contentgen_adapters.rendering.renderer import MarkdownRenderer
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import NotFound, Unavailable
from contentgen_core.model.niche import Niche
from contentgen_core.model.trend import Trend, TrendCandidate, TrendSlug
from contentgen_core.policies.topics.trends import KEPT, WINDOW
from contentgen_core.ports.repositories.trends import TrendQuery, Trends
from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.ports.trends import Findings
from contentgen_core.testing import builders
from contentgen_core.testing.page_reader import DEVICES, STORY, article
from contentgen_core.testing.runtime import MOMENT, ManualClock, SequentialIds
from contentgen_core.use_cases.niches.catalogue import EnsureCatalogue
from contentgen_core.use_cases.trends import refresh as refreshing
from contentgen_core.use_cases.trends import texts as reading
from contentgen_core.use_cases.trends.refresh import LEASE, TRENDS_WORK, RefreshTrends
from contentgen_core.use_cases.trends.texts import ReadTexts
from tests.support.house import NICHE
from tests.support.mortal import Died, Mortal

EVERY = timedelta(hours=1)
STORIES = ("Heat pump grant doubled by government", "Government doubles the heat pump grant")


@define
class Wire:
    """A finder that a test fills; it records since when it was asked for what."""

    pages: dict[str, list[TrendCandidate]] = field(factory=dict)
    faults: tuple[str, ...] = ()
    asked: list[tuple[str, datetime]] = field(factory=list)
    hanging: asyncio.Event | None = None
    failing: bool = False

    async def find(self, niche: Niche, since: datetime) -> Findings:
        self.asked.append((niche.niche_key, since))
        if self.hanging is not None:
            await self.hanging.wait()
        if self.failing:
            raise Unavailable("away")
        pages = [page for page in self.pages.get(niche.niche_key, []) if page.source.published_at >= since]
        return Findings(tuple(pages), self.faults)

    def tell(self, title: str, publisher: str, niche_key: str = NICHE, **changes: object) -> str:
        url = str(changes.pop("url", f"https://{publisher}/{len(self.pages.get(niche_key, []))}"))
        page = builders.trend_candidate(title, url=url, publisher=publisher, **changes)
        self.pages.setdefault(niche_key, []).append(page)
        return url


@define
class Newsroom:
    wire: Wire = field(factory=Wire)
    web: dict[str, MemoryPage] = field(factory=dict)
    unit_of_work: MemoryUnitOfWork = field(factory=MemoryUnitOfWork)
    clock: ManualClock = field(factory=ManualClock)

    def refresh(self, every: timedelta | None = EVERY) -> RefreshTrends:
        reader = MemoryPageReader(self.web, self.clock)
        texts = ReadTexts(self.unit_of_work, reader, self.clock)
        return RefreshTrends(
            self.unit_of_work, (self.wire,), texts, IcuTextAnalysis(), MarkdownRenderer(), self.clock, every
        )

    async def trends(self) -> Sequence[Trend]:
        async with self.unit_of_work() as tx:
            return (await tx[Trends].page(TrendQuery(100))).trends

    async def texts(self, slug: TrendSlug) -> dict[str, str]:
        async with self.unit_of_work() as tx:
            return await tx[Trends].texts(slug)


@pytest.fixture
async def room() -> Newsroom:
    room = Newsroom()
    await EnsureCatalogue(room.unit_of_work, room.clock, SequentialIds())()
    return room


def two_publishers(room: Newsroom) -> None:
    room.wire.tell(STORIES[0], "a.example")
    room.wire.tell(STORIES[1], "b.example")


# -------------------------------------------------------------------------------------------------------- a refresh


async def test_what_two_publishers_tell_of_becomes_a_trend(room: Newsroom) -> None:
    two_publishers(room)
    room.wire.tell("Bees in spring", "a.example")
    done = {niche.niche_key: niche for niche in await room.refresh()()}
    assert set(done) == {key for key, *_ in refreshing.PRECONFIGURED}
    home = done[NICHE]
    assert (home.pages, home.single_publisher, home.joined, home.created, home.trends) == (3, 1, 0, 1, 1)
    [trend] = await room.trends()
    assert trend.slug == MarkdownRenderer().slug(trend.title)
    assert (trend.niche_key, trend.publishers, trend.revision) == (NICHE, 2, 1)
    assert not trend.sample
    assert 0 < trend.score <= 100
    assert {since for _, since in room.wire.asked} == {MOMENT - WINDOW}


async def test_a_refresh_again_doubles_nothing_and_joins_what_is_new(room: Newsroom) -> None:
    two_publishers(room)
    await room.refresh()()
    [before] = await room.trends()
    await room.refresh()()
    assert await room.trends() == (evolve(before, revision=2),)
    room.wire.tell(STORIES[0], "c.example", published_at=MOMENT + timedelta(hours=1))
    room.clock.advance(hours=2)
    await room.refresh()()
    [after] = await room.trends()
    assert (after.slug, after.title, after.publishers) == (before.slug, before.title, 3)
    assert after.score > before.score
    assert len(after.history) == 2


async def test_other_trends_of_the_same_title_get_a_number(room: Newsroom) -> None:
    for niche, hours in ((NICHE, 0), ("ecommerce", 0)):
        for name in "ab":
            room.wire.tell(STORIES[0], f"{niche}-{name}.example", niche, published_at=MOMENT - timedelta(hours=hours))
    await room.refresh()()
    slugs = sorted(trend.slug for trend in await room.trends())
    assert slugs == ["heat-pump-grant-doubled-by-government", "heat-pump-grant-doubled-by-government-2"]


async def test_trends_cool_down_and_go_when_nobody_speaks_of_them(room: Newsroom) -> None:
    two_publishers(room)
    await room.refresh()()
    scores = []
    for _ in range(6):
        scores.append((await room.trends())[0].score)
        room.clock.advance(days=4)
        await room.refresh()()
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1]
    room.clock.set(MOMENT + KEPT + timedelta(seconds=1))
    await room.refresh()()
    assert await room.trends() == ()


async def test_clicks_raise_the_score(room: Newsroom) -> None:
    two_publishers(room)
    await room.refresh()()
    [before] = await room.trends()
    async with room.unit_of_work() as tx:
        await tx[Trends].add_clicks(before.slug, 50)
    await room.refresh()()
    [after] = await room.trends()
    assert after.score > before.score
    assert after.clicks == 50


async def test_samples_are_neither_joined_nor_scored_nor_swept(room: Newsroom) -> None:
    sample = builders.trend(title=STORIES[0], sample=True, slug=TrendSlug("sample"))
    async with room.unit_of_work() as tx:
        stored = await tx[Trends].save(sample)
    two_publishers(room)
    await room.refresh()()
    found = {trend.slug: trend for trend in await room.trends()}
    assert found.pop(sample.slug) == stored
    assert len(found) == 1
    room.clock.advance(days=60)
    await room.refresh()()
    assert [trend.slug for trend in await room.trends()] == ["sample"]


async def test_one_niche_can_be_refreshed_alone_and_an_unknown_one_is_named(room: Newsroom) -> None:
    two_publishers(room)
    [done] = await room.refresh()("home-energy")
    assert done.created == 1
    assert [key for key, _ in room.wire.asked] == ["home-energy"]
    with pytest.raises(NotFound):
        await room.refresh()("no-such")


async def test_what_cannot_be_asked_is_told_and_keeps_nothing_from_being_found(room: Newsroom) -> None:
    two_publishers(room)
    room.wire.faults = ("https://a.example/feed: HTTP 500",)
    [done] = await room.refresh()(NICHE)
    assert done.faults == room.wire.faults
    assert done.created == 1


async def test_a_finder_that_hangs_is_given_up(room: Newsroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "FINDING_SECONDS", 0.02)
    room.wire.hanging = asyncio.Event()
    [done] = await room.refresh()(NICHE)
    assert "Wire" in done.faults[0]


# ------------------------------------------------------------------------------------------------------------- texts


async def test_texts_of_new_sources_are_read_within_bounds(room: Newsroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PAGES_OF_A_TREND", 2)
    urls = [room.wire.tell(STORIES[0], f"{name}.example", found_at=MOMENT) for name in "abcd"]
    for url in urls:
        room.web[url] = MemoryPage(article().encode())
    [done] = await room.refresh()(NICHE)
    assert done.texts == 2
    [trend] = await room.trends()
    texts = await room.texts(trend.slug)
    assert len(texts) == 2
    assert all(STORY in text and DEVICES in text for text in texts.values())
    [done] = await room.refresh()(NICHE)
    assert len(await room.texts(trend.slug)) == 4
    assert (await room.refresh()(NICHE))[0].texts == 0


async def test_pages_that_cannot_be_read_are_tried_for_some_hours(room: Newsroom) -> None:
    url = room.wire.tell(STORIES[0], "a.example", found_at=MOMENT)
    room.wire.tell(STORIES[1], "b.example", found_at=MOMENT)
    assert (await room.refresh()(NICHE))[0].texts == 0
    room.clock.advance(hours=7)
    room.web[url] = MemoryPage(article().encode())
    assert (await room.refresh()(NICHE))[0].texts == 0
    room.clock.set(MOMENT + timedelta(hours=5))
    assert (await room.refresh()(NICHE))[0].texts == 1


async def test_a_text_that_was_found_already_is_not_read_again(room: Newsroom) -> None:
    url = room.wire.tell(STORIES[0], "a.example", text="The whole document.")
    room.wire.tell(STORIES[1], "b.example")
    assert (await room.refresh()(NICHE))[0].texts == 1
    [trend] = await room.trends()
    assert await room.texts(trend.slug) == {url: "The whole document."}


# --------------------------------------------------------------------------------------------- one process among all


async def test_of_many_processes_one_refreshes_each_time(room: Newsroom) -> None:
    two_publishers(room)
    niches = len(refreshing.PRECONFIGURED)
    for times in range(1, 4):
        for worker in ("a", "b", "c", "a"):
            await room.refresh().if_due(worker)
        assert len(room.wire.asked) == times * niches
        room.clock.advance(seconds=EVERY.total_seconds())
    assert len(await room.trends()) == 1


async def test_without_an_interval_nothing_is_ever_due(room: Newsroom) -> None:
    assert await room.refresh(None).if_due("a") is None
    assert room.wire.asked == []


async def test_who_dies_over_it_is_succeeded_and_nothing_is_doubled(room: Newsroom) -> None:
    two_publishers(room)
    async with room.unit_of_work() as tx:
        assert await tx[WorkLeases].acquire(TRENDS_WORK, "killed", MOMENT, MOMENT + LEASE)
    assert await room.refresh().if_due("heir") is None
    room.clock.advance(seconds=LEASE.total_seconds())
    assert await room.refresh().if_due("heir") is not None
    assert len(await room.trends()) == 1


@pytest.mark.parametrize("transactions", range(1, 24))
async def test_a_refresh_that_dies_at_any_transaction_is_completed_by_the_next(
    room: Newsroom, transactions: int
) -> None:
    two_publishers(room)
    room.wire.tell("Solar panel prices fall again", "a.example", "ecommerce", text="Text.")
    room.wire.tell("Prices of solar panels falling again", "b.example", "ecommerce")
    mortal = Mortal(room.unit_of_work, transactions)
    refresh = room.refresh()
    dying = evolve(refresh, unit_of_work=mortal, read_texts=evolve(refresh.read_texts, unit_of_work=mortal))
    with suppress(Died):
        await dying.if_due("dying")
    room.clock.advance(seconds=max(LEASE, EVERY).total_seconds())
    await room.refresh().if_due("heir")
    assert sorted(trend.niche_key for trend in await room.trends()) == ["ecommerce", NICHE]


async def test_two_refreshes_at_once_make_each_trend_once(room: Newsroom) -> None:
    for n, word in enumerate(("pump", "panel", "battery", "charger", "window")):
        for name in "ab":
            room.wire.tell(f"New {word} {n}{n}{n} announced", f"{name}.example")
    await asyncio.gather(*(room.refresh()() for _ in range(4)))
    titles = [trend.title for trend in await room.trends()]
    assert len(titles) == len(set(titles)) == 5


async def test_a_refresh_that_fails_is_told_and_due_again_later(room: Newsroom) -> None:
    room.wire.failing = True
    with pytest.raises(Unavailable):
        await room.refresh().if_due("a")
    room.wire.failing = False
    assert await room.refresh().if_due("b") is None
    room.clock.advance(seconds=EVERY.total_seconds())
    assert await room.refresh().if_due("b") is not None
