"""Sources whose listing has no end, and syncs that nobody wants any more: they end, and say why."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import timedelta

import pytest
from attrs import define, evolve

from contentgen_core.model.synced_source import LeftOut, ListedItem, SourceKind, SyncedSource, SyncOutcome
from contentgen_core.ports.source_reading import ItemText
from contentgen_core.use_cases.synced_sources import follow
from contentgen_core.use_cases.synced_sources.manage_sources import NewSource
from tests.support.followed_place import FakeReader, again, followed, held, synced, text, with_reader
from tests.support.house import NICHE, House, open_house

Pages = Callable[[int], Sequence[ListedItem | LeftOut]]
MOST = 50


@define
class Endless(FakeReader):
    """A server that always says that there is more. `page`: what is on one; `meanwhile`: happens before each; `listed`:
    how many were asked for."""

    page: Pages = lambda n: []
    meanwhile: Callable[[int], Awaitable[None]] | None = None
    listed: int = 0

    async def items(self) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        while self.listed < MOST * 100:
            self.listed += 1
            if self.meanwhile is not None:
                await self.meanwhile(self.listed)
            yield self.page(self.listed)


async def created(house: House, reader: FakeReader) -> SyncedSource:
    with_reader(house, reader)
    return await house.services.knowledge.sources.create(
        NewSource(house.caller, NICHE, SourceKind.FOLDER, "Handbook", "/srv/handbook")
    )


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (lambda n: [], "pages of names"),
        (lambda n: [ListedItem("the same", "a")], "pages of names"),
        (lambda n: [LeftOut(f".hidden {n}")] * 30, "names that are read"),
    ],
    ids=["empty pages", "the same name", "names that are left out"],
)
async def test_a_listing_without_an_end_fails_once_and_says_so(
    monkeypatch: pytest.MonkeyPatch, page: Pages, said: str
) -> None:
    monkeypatch.setattr(follow, "MOST_PAGES", MOST)
    monkeypatch.setattr(follow, "MOST_NAMES", MOST)
    async with open_house() as house:
        reader = Endless(page=page)
        source = await followed(house, reader)
        assert source.last is not None
        assert source.last.outcome is SyncOutcome.FAILED
        assert said in (source.last.error or "")
        assert reader.listed <= MOST
        assert source.job_id is None, "it is not tried again at once"
        assert source.next_sync_at == house.clock.now() + timedelta(minutes=15)


async def test_a_listing_that_takes_too_long_fails_and_says_so() -> None:
    async with open_house() as house:

        async def slow(page: int) -> None:
            house.clock.advance(minutes=1)

        reader = Endless(meanwhile=slow)
        source = await followed(house, reader)
        assert source.last is not None
        assert "within 15 minutes" in (source.last.error or "")
        assert reader.listed == 16


async def test_a_listing_ends_at_the_page_after_its_source_was_deleted() -> None:
    async with open_house() as house:

        async def deleted(page: int) -> None:
            if page == 3:
                await house.services.knowledge.sources.delete(house.caller, source.id)

        reader = Endless(meanwhile=deleted)
        source = await created(house, reader)
        await house.work()
        assert reader.listed == 3
        assert await house.claim() == []


async def test_a_listing_ends_at_the_page_after_its_tenant_was_suspended_and_goes_on_later() -> None:
    async with open_house() as house:
        tenants = house.services.people.tenants

        async def suspended(page: int) -> None:
            if page == 3:
                await tenants.suspend(house.caller.tenant_id)

        reader = Endless(meanwhile=suspended)
        source = await created(house, reader)
        await house.work()
        assert reader.listed == 3
        await house.services.upkeep.sources.fire_due()
        assert await house.claim() == []
        await tenants.resume(house.caller.tenant_id)
        with_reader(house, FakeReader({"a": text("fan")}))
        await house.services.upkeep.sources.fire_due()
        await house.work()
        assert set(await held(house)) == {"a"}
        assert (await again(house, source)).job_id is None


async def test_a_sync_that_waits_is_not_begun_once_its_tenant_is_suspended() -> None:
    async with open_house() as house:
        await created(house, FakeReader())
        await house.services.people.tenants.suspend(house.caller.tenant_id)
        assert await house.claim() == []


async def test_reading_ends_in_time_and_the_next_sync_goes_on() -> None:
    async with open_house() as house:

        class Slow(FakeReader):
            async def read(self, key: str, known: str | None = None) -> ItemText:
                house.clock.advance(minutes=8)
                return await super().read(key, known)

        source = await followed(house, Slow({key: text(key) for key in "abcde"}))
        assert source.last is not None
        assert (source.last.outcome, source.last.added) == (SyncOutcome.PARTIAL, 3)
        assert "2 items wait" in (source.last.error or "")
        report = await synced(house, source)
        assert (report.outcome, report.added) == (SyncOutcome.DONE, 2)


async def test_as_many_pages_and_names_as_are_read_are_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "MOST_PAGES", 4)
    monkeypatch.setattr(follow, "MOST_NAMES", 6)
    async with open_house() as house:
        source = await followed(house, FakeReader({key: text(key) for key in "abcdef"}))  # three pages, one empty
        assert source.last is not None
        assert evolve(source.last, error=None) == source.last
        assert source.last.added == 6
