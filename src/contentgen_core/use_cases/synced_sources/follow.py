"""A part of a sync: the items of a source are listed, and those that may have changed are read and stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Final

from attrs import define, field, frozen

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
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.source_reading import OpenSource, SourceReader
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed
from contentgen_core.use_cases.synced_sources.mass_loss import GoneItems, site_of
from contentgen_core.use_cases.synced_sources.moves import FollowMoves, Unlisted
from contentgen_core.use_cases.synced_sources.reading import Reading, ReadItems, parts, present_now
from contentgen_core.use_cases.synced_sources.secrets import SourceSecrets
from contentgen_core.use_cases.use_case import use_case

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
LOOKED_AT_WITHIN: Final = timedelta(days=7)
"""A page of a site or a feed is asked for within this time, or at the next sync if that is later, although its date
says that nothing changed: sites forget to set it. The server is asked for what is newer."""
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
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@frozen
class Followed:
    """`listed`: items that the source has; `absent`: of them are not there, and were not known; `cut`: it has more than
    are followed; `waiting`: of them wait for the next sync; `doubtful`: items whose new texts, or absence,
    were not believed, of `known_read` known ones that were read; `left_out`: what it names beside them, by one
    example."""

    listed: int = 0
    absent: int = 0
    cut: bool = False
    waiting: int = 0
    doubtful: int = 0
    known_read: int = 0
    left_out: LeftOut = field(factory=lambda: LeftOut("", 0))


@frozen
class _Due:
    """An item that has to be read. `read_at`: when it was last read; `has_document`: whether it is in the knowledge
    base."""

    item: ListedItem
    read_at: datetime
    is_known: bool
    has_document: bool


@define
class _LookedUp:
    """The listed items, compared with the stored ones. `due`: those that have to be read; `dated`: unchanged ones by
    their dates, with when they were last read; `gone`: how many are gone; `sites`: the number of those with a document
    by site."""

    due: list[_Due] = field(factory=list)
    dated: list[_Due] = field(factory=list)
    gone: int = 0
    sites: Counter[str] = field(factory=Counter)


@use_case
class FollowItems:
    """`most_read`: items of a remote source that one sync reads; `most_bytes`: of any. New items are read first, then
    those that were not read for the longest time; the rest waits for the next sync."""

    runner: AttemptRunner
    reader: SourceReader
    secrets: SourceSecrets
    moves: FollowMoves
    read: ReadItems
    most_read: int = MOST_READ
    most_bytes: int = MOST_BYTES

    async def __call__(self, job: Job, source: SyncedSource) -> Followed:
        """Store what is new or changed. Raises SourceUnavailable, ProviderFailed; what was stored before stays."""
        async with self.reader.open(source, self.secrets.opened(source)) as opened:
            return await self._follow(job, source, opened)

    async def _follow(self, job: Job, source: SyncedSource, opened: OpenSource) -> Followed:
        listed, cut, left_out = await self._list_items(job, opened)
        known, room = await self._count_items(job, source)
        found = _LookedUp()
        for some in parts(listed, LOOKED_UP):
            await self._look_up(job, source, some, found)
        most = MAX_ITEMS if source.kind is SourceKind.FOLDER else self.most_read
        share = _share(source, found.dated)[: max(0, most - len(found.due))]  # their turn comes again
        due, gone = [*found.due, *share], found.gone
        due.sort(key=lambda one: one.read_at)
        if not source.kind.lists_all:
            kept = [one for one in due if one.is_known]
            new = [one for one in due if not one.is_known]
            due, beyond = new[:room] + kept, max(0, len(new) - room)
            gone, cut = gone + beyond, cut or beyond > 0
        until = self.runner.clock.now() + LONGEST_READING
        lost = GoneItems(found.sites)
        reading = Reading(most, self.most_bytes, until, known, Unlisted(), gone=gone, lost_items=lost)
        without_document = {one.item.key for one in due if not one.has_document}
        if without_document:  # these may be some that are not listed any more
            reading.unlisted = await self.moves.unlisted(job, source, {item.key for item in listed}, without_document)
        await self.read(job, source, opened, [one.item for one in due], reading)
        return Followed(
            listed=len(listed) - reading.gone,
            absent=reading.absent,
            cut=cut,
            waiting=reading.waiting,
            doubtful=reading.doubtful,
            known_read=reading.known_read,
            left_out=left_out,
        )

    async def _list_items(self, job: Job, opened: OpenSource) -> tuple[list[ListedItem], bool, LeftOut]:
        """Return the items, each once; whether there are more than are followed; and what was left out. Checks the
        fence after each page. Raises JobLost, and JobFailed for a listing without an end."""
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

    async def _count_items(self, job: Job, source: SyncedSource) -> tuple[int, int]:
        """Return how many items have documents, and the maximum of a source that never reports deletions: its ids may
        change each time."""
        assert source.started_at is not None
        async with self.runner.fenced(job) as tx:
            counts = await tx[SyncedSources].counts(source.id, source.started_at)
        return counts.held, max(0, MAX_ITEMS - counts.known)

    async def _look_up(self, job: Job, source: SyncedSource, listed: Sequence[ListedItem], found: _LookedUp) -> None:
        """Keep that those are there that need not be read, and add what is known of all to `found`."""
        present: list[SyncedItem] = []
        async with self.runner.fenced(job) as tx:
            known = await tx[SyncedSources].items(source.id, [item.key for item in listed])
            for one in listed:
                former = known.get(one.key)
                has_document = former is not None and former.document_id is not None
                if has_document and former is not None and former.missing_since is None:
                    found.sites[site_of(one.key)] += 1
                read_at = (former and former.read_at) or _NEVER
                if former is None or not _is_current(former, one, source):
                    found.due.append(_Due(one, read_at, former is not None, has_document))
                elif former.was_gone:
                    found.gone += 1
                else:
                    present.append(present_now(former, source))
                    if has_document and read_at < (source.round_at or read_at):
                        found.dated.append(_Due(one, read_at, is_known=True, has_document=True))
            await tx[SyncedSources].save_items(present)


def _share(source: SyncedSource, dated: Sequence[_Due]) -> list[_Due]:
    """The pages that are asked for in turn, although their dates say that they are as they were: so many that each has
    its turn within LOOKED_AT_WITHIN. Once a round."""
    if source.kind not in (SourceKind.SITEMAP, SourceKind.FEED) or source.round_at != source.started_at:
        return []
    share = ceil(len(dated) * min(1.0, timedelta(hours=source.every_hours) / LOOKED_AT_WITHIN))
    return sorted(dated, key=lambda one: (one.read_at, one.item.key))[:share]


def _endless(pages: int, names: int, *, late: bool) -> str | None:
    """Explain why a listing is given up."""
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


def _is_current(former: SyncedItem, listed: ListedItem, source: SyncedSource) -> bool:
    """Whether nothing has to be read: it was read in this round, or its fingerprint tells."""
    assert source.started_at is not None
    if former.read_at is None or former.fingerprint != listed.fingerprint or former.skipped is SkipReason.WAITING:
        return False
    if source.accepts and former.skipped is SkipReason.DOUBTFUL and not former.was_gone:
        return False
    if former.read_at >= (source.round_at or source.started_at):
        return True
    if listed.fingerprint is None or former.was_gone or former.skipped not in LASTING:
        return False
    return source.started_at - former.read_at < BELIEVED
