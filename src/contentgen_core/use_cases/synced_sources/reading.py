"""Read the items of a source that may have changed, and store their texts."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, TypeVar

from attrs import define, evolve, field, frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.job import Job
from contentgen_core.model.synced_source import ListedItem, SkipReason, SyncedItem, SyncedSource
from contentgen_core.policies.text.lost_texts import (
    KEPT_SHARE,
    MOST_NEW_WORDS,
    LostText,
    are_alike,
    doubts_of,
    kept_share,
    words_of,
)
from contentgen_core.policies.text.usable import has_glued_words, is_title_only
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, ItemText, ItemUnchanged, OpenSource
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed
from contentgen_core.use_cases.knowledge.import_sources import ImportSources, content_hash
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.synced_sources.mass_loss import GoneItems, site_of
from contentgen_core.use_cases.synced_sources.moves import FollowMoves, Unlisted
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 25
MOST_HELD: Final = 64 * 1024 * 1024
"""Characters of texts that wait for the end of the sync."""
SITES_ASKED: Final = 3
"""Sites whose error pages are looked at for one batch."""

T = TypeVar("T")


@frozen
class ReadItem:
    """An item that has a text. `present`: its row once that is stored; `former`: the row before; `is_same`: whether its
    document has the same text already, perhaps at another address."""

    read: ItemText
    present: SyncedItem
    former: SyncedItem
    is_same: bool = False

    @property
    def key(self) -> str:
        return self.present.key

    @property
    def is_known(self) -> bool:
        return self.former.document_id is not None


@define
class Reading:
    """The reading of one sync. `items`, `size`: how many items and bytes may still be read; `until`: when it ends;
    `known`: items that had a document before it; `unlisted`: items that the source does not list any more;
    `known_read`: how many of the known ones were read; `gone`: that are listed and not there; `absent`: of those that
    were not known, as many; `waiting`: for the next sync; `doubtful`: known pages whose new text, or absence, is not
    believed; `new`: the words of pages that were not known before and were stored; `lost`: known pages that have
    nothing of their former text any more; `lost_items`: those that are not there. Both are held back until all is
    read."""

    items: int
    size: int
    until: datetime
    known: int
    unlisted: Unlisted
    known_read: int = 0
    gone: int = 0
    absent: int = 0
    waiting: int = 0
    doubtful: int = 0
    lost_items: GoneItems = field(factory=GoneItems)
    new: dict[str, Counter[str]] = field(factory=dict)
    lost: list[tuple[ReadItem, LostText]] = field(factory=list)

    def is_used_up(self, now: datetime) -> bool:
        return self.items <= 0 or self.size <= 0 or now >= self.until

    def take(self, size: int) -> None:
        self.items -= 1
        self.size -= size


@use_case
class ReadItems:
    """Reads items one after the other, and stores their texts in batches. A page that all at once shows what others
    show, or what its site shows for any address, keeps the text that it had."""

    runner: AttemptRunner
    import_sources: ImportSources
    apply_changes: ApplyIndexChanges
    moves: FollowMoves

    async def __call__(
        self, job: Job, source: SyncedSource, opened: OpenSource, listed: Sequence[ListedItem], reading: Reading
    ) -> None:
        """Read these items, as many as may be read. Raises SourceUnavailable, ProviderFailed."""
        for batch in parts(listed, BATCH):
            await self._batch(job, source, opened, batch, reading)
            if sum(len(item.read.text.text) for item, _ in reading.lost) > MOST_HELD:
                await self._judge(job, source, reading)
        await self._judge(job, source, reading)
        await self._judge_gone(job, source, reading)

    async def _batch(
        self, job: Job, source: SyncedSource, opened: OpenSource, listed: Sequence[ListedItem], reading: Reading
    ) -> None:
        assert source.started_at is not None
        async with self.runner.fenced(job) as tx:
            known = await tx[SyncedSources].items(source.id, [item.key for item in listed])
        rows: list[SyncedItem] = []
        found: list[ReadItem] = []
        for one in listed:
            former = known.get(one.key) or SyncedItem(source.id, one.key, source.started_at)
            item = await self._read(source, opened, one, former, reading)
            if isinstance(item, ReadItem):
                found.append(item)
            elif item is not None:
                rows.append(item)
        plain, lost, doubtful = await self._sort_out_lost(job, source, opened, found, reading)
        reading.lost += lost
        plain, waiting = await self._recognise_moved(job, source, opened, plain, reading)
        rows += doubtful + waiting + await self._store(source, plain)
        async with self.runner.fenced(job) as tx:
            await tx[SyncedSources].save_items(rows)

    async def _read(
        self, source: SyncedSource, opened: OpenSource, one: ListedItem, former: SyncedItem, reading: Reading
    ) -> ReadItem | SyncedItem | None:
        """Read an item: its text, or its row where there is none to store; None for a known one that is not there."""
        if reading.is_used_up(self.runner.clock.now()):
            reading.waiting += 1
            return evolve(present_now(former, source), skipped=SkipReason.WAITING)
        is_known = former.document_id is not None
        title = former.title or one.title
        was_read = evolve(former, fingerprint=one.fingerprint, read_at=source.started_at, title=title)
        present = present_now(was_read, source)
        size = 0
        reading.known_read += is_known
        reading.lost_items.read[site_of(one.key)] += is_known and former.missing_since is None
        try:
            read = await opened.read(one.key, former.version if is_known else None)
            size = read.size
            if fault := _useless(read.text):
                raise ItemSkipped(fault, size)
            text = evolve(read.text, source_key=source.source_key(one.key))
            shown = evolve(present, title=text.title, skipped=None)
            return ReadItem(evolve(read, text=text), shown, former)
        except ItemUnchanged:
            return evolve(present, skipped=None)
        except ItemGone:
            if is_known:
                reading.lost_items.rows.append(evolve(was_read, skipped=None))
                return None
            reading.absent += 1
            return evolve(present, skipped=SkipReason.GONE)
        except ItemSkipped as skip:
            size = skip.size
            return evolve(present, skipped=skip.reason)
        finally:
            reading.take(size)

    async def _sort_out_lost(
        self, job: Job, source: SyncedSource, opened: OpenSource, found: Sequence[ReadItem], reading: Reading
    ) -> tuple[list[ReadItem], list[tuple[ReadItem, LostText]], list[SyncedItem]]:
        """Separate the texts that can be stored from those of known pages that lost their text, and from error pages of
        unknown addresses, as rows."""
        pages = [item for item in found if item.read.text.url is not None]
        former = await self._former_texts(job, [item for item in pages if item.is_known])
        lost: dict[str, LostText] = {}
        words: dict[str, Counter[str]] = {}
        same: set[str] = set()
        for item in pages:
            own = await asyncio.to_thread(words_of, item.read.text.text)
            if not item.is_known and own.total() < MOST_NEW_WORDS:
                words[item.key] = own
            elif (before := former.get(item.key)) is not None:
                if await asyncio.to_thread(kept_share, before, item.read.text.text) < KEPT_SHARE:
                    words[item.key] = own
                    lost[item.key] = LostText(item.key, own, words_of(before).total())
                elif await self.moves.is_same(item.read.text, item.former.title or "", before):
                    same.add(item.key)
        shown = await _error_pages(opened, words)
        plain: list[ReadItem] = []
        held: list[tuple[ReadItem, LostText]] = []
        doubtful: list[SyncedItem] = []
        for item in found:
            error = shown.get(site_of(item.key)) if item.key in words else None
            is_error = error is not None and error.url != item.key and are_alike(words_of(error.text), words[item.key])
            if item.key in lost:
                held.append((item, evolve(lost[item.key], is_error_page=is_error)))
            elif is_error:
                doubtful.append(_keep_former(item, source))
            else:
                if not item.is_known and item.key in words:
                    reading.new[item.key] = words[item.key]
                plain.append(evolve(item, is_same=item.key in same))
        return plain, held, doubtful

    async def _former_texts(self, job: Job, items: Iterable[ReadItem]) -> dict[str, str]:
        """Return the texts of these items' documents, by key, where the text read is another one."""
        keys = {
            i.former.document_id: i.key
            for i in items
            if i.former.document_id is not None and i.former.content_hash != content_hash(i.read.text)
        }
        if not keys:
            return {}
        async with self.runner.fenced(job) as tx:
            passages = await tx[Knowledge].passages_of(list(keys))
        texts: dict[str, list[str]] = defaultdict(list)
        for passage in passages:
            texts[keys[passage.document.id]].append(passage.text)
        return {key: "\n".join(parts) for key, parts in texts.items()}

    async def _judge(self, job: Job, source: SyncedSource, reading: Reading) -> None:
        """Store the texts that were held back, or leave the pages as they were."""
        texts = [text for _, text in reading.lost]
        new = list(reading.new.values())
        doubts = await asyncio.to_thread(doubts_of, texts, new, reading.known, reading.known_read)
        errors = {text.key for text in texts if text.is_error_page}
        if source.accepts:  # a person looked; what the site shows for any address is still no page
            reading.gone += len(errors)
        held, reading.lost = [item for item, _ in reading.lost], []
        rows: list[SyncedItem] = []
        plain: list[ReadItem] = []
        for item in held:
            if item.key not in doubts.keys:
                plain.append(item)
            elif not source.accepts:
                reading.doubtful += 1
                rows.append(_keep_former(item, source))
            elif item.key in errors:
                fingerprint, read_at = item.present.fingerprint, item.present.read_at
                rows.append(evolve(item.former, fingerprint=fingerprint, read_at=read_at, skipped=None))
            else:
                plain.append(item)
        for batch in parts(plain, BATCH):
            rows += await self._store(source, batch)
        async with self.runner.fenced(job) as tx:
            await tx[SyncedSources].save_items(rows)
        if doubts.kinds and not source.accepts:
            like = [key for key, words in reading.new.items() if doubts.includes(words)]
            await self._withdraw(job, source, like)

    async def _judge_gone(self, job: Job, source: SyncedSource, reading: Reading) -> None:
        """Keep that known items are not there, as if they had not been listed; leave those as they were that are gone
        all at once."""
        found = reading.lost_items
        doubted = set() if source.accepts or not source.kind.lists_all else found.doubted()
        reading.doubtful += len(doubted)
        reading.gone += len(found.rows) - len(doubted)
        rows = [_kept_in_doubt(row, source) if row.key in doubted else row for row in found.rows]
        for some in parts(rows, BATCH):
            async with self.runner.fenced(job) as tx:
                await tx[SyncedSources].save_items(some)

    async def _withdraw(self, job: Job, source: SyncedSource, keys: Sequence[str]) -> None:
        """Remove what was stored for new addresses before known pages showed that it is an error page."""
        async with self.runner.fenced(job) as tx:
            known = await tx[SyncedSources].items(source.id, keys)
            added = [item for item in known.values() if item.document_id and item.added_at == source.started_at]
            documents = [item.document_id for item in added if item.document_id is not None]
            await tx[Knowledge].remove(documents)
            rows = [SyncedItem(i.source_id, i.key, i.seen_at, i.fingerprint, read_at=i.read_at) for i in added]
            await tx[SyncedSources].save_items([evolve(row, skipped=SkipReason.DOUBTFUL) for row in rows])
        await self.apply_changes.bring_up_to_date(documents)

    async def _recognise_moved(
        self, job: Job, source: SyncedSource, opened: OpenSource, items: Sequence[ReadItem], reading: Reading
    ) -> tuple[list[ReadItem], list[SyncedItem]]:
        """Return the items, moved ones with the documents of their former keys; and, as rows, those that only the next
        sync can decide."""
        new = {item.key: item.read.text for item in items if not item.is_known}
        most = max(reading.items, BATCH)  # some in each sync, so that no source waits for ever
        found = await self.moves.recognise(job, source, opened, reading.unlisted, new, most, reading.until)
        reading.items -= found.asked
        reading.waiting += len(found.undecided)
        decided = [item for item in items if item.key not in found.undecided]
        waiting = [evolve(i.present, skipped=SkipReason.WAITING) for i in items if i.key in found.undecided]
        return [_as_moved(i, *found.moved[i.key]) if i.key in found.moved else i for i in decided], waiting

    async def _store(self, source: SyncedSource, items: Sequence[ReadItem]) -> list[SyncedItem]:
        """Store these texts; return the rows of their items."""
        documents = await self._import(source, [item.read.text for item in items])
        return [_row(source, item, documents.get(item.read.text.source_key)) for item in items]

    async def _import(self, source: SyncedSource, texts: Sequence[SourceText]) -> Mapping[str, DocumentId]:
        """The documents by source key; a text that was there already under another key, or holds nothing, has none."""
        if not texts:
            return {}
        try:
            await self.import_sources(source.scope, texts)
        except NotFound as error:
            raise JobFailed(f"The niche {source.niche_key} is not there any more.") from error
        async with self.runner.unit_of_work() as tx:
            known = await tx[Knowledge].known(source.scope, [text.source_key for text in texts])
        await self.apply_changes.bring_up_to_date([document.id for document in known.values()])
        return {key: document.id for key, document in known.items()}


