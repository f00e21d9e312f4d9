"""A place that a test fills, and a house whose knowledge base follows it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from attrs import define, evolve, field

from contentgen_core.model.job import MAX_ATTEMPTS
from contentgen_core.model.publishing_target import FieldType, SettingField
from contentgen_core.model.synced_source import (
    LeftOut,
    ListedItem,
    SkipReason,
    SourceKind,
    SourceKindInfo,
    SyncedSource,
    SyncReport,
)
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, ItemText, ItemUnchanged, SourceUnavailable
from contentgen_core.use_cases.synced_sources.manage_sources import NewSource
from tests.support.house import NICHE, House

TEXT = "The {name} of the heat pump is looked after every {n} months by a certified engineer of the county."


@define
class FakeReader:
    """A place that a test fills. `texts`: by key, with a SkipReason for one that cannot be read; `gone`: listed, and
    not there; `read_keys`: what was asked for; `given`: of that what was given, not being the version at hand; `down`:
    not empty while it cannot be listed; `tells`: whether there are fingerprints; `names_versions`: whether texts have
    versions; `opened_with`: secrets; `beside`: what is no item of it; `moved`: new keys by former ones, as redirects
    tell them; `shown_for_nothing`: its error page, where it shows one as if it were a page."""

    texts: dict[str, str | SkipReason] = field(factory=dict)
    gone: set[str] = field(factory=set)
    read_keys: list[str] = field(factory=list)
    given: list[str] = field(factory=list)
    down: list[bool] = field(factory=list)
    opened_with: list[dict[str, Any]] = field(factory=list)
    tells: bool = True
    names_versions: bool = False
    beside: list[LeftOut] = field(factory=list)
    moved: dict[str, str] = field(factory=dict)
    shown_for_nothing: str | None = None

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
        return ItemText(SourceText(key, f"Title of {key.rpartition('/')[2]}", text), version, len(text))

    async def moved_to(self, key: str) -> str | None:
        return self.moved.get(key)

    async def error_page(self, key: str) -> SourceText | None:
        shown = self.shown_for_nothing
        return None if shown is None else SourceText(f"not {key}", "Error", shown, url="https://site.example/404")


@define
class WebPages(FakeReader):
    """Pages have addresses, so that two that say the same are two."""

    async def read(self, key: str, known: str | None = None) -> ItemText:
        read = await FakeReader.read(self, key, known)
        return evolve(read, text=evolve(read.text, url=f"https://site.example/{key}"))


class TitledReader(FakeReader):
    """Whose texts have titles of their own."""

    async def read(self, key: str, known: str | None = None) -> ItemText:
        found = await super().read(key, known)
        return evolve(found, text=evolve(found.text, title=found.text.text[:20]))


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
        documents = await tx[Knowledge].all_documents(None, 1_000)
        passages = await tx[Knowledge].passages_of(documents)
    of_sources = [p for p in passages if p.document.source_key.startswith("source:")]
    return {p.document.source_key.partition("/")[2]: p.text for p in of_sources}
