"""Items of a source that are gone all at once: an outage, until a person says otherwise."""

from __future__ import annotations

import pytest

from contentgen_core.model.synced_source import SkipReason, SourceKind, SyncedSource, SyncOutcome
from contentgen_core.use_cases.synced_sources.manage_sources import ChangedSource
from tests.support.followed_place import FakeReader, again, followed, held, reads_at_most, synced, text
from tests.support.house import House, open_house

PAGES = tuple(f"https://site.example/{key}" for key in "abcdef")
OTHERS = tuple(f"https://other.example/{key}" for key in "ghijklmnopqrst")


def filled(*keys: str) -> FakeReader:
    return FakeReader({key: text(f"{key[-1] * 9} part") for key in keys}, tells=False)


async def accepted(house: House, source: SyncedSource) -> SyncedSource:
    await house.services.knowledge.sources.accept(house.caller, source.id)
    await house.work()
    return await again(house, source)


@pytest.mark.parametrize("grace_days", [0, 1])
@pytest.mark.parametrize("kind", [SourceKind.PAGES, SourceKind.SITEMAP])
@pytest.mark.parametrize("pages", [PAGES[:2], PAGES], ids=["two pages", "six"])
async def test_a_site_that_answers_404_to_all_loses_nothing_until_a_person_accepts(
    pages: tuple[str, ...], kind: SourceKind, grace_days: int
) -> None:
    async with open_house() as house:
        reader = filled(*pages)
        source = await followed(house, reader, kind=kind, grace_days=grace_days)
        before = await held(house)
        assert len(before) == len(pages)
        reader.gone = set(pages)
        for _ in range(3):
            report = await synced(house, source)
            assert (report.outcome, report.missing, report.removed) == (SyncOutcome.DOUBTFUL, 0, 0)
            assert report.skipped == {SkipReason.DOUBTFUL: len(pages)}
            assert "gone all at once" in (report.error or "")
            assert await held(house) == before
        reader.gone = set()
        report = await synced(house, source)
        assert (report.outcome, report.unchanged, report.skipped) == (SyncOutcome.DONE, len(pages), {})
        reader.gone = set(pages)
        await synced(house, source)
        found = (await accepted(house, source)).last
        assert found is not None
        assert (found.outcome, found.missing + found.removed) == (SyncOutcome.DONE, len(pages))
        assert (await held(house) == {}) is (grace_days == 0)


async def test_single_pages_that_are_gone_leave_at_once_without_a_grace_period() -> None:
    async with open_house() as house:
        reader = filled(*PAGES)
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        reader.gone = set(PAGES[:2])
        report = await synced(house, source)
        assert (report.outcome, report.removed) == (SyncOutcome.DONE, 2)
        assert set(await held(house)) == set(PAGES[2:])


async def test_one_page_alone_may_be_gone() -> None:
    async with open_house() as house:
        reader = filled(PAGES[0])
        source = await followed(house, reader, kind=SourceKind.PAGES, grace_days=0)
        reader.gone = {PAGES[0]}
        assert (await synced(house, source)).removed == 1


async def test_one_site_of_several_that_is_away_keeps_its_pages() -> None:
    async with open_house() as house:
        reader = filled(*PAGES, *OTHERS)
        source = await followed(house, reader, kind=SourceKind.PAGES, grace_days=0)
        reader.gone = {*PAGES, OTHERS[0]}
        report = await synced(house, source)
        assert (report.outcome, report.removed) == (SyncOutcome.DOUBTFUL, 1)
        assert set(await held(house)) == {*PAGES, *OTHERS[1:]}


async def test_addresses_that_were_never_there_do_not_make_up_for_those_that_are_gone() -> None:
    async with open_house() as house:
        reader = filled(*PAGES)
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        reader.texts, reader.gone = {}, set(OTHERS)
        for _ in range(2):
            assert (await synced(house, source)).outcome is SyncOutcome.DOUBTFUL
        assert set(await held(house)) == set(PAGES)


async def test_a_source_whose_list_is_empty_loses_nothing_until_a_person_accepts() -> None:
    async with open_house() as house:
        reader = filled(*PAGES[:3])
        source = await followed(house, reader, kind=SourceKind.FOLDER, grace_days=0)
        reader.texts = {}
        for _ in range(3):
            report = await synced(house, source)
            assert (report.outcome, report.removed) == (SyncOutcome.DOUBTFUL, 0)
            assert "Only 0 of 3 items are there" in (report.error or "")
        assert len(await held(house)) == 3
        await accepted(house, source)
        assert await held(house) == {}


async def test_addresses_that_their_owner_takes_off_a_list_are_gone() -> None:
    async with open_house() as house:
        reader = filled(*PAGES)
        source = await followed(house, reader, kind=SourceKind.PAGES, grace_days=0)
        command = ChangedSource(house.caller, source.id, place="/srv/other")
        await house.services.knowledge.sources.change(command)
        del reader.texts[PAGES[0]]
        for key in PAGES[2:]:
            del reader.texts[key]
        assert (await synced(house, source)).removed == 5
        assert set(await held(house)) == {PAGES[1]}


async def test_a_person_accepts_the_pages_of_all_syncs_of_a_round() -> None:
    async with open_house() as house:
        reads_at_most(house, 6)
        reader = filled(*PAGES, *OTHERS)
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        for _ in range(4):
            house.clock.advance(minutes=6)
            await house.services.knowledge.sources.fire_due()
            await house.work()
        assert len(await held(house)) == 20
        reader.gone = {*PAGES, *OTHERS}
        assert (await synced(house, source)).outcome is SyncOutcome.DOUBTFUL
        await accepted(house, source)
        for _ in range(5):
            house.clock.advance(minutes=6)
            await house.services.knowledge.sources.fire_due()
            await house.work()
        assert await held(house) == {}
