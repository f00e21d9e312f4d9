"""Keep the search index in step with the truth: the index follows an outbox and can be rebuilt at any time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from attrs import frozen

from contentgen_core.model.ids import DocumentId
from contentgen_core.ports.knowledge_base import Embedder, IndexedPassage, PassageIndex
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork

BATCH_DOCUMENTS = 200
BATCH_PASSAGES = 500
LEASE = timedelta(minutes=2)


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
                await tx.knowledge.changes_applied(worker, documents)
        return len(documents)

    async def drain(self, worker: str) -> int:
        """Apply until nothing that this worker may take is pending."""
        done = 0
        while applied := await self(worker):
            done += applied
        return done

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
        """Fill an index that is empty while the database holds documents: its folder was deleted, or the database was
        restored without it. Documents indexed; 0 when there was nothing to mend."""
        return await self._bring_up_all(lambda _: None) if await self.index.is_empty() else 0

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
