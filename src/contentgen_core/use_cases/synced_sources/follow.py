"""A part of a sync: the items of a source are listed, and those that may have changed are read and stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from attrs import define, evolve, field, frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.job import Job
from contentgen_core.model.synced_source import (
    MAX_ITEMS,
    LeftOut,
    ListedItem,
    SkipReason,
    SourceKind,
    SyncedItem,
    SyncedSource,
)
from contentgen_core.policies.text.usable import has_glued_words, is_title_only
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.source_reading import (
    ItemGone,
    ItemSkipped,
    ItemText,
    ItemUnchanged,
    OpenSource,
    SourceReader,
)
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed
from contentgen_core.use_cases.knowledge.chunk_document import sha256
from contentgen_core.use_cases.knowledge.import_sources import ImportSources, content_hash
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.synced_sources.secrets import SourceSecrets
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 25
LOOKED_UP: Final = 500
MOST_READ: Final = 2_000
"""Items that one sync asks others' servers for; at a second each they take more than half an hour."""
MOST_BYTES: Final = 1024 * 1024 * 1024
LONGEST_READING: Final = timedelta(minutes=20)
"""After it no further batch is begun: what is left waits for the next sync, as what is beyond MOST_READ does."""
LONGEST_LISTING: Final = timedelta(minutes=15)
MOST_PAGES: Final = 5_000
"""Pages of a listing, empty ones included: a server can make them endless."""
MOST_NAMES: Final = 500_000
"""Names in a listing, those included that are left out or come twice."""
BELIEVED: Final = timedelta(days=30)
"""How long a fingerprint alone tells that an item is as it was: who sets it may forget to, or have a wrong clock."""
LASTING: Final = frozenset(
    {
        None,
        SkipReason.EMPTY,
        SkipReason.TITLE_ONLY,
        SkipReason.SCAN,
        SkipReason.GLUED_WORDS,
        SkipReason.UNSUPPORTED,
        SkipReason.TOO_LARGE,
    }
)
"""What reading the same item again would not change. What a server refused or could not give is asked for again, and so
is a duplicate, since the other may be gone."""
ALIKE: Final = 3
"""Pages with a text of their own that come to say the same: so many are no coincidence."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)

T = TypeVar("T")


@frozen
class Followed:
    """`listed`: items that the source has; `cut`: it has more than are followed; `waiting`: of them wait for the next
    sync; `left_out`: what it names beside them, by one example."""

    listed: int = 0
    cut: bool = False
    waiting: int = 0
    left_out: LeftOut = field(factory=lambda: LeftOut("", 0))


@define
class _Reading:
    """The reading of one sync. `items`, `size`: how many items and bytes may still be read; `until`: when it ends;
    `said`: how often a page that had another text came to say one, by the text's hash."""

    items: int
    size: int
    until: datetime
    said: Counter[str] = field(factory=Counter)

    def is_used_up(self, now: datetime) -> bool:
        return self.items <= 0 or self.size <= 0 or now >= self.until

    def take(self, size: int) -> None:
        self.items -= 1
        self.size -= size


@frozen
class _Due:
    """An item that has to be read. `read_at`: when it last was."""

    item: ListedItem
    read_at: datetime
    is_known: bool