async def _error_pages(opened: OpenSource, keys: Iterable[str]) -> dict[str, SourceText]:
    """Return, by site, what the sites of these pages show for an address that does not exist."""
    first: dict[str, str] = {}
    for key in keys:
        first.setdefault(site_of(key), key)
    found = {site: await opened.error_page(key) for site, key in list(first.items())[:SITES_ASKED]}
    return {site: text for site, text in found.items() if text is not None}


def _keep_former(item: ReadItem, source: SyncedSource) -> SyncedItem:
    """Return the row of an item whose new text is not trusted: all else is as it was."""
    row = evolve(item.former, fingerprint=item.present.fingerprint, read_at=item.present.read_at)
    return _kept_in_doubt(row, source)


def _kept_in_doubt(row: SyncedItem, source: SyncedSource) -> SyncedItem:
    """Return the row of an item that stays as it was."""
    return evolve(present_now(row, source), skipped=SkipReason.DOUBTFUL)


def _as_moved(item: ReadItem, moved: SyncedItem, is_same: bool) -> ReadItem:
    """The item with the document of the one that it was under another key."""
    present = evolve(
        item.present,
        document_id=moved.document_id,
        content_hash=moved.content_hash,
        added_at=moved.added_at,
        changed_at=moved.changed_at,
    )
    return evolve(item, present=present, former=moved, is_same=is_same)


def present_now(item: SyncedItem, source: SyncedSource) -> SyncedItem:
    """The row of an item that this sync finds."""
    assert source.started_at is not None
    return evolve(item, seen_at=source.started_at, missing_since=None)


def _useless(text: SourceText) -> SkipReason | None:
    if is_title_only(text.title, text.text):
        return SkipReason.TITLE_ONLY
    return SkipReason.GLUED_WORDS if has_glued_words(text.text) else None


def _row(source: SyncedSource, item: ReadItem, document_id: DocumentId | None) -> SyncedItem:
    """The row of an item whose text was stored."""
    now, hashed, present = source.started_at, content_hash(item.read.text), item.present
    if document_id is None:
        reason = SkipReason.DUPLICATE if item.read.text.text.strip() else SkipReason.EMPTY
        return evolve(present, document_id=None, content_hash=hashed, version=None, skipped=reason)
    return evolve(
        present,
        document_id=document_id,
        content_hash=hashed,
        version=item.read.version,
        added_at=present.added_at if present.document_id else now,
        changed_at=present.changed_at if item.is_same or hashed == present.content_hash else now,
    )


def parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Return the items in runs of this size."""
    return (items[start : start + size] for start in range(0, len(items), size))
