"""The job SYNC_SOURCE: update the knowledge base to the source's present items, and remove items that are gone after a
while."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve

from contentgen_core.model.ids import SyncedSourceId
from contentgen_core.model.job import Job
from contentgen_core.model.synced_source import (
    DOUBTFUL_SHARE,
    MAX_EXAMPLES,
    MAX_ITEMS,
    ItemCounts,
    ItemState,
    SkipReason,
    SourceKind,
    SyncedItem,
    SyncedSource,
    SyncOutcome,
    SyncReport,
)
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.source_reading import SourceUnavailable
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.synced_sources.follow import Followed, FollowItems
from contentgen_core.use_cases.synced_sources.mass_loss import is_mass_loss
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_sync_event

REMOVED_AT_ONCE: Final = 100
SOONEST_RETRY: Final = timedelta(minutes=15)
"""After one failed sync; twice as long after each further one, up to the hours between two syncs."""
MOST_DOUBLINGS: Final = 12
RESUMED_AFTER: Final = timedelta(minutes=5)
"""When the next sync reads what this one left waiting."""


@use_case
class SyncSource:
    """Idempotent: whatever a former attempt has stored is unchanged for the next one, and what came of a sync is
    counted from the items."""

    runner: AttemptRunner
    follow: FollowItems

    async def __call__(self, job: Job) -> None:
        """Sync the source of a claimed job, or bring the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        source = await self._begin(job)
        try:
            found = await self.follow(job, source)
        except SourceUnavailable as error:
            raise JobFailed(str(error), retryable=True) from error
        before = await self._held_before(job, source)
        doubtful = not source.accepts and _is_doubtful(source, found.listed - found.absent, before)
        lost = found.doubtful > 0 and found.doubtful >= found.known_read * DOUBTFUL_SHARE
        if source.kind.lists_all and not doubtful and not lost and not found.cut and not found.waiting:
            await self._miss(job, source)  # of an item that waits nobody knows whether it is one of these, renamed
        if not lost and not doubtful:
            await self._remove(job, source)
        outcome = _outcome(found, doubtful=doubtful)
        async with self.runner.fenced(job) as tx:
            accepted = source.accepts
            source = await self._source(tx, job)
            ended = await self._end(tx, source, outcome, found, _note(outcome, found, before, missing=doubtful))
            if accepted and not found.waiting:
                ended = evolve(ended, accepts=False)
            elif source.accepts:  # said while this sync was under way
                ended = evolve(ended, next_sync_at=self.runner.clock.now())
            if found.waiting and not doubtful:
                soon = self.runner.clock.now() + RESUMED_AFTER
                ended = evolve(ended, round_at=source.round_at, next_sync_at=soon)
            await tx[SyncedSources].save(ended)
            await tx[Jobs].finish(job)

    async def _begin(self, job: Job) -> SyncedSource:
        async with self.runner.fenced(job) as tx:
            source = await self._source(tx, job)
            if source.started_at is None:
                started_at = _after_last(source, self.runner.clock.now())
                round_at = source.round_at or started_at
                began = evolve(source, started_at=started_at, removed=0, round_at=round_at)
                source = await tx[SyncedSources].save(began)
        return source

    async def _held_before(self, job: Job, source: SyncedSource) -> int:
        """Count the items that had a document before this sync, without those that are missing for longer."""
        assert source.started_at is not None
        async with self.runner.fenced(job) as tx:
            counts = await tx[SyncedSources].counts(source.id, source.started_at)
        return counts.held - counts.added

    async def _miss(self, job: Job, source: SyncedSource) -> None:
        assert source.started_at is not None
        while True:
            async with self.runner.fenced(job) as tx:
                unseen = await tx[SyncedSources].unseen(source.id, source.started_at, REMOVED_AT_ONCE)
                moved = await self._move(tx, source, unseen)
                missing = [evolve(i, missing_since=source.started_at) for i in unseen if i.key not in moved]
                await tx[SyncedSources].save_items(missing)
            if len(unseen) < REMOVED_AT_ONCE:
                return

    async def _move(self, tx: Transaction, source: SyncedSource, unseen: Sequence[SyncedItem]) -> set[str]:
        """Give the documents of items that are not listed any more to those that are listed with their texts: they have
        another name now. The keys that are no longer used."""
        hashes = [item.content_hash for item in unseen if item.content_hash and item.document_id]
        assert source.started_at is not None
        twins = await tx[SyncedSources].duplicates(source.id, hashes, source.started_at) if hashes else {}
        moved: dict[str, SyncedItem] = {}
        for item in unseen:
            twin = twins.pop(item.content_hash or "", None)
            if twin is None or item.document_id is None:
                continue
            await tx[Knowledge].rekey(item.document_id, source.source_key(twin.key))
            known = evolve(twin, document_id=item.document_id, added_at=item.added_at, changed_at=item.changed_at)
            moved[item.key] = evolve(known, skipped=None)
        await tx[SyncedSources].save_items(list(moved.values()))
        await tx[SyncedSources].drop_items(source.id, sorted(moved))
        return set(moved)

    async def _remove(self, job: Job, source: SyncedSource) -> None:
        """Remove what has been missing for the grace period."""
        assert source.started_at is not None
        while True:
            async with self.runner.fenced(job) as tx:
                until = source.started_at - source.grace
                expired = await tx[SyncedSources].expired(source.id, until, REMOVED_AT_ONCE)
                documents = [item.document_id for item in expired if item.document_id is not None]
                await tx[Knowledge].remove(documents)
                await tx[SyncedSources].drop_items(source.id, [item.key for item in expired])
                source = await self._source(tx, job)
                if expired:
                    source = await tx[SyncedSources].save(evolve(source, removed=source.removed + len(expired)))
            if len(expired) < REMOVED_AT_ONCE:
                return

    async def _end(
        self, tx: Transaction, source: SyncedSource, outcome: SyncOutcome, found: Followed, error: str | None
    ) -> SyncedSource:
        now = self.runner.clock.now()
        started = source.started_at or now
        counts = await tx[SyncedSources].counts(source.id, started)
        left_out = {SkipReason.NOT_FOLLOWED: found.left_out.count} if found.left_out.count else {}
        examples = await _examples(tx, source.id, counts)
        if left_out:
            examples = (*examples[: MAX_EXAMPLES - 1], (found.left_out.example, SkipReason.NOT_FOLLOWED))
        report = SyncReport(
            started_at=started,
            finished_at=now,
            outcome=outcome,
            listed=found.listed + found.left_out.count,
            read=counts.read,
            added=counts.added,
            changed=counts.changed,
            unchanged=max(0, found.listed - counts.added - counts.changed - sum(counts.skipped.values())),
            missing=counts.missing,
            removed=source.removed,
            skipped=counts.skipped | left_out,
            examples=examples,
            error=error,
        )
        wait, failures = timedelta(hours=source.every_hours), 0
        if outcome is SyncOutcome.FAILED:
            wait, failures = min(wait, SOONEST_RETRY * 2 ** min(source.failures, MOST_DOUBLINGS)), source.failures + 1
        round_at = source.round_at if outcome is SyncOutcome.FAILED else None
        ended = evolve(source, last=report, started_at=None, removed=0, job_id=None, failures=failures)
        await record_sync_event(tx, ended, now)
        return evolve(ended, next_sync_at=now + wait, round_at=round_at)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        source = await self._source(tx, job)
        await tx[SyncedSources].save(await self._end(tx, source, SyncOutcome.FAILED, Followed(), reason))

    async def _source(self, tx: Transaction, job: Job) -> SyncedSource:
        return await subject_of(job, tx[SyncedSources].get(job.tenant_id, SyncedSourceId(job.subject_id)))


