"""The job SYNC_SOURCE: a knowledge base gets what its source has now, and loses, after a while, what it has no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import DocumentId, SyncedSourceId
from contentgen_core.model.job import Job
from contentgen_core.model.synced_source import (
    DOUBTFUL_SHARE,
    FEWEST_TO_DOUBT,
    MAX_EXAMPLES,
    MAX_ITEMS,
    ItemCounts,
    ItemState,
    ListedItem,
    SkipReason,
    SyncedItem,
    SyncedSource,
    SyncOutcome,
    SyncReport,
)
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, SourceReader, SourceUnavailable
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.knowledge.import_sources import ImportSources, content_hash
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges

BATCH: Final = 25
REMOVED_AT_ONCE: Final = 100
ABOUT_AS_MANY: Final = 0.1
"""How much a doubtful listing may differ from the one before that it confirms."""
SOONEST_RETRY: Final = timedelta(minutes=15)
"""After one failed sync; twice as long after each further one, up to the hours between two syncs."""
MOST_DOUBLINGS: Final = 12
LASTING: Final = frozenset({None, SkipReason.EMPTY, SkipReason.UNSUPPORTED, SkipReason.TOO_LARGE})
"""What reading the same item again would not change. What a server refused or could not give is asked for again, and so
is a duplicate, since the other may be gone."""


@frozen
class SyncSource:
    """Idempotent: whatever a former attempt has stored is unchanged for the next one, and what came of a sync is
    counted from the items."""

    runner: AttemptRunner
    reader: SourceReader
    import_sources: ImportSources
    apply_changes: ApplyIndexChanges

    async def __call__(self, job: Job) -> None:
        """Sync the source of a claimed job, or bring the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        source = await self._begin(job)
        try:
            listed, cut = await self._follow(job, source)
        except SourceUnavailable as error:
            raise JobFailed(str(error), retryable=True) from error
        before = await self._held_before(job, source)
        doubtful = source.kind.lists_all and _is_doubtful(source, listed, before)
        if source.kind.lists_all and not doubtful and not cut:
            await self._miss(job, source)
        await self._remove(job, source)
        outcome = SyncOutcome.CUT if cut else SyncOutcome.DOUBTFUL if doubtful else SyncOutcome.DONE
        async with self.runner.fenced(job) as tx:
            source = await self._source(tx, job)
            await tx.synced_sources.save(await self._ended(tx, source, outcome, listed, _note(outcome, listed, before)))
            await tx.jobs.finish(job)

    async def _begin(self, job: Job) -> SyncedSource:
        async with self.runner.fenced(job) as tx:
            source = await self._source(tx, job)
            if source.started_at is None:
                started_at = _after_last(source, self.runner.clock.now())
                source = await tx.synced_sources.save(evolve(source, started_at=started_at, removed=0))
        return source

    async def _follow(self, job: Job, source: SyncedSource) -> tuple[int, bool]:
        """Store what is new or changed. How many items are listed, and whether there are more than are followed. Raises
        SourceUnavailable."""
        seen: set[str] = set()
        gone = 0
        async for listed in self.reader.items(source):
            new = [item for item in {i.key: i for i in listed}.values() if item.key not in seen]
            new = new[: MAX_ITEMS - len(seen)]
            seen.update(item.key for item in new)
            for start in range(0, len(new), BATCH):
                gone += await self._store(job, source, new[start : start + BATCH])
            if len(seen) >= MAX_ITEMS:
                return len(seen) - gone, True
        return len(seen) - gone, False

    async def _store(self, job: Job, source: SyncedSource, listed: Sequence[ListedItem]) -> int:
        """How many of these are gone."""
        assert source.started_at is not None
        async with self.runner.fenced(job) as tx:
            known = await tx.synced_sources.items(source.id, [item.key for item in listed])
        gone = 0
        items: list[SyncedItem] = []
        texts: dict[str, tuple[SourceText, SyncedItem]] = {}
        for one in listed:
            former = known.get(one.key) or SyncedItem(source.id, one.key, source.started_at)
            present = evolve(former, seen_at=source.started_at, missing_since=None, fingerprint=one.fingerprint)
            if _is_unchanged(former, one):
                items.append(present)
                continue
            try:
                text = await self.reader.read(source, one.key)
            except ItemGone:
                gone += 1  # as if it had not been listed
                continue
            except ItemSkipped as skip:
                items.append(evolve(present, skipped=skip.reason))
                continue
            present = evolve(present, title=text.title, skipped=None)
            texts[one.key] = evolve(text, source_key=source.source_key(one.key)), present
        stored = await self._import(source, texts)
        items += [self._stored(source, present, text, stored.get(text.source_key)) for text, present in texts.values()]
        async with self.runner.fenced(job) as tx:
            await tx.synced_sources.save_items(items)
        return gone

    async def _import(
        self, source: SyncedSource, texts: Mapping[str, tuple[SourceText, SyncedItem]]
    ) -> dict[str, DocumentId]:
        """The documents by source key; a text that was there already under another key, or holds nothing, has none."""
        if not texts:
            return {}
        try:
            await self.import_sources(source.scope, [text for text, _ in texts.values()])
        except NotFound as error:
            raise JobFailed(f"The niche {source.niche_key} is not there any more.") from error
        keys = [text.source_key for text, _ in texts.values()]
        async with self.runner.unit_of_work() as tx:
            known = await tx.knowledge.known(source.scope, keys)
        await self.apply_changes.bring_up_to_date([document.id for document in known.values()])
        return {key: document.id for key, document in known.items()}

    def _stored(
        self, source: SyncedSource, present: SyncedItem, text: SourceText, document_id: DocumentId | None
    ) -> SyncedItem:
        now = source.started_at
        if document_id is None:
            reason = SkipReason.DUPLICATE if text.text.strip() else SkipReason.EMPTY
            return evolve(present, document_id=None, content_hash=content_hash(text), skipped=reason)
        changed = content_hash(text) != present.content_hash
        return evolve(
            present,
            document_id=document_id,
            content_hash=content_hash(text),
            added_at=present.added_at if present.document_id else now,
            changed_at=now if changed else present.changed_at,
        )

    async def _held_before(self, job: Job, source: SyncedSource) -> int:
        """How many items had a document before this sync, those that are missing for longer left out."""
        assert source.started_at is not None
        async with self.runner.fenced(job) as tx:
            counts = await tx.synced_sources.counts(source.id, source.started_at)
        return counts.held - counts.added

    async def _miss(self, job: Job, source: SyncedSource) -> None:
        assert source.started_at is not None
        while True:
            async with self.runner.fenced(job) as tx:
                unseen = await tx.synced_sources.unseen(source.id, source.started_at, REMOVED_AT_ONCE)
                moved = await self._move(tx, source, unseen)
                missing = [evolve(i, missing_since=source.started_at) for i in unseen if i.key not in moved]
                await tx.synced_sources.save_items(missing)
            if len(unseen) < REMOVED_AT_ONCE:
                return

    async def _move(self, tx: Transaction, source: SyncedSource, unseen: Sequence[SyncedItem]) -> set[str]:
        """Give the documents of items that are not listed any more to those that are listed with their texts: they have
        another name now. The keys that are no longer used."""
        hashes = [item.content_hash for item in unseen if item.content_hash and item.document_id]
        assert source.started_at is not None
        twins = await tx.synced_sources.duplicates(source.id, hashes, source.started_at) if hashes else {}
        moved: dict[str, SyncedItem] = {}
        for item in unseen:
            twin = twins.pop(item.content_hash or "", None)
            if twin is None or item.document_id is None:
                continue
            await tx.knowledge.rekey(item.document_id, source.source_key(twin.key))
            known = evolve(twin, document_id=item.document_id, added_at=item.added_at, changed_at=item.changed_at)
            moved[item.key] = evolve(known, skipped=None)
        await tx.synced_sources.save_items(list(moved.values()))
        await tx.synced_sources.drop_items(source.id, sorted(moved))
        return set(moved)

    async def _remove(self, job: Job, source: SyncedSource) -> None:
        """Remove what has been missing for the grace period."""
        assert source.started_at is not None
        while True:
            async with self.runner.fenced(job) as tx:
                until = source.started_at - source.grace
                expired = await tx.synced_sources.expired(source.id, until, REMOVED_AT_ONCE)
                documents = [item.document_id for item in expired if item.document_id is not None]
                await tx.knowledge.remove(documents)
                await tx.synced_sources.drop_items(source.id, [item.key for item in expired])
                source = await self._source(tx, job)
                if expired:
                    source = await tx.synced_sources.save(evolve(source, removed=source.removed + len(expired)))
            if len(expired) < REMOVED_AT_ONCE:
                return

    async def _ended(
        self, tx: Transaction, source: SyncedSource, outcome: SyncOutcome, listed: int, error: str | None
    ) -> SyncedSource:
        now = self.runner.clock.now()
        started = source.started_at or now
        counts = await tx.synced_sources.counts(source.id, started)
        report = SyncReport(
            started_at=started,
            finished_at=now,
            outcome=outcome,
            listed=listed,
            added=counts.added,
            changed=counts.changed,
            unchanged=max(0, listed - counts.added - counts.changed - sum(counts.skipped.values())),
            missing=counts.missing,
            removed=source.removed,
            skipped=counts.skipped,
            examples=await _examples(tx, source.id, counts),
            error=error,
        )
        wait, failures = timedelta(hours=source.every_hours), 0
        if outcome is SyncOutcome.FAILED:
            wait, failures = min(wait, SOONEST_RETRY * 2 ** min(source.failures, MOST_DOUBLINGS)), source.failures + 1
        ended = evolve(source, last=report, started_at=None, removed=0, job_id=None, failures=failures)
        return evolve(ended, next_sync_at=now + wait)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        source = await self._source(tx, job)
        await tx.synced_sources.save(await self._ended(tx, source, SyncOutcome.FAILED, 0, reason))

    async def _source(self, tx: Transaction, job: Job) -> SyncedSource:
        return await subject_of(job, tx.synced_sources.get(job.tenant_id, SyncedSourceId(job.subject_id)))


