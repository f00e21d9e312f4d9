"""What a sync reads of a source: of what it cannot read, of what it knows, and how much at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from math import ceil

import pytest

from contentgen_core.model.synced_source import (
    LeftOut,
    ListedItem,
    SkipReason,
    SourceKind,
    SyncOutcome,
)
from tests.support.followed_place import (
    FakeReader,
    TitledReader,
    again,
    followed,
    held,
    reads_at_most,
    synced,
    text,
)
from tests.support.house import open_house


class Undated(FakeReader):
    """Whose dates never change."""

    async def items(self) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        yield [ListedItem(key, "2026-03-01") for key in sorted(self.texts)]


async def test_what_cannot_be_read_for_once_stays_as_it_was() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan")})
        source = await followed(house, reader, grace_days=0)
        reader.texts["a"] = SkipReason.UNREADABLE
        report = await synced(house, source)
        assert await held(house) == {"a": text("fan")}
        assert (report.unchanged, report.skipped) == (0, {SkipReason.UNREADABLE: 1})
        assert report.examples == (("a", SkipReason.UNREADABLE),)


@pytest.mark.parametrize(
    "reason", sorted(set(SkipReason) - {SkipReason.GONE, SkipReason.WAITING, SkipReason.NOT_FOLLOWED})
)
async def test_what_may_be_readable_the_next_time_is_read_again(reason: SkipReason) -> None:
    async with open_house() as house:
        reader = FakeReader({"a": reason})
        source = await followed(house, reader)
        reader.read_keys.clear()
        await synced(house, source)
        again = reason in (SkipReason.UNREADABLE, SkipReason.REFUSED, SkipReason.DUPLICATE, SkipReason.DOUBTFUL)
        assert reader.read_keys == (["a"] if again else [])


async def test_what_is_still_the_version_at_hand_is_not_given_again() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan"), "b": text("pump")}, tells=False, names_versions=True)
        source = await followed(house, reader)
        reader.texts["b"] = text("pump", 9)
        reader.given.clear()
        report = await synced(house, source)
        assert (reader.given, report.read, report.changed, report.unchanged) == (["b"], 2, 1, 1)
        reader.texts["b"] = SkipReason.UNREADABLE
        assert (await synced(house, source)).skipped == {SkipReason.UNREADABLE: 1}
        reader.texts["b"] = text("pump", 9)
        report = await synced(house, source)
        assert (reader.given, report.unchanged, report.skipped) == (["b"], 2, {})


async def test_texts_of_no_use_are_counted_as_such() -> None:
    async with open_house() as house:
        glued = text("fan").replace(" ", "") * 4
        reader = FakeReader({"a": text("fan"), "b": "# Title of b\n", "c": glued, "d": "Title of D."})
        source = await followed(house, reader)
        assert source.last is not None
        assert source.last.skipped == {SkipReason.TITLE_ONLY: 2, SkipReason.GLUED_WORDS: 1}
        assert set(await held(house)) == {"a"}


async def test_a_fingerprint_is_not_believed_for_ever() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan")})
        source = await followed(house, reader)
        for days, times in ((1, 1), (28, 1), (2, 2), (1, 2)):
            await synced(house, source, days)
            assert len(reader.read_keys) == times


async def test_more_than_one_sync_reads_is_read_by_the_next_ones() -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "abcdefg"}, tells=False)
        reads_at_most(house, 3)
        source = await followed(house, reader, kind=SourceKind.SITEMAP)
        report = source.last
        assert report is not None
        assert (report.outcome, report.listed, report.read, report.added) == (SyncOutcome.PARTIAL, 7, 3, 3)
        assert report.skipped == {SkipReason.WAITING: 4}
        assert "4 items wait" in (report.error or "")
        assert source.next_sync_at == house.clock.now() + timedelta(minutes=5)
        await synced(house, source)
        report = await synced(house, source)
        assert (report.outcome, report.read, report.skipped) == (SyncOutcome.DONE, 1, {})
        assert sorted(reader.read_keys) == list("abcdefg")
        assert (await again(house, source)).next_sync_at == house.clock.now() + timedelta(days=1)
        reader.read_keys.clear()
        await synced(house, source)
        assert reader.read_keys == list("abc")  # those that were not read for the longest time
        reader.texts["new"] = text("new")
        await synced(house, source)
        assert reader.read_keys[3:] == ["new", "d", "e"]


async def test_a_sync_reads_no_more_bytes_than_one_may_and_gone_pages_do_not_stop_it() -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "xyz"}, tells=False, gone=set("abcde"))
        reads_at_most(house, 5, 2 * len(text("x")))
        source = await followed(house, reader, kind=SourceKind.SITEMAP)
        assert source.last is not None
        assert source.last.skipped == {SkipReason.GONE: 5, SkipReason.WAITING: 3}
        report = await synced(house, source)
        assert (report.added, report.skipped) == (2, {SkipReason.GONE: 5, SkipReason.WAITING: 1})
        report = await synced(house, source)
        assert (report.outcome, report.added, report.skipped) == (SyncOutcome.DONE, 1, {SkipReason.GONE: 5})


async def test_an_item_that_was_renamed_is_known_though_it_had_to_wait() -> None:
    async with open_house() as house:
        reader = TitledReader({key: text("fan" + key) for key in "abcdef"})
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        reads_at_most(house, 1)
        for key in "abcd":
            reader.texts[f"new {key}"] = reader.texts.pop(key)
        for _ in range(4):
            report = await synced(house, source)
            assert (report.added, report.removed) == (0, 0)
        assert report.outcome is SyncOutcome.DONE
        assert set(await held(house)) == {"e", "f", *(f"new {key}" for key in "abcd")}


@pytest.mark.parametrize(("kind", "hours", "syncs"), [
    (SourceKind.SITEMAP, 24, 7),
    (SourceKind.SITEMAP, 6, 28),
    (SourceKind.SITEMAP, 720, 1),
    (SourceKind.FEED, 24, 7),
])  # fmt: skip
async def test_a_page_that_changed_below_an_unchanged_date_is_found_within_seven_days(
    kind: SourceKind, hours: int, syncs: int
) -> None:
    async with open_house() as house:
        reader = Undated({f"page {n:02}": text(f"fan {n}") for n in range(60)}, names_versions=True)
        source = await followed(house, reader, kind=kind, every_hours=hours)
        for n in range(60):
            reader.texts[f"page {n:02}"] = text(f"fan {n}", 9)
        reader.read_keys.clear()
        changed = 0
        for _ in range(syncs):
            report = await synced(house, source, days=hours / 24)
            assert report.read <= ceil(60 / syncs)
            changed += report.changed
        assert (changed, len(set(reader.read_keys))) == (60, 60)
        assert (await held(house))["page 59"] == text("fan 59", 9)


async def test_asking_in_turn_takes_no_place_of_what_is_due() -> None:
    async with open_house() as house:
        reader = Undated({f"page {n:02}": text(f"fan {n}") for n in range(14)}, names_versions=True)
        source = await followed(house, reader, kind=SourceKind.SITEMAP)
        reads_at_most(house, 3)
        reader.texts |= {f"new {n}": text(f"pump {n}") for n in range(2)}
        report = await synced(house, source)
        assert (report.outcome, report.read, report.added) == (SyncOutcome.DONE, 3, 2)


async def test_files_are_not_asked_for_in_turn() -> None:
    async with open_house() as house:
        reader = Undated({f"page {n}": text(f"fan {n}") for n in range(9)})
        source = await followed(house, reader, kind=SourceKind.FOLDER)
        assert (await synced(house, source)).read == 0
