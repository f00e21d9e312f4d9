"""`PassageIndex` on LanceDB. LanceDB itself is imported when an index is opened, not with this module."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Final, TypeVar

import structlog
from tenacity import (
    AsyncRetrying,
    retry_if_exception_type,
    stop_after_attempt,
    stop_after_delay,
    wait_random_exponential,
)

from contentgen_adapters.lance.lexicon import query_words
from contentgen_adapters.shared.loading import load
from contentgen_core.errors import StaleIndex, Unavailable
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, KbView
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import IndexedPassage, Vector

if TYPE_CHECKING:
    from lancedb import AsyncTable

    from contentgen_adapters.lance.store import Store

MAX_HITS: Final = 1_000
"""From each side of a search (lexical, vector), whatever the limit."""
MAX_DOCUMENTS_IN_VIEW: Final = 10_000

_ROWS_AT_ONCE: Final = 1_000
_REMOVED_AT_ONCE: Final = 500
_READ_ATTEMPTS: Final = 2  # the second one with a new table handle
_WRITE_ATTEMPTS: Final = 8  # concurrent commits conflict, and the loser tries again
_RETRY_SECONDS: Final = 15.0  # an attempt at an unavailable store takes seconds
_READ_SECONDS: Final = 10.0  # of one attempt, also where the disk or the store stands still
_WRITE_SECONDS: Final = 120.0
_UPKEEP_SECONDS: Final = 1_800.0
_LIBRARY_ERRORS: Final = (RuntimeError, ValueError, OSError)

_log = structlog.get_logger(__name__)

T = TypeVar("T")


class LanceIndex:
    """The passage index port over LanceDB. Made by `open`.

    LanceDB raises RuntimeError, ValueError and OSError without further structure. All of them are handled alike: retry
    with a new table handle, then raise Unavailable with the advice to rebuild.
    """

    def __init__(self, store: Store, model: str, dimension: int) -> None:
        self._store, self._model, self._dimension = store, model, dimension
        self._table: AsyncTable | None = None
        # Serialises the writes of this process: only those of other processes can then conflict.
        self._writing = asyncio.Lock()

    @classmethod
    async def open(
        cls,
        path_or_uri: str,
        embedder_model: str,
        dimension: int,
        storage_options: Mapping[str, str] | None = None,
    ) -> LanceIndex:
        """Opens the index, creating it if there is none.

        `path_or_uri`: a folder or `s3://…`. `embedder_model`, `dimension`: of the vectors. `storage_options`:
        LanceDB's, for an object store. An index that is damaged or of another model opens as well; `check`, `search`
        and `upsert` then raise, and `clear` repairs it. Raises Unavailable when the location cannot be used.
        """
        await asyncio.to_thread(_load)
        from contentgen_adapters.lance.store import Store

        try:
            store = await Store.connect(path_or_uri, storage_options)
        except _LIBRARY_ERRORS as exc:
            raise Unavailable(f"The place of the search index, {path_or_uri}, cannot be opened.") from exc
        index = cls(store, embedder_model, dimension)
        with suppress(Unavailable):  # a damaged index: its first use raises
            await index._retrying(index._create_if_missing, _WRITE_ATTEMPTS)
        return index

    async def close(self) -> None:
        self._table = None
        self._store.close()

    async def upsert(self, passages: Sequence[IndexedPassage]) -> None:
        """Raises StaleIndex, also for a vector of another dimension than the index's, and Unavailable."""
        from contentgen_adapters.lance import layout, store

        latest = list({p.passage.ref: p for p in passages}.values())
        for batch in _batches(latest, _ROWS_AT_ONCE):
            for entry in batch:
                self._require_dimension(entry.vector)
            rows = await asyncio.to_thread(layout.rows, batch, layout.schema(self._model, self._dimension))
            async with self._writing:
                await self._on_table(partial(store.upsert, rows=rows), _WRITE_ATTEMPTS)

    async def remove(self, documents: Sequence[DocumentId]) -> None:
        """Raises StaleIndex, Unavailable."""
        from contentgen_adapters.lance import store

        for batch in _batches(list(dict.fromkeys(documents)), _REMOVED_AT_ONCE):
            async with self._writing:
                await self._on_table(partial(store.remove, documents=batch), _WRITE_ATTEMPTS)

    async def search(
        self, view: KbView, terms: Mapping[Language, Sequence[str]], vector: Vector | None, limit: int
    ) -> list[IndexHit]:
        """Lexical and vector search concurrently, each with the view as a filter before scoring.

        `limit`: hits of each side, MAX_HITS at most. A zero vector matches nothing. Raises StaleIndex, Unavailable, and
        ValueError for a view of more than MAX_DOCUMENTS_IN_VIEW named documents.
        """
        from contentgen_adapters.lance import store

        if view.document_ids is not None and len(view.document_ids) > MAX_DOCUMENTS_IN_VIEW:
            raise ValueError(f"a view names at most {MAX_DOCUMENTS_IN_VIEW} documents")
        words, limit = query_words(terms), min(limit, MAX_HITS)
        if vector is not None:
            self._require_dimension(vector)
            vector = vector if any(vector) and all(map(isfinite, vector)) else None
        if limit < 1 or (view.document_ids is not None and not view.document_ids) or not (words or vector is not None):
            return []
        seen = store.visible(view)

        async def search_both(table: AsyncTable) -> tuple[dict[SourceRef, float], dict[SourceRef, float]]:
            return await asyncio.gather(
                store.lexical(table, seen, words, limit) if words else _no_scores(),
                store.nearest(table, seen, vector, limit) if vector is not None else _no_scores(),
            )

        text, near = await self._on_table(search_both, _READ_ATTEMPTS)
        return [IndexHit(ref, text.get(ref, 0.0), near.get(ref)) for ref in {**text, **near}]

    async def clear(self) -> None:
        """Empties the index, repairing a damaged one. Raises Unavailable when the location cannot be written."""
        self._table = None
        try:
            await self._retrying(lambda: self._store.overwrite(self._model, self._dimension), _READ_ATTEMPTS)
        except Unavailable:
            await self._retrying(self._store.drop, _READ_ATTEMPTS)  # too damaged to be overwritten
        await self._retrying(self._create_if_missing, _WRITE_ATTEMPTS)

    async def is_empty(self) -> bool:
        from contentgen_adapters.lance import store

        return await self._on_table(store.has_no_rows, _READ_ATTEMPTS)

    async def optimize(self) -> None:
        """Compacts the table and updates its indices. Under constant writes every commit may conflict; then it is left
        for the next call. Raises StaleIndex, and Unavailable when the index cannot be read either."""
        from contentgen_adapters.lance import upkeep

        try:
            await self._on_table(upkeep.optimize, _WRITE_ATTEMPTS, _UPKEEP_SECONDS)
        except Unavailable as exc:
            await self.check()
            _log.warning("index_upkeep_put_off", reason=type(exc.__cause__).__name__)

    async def check(self) -> None:
        from contentgen_adapters.lance import store

        await self._on_table(store.first_row, _READ_ATTEMPTS)
        axis = [1.0, *[0.0] * (self._dimension - 1)]
        await self.search(KbView("check"), {Language.EN: ["check"]}, axis, 1)

    async def verify(self) -> None:
        from contentgen_adapters.lance import store

        opened = await self._retrying(self._store.unremembered, _READ_ATTEMPTS)
        try:
            fresh = LanceIndex(opened, self._model, self._dimension)
            await fresh.check()
            await fresh._on_table(store.read_through, _READ_ATTEMPTS)
        finally:
            opened.close()

    async def _create_if_missing(self) -> None:
        from contentgen_adapters.lance import upkeep

        if not await self._store.exists():
            await self._store.create(self._model, self._dimension)
        await upkeep.ensure_search_indices(await self._store.open())

    async def _on_table(
        self, work: Callable[[AsyncTable], Awaitable[T]], attempts: int, seconds: float | None = None
    ) -> T:
        """`seconds`: of one attempt."""

        async def attempt_on_table() -> T:
            try:
                return await work(await self._current_table())
            except _LIBRARY_ERRORS:
                self._table = None
                raise

        return await self._retrying(attempt_on_table, attempts, seconds)

    async def _current_table(self) -> AsyncTable:
        """The table, after a check of its metadata on every call (0.1 ms): another process may have rebuilt the index
        with another model."""
        from contentgen_adapters.lance import layout

        table = self._table or await self._store.open()
        found = (await table.schema()).metadata or {}
        expected = layout.identity(self._model, self._dimension)
        if any(found.get(key) != value for key, value in expected.items()):
            was = found.get(b"contentgen.embedding-model", b"an unknown model").decode("utf-8", "replace")
            raise StaleIndex(
                f"The search index was built with {was}, not with {self._model} ({self._dimension} dimensions) and the "
                "present layout. Run `contentgen kb reindex` to rebuild it from the database."
            )
        self._table = table
        return table

    async def _retrying(self, work: Callable[[], Awaitable[T]], attempts: int, seconds: float | None = None) -> T:
        seconds = seconds or (_READ_SECONDS if attempts == _READ_ATTEMPTS else _WRITE_SECONDS)
        retrying = AsyncRetrying(
            stop=stop_after_attempt(attempts) | stop_after_delay(_RETRY_SECONDS),
            wait=wait_random_exponential(multiplier=0.02, max=1),
            retry=retry_if_exception_type(_LIBRARY_ERRORS),
            reraise=True,
        )

        async def attempt() -> T:  # tenacity awaits coroutine functions only
            async with asyncio.timeout(seconds):  # whose TimeoutError is an OSError: a library error like others
                return await work()

        try:
            return await retrying(attempt)
        except _LIBRARY_ERRORS as exc:
            raise Unavailable(
                "The search index cannot be read or written. If this stays so, `contentgen kb reindex` rebuilds it "
                "from the database."
            ) from exc

    def _require_dimension(self, vector: Vector) -> None:
        if len(vector) != self._dimension:
            raise StaleIndex(
                f"A vector has {len(vector)} dimensions, the search index {self._dimension}. "
                "Run `contentgen kb reindex` to rebuild it with the present embedding model."
            )


def _load() -> None:
    """Imports LanceDB with its own logging to standard error limited to errors: it logs every retry otherwise."""
    os.environ.setdefault("LANCEDB_LOG", "error")
    load("contentgen_adapters.lance.store")


async def _no_scores() -> dict[SourceRef, float]:
    return {}


def _batches(items: list[T], size: int) -> Iterator[list[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
