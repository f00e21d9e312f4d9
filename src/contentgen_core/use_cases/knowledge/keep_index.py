"""Keep the search index in step with the truth: the index follows an outbox and can be rebuilt at any time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from attrs import frozen

from contentgen_core.errors import ContentgenError
from contentgen_core.model.ids import DocumentId
from contentgen_core.ports.knowledge_base import Embedder, IndexedPassage, PassageIndex
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork

BATCH_DOCUMENTS = 200
BATCH_PASSAGES = 500
LEASE = timedelta(minutes=2)
UPKEEP = "index upkeep"
UPKEEP_EVERY = timedelta(minutes=2)
UPKEEP_LEASE = timedelta(seconds=30)


@frozen
class ApplyIndexChanges:
    """Apply one batch of pending changes. State-based and idempotent: a batch that was applied but not marked (a crash
    in between) is applied again with the same outcome."""

    unit_of_work: UnitOfWork
    index: PassageIndex
    embedder: Embedder
    clock: Clock

    async def __call__(self, worker: str) -> int:
        """How many documents were brought up to date; 0 when nothing is pending.

        Raises StaleIndex, ProviderFailed (embeddings), Unavailable.
        """
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            documents = await tx.knowledge.claim_changes(worker, now, now + LEASE, BATCH_DOCUMENTS)
        if documents:
            await self.bring_up_to_date(documents)
            async with self.unit_of_work() as tx:
                await tx.knowledge.complete_changes(worker, documents)
        return len(documents)

    async def drain(self, worker: str) -> int:
        """Apply until nothing that this worker may take is pending."""
        done = 0
        while applied := await self(worker):
            done += applied
        return done

    async def release(self, worker: str) -> None:
        """Leave what this worker claimed and did not bring to its end to others: it stops."""
        async with self.unit_of_work() as tx:
            await tx.knowledge.release_changes(worker)

    async def bring_up_to_date(self, documents: list[DocumentId]) -> None:
        """Make the index show these documents as they are now: present or gone."""
        async with self.unit_of_work() as tx:
            passages = await tx.knowledge.passages_of(documents)
        gone = set(documents) - {passage.document.id for passage in passages}
        if gone:
            await self.index.remove(sorted(gone))
        for start in range(0, len(passages), BATCH_PASSAGES):
            batch = passages[start : start + BATCH_PASSAGES]
            texts = ["\n".join(filter(None, (p.document.title, p.heading, p.text))) for p in batch]
            vectors = await self.embedder.embed(texts, "passage")
            await self.index.upsert([IndexedPassage(p, v) for p, v in zip(batch, vectors, strict=True)])


@frozen
class RebuildIndex:
    """`contentgen kb reindex`: embed everything again, with the present model."""

    unit_of_work: UnitOfWork
    index: PassageIndex
    apply: ApplyIndexChanges

    async def __call__(self, on_progress: Callable[[int], None] = lambda _: None) -> int:
        """Documents indexed. Changes made meanwhile stay in the outbox and follow."""
        await self.index.clear()
        done = await self._bring_up_all(on_progress)
        await self.index.optimize()
        return done

    async def if_lost(self) -> int:
        """Have an index filled that is empty while the database holds documents: its folder was deleted, or the
        database was restored without it. They all go into the outbox: every process takes its share from there, and
        none that dies leaves a gap. How many; 0 when there is nothing to mend."""
        done, after = 0, None
        while done or await self.index.is_empty():
            async with self.unit_of_work() as tx:
                documents = await tx.knowledge.all_documents(after, BATCH_DOCUMENTS)
                await tx.knowledge.mark_changed(documents)
            if not documents:
                break
            done, after = done + len(documents), documents[-1]
        return done

    async def _bring_up_all(self, on_progress: Callable[[int], None]) -> int:
        done, after = 0, None
        while True:
            async with self.unit_of_work() as tx:
                documents = await tx.knowledge.all_documents(after, BATCH_DOCUMENTS)
            if not documents:
                break
            await self.apply.bring_up_to_date(documents)
            done, after = done + len(documents), documents[-1]
            on_progress(done)
        return done


@frozen
class KeepIndexFit:
    """The upkeep of the index, from one place among all processes: LanceDB's writers of several processes take turns by
    conflicts, and upkeep in each of them would do the same work, in each other's way. Readers and writers go on."""

    unit_of_work: UnitOfWork
    index: PassageIndex
    rebuild: RebuildIndex
    clock: Clock

    async def __call__(self, worker: str) -> int:
        """To be called now and then by every process. Folds in what is new, unless another process does or did so in
        the last UPKEEP_EVERY; whoever dies over it is succeeded after UPKEEP_LEASE. Documents that have to be indexed
        again because the index was lost.

        Raises StaleIndex, Unavailable; then upkeep is due again as if it had been done."""
        lost = await self.rebuild.if_lost()
        if await self._take(worker):
            try:
                async with self._held(worker):
                    await self.index.optimize()
            finally:
                with suppress(ContentgenError):
                    await self._put_off(worker)
        return lost

    async def _take(self, worker: str) -> bool:
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            return await tx.work_leases.acquire(UPKEEP, worker, now, now + UPKEEP_LEASE)

    async def _put_off(self, worker: str) -> None:
        async with self.unit_of_work() as tx:
            await tx.work_leases.release_until(UPKEEP, worker, self.clock.now() + UPKEEP_EVERY)

    @asynccontextmanager
    async def _held(self, worker: str) -> AsyncIterator[None]:
        renewing = asyncio.create_task(self._renew(worker))
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def _renew(self, worker: str) -> None:
        while True:
            await asyncio.sleep(UPKEEP_LEASE.total_seconds() / 3)
            with suppress(ContentgenError):
                await self._take(worker)
