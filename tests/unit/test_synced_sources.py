"""A source and the knowledge base that follows it: whatever happens there, and whenever a process dies here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from attrs import define, evolve, field
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_core.errors import InvalidInput, NotFound, NotPermitted, QuotaExceeded, Unavailable
from contentgen_core.model.ids import SyncedSourceId
from contentgen_core.model.job import MAX_ATTEMPTS
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.publishing_target import FieldType, SettingField
from contentgen_core.model.synced_source import (
    ItemState,
    LeftOut,
    ListedItem,
    SkipReason,
    SourceKind,
    SourceKindInfo,
    SyncedItem,
    SyncedSource,
    SyncOutcome,
    SyncReport,
)
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, ItemText, ItemUnchanged, SourceUnavailable
from contentgen_core.use_cases.synced_sources import follow
from contentgen_core.use_cases.synced_sources.manage import ChangedSource, NewSource
from tests.support.house import NICHE, House, open_house

TEXT = "The {name} of the heat pump is looked after every {n} months by a certified engineer of the county."


@define
class FakeReader:
    """A place that a test fills. `texts`: by key, with a SkipReason for one that cannot be read; `gone`: listed, and
    not there; `read_keys`: what was asked for; `given`: of that what was given, not being the version at hand; `down`:
    not empty while it cannot be listed; `tells`: whether there are fingerprints; `names_versions`: whether texts have
    versions; `opened_with`: secrets; `beside`: what is no item of it."""

    texts: dict[str, str | SkipReason] = field(factory=dict)
    gone: set[str] = field(factory=set)
    read_keys: list[str] = field(factory=list)
    given: list[str] = field(factory=list)
    down: list[bool] = field(factory=list)
    opened_with: list[dict[str, Any]] = field(factory=list)
    tells: bool = True
    names_versions: bool = False
    beside: list[LeftOut] = field(factory=list)

    def fault_of(self, source: SyncedSource) -> str | None:
        return None if source.place.startswith("/srv") else "is not allowed"

    def kinds(self) -> Sequence[SourceKindInfo]:
        site = SettingField("site", "Site", FieldType.URL)
        token = SettingField("token", "Token", required=True, secret=True)
        return [SourceKindInfo(SourceKind.NOTION, "Notion", "Somewhere below /srv", (site, token))]

    @asynccontextmanager
    async def open(self, source: SyncedSource, secrets: Mapping[str, Any]) -> AsyncIterator[FakeReader]:
        self.opened_with.append(dict(secrets))
        yield self

    async def items(self) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        yield self.beside
        keys = sorted({*self.texts, *self.gone})
        for start in range(0, len(keys), 3):
            if self.down and start:
                raise SourceUnavailable("It went away.")
            yield [ListedItem(k, f"{hash(self.texts.get(k))}" if self.tells else None) for k in keys[start : start + 3]]
        if self.down:
            raise SourceUnavailable("It is not there.")

    async def read(self, key: str, known: str | None = None) -> ItemText:
        self.read_keys.append(key)
        if key in self.gone:
            raise ItemGone
        text = self.texts[key]
        if isinstance(text, SkipReason):
            raise ItemSkipped(text, len(text))
        version = f"version of {text}" if self.names_versions else None
        if version is not None and version == known:
            raise ItemUnchanged
        self.given.append(key)
        return ItemText(SourceText(key, f"Title of {key}", text), version, len(text))


def text(name: str, n: int = 6) -> str:
    return TEXT.format(name=name, n=n)


def with_reader(house: House, reader: FakeReader) -> None:
    manage = evolve(house.services.knowledge.sources, reader=reader)
    object.__setattr__(house.services.knowledge, "sources", manage)
    handlers = house.services.jobs
    sync = handlers.sync_source
    object.__setattr__(handlers, "sync_source", evolve(sync, follow=evolve(sync.follow, reader=reader)))


async def followed(house: House, reader: FakeReader, **changes: Any) -> SyncedSource:
    with_reader(house, reader)
    command = NewSource(house.caller, NICHE, SourceKind.FOLDER, "Handbook", "/srv/handbook")
    source = await house.services.knowledge.sources.create(evolve(command, **changes))
    await house.work()
    return await again(house, source)


def reads_at_most(house: House, items: int, size: int = 1_000_000) -> None:
    sync = house.services.jobs.sync_source
    follow = evolve(sync.follow, most_read=items, most_bytes=size)
    object.__setattr__(house.services.jobs, "sync_source", evolve(sync, follow=follow))


def counted(report: SyncReport) -> int:
    """The items that a report says something of."""
    return report.added + report.changed + report.unchanged + sum(report.skipped.values())


async def again(house: House, source: SyncedSource) -> SyncedSource:
    return await house.services.knowledge.sources.get(house.caller, source.id)


async def synced(house: House, source: SyncedSource, days: float = 1) -> SyncReport:
    house.clock.advance(days=days)
    await house.services.knowledge.sources.sync(house.caller, source.id)
    await house.work()
    found = (await again(house, source)).last
    assert found is not None
    return found


async def tried(house: House, source: SyncedSource) -> SyncedSource:
    """The source after a sync with all its attempts."""
    house.clock.advance(days=1)
    await house.services.knowledge.sources.sync(house.caller, source.id)
    for _ in range(MAX_ATTEMPTS + 1):
        await house.work()
        house.clock.advance(minutes=5)
    return await again(house, source)


async def held(house: House) -> dict[str, str]:
    """The texts in the knowledge base that came from sources, by the last part of their keys."""
    async with house.services.ports.unit_of_work() as tx:
        documents = await tx.knowledge.all_documents(None, 1_000)
        passages = await tx.knowledge.passages_of(documents)
    of_sources = [p for p in passages if p.document.source_key.startswith("source:")]
    return {p.document.source_key.partition("/")[2]: p.text for p in of_sources}


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
        for round in range(1, 5):
            reader.texts = {f"a?{n}-{round}": text(f"fan {n}") for n in range(3)}  # the same under other ids
            report = await synced(house, source)
            assert len(await held(house)) == 3
        assert (report.outcome, report.listed) == (SyncOutcome.CUT, 0)
        items = await house.services.knowledge.sources.items(house.caller, source.id, None, None, 100)
        assert len(items) == 6
        reader.texts = {"a?0": text("fan 0", 9)}
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
        report = await synced(house, source)
        assert (report.outcome, report.missing, report.removed) == (SyncOutcome.DOUBTFUL, 0, 0)
        assert set(await held(house)) == set("abcdef")
        report = await synced(house, source)
        assert (report.outcome, report.removed) == (SyncOutcome.DONE, 5)
        assert set(await held(house)) == {"f"}


@define
class WebPages(FakeReader):
    """Pages have addresses, so that two that say the same are two."""

    async def read(self, key: str, known: str | None = None) -> ItemText:
        read = await FakeReader.read(self, key, known)
        return evolve(read, text=evolve(read.text, url=f"https://site.example/{key}"))


@pytest.mark.parametrize("tells", [True, False])
async def test_pages_that_all_say_the_same_all_at_once_are_not_there(tells: bool) -> None:
    async with open_house() as house:
        reader = WebPages({key: text(key) for key in "abcdefgh"}, tells=tells)
        source = await followed(house, reader, grace_days=7, kind=SourceKind.PAGES)
        pages, before = dict(reader.texts), await held(house)
        reader.texts = dict.fromkeys(pages, "This domain is for sale. Ask the owner of this page for an offer today.")
        report = await synced(house, source)
        assert (report.outcome, report.missing, report.removed) == (SyncOutcome.DOUBTFUL, 0, 0)
        report = await synced(house, source)
        assert (report.outcome, report.missing, report.removed) == (SyncOutcome.DONE, 8, 0)
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
        report = await synced(house, source)
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
            known = await tx.knowledge.known(KbScope(NICHE, house.caller.tenant_id), ["x"])
            await tx.knowledge.remove([known["x"].id])
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


class TitledReader(FakeReader):
    """Whose texts have titles of their own."""

    async def read(self, key: str, known: str | None = None) -> ItemText:
        found = await super().read(key, known)
        return evolve(found, text=evolve(found.text, title=found.text.text[:20]))


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
        again = reason in (SkipReason.UNREADABLE, SkipReason.REFUSED, SkipReason.DUPLICATE)
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


async def test_a_deleted_source_takes_its_documents_along() -> None:
    async with open_house() as house:
        source = await followed(house, FakeReader({"a": text("fan"), "b": text("pump")}))
        await house.services.knowledge.sources.delete(house.caller, source.id)
        assert await held(house) == {}
        with pytest.raises(NotFound):
            await again(house, source)


async def test_due_sources_are_synced_by_themselves_unless_they_are_paused() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan")})
        source = await followed(house, reader, every_hours=5)
        reader.texts["b"] = text("pump")
        await house.services.upkeep.sources.fire_due()
        assert await house.work() == 0
        house.clock.advance(hours=5)
        for _ in range(2):
            await house.services.upkeep.sources.fire_due()
        assert await house.work() == 1
        assert set(await held(house)) == {"a", "b"}
        change = ChangedSource(house.caller, source.id, paused=True)
        await house.services.knowledge.sources.change(change)
        house.clock.advance(days=3)
        await house.services.upkeep.sources.fire_due()
        assert await house.work() == 0
        await house.services.knowledge.sources.change(evolve(change, paused=False))
        await house.services.upkeep.sources.fire_due()
        assert await house.work() == 1


async def test_what_cannot_be_followed_is_refused() -> None:
    async with open_house(PlanName.STARTER) as house:
        with_reader(house, FakeReader())
        command = NewSource(house.caller, NICHE, SourceKind.FOLDER, "Handbook", "/srv/handbook")
        create = house.services.knowledge.sources.create
        for wrong in ({"place": "/etc"}, {"place": " "}, {"name": ""}, {"every_hours": 0}, {"grace_days": 91}):
            with pytest.raises(InvalidInput):
                await create(evolve(command, **wrong))  # type: ignore[arg-type]
        with pytest.raises(NotFound):
            await create(evolve(command, niche="nothing"))
        with pytest.raises(NotPermitted):
            await create(evolve(command, caller=evolve(house.caller, role=Role.EDITOR)))
        for _ in range(3):
            source = await create(command)
        with pytest.raises(QuotaExceeded):
            await create(command)
        other = await house.other_tenant()
        manage = house.services.knowledge.sources
        for call in (
            manage.get(other, source.id),
            manage.sync(other, source.id),
            manage.delete(other, source.id),
            manage.items(other, source.id, None, None, 10),
            manage.change(ChangedSource(other, source.id, name="Mine")),
            manage.get(house.caller, SyncedSourceId("none")),
        ):
            with pytest.raises(NotFound):
                await call


async def test_secrets_are_sealed_and_bound_to_where_they_were_entered_for() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan")})
        with_reader(house, reader)
        manage, caller = house.services.knowledge.sources, house.caller
        command = NewSource(
            caller, NICHE, SourceKind.NOTION, "Wiki", "/srv/wiki", settings={"site": "https://a.example"}
        )
        for wrong in ({}, {"token": ""}, {"token": "t" * 5_001}, {"token": "t", "other": "x"}, {"token": 1}):
            with pytest.raises(InvalidInput):
                await manage.create(evolve(command, settings=wrong))
        source = await manage.create(evolve(command, settings={**command.settings, "token": "s3cret"}))
        assert (source.settings, source.secret_fields) == ({"site": "https://a.example"}, ("token",))
        assert "s3cret" not in f"{source!r} {source.sealed} {command!r}"
        await house.work()
        assert reader.opened_with == [{"token": "s3cret"}]
        change = ChangedSource(caller, source.id)
        for elsewhere in (
            evolve(change, place="/srv/other"),
            evolve(change, settings={"site": "https://b.example"}),
            evolve(change, settings={"site": None}),
            evolve(change, settings={"token": None}),
        ):
            with pytest.raises(InvalidInput):
                await manage.change(elsewhere)
        await manage.change(evolve(change, name="Our wiki"))
        await manage.change(evolve(change, place="/srv/other", settings={"token": "0ther"}))
        assert (await again(house, source)).settings == {"site": "https://a.example"}
        await synced(house, source)
        assert reader.opened_with[-1] == {"token": "0ther"}
        resealed = await house.services.upkeep.reseal_secrets()
        assert (resealed.resealed, resealed.unreadable) == (0, ())


async def test_secrets_whose_key_is_gone_make_the_sync_fail_and_say_so() -> None:
    async with open_house() as house:
        reader = FakeReader({"a": text("fan")})
        with_reader(house, reader)
        manage = house.services.knowledge.sources
        command = NewSource(house.caller, NICHE, SourceKind.NOTION, "Wiki", "/srv/wiki", settings={"token": "s3cret"})
        source = await manage.create(command)
        await house.work()
        async with house.services.ports.unit_of_work() as tx:
            stored = await tx.synced_sources.get(source.tenant_id, source.id)
            await tx.synced_sources.save(evolve(stored, sealed="nothing that opens"))
        found = await tried(house, source)
        assert found.last is not None
        assert (found.last.outcome, "Enter them again" in (found.last.error or "")) == (SyncOutcome.FAILED, True)
        assert set(await held(house)) == {"a"}
        assert (await house.services.upkeep.reseal_secrets()).unreadable == (source.id,)
        await manage.change(ChangedSource(house.caller, source.id, settings={"token": "new"}))
        assert (await synced(house, source)).outcome is SyncOutcome.DONE


_edits = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from((None, "fan", "pump", "valve", SkipReason.UNREADABLE))),
    max_size=5,
)


_same = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from((None, "fan", "pump", "valve"))), max_size=4)


@settings(deadline=None, max_examples=25)
@given(st.lists(_same, min_size=1, max_size=4), st.booleans())
async def test_no_text_is_lost_and_none_stays_where_items_say_the_same(rounds: list[Any], tells: bool) -> None:
    async with open_house() as house:
        reader = TitledReader(tells=tells)
        source = await followed(house, reader, grace_days=0)
        for edits in rounds:
            for key, value in edits:
                if value is None:
                    reader.texts.pop(key, None)
                else:
                    reader.texts[key] = text(value)
            await synced(house, source)
        for _ in range(3):  # a listing of few is believed the second time; then what was a duplicate is stored
            report = await synced(house, source)
        stored = await held(house)
        assert set(stored.values()) == set(reader.texts.values())
        assert len(stored) == len(set(reader.texts.values()))
        assert report.skipped.get(SkipReason.DUPLICATE, 0) == len(reader.texts) - len(stored)


@settings(deadline=None, max_examples=25)
@given(st.lists(_edits, min_size=1, max_size=4), st.booleans(), st.booleans(), st.sampled_from((2, 1_000)))
async def test_after_any_edits_a_sync_equals_a_fresh_import(
    rounds: list[Any], tells: bool, names_versions: bool, most_read: int
) -> None:
    async with open_house() as house:
        reader = FakeReader(tells=tells, names_versions=names_versions)
        reads_at_most(house, most_read)
        source = await followed(house, reader, grace_days=0, kind=SourceKind.SITEMAP)
        for edits in rounds:
            for key, value in edits:
                if value is None:
                    reader.texts.pop(key, None)
                else:
                    reader.texts[key] = value if isinstance(value, SkipReason) else text(value + key)
            report = await synced(house, source)
            assert counted(report) == report.listed
        report = await synced(house, source)
        for _ in range(8):
            report = await synced(house, source)
            assert counted(report) == report.listed == len(reader.texts)
            if report.outcome is SyncOutcome.DONE and not report.read:
                break
        stored = await held(house)
        expected = {key: value for key, value in reader.texts.items() if not isinstance(value, SkipReason)}
        kept = {key: said for key, said in stored.items() if not isinstance(reader.texts.get(key), SkipReason)}
        assert kept == expected
        assert set(stored) <= set(reader.texts)
        assert (report.added, report.changed, report.removed, report.missing) == (0, 0, 0, 0)


@pytest.mark.parametrize("death", range(1, 14))
async def test_a_process_that_dies_at_any_transaction_loses_and_doubles_nothing(
    death: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "abcdefg"})
        with_reader(house, reader)
        sync = house.services.jobs.sync_source
        command = NewSource(house.caller, NICHE, SourceKind.FOLDER, "Handbook", "/srv/handbook")
        source = await house.services.knowledge.sources.create(command)
        unit_of_work, count = sync.runner.unit_of_work, [0]

        def dying() -> Any:
            count[0] += 1
            if count[0] == death:
                raise Unavailable("The process died here.", 1.0)
            return unit_of_work()

        runner = evolve(sync.runner, unit_of_work=dying)
        mortal = evolve(sync, runner=runner, follow=evolve(sync.follow, runner=runner))
        object.__setattr__(house.services.jobs, "sync_source", mortal)
        for _ in range(4):
            with suppress(Unavailable):
                await house.work()
            house.clock.advance(minutes=10)
        found = await again(house, source)
        assert await held(house) == {key: text(key) for key in "abcdefg"}
        assert found.last is not None
        assert (found.last.listed, found.last.added, found.last.changed) == (7, 7, 0)
        assert found.job_id is None