@use_case
class FollowItems:
    """`most_read`: items of a remote source that one sync reads; `most_bytes`: of any. New items are read first, then
    those that were not read for the longest time; the rest waits for the next sync."""

    runner: AttemptRunner
    reader: SourceReader
    secrets: SourceSecrets
    import_sources: ImportSources
    apply_changes: ApplyIndexChanges
    most_read: int = MOST_READ
    most_bytes: int = MOST_BYTES

    async def __call__(self, job: Job, source: SyncedSource) -> Followed:
        """Store what is new or changed. Raises SourceUnavailable, ProviderFailed; what was stored before stays."""
        async with self.reader.open(source, self.secrets.opened(source)) as opened:
            return await self._follow(job, source, opened)

    async def _follow(self, job: Job, source: SyncedSource, opened: OpenSource) -> Followed:
        listed, cut, left_out = await self._listed(job, opened)
        gone = 0
        due: list[_Due] = []
        for some in _parts(listed, LOOKED_UP):
            gone += await self._look_up(job, source, some, due)
        due.sort(key=lambda one: one.read_at)
        if not source.kind.lists_all:
            room = await self._room(job, source)
            kept = [one for one in due if one.is_known]
            new = [one for one in due if not one.is_known]
            due, beyond = new[:room] + kept, max(0, len(new) - room)
            gone, cut = gone + beyond, cut or beyond > 0
        most = MAX_ITEMS if source.kind is SourceKind.FOLDER else self.most_read
        reading = _Reading(most, self.most_bytes, self.runner.clock.now() + LONGEST_READING)
        waiting = 0
        for batch in _parts([one.item for one in due], BATCH):
            read, left = await self._read(job, source, opened, batch, reading)
            gone, waiting = gone + read, waiting + left
        return Followed(len(listed) - gone, cut, waiting, left_out)

    async def _listed(self, job: Job, opened: OpenSource) -> tuple[list[ListedItem], bool, LeftOut]:
        """The items, each once; whether there are more than are followed; and what was left out. Looks at the fence
        after each page. Raises JobLost, and JobFailed for a listing without an end."""
        clock = self.runner.clock
        found: dict[str, ListedItem] = {}
        example, count, pages, names = "", 0, 0, 0
        latest = clock.now() + LONGEST_LISTING
        async for some in opened.items():
            pages, names = pages + 1, names + len(some)
            for item in some:
                if isinstance(item, LeftOut):
                    example, count = example or item.example, count + item.count
                elif len(found) < MAX_ITEMS or item.key in found:
                    found.setdefault(item.key, item)
                else:
                    return list(found.values()), True, LeftOut(example, count)
            if fault := _endless(pages, names, late=clock.now() > latest):
                raise JobFailed(fault)
            async with self.runner.fenced(job):
                pass
        return list(found.values()), False, LeftOut(example, count)

    async def _room(self, job: Job, source: SyncedSource) -> int:
        """How many items there may be more, of a source that never says what is gone: its ids may change each time."""
        assert source.started_at is not None
        async with self.runner.fenced(job) as tx:
            counts = await tx.synced_sources.counts(source.id, source.started_at)
        return max(0, MAX_ITEMS - counts.known)

    async def _look_up(self, job: Job, source: SyncedSource, listed: Sequence[ListedItem], due: list[_Due]) -> int:
        """Keep that those are there that need not be read, and add the others to `due`. How many are gone."""
        gone = 0
        present: list[SyncedItem] = []
        async with self.runner.fenced(job) as tx:
            known = await tx.synced_sources.items(source.id, [item.key for item in listed])
            for one in listed:
                former = known.get(one.key)
                if former is None or not _is_current(former, one, source):
                    due.append(_Due(one, (former and former.read_at) or _NEVER, former is not None))
                elif former.was_gone:
                    gone += 1
                else:
                    present.append(_present(former, source))
            await tx.synced_sources.save_items(present)
        return gone

    async def _read(
        self, job: Job, source: SyncedSource, opened: OpenSource, listed: Sequence[ListedItem], reading: _Reading
    ) -> tuple[int, int]:
        """How many of these are gone, and how many were left to wait."""
        assert source.started_at is not None
        async with self.runner.fenced(job) as tx:
            known = await tx.synced_sources.items(source.id, [item.key for item in listed])
        gone = waiting = 0
        items: list[SyncedItem] = []
        texts: dict[str, tuple[ItemText, SyncedItem]] = {}
        for one in listed:
            former = known.get(one.key) or SyncedItem(source.id, one.key, source.started_at)
            if reading.is_used_up(self.runner.clock.now()):
                waiting += 1
                items.append(evolve(_present(former, source), skipped=SkipReason.WAITING))
                continue
            title = former.title or one.title
            was_read = evolve(former, fingerprint=one.fingerprint, read_at=source.started_at, title=title)
            present = _present(was_read, source)
            size = 0
            try:
                read = await opened.read(one.key, former.version if former.document_id else None)
                size = read.size
                if fault := _useless(read.text):
                    raise ItemSkipped(fault, size)
                text = evolve(read.text, source_key=source.source_key(one.key))
                texts[one.key] = evolve(read, text=text), evolve(present, title=text.title, skipped=None)
            except ItemUnchanged:
                items.append(evolve(present, skipped=None))
            except ItemGone:
                known_gone = former.document_id is not None  # as if it had not been listed
                gone += known_gone
                items.append(was_read if known_gone else evolve(present, skipped=SkipReason.GONE))
            except ItemSkipped as skip:
                size = skip.size
                items.append(evolve(present, skipped=skip.reason))
            reading.take(size)
        for key in _all_alike(texts, known, reading.said):
            _, present = texts.pop(key)
            gone += 1
            items.append(evolve(known[key], fingerprint=present.fingerprint, read_at=present.read_at))
        stored = await self._import(source, [read.text for read, _ in texts.values()])
        items += [_stored(source, present, read, stored.get(read.text.source_key)) for read, present in texts.values()]
        async with self.runner.fenced(job) as tx:
            await tx.synced_sources.save_items(items)
        return gone, waiting

    async def _import(self, source: SyncedSource, texts: Sequence[SourceText]) -> Mapping[str, DocumentId]:
        """The documents by source key; a text that was there already under another key, or holds nothing, has none."""
        if not texts:
            return {}
        try:
            await self.import_sources(source.scope, texts)
        except NotFound as error:
            raise JobFailed(f"The niche {source.niche_key} is not there any more.") from error
        async with self.runner.unit_of_work() as tx:
            known = await tx.knowledge.known(source.scope, [text.source_key for text in texts])
        await self.apply_changes.bring_up_to_date([document.id for document in known.values()])
        return {key: document.id for key, document in known.items()}


