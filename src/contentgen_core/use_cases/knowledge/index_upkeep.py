"""Keeping the search index up to date: it follows an outbox and can be rebuilt at any time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from contentgen_core.errors import ContentgenError
from contentgen_core.model.ids import DocumentId
from contentgen_core.ports.knowledge_base import PassageIndex
from contentgen_core.ports.repositories.conflicts import ConflictSearches
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.work_leases import WorkLeases
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.knowledge.embed_passages import EmbedPassages
from contentgen_core.use_cases.knowledge.index_loss import IndexLoss
from contentgen_core.use_cases.knowledge.leases import keep_renewing
from contentgen_core.use_cases.use_case import use_case

BATCH_DOCUMENTS = 200
BATCH_PASSAGES = 1_000
LEASE = timedelta(seconds=30)
REINDEXER = "kb reindex"
OTHERS_SECONDS = 0.2
UPKEEP = "index upkeep"
UPKEEP_EVERY = timedelta(minutes=2)
UPKEEP_LEASE = timedelta(seconds=30)


@use_case
class ApplyIndexChanges:
    """Applies one batch of pending changes: what was added is found by its words from then on, and what was removed no
    longer. Vectors follow (`EmbedPassages`). State-based and idempotent: a batch that was applied but not marked so (a
    crash in between) is applied again with the same result."""

    unit_of_work: UnitOfWork
    index: PassageIndex
    clock: Clock

    @property
    def loss(self) -> IndexLoss:
        return IndexLoss(self.unit_of_work, self.index)

    async def __call__(self, worker: str) -> int:
        """Returns how many documents were updated; 0 when nothing is pending.

        Raises StaleIndex, Unavailable."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            documents = await tx[Knowledge].claim_changes(worker, now, now + LEASE, BATCH_DOCUMENTS)
            if not documents:
                await self.loss.end_rebuild(tx, now)
        if documents:
            async with self._hold_claims(worker):
                await self.bring_up_to_date(documents)
            async with self.unit_of_work() as tx:
                await tx[Knowledge].complete_changes(worker, documents)
                await tx[ConflictSearches].documents_changed(documents, now)
        return len(documents)

    async def drain(self, worker: str) -> int:
        """Apply batches until nothing is pending that this worker may claim."""
        done = 0
        while applied := await self(worker):
            done += applied
        return done

    async def release(self, worker: str) -> None:
        """Release what this worker has claimed and not completed, at its end."""
        async with self.unit_of_work() as tx:
            await tx[Knowledge].release_changes(worker)

    @asynccontextmanager
    async def _hold_claims(self, worker: str) -> AsyncIterator[None]:
        """Keep this worker's claims during the block, and free them at once if it fails."""
        try:
            async with keep_renewing(lambda: self._renew(worker), LEASE / 3):
                yield
        except BaseException:
            with suppress(ContentgenError):  # otherwise the lease of the changes expires
                await self.release(worker)
            raise

    async def _renew(self, worker: str) -> None:
        async with self.unit_of_work() as tx:
            await tx[Knowledge].renew_changes(worker, self.clock.now() + LEASE)

    async def bring_up_to_date(self, documents: list[DocumentId]) -> None:
        """Make the index show these documents as they are now: present or removed. If it was lost, all others are put
        into the outbox first: with some documents in it nobody would see that it was."""
        await self.loss.mark_if_empty()
        await self.index_now(documents)

    async def index_now(self, documents: list[DocumentId]) -> None:
        """Make the index show these documents, whatever else it lacks."""
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].passages_of(documents)
        gone = set(documents) - {passage.document.id for passage in passages}
        if gone:
            await self.index.remove(sorted(gone))
        for start in range(0, len(passages), BATCH_PASSAGES):
            await self.index.upsert(passages[start : start + BATCH_PASSAGES])
        revised = {p.document.id for p in passages if p.document.revised_at is not None}
        for document in sorted(revised):
            await self.index.retain(document, {p.chunk_index for p in passages if p.document.id == document})


@use_case
class RebuildIndex:
    """`contentgen kb reindex`: write the index anew. Running services see that, answer no search meanwhile, share the
    work, and complete it if the command is killed. Vectors follow; those that the database keeps are used again."""

    unit_of_work: UnitOfWork
    index: PassageIndex
    apply: ApplyIndexChanges

    async def __call__(self, on_progress: Callable[[int], None] = lambda _: None) -> int:
        """Returns the number of documents."""
        await self._mark_all()
        await self.index.clear()
        count = await self._mark_all()  # again: a service may have applied some before the index was emptied
        while waiting := await self._apply_and_count():
            on_progress(max(0, count - waiting))
        await self.index.optimize()
        return count

    async def _mark_all(self) -> int:
        async with self.unit_of_work() as tx:
            return await self.apply.loss.mark_all(tx)

    async def _apply_and_count(self) -> int:
        """Apply one batch, and return how many documents are left. Waits for documents that a running service has
        claimed."""
        applied = await self.apply(REINDEXER)
        async with self.unit_of_work() as tx:
            waiting = await tx[Knowledge].pending_changes()
            await self.apply.loss.end_rebuild(tx, self.apply.clock.now())
        if waiting and not applied:
            await asyncio.sleep(OTHERS_SECONDS)
        return waiting


@use_case
class MaintainIndex:
    """Optimises the index in one process at a time: concurrent writers of LanceDB conflict, and optimising in several
    processes would repeat the same work. Readers and writers continue."""

    unit_of_work: UnitOfWork
    index: PassageIndex
    rebuild: RebuildIndex
    embed: EmbedPassages
    clock: Clock

    async def __call__(self, worker: str) -> int:
        """Optimise the index, called periodically by every process: unless another process does, or did in the last
        UPKEEP_EVERY; if that one dies, another takes over after UPKEEP_LEASE. Returns the number of documents that have
        to be indexed again because the index was lost. Raises StaleIndex, Unavailable; the next attempt is then due
        after UPKEEP_EVERY too."""
        loss = self.rebuild.apply.loss
        counts = await loss.counts()
        lost = await loss.restore_if_lost(counts)
        await self.embed.restore_if_lost()
        if counts is not None:
            await self.embed.restore_if_short(counts)
        if await self._acquire_lease(worker):
            try:
                async with keep_renewing(lambda: self._acquire_lease(worker), UPKEEP_LEASE / 3):
                    await self.embed.forget_unused()
                    await self.index.optimize()
            finally:
                with suppress(ContentgenError):
                    await self._release_lease(worker)
        return lost

    async def _acquire_lease(self, worker: str) -> bool:
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            return await tx[WorkLeases].acquire(UPKEEP, worker, now, now + UPKEEP_LEASE)

    async def _release_lease(self, worker: str) -> None:
        async with self.unit_of_work() as tx:
            await tx[WorkLeases].release_until(UPKEEP, worker, self.clock.now() + UPKEEP_EVERY)
