"""Vectors follow the words: passages are embedded in the background, those that a question has found first."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from hashlib import sha256
from typing import Final

from contentgen_core.errors import ContentgenError, NotConfigured, ProviderFailed
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage, VectorSpace
from contentgen_core.policies.text.nearness import models_meaning
from contentgen_core.ports.knowledge_base import Embedder, IndexCounts, IndexedPassage, PassageIndex, Vector, space_of
from contentgen_core.ports.repositories.embeddings import Embeddings, KeptVector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.knowledge.index_loss import DOCUMENTS_AT_ONCE, IndexLoss
from contentgen_core.use_cases.knowledge.leases import keep_renewing
from contentgen_core.use_cases.use_case import use_case

BATCH_DOCUMENTS: Final = 16
BATCH_PASSAGES: Final = 256
BATCH_FOR_A_MODEL: Final = 64
"""Passages of which a model reads some sixty a second: progress is seen each second."""
LEASE: Final = timedelta(seconds=60)
FIRST_RETRY: Final = timedelta(seconds=30)
LAST_RETRY: Final = timedelta(hours=1)
UNUSED_FOR: Final = timedelta(days=7)
"""After so long without a process that uses it, the vectors of a model are deleted."""
FORGOTTEN_AT_ONCE: Final = 5_000


@use_case
class EmbedPassages:
    """Embeds one batch of documents that wait for vectors in the space of the embedder. Vectors of a model of meaning
    are kept in the database: an index that was lost gets them back, a text that was embedded once is not embedded
    again, and whoever takes over from a worker that died goes on where it was. Those of spelling are cheaper to compute
    than to keep."""

    unit_of_work: UnitOfWork
    index: PassageIndex
    embedder: Embedder
    clock: Clock

    @property
    def space(self) -> VectorSpace:
        return space_of(self.embedder)

    @property
    def keeps(self) -> bool:
        return models_meaning(self.embedder.embedding_weight)

    async def __call__(self, worker: str) -> int:
        """Returns how many documents were embedded; 0 when none waits. Those whose embedding failed are put off.

        Raises ProviderFailed and NotConfigured (embeddings), StaleIndex, Unavailable."""
        await self.register()
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            documents = await tx[Embeddings].claim(self.space, worker, now, now + LEASE, BATCH_DOCUMENTS)
        if documents:
            async with self._hold_claims(worker, documents):
                await self._embed(documents)
            async with self.unit_of_work() as tx:
                removed = await tx[Embeddings].complete(self.space, worker, documents)
            if removed:  # meanwhile: what was written after their removal goes again
                await self.index.remove(removed)
        return len(documents)

    async def register(self) -> None:
        """Have documents wait in the embedder's space: from the first time on those that are there, and all that come.
        Before, no vector is kept."""
        async with self.unit_of_work() as tx:
            whole = await tx[Embeddings].use(self.space, self.clock.now())
        if not whole:
            await self._queue_all()

    async def drain(self, worker: str) -> int:
        """Embed until nothing waits that this worker may claim."""
        done = 0
        while embedded := await self(worker):
            done += embedded
        return done

    async def release(self, worker: str) -> None:
        """Release what this worker has claimed and not completed, at its end."""
        async with self.unit_of_work() as tx:
            await tx[Embeddings].release(worker)

    async def restore_if_lost(self) -> None:
        """Queue all documents if the index has no vector although it was to have some. Raises Unavailable."""
        if await self.index.has_vectors():
            return
        async with self.unit_of_work() as tx:
            lost = await tx[Embeddings].any_embedded(self.space)
        if lost:
            await self._queue_all()

    async def restore_if_short(self, counts: IndexCounts) -> None:
        """Queue all passages again if the index has fewer vectors than expected. `counts`: of a moment ago. Raises
        StaleIndex, Unavailable."""
        if await IndexLoss(self.unit_of_work, self.index).is_short(counts, self._short_of_vectors):
            await self._queue_all()

    async def _short_of_vectors(self, tx: Transaction, counts: IndexCounts) -> bool:
        return await tx[Embeddings].more_embedded_than(self.space, counts.vectors)

    async def forget_unused(self) -> None:
        """Delete the vectors of models that no process has used for long. Raises Unavailable."""
        async with self.unit_of_work() as tx:
            unused = await tx[Embeddings].unused(self.clock.now() - UNUSED_FOR)
        for space in unused:
            await self.index.clear_vectors(space.model, space.dimension)
            forgotten = False
            while not forgotten:
                async with self.unit_of_work() as tx:
                    forgotten = await tx[Embeddings].forget(space, FORGOTTEN_AT_ONCE)

    async def _queue_all(self) -> None:
        after: DocumentId | None = None
        while True:
            async with self.unit_of_work() as tx:
                documents = await tx[Knowledge].all_documents(after, DOCUMENTS_AT_ONCE)
                if not documents:
                    await tx[Embeddings].whole(self.space)
                    return
                await tx[Embeddings].queue(self.space, documents)
            after = documents[-1]

    async def _embed(self, documents: Sequence[DocumentId]) -> None:
        await self.restore_if_lost()  # with some vectors in it nobody would see that it was
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].passages_of(documents)
        done = Counter[DocumentId]()
        size = BATCH_FOR_A_MODEL if self.keeps else BATCH_PASSAGES
        for start in range(0, len(passages), size):
            batch = passages[start : start + size]
            vectors = await self._vectors(batch)
            await self.index.upsert_vectors([IndexedPassage(p, v) for p, v in zip(batch, vectors, strict=True)])
            done.update(passage.document.id for passage in batch)
            async with self.unit_of_work() as tx:
                await tx[Embeddings].advance(self.space, done)

    async def _vectors(self, passages: Sequence[Passage]) -> list[Vector]:
        texts = [passage.with_titles() for passage in passages]
        if not self.keeps:
            return await self.embedder.embed(texts, "passage")
        hashes = [text_hash(text) for text in texts]
        async with self.unit_of_work() as tx:
            kept = await tx[Embeddings].kept_texts(self.space, hashes)
        missing = {h: text for h, text in zip(hashes, texts, strict=True) if h not in kept}
        embedded = await self.embedder.embed(list(missing.values()), "passage") if missing else []
        kept |= dict(zip(missing, embedded, strict=True))
        async with self.unit_of_work() as tx:
            await tx[Embeddings].keep(
                self.space, [KeptVector(p.ref, h, kept[h]) for p, h in zip(passages, hashes, strict=True)]
            )
        return [kept[h] for h in hashes]

    @asynccontextmanager
    async def _hold_claims(self, worker: str, documents: Sequence[DocumentId]) -> AsyncIterator[None]:
        """Keep this worker's claims during the block. If embedding fails they are put off, for longer each time; they
        are free again at once if anything else fails."""
        try:
            async with keep_renewing(lambda: self._renew(worker), LEASE / 3):
                yield
        except (ProviderFailed, NotConfigured):
            async with self.unit_of_work() as tx:
                failures = await tx[Embeddings].attempts(self.space, documents)
                until = self.clock.now() + min(FIRST_RETRY * 2 ** min(failures, 10), LAST_RETRY)
                await tx[Embeddings].postpone(self.space, worker, documents, until)
            raise
        except BaseException:
            with suppress(ContentgenError):  # otherwise the lease expires
                await self.release(worker)
            raise

    async def _renew(self, worker: str) -> None:
        async with self.unit_of_work() as tx:
            await tx[Embeddings].renew(worker, self.clock.now() + LEASE)


def text_hash(text: str) -> bytes:
    """SHA-256 of a text that is embedded."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