def _after_last(source: SyncedSource, now: datetime) -> datetime:
    """Now, or just after the start of the last sync where the clock was set back since: what is seen later is never
    seen earlier."""
    return now if source.last is None else max(now, source.last.started_at + timedelta(microseconds=1))


def _outcome(found: Followed, *, doubtful: bool) -> SyncOutcome:
    if found.cut:
        return SyncOutcome.CUT
    if doubtful or found.doubtful:
        return SyncOutcome.DOUBTFUL
    return SyncOutcome.PARTIAL if found.waiting else SyncOutcome.DONE


def _is_doubtful(source: SyncedSource, listed: int, before: int) -> bool:
    """Return whether so few items are listed that the source may be broken. What a list of pages does not have any
    more, its owner has left out."""
    return source.kind.lists_all and source.kind is not SourceKind.PAGES and is_mass_loss(before, listed)


def _note(outcome: SyncOutcome, found: Followed, before: int, *, missing: bool) -> str | None:
    match outcome:
        case SyncOutcome.CUT:
            return (
                f"The source has more than {MAX_ITEMS} items: those beyond are not followed, and none counts as gone."
            )
        case SyncOutcome.DOUBTFUL if not missing:
            return (
                f"{found.doubtful} pages show an error page, or all at once nearly the same, or are gone all at once,"
                " and stay as they were. If that is meant, accept what the source says now."
            )
        case SyncOutcome.DOUBTFUL:
            return (
                f"Only {found.listed - found.absent} of {before} items are there: nothing counts as gone."
                " If the others are, accept what the source says now."
            )
        case SyncOutcome.PARTIAL:
            return f"{found.waiting} items wait: that is more than one sync reads, and the next one goes on soon."
        case _ if found.left_out.count and not found.listed:
            return (
                f"It names {found.left_out.count} items, and none of them is followed, such as {found.left_out.example}"
                " (`notFollowed`): enter the address or path where they are."
            )
        case _:
            return None


async def _examples(
    tx: Transaction, source_id: SyncedSourceId, counts: ItemCounts
) -> tuple[tuple[str, SkipReason], ...]:
    if not counts.skipped:
        return ()
    skipped = await tx[SyncedSources].page_items(source_id, ItemState.SKIPPED, None, MAX_EXAMPLES)
    return tuple((item.key, item.skipped) for item in skipped if item.skipped is not None)
