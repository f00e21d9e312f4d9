"""A knowledge base that follows a source: what comes, what changes, and what leaves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.synced_source import (
    ItemState,
    LeftOut,
    SkipReason,
    SourceKind,
    SyncedItem,
    SyncOutcome,
)
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.synced_sources import follow
from tests.support.followed_place import (
    FakeReader,
    TitledReader,
    WebPages,
    again,
    counted,
    followed,
    held,
    synced,
    text,
    tried,
)
from tests.support.house import NICHE, open_house


async def test_what_a_source_has_comes_into_the_knowledge_base_and_follows_it() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan"), "b": text("pump"), "c": SkipReason.UNSUPPORTED, "d": " "})
        source = await followed(house, reader, grace_days=2)
        report = source.last
        assert report is not None
        assert (report.outcome, report.listed, report.added, report.changed) == (SyncOutcome.DONE, 4, 2, 0)
        assert report.skipped == {SkipReason.UNSUPPORTED: 1, SkipReason.EMPTY: 1}
        assert report.examples == (("c", SkipReason.UNSUPPORTED), ("d", SkipReason.EMPTY))
        assert await held(house) == {"a": text("fan"), "b": text("pump")}
        assert (source.job_id, source.started_at, source.next_sync_at) == (
            None,
            None,
            house.clock.now() + timedelta(days=1),
        )
        reader.texts |= {"a": text("fan", 9), "e": text("valve")}
        reader.read_keys.clear()
        report = await synced(house, source)
        assert (report.added, report.changed, report.unchanged) == (1, 1, 1)
        assert reader.read_keys == ["e", "a"]  # the new ones first
        assert await held(house) == {"a": text("fan", 9), "b": text("pump"), "e": text("valve")}


async def test_what_is_gone_leaves_after_the_grace_period_and_not_if_it_comes_back() -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "abcdef"})
        source = await followed(house, reader, grace_days=2)
        b = reader.texts.pop("b")
        reader.gone.add("a")
        del reader.texts["a"]
        report = await synced(house, source)
        assert (report.missing, report.removed, report.unchanged) == (2, 0, 4)
        assert set(await held(house)) == set("abcdef")
        missing = await house.services.knowledge.sources.items(house.caller, source.id, ItemState.MISSING, None, 10)
        assert [item.key for item in missing] == ["a", "b"]
        reader.texts["b"] = b
        assert (await synced(house, source)).missing == 1
        report = await synced(house, source)
        assert (report.missing, report.removed) == (0, 1)
        assert set(await held(house)) == set("bcdef")


async def test_what_a_feed_no_longer_lists_stays() -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "abcdef"})
        source = await followed(house, reader, kind=SourceKind.FEED, grace_days=0)
        for key in "abcde":
            del reader.texts[key]
        reader.texts["g"] = text("g")
        report = await synced(house, source)
        assert (report.outcome, report.added, report.missing, report.removed) == (SyncOutcome.DONE, 1, 0, 0)
        assert set(await held(house)) == set("abcdefg")


async def test_a_feed_that_changes_its_ids_does_not_fill_the_knowledge_base(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "MAX_ITEMS", 6)
    async with open_house() as house:
        reader = TitledReader({f"a?{n}": text(f"fan {n}") for n in range(3)})
        source = await followed(house, reader, kind=SourceKind.FEED)
        manage = house.services.knowledge.sources
        for round in range(1, 5):
            reader.texts = {f"a?{n}-{round}": text(f"fan {n}") for n in range(3)}  # the same under other ids
            report = await synced(house, source)
            assert (report.outcome, report.added, report.unchanged) == (SyncOutcome.DONE, 0, 3)
            assert set(await held(house)) == set(reader.texts)
            assert len(await manage.items(house.caller, source.id, None, None, 100)) == 3
        for round in range(1, 5):
            reader.texts = {f"b?{n}-{round}": text(f"valve {n} of {round}") for n in range(3)}
            report = await synced(house, source)
        assert (report.outcome, report.listed) == (SyncOutcome.CUT, 0)
        assert len(await manage.items(house.caller, source.id, None, None, 100)) == 6
        reader.texts = {"a?0-4": text("fan 0", 9)}
        assert (await synced(house, source)).changed == 1  # those that are known are still followed


async def test_a_source_that_goes_away_removes_nothing() -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "abcdef"})
        source = await followed(house, reader, grace_days=0)
        reader.down.append(True)
        report = (await tried(house, source)).last
        assert report is not None
        assert (report.outcome, report.error) == (SyncOutcome.FAILED, "It went away.")
        assert set(await held(house)) == set("abcdef")
        reader.down.clear()
        for key in "abcde":
            del reader.texts[key]
        for _ in range(3):
            report = await synced(house, source)
            assert (report.outcome, report.missing, report.removed) == (SyncOutcome.DOUBTFUL, 0, 0)
            assert set(await held(house)) == set("abcdef")
        await house.services.knowledge.sources.accept(house.caller, source.id)
        await house.work()
        report = (await again(house, source)).last
        assert report is not None
        assert (report.outcome, report.removed) == (SyncOutcome.DONE, 5)
        assert set(await held(house)) == {"f"}


@pytest.mark.parametrize("tells", [True, False])
async def test_pages_that_all_say_the_same_all_at_once_stay_as_they_were(tells: bool) -> None:
    async with open_house() as house:
        reader = WebPages({key: text(key) for key in "abcdefgh"}, tells=tells)
        source = await followed(house, reader, grace_days=0, kind=SourceKind.PAGES)
        pages, before = dict(reader.texts), await held(house)
        reader.texts = dict.fromkeys(pages, "This domain is for sale. Ask the owner of this page for an offer today.")
        for _ in range(3):
            report = await synced(house, source)
            assert (report.outcome, report.missing, report.removed) == (SyncOutcome.DOUBTFUL, 0, 0)
            assert report.skipped == {SkipReason.DOUBTFUL: 8}
            assert await held(house) == before
        reader.texts = dict(pages)
        report = await synced(house, source)
        assert (report.unchanged, report.missing, report.changed) == (8, 0, 0)
        reader.texts |= dict.fromkeys("ab", text("new"))
        assert (await synced(house, source)).changed == 2, "two that come to say the same may mean it"
        assert (await held(house))["a"] == text("new")


async def test_what_a_source_names_and_nobody_follows_is_counted() -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "abcde"}, beside=[LeftOut("www", 300), LeftOut("x")])
        source = await followed(house, reader)
        report = source.last
        assert report is not None
        assert (report.outcome, report.listed, report.added, counted(report)) == (SyncOutcome.DONE, 306, 5, 306)
        assert report.skipped == {SkipReason.NOT_FOLLOWED: 301}
        assert report.examples == (("www", SkipReason.NOT_FOLLOWED),)
        reader.texts.clear()
        report = await synced(house, source)
        assert (report.outcome, report.missing) == (SyncOutcome.DOUBTFUL, 0)
        await house.services.knowledge.sources.accept(house.caller, source.id)
        await house.work()
        report = (await again(house, source)).last
        assert report is not None
        assert (report.outcome, report.missing) == (SyncOutcome.DONE, 5)
        assert "none of them is followed, such as www" in (report.error or "")


async def test_a_duplicate_is_counted_and_stored_once_the_other_is_gone() -> None:
    async with open_house() as house:
        reader = FakeReader(
            {"a": text("fan"), "b": text("pump"), "c": text("valve"), "d": text("wall"), "e": text("hedge")}
        )
        source = await followed(house, reader, grace_days=0)
        same = SourceText("x", "Title of z", text("feet"))
        await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), [same])
        reader.texts["z"] = text("feet")
        assert (await synced(house, source)).skipped == {SkipReason.DUPLICATE: 1}
        async with house.services.ports.unit_of_work() as tx:
            known = await tx[Knowledge].known(KbScope(NICHE, house.caller.tenant_id), ["x"])
            await tx[Knowledge].remove([known["x"].id])
        report = await synced(house, source)
        assert (report.skipped, report.added) == ({}, 1)


async def test_an_item_with_another_name_stays_the_same_document() -> None:
    async with open_house() as house:
        reader = TitledReader({key: text("fan" + key) for key in "abcdef"})
        source = await followed(house, reader, grace_days=7)

        async def last() -> SyncedItem:
            [item] = await house.services.knowledge.sources.items(house.caller, source.id, None, "e", 10)
            return item

        before = await last()
        reader.texts["z"] = reader.texts.pop("f")
        report = await synced(house, source)
        assert (report.added, report.changed, report.missing, report.unchanged, report.skipped) == (0, 0, 0, 6, {})
        assert set(await held(house)) == set("abcdez")
        assert await last() == evolve(before, key="z", seen_at=report.started_at, read_at=report.started_at)
        reader.texts["z"] = text("fanf", 11)
        assert (await synced(house, source)).changed == 1
        assert (await last()).document_id == before.document_id


async def test_an_item_with_another_name_and_another_text_is_another_one() -> None:
    async with open_house() as house:
        reader = TitledReader({key: text("fan" + key) for key in "abcdef"})
        source = await followed(house, reader, grace_days=0)
        del reader.texts["f"]
        reader.texts["z"] = text("valve")
        report = await synced(house, source)
        assert (report.added, report.removed) == (1, 1)


async def test_a_source_that_fails_is_asked_less_and_less_often() -> None:
    async with open_house() as house:
        reader = FakeReader()
        source = await followed(house, reader, every_hours=2)

        async def wait_after(*, down: bool) -> timedelta:
            reader.down[:] = [down] * down
            found = await tried(house, source)
            assert found.last is not None
            assert found.next_sync_at is not None
            return found.next_sync_at - found.last.finished_at

        waits = [await wait_after(down=down) for down in (True, True, True, True, True, False, True)]
        assert waits == [timedelta(minutes=minutes) for minutes in (15, 30, 60, 120, 120, 120, 15)]


async def test_a_clock_that_is_set_back_does_no_harm() -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "abcdef"})
        source = await followed(house, reader, grace_days=1)
        house.clock.set(house.clock.now() - timedelta(days=400))
        del reader.texts["a"]
        report = await synced(house, source, days=0)
        assert (report.unchanged, report.missing, report.removed) == (5, 1, 0)
        assert (await synced(house, source)).removed == 0
        assert set(await held(house)) == set("abcdef")