def _after_last(source: SyncedSource, now: datetime) -> datetime:
    """Now, or just after the start of the last sync where the clock was set back since: what is seen later is never
    seen earlier."""
    return now if source.last is None else max(now, source.last.started_at + timedelta(microseconds=1))


def _is_unchanged(former: SyncedItem, listed: ListedItem) -> bool:
    """Whether its fingerprint tells that nothing has to be read."""
    same = listed.fingerprint is not None and former.fingerprint == listed.fingerprint
    read = former.document_id is not None or former.skipped is not None
    return same and read and former.skipped in LASTING


def _is_doubtful(source: SyncedSource, listed: int, before: int) -> bool:
    """Whether so few of the items are listed that the source may be broken. As few for the second time are believed."""
    if before < FEWEST_TO_DOUBT or listed >= before * DOUBTFUL_SHARE:
        return False
    last = source.last
    if last is None or last.outcome is not SyncOutcome.DOUBTFUL:
        return True
    return abs(listed - last.listed) > last.listed * ABOUT_AS_MANY


def _note(outcome: SyncOutcome, listed: int, before: int) -> str | None:
    match outcome:
        case SyncOutcome.CUT:
            return (
                f"The source has more than {MAX_ITEMS} items: those beyond are not followed, and none counts as gone."
            )
        case SyncOutcome.DOUBTFUL:
            return f"Only {listed} of {before} items are listed: nothing counts as gone unless that is so again."
        case _:
            return None


async def _examples(
    tx: Transaction, source_id: SyncedSourceId, counts: ItemCounts
) -> tuple[tuple[str, SkipReason], ...]:
    if not counts.skipped:
        return ()
    skipped = await tx.synced_sources.page_items(source_id, ItemState.SKIPPED, None, MAX_EXAMPLES)
    return tuple((item.key, item.skipped) for item in skipped if item.skipped is not None)
