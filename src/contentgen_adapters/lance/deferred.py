"""An index that opens in the background: the service answers before LanceDB is loaded (2 s)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from contentgen_adapters.lance.index import LanceIndex
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import IndexCounts, IndexedPassage, Vector


class DeferredIndex:
    """The passage index port, opened at its first use; every use waits for that. After a failure the next use tries
    again. `open_index`: opens the index."""

    def __init__(self, open_index: Callable[[], Awaitable[LanceIndex]]) -> None:
        self._open_index = open_index
        self._opening: asyncio.Task[LanceIndex] | None = None

    async def close(self) -> None:
        if self._opening is None:
            return
        if self._opening.done() and not self._opening.cancelled() and self._opening.exception() is None:
            await self._opening.result().close()
        else:
            self._opening.cancel()

    async def upsert(self, passages: Sequence[Passage]) -> None:
        await (await self._index()).upsert(passages)

    async def upsert_vectors(self, passages: Sequence[IndexedPassage]) -> None:
        await (await self._index()).upsert_vectors(passages)

    async def remove(self, documents: Sequence[DocumentId]) -> None:
        await (await self._index()).remove(documents)

    async def retain(self, document: DocumentId, chunk_indexes: Collection[int]) -> None:
        await (await self._index()).retain(document, chunk_indexes)

    async def search(
        self, view: KbView, terms: Mapping[Language, Sequence[str]], vector: Vector | None, limit: int
    ) -> list[IndexHit]:
        return await (await self._index()).search(view, terms, vector, limit)

    async def nearest(self, view: KbView, vectors: Sequence[Vector], limit: int) -> list[list[IndexHit]]:
        return await (await self._index()).nearest(view, vectors, limit)

    async def vectors(self, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
        return await (await self._index()).vectors(refs)

    async def clear(self) -> None:
        await (await self._index()).clear()

    async def clear_vectors(self, model: str, dimension: int) -> None:
        await (await self._index()).clear_vectors(model, dimension)

    async def is_empty(self) -> bool:
        return await (await self._index()).is_empty()

    async def has_vectors(self) -> bool:
        return await (await self._index()).has_vectors()

    async def optimize(self) -> None:
        await (await self._index()).optimize()

    async def check(self) -> None:
        await (await self._index()).check()

    async def verify(self) -> IndexCounts:
        return await (await self._index()).verify()

    async def _index(self) -> LanceIndex:
        # Shielded: a caller that is cancelled must not cancel the opening for the others.
        return await asyncio.shield(self._task())

    async def _open(self) -> LanceIndex:
        return await self._open_index()

    def _task(self) -> asyncio.Task[LanceIndex]:
        failed = (
            self._opening is not None
            and self._opening.done()
            and (self._opening.cancelled() or self._opening.exception() is not None)
        )
        if self._opening is None or failed:
            self._opening = asyncio.create_task(self._open())
        return self._opening