def _all_alike(
    texts: Mapping[str, tuple[ItemText, SyncedItem]], known: Mapping[str, SyncedItem], said: Counter[str]
) -> list[str]:
    """The pages that said something else and now all say the same: of an error, a login, a domain for sale. They are
    not there, whatever the server's status is. `said`: of the pages before them."""
    changed = {
        key: sha256(read.text.text)
        for key, (read, _) in texts.items()
        if read.text.url is not None
        and (former := known.get(key)) is not None
        and former.document_id is not None
        and former.content_hash != content_hash(read.text)
    }
    said.update(changed.values())
    return [key for key, hashed in changed.items() if said[hashed] >= ALIKE]


def _endless(pages: int, names: int, *, late: bool) -> str | None:
    """Why a listing is given up."""
    if pages >= MOST_PAGES:
        return (
            f"The source has more than {MOST_PAGES:,} pages of names, which is more than are read. Follow a part of it."
        )
    if names > MOST_NAMES:
        return f"The source has more than the {MOST_NAMES:,} names that are read. Follow a part of it."
    if late:
        minutes = LONGEST_LISTING // timedelta(minutes=1)
        return f"The source did not list all that it has within {minutes} minutes. Follow a part of it, or try later."
    return None


def _present(item: SyncedItem, source: SyncedSource) -> SyncedItem:
    assert source.started_at is not None
    return evolve(item, seen_at=source.started_at, missing_since=None)


def _useless(text: SourceText) -> SkipReason | None:
    if is_title_only(text.title, text.text):
        return SkipReason.TITLE_ONLY
    return SkipReason.GLUED_WORDS if has_glued_words(text.text) else None


def _stored(source: SyncedSource, present: SyncedItem, read: ItemText, document_id: DocumentId | None) -> SyncedItem:
    now, hashed = source.started_at, content_hash(read.text)
    if document_id is None:
        reason = SkipReason.DUPLICATE if read.text.text.strip() else SkipReason.EMPTY
        return evolve(present, document_id=None, content_hash=hashed, version=None, skipped=reason)
    return evolve(
        present,
        document_id=document_id,
        content_hash=hashed,
        version=read.version,
        added_at=present.added_at if present.document_id else now,
        changed_at=now if hashed != present.content_hash else present.changed_at,
    )


def _is_current(former: SyncedItem, listed: ListedItem, source: SyncedSource) -> bool:
    """Whether nothing has to be read: it was read in this round, or its fingerprint tells."""
    assert source.started_at is not None
    if former.read_at is None or former.fingerprint != listed.fingerprint or former.skipped is SkipReason.WAITING:
        return False
    if former.read_at >= (source.round_at or source.started_at):
        return True
    if listed.fingerprint is None or former.was_gone or former.skipped not in LASTING:
        return False
    return source.started_at - former.read_at < BELIEVED


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
