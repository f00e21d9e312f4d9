"""`PassageIndex` on LanceDB. LanceDB itself is imported when an index is opened, not with this module."""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
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
from contentgen_adapters.lance.protocol_models import put_off_protocol_models
from contentgen_adapters.shared.loading import load
from contentgen_core.errors import Unavailable
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import IndexCounts, IndexedPassage, Vector

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb import AsyncTable

    from contentgen_adapters.lance.store import Store

MAX_HITS: Final = 1_000
"""From each side of a search (lexical, vector), whatever the limit."""
MAX_DOCUMENTS_IN_VIEW: Final = 10_000
FEW_DOCUMENTS: Final = 100
"""Of a view, whose vectors are compared one by one."""

_ROWS_AT_ONCE: Final = 1_000
_REMOVED_AT_ONCE: Final = 500
_READ_ATTEMPTS: Final = 2  # the second one with a new table handle
_WRITE_ATTEMPTS: Final = 8  # concurrent commits conflict, and the loser tries again
_RETRY_SECONDS: Final = 15.0  # an attempt at an unavailable store takes seconds
_READ_SECONDS: Final = 10.0  # of one attempt, also where the disk or the store stands still
_MANY_SECONDS: Final = 60.0  # of one that searches for many vectors
_WRITE_SECONDS: Final = 120.0
_UPKEEP_SECONDS: Final = 1_800.0
_LIBRARY_ERRORS: Final = (RuntimeError, ValueError, OSError)

_log = structlog.get_logger(__name__)

T = TypeVar("T")


class LanceIndex:
    """The passage index port over LanceDB. Opened by `open`.

    LanceDB raises RuntimeError, ValueError and OSError without further structure. All of them are handled alike: retry
    with a new table handle, then raise Unavailable with the advice to rebuild.
    """

    def __init__(self, store: Store, model: str, dimension: int) -> None:
        from contentgen_adapters.lance import layout

        self._store, self._dimension = store, dimension
        self._words, self._vectors = layout.WORDS, layout.vectors_table(model, dimension)
        self._tables: dict[str, AsyncTable] = {}
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

        `path_or_uri`: a folder or `s3://…`. `embedder_model`, `dimension`: of the vectors that are searched.
        `storage_options`: LanceDB's, for an object store. An index that is damaged or of another layout opens as well;
        `check`, `search` and `upsert` then raise, and `clear` repairs it. Raises Unavailable when the location cannot
        be used.
        """
        await asyncio.to_thread(load_library)
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
        self._tables.clear()
        self._store.close()

    async def upsert(self, passages: Sequence[Passage]) -> None:
        """Raises StaleIndex, Unavailable."""
        from contentgen_adapters.lance import layout

        latest = list({passage.ref: passage for passage in passages}.values())
        for batch in _batches(latest, _ROWS_AT_ONCE):
            await self._write(self._words, await asyncio.to_thread(layout.word_rows, batch))

    async def upsert_vectors(self, passages: Sequence[IndexedPassage]) -> None:
        """Raises StaleIndex, Unavailable, and ValueError for a vector of another dimension; then nothing is stored."""
        from contentgen_adapters.lance import layout

        latest = list({entry.passage.ref: entry for entry in passages}.values())
        for entry in latest:
            self._require_dimension(entry.vector)
        for batch in _batches(latest, _ROWS_AT_ONCE):
            await self._write(self._vectors, await asyncio.to_thread(layout.vector_rows, batch, self._dimension))

    async def remove(self, documents: Sequence[DocumentId]) -> None:
        """Raises StaleIndex, Unavailable."""
        from contentgen_adapters.lance import store

        tables = await self._retrying(self._store.tables, _READ_ATTEMPTS)
        for batch in _batches(list(dict.fromkeys(documents)), _REMOVED_AT_ONCE):
            for table in tables:
                async with self._writing:
                    await self._on_table(table, partial(store.remove, documents=batch), _WRITE_ATTEMPTS)

    async def retain(self, document: DocumentId, chunk_indexes: Collection[int]) -> None:
        """Raises StaleIndex, Unavailable."""
        from contentgen_adapters.lance import store

        kept = partial(store.retain, document=document, chunk_indexes=chunk_indexes)
        for table in await self._retrying(self._store.tables, _READ_ATTEMPTS):
            async with self._writing:
                await self._on_table(table, kept, _WRITE_ATTEMPTS)

    async def search(
        self, view: KbView, terms: Mapping[Language, Sequence[str]], vector: Vector | None, limit: int
    ) -> list[IndexHit]:
        """Lexical and vector search concurrently, each with the view as a filter before scoring.

        `limit`: hits of each side, MAX_HITS at most. A zero vector matches nothing. Raises StaleIndex, Unavailable, and
        ValueError for a vector of another dimension or a view of more than MAX_DOCUMENTS_IN_VIEW named documents.
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
        few = view.document_ids is not None and len(view.document_ids) <= FEW_DOCUMENTS

        async def lexical() -> dict[SourceRef, float]:
            if not words:
                return {}
            search = partial(store.lexical, seen=seen, words=words, limit=limit)
            return await self._on_table(self._words, search, _READ_ATTEMPTS, looks_itself=True)

        async def nearest() -> dict[SourceRef, float]:
            if vector is None:
                return {}
            search = partial(store.nearest, seen=seen, vector=vector, limit=limit, one_by_one=few)
            return await self._on_table(self._vectors, search, _READ_ATTEMPTS, looks_itself=True)

        text, near = await asyncio.gather(lexical(), nearest())
        return [IndexHit(ref, text.get(ref, 0.0), near.get(ref)) for ref in {**text, **near}]

    async def nearest(self, view: KbView, vectors: Sequence[Vector], limit: int) -> list[list[IndexHit]]:
        from contentgen_adapters.lance import store

        for vector in vectors:
            self._require_dimension(vector)
        asked = [i for i, vector in enumerate(vectors) if any(vector) and all(map(isfinite, vector))]
        if not asked or limit < 1 or (view.document_ids is not None and not view.document_ids):
            return [[] for _ in vectors]
        search = partial(
            store.nearest_of_each,
            seen=store.visible(view),
            vectors=[vectors[i] for i in asked],
            limit=min(limit, MAX_HITS),
        )
        found = dict(
            zip(asked, await self._on_table(self._vectors, search, _READ_ATTEMPTS, _MANY_SECONDS), strict=True)
        )
        return [[IndexHit(ref, 0.0, near) for ref, near in found.get(i, {}).items()] for i in range(len(vectors))]

    async def vectors(self, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
        from contentgen_adapters.lance import store

        if not refs:
            return {}
        return await self._on_table(self._vectors, partial(store.vectors_of, refs=refs), _READ_ATTEMPTS)

    async def clear(self) -> None:
        """Empties the index, repairing a damaged one. Raises Unavailable when the location cannot be written."""
        self._tables.clear()
        # The words are emptied, not dropped: other processes have them open. Vectors go first: they stay never alone.
        for table in sorted(await self._retrying(self._store.tables, _READ_ATTEMPTS), reverse=True):
            try:
                await self._retrying(partial(self._empty, table), _READ_ATTEMPTS)
            except Unavailable:
                await self._retrying(partial(self._store.drop, table), _READ_ATTEMPTS)  # too damaged to be emptied
        await self._retrying(self._create_if_missing, _WRITE_ATTEMPTS)

    async def clear_vectors(self, model: str, dimension: int) -> None:
        """Raises Unavailable."""
        from contentgen_adapters.lance import layout

        await self._retrying(partial(self._store.drop, layout.vectors_table(model, dimension)), _WRITE_ATTEMPTS)

    async def is_empty(self) -> bool:
        from contentgen_adapters.lance import store

        return await self._on_table(self._words, store.has_no_rows, _READ_ATTEMPTS)

    async def has_vectors(self) -> bool:
        from contentgen_adapters.lance import store

        return not await self._on_table(self._vectors, store.has_no_rows, _READ_ATTEMPTS)

    async def optimize(self) -> None:
        """Compacts the tables and updates their indices. Under constant writes every commit may conflict; then it is
        left for the next call. Raises StaleIndex, and Unavailable when the index cannot be read either."""
        from contentgen_adapters.lance import upkeep

        try:
            for table in (self._words, self._vectors):
                await self._on_table(table, upkeep.optimize, _WRITE_ATTEMPTS, _UPKEEP_SECONDS)
        except Unavailable as exc:
            await self.check()
            _log.warning("index_upkeep_put_off", reason=type(exc.__cause__).__name__)

    async def check(self) -> None:
        from contentgen_adapters.lance import store

        for table in (self._words, self._vectors):
            await self._on_table(table, store.first_row, _READ_ATTEMPTS)
        axis = [1.0, *[0.0] * (self._dimension - 1)]
        await self.search(KbView("check"), {Language.EN: ["check"]}, axis, 1)

    async def verify(self) -> IndexCounts:
        from contentgen_adapters.lance import store

        opened = await self._retrying(self._store.without_caches, _READ_ATTEMPTS)
        try:
            fresh = copy(self)
            fresh._store, fresh._tables = opened, {}
            await fresh.check()
            passages, vectors = [
                await fresh._on_table(table, store.rows_read_through, _READ_ATTEMPTS)
                for table in (self._words, self._vectors)
            ]
            return IndexCounts(passages, vectors)
        finally:
            opened.close()

    async def _write(self, table: str, rows: pa.Table) -> None:
        from contentgen_adapters.lance import store

        async with self._writing:
            await self._on_table(table, partial(store.upsert, rows=rows), _WRITE_ATTEMPTS)

    def _schema(self, table: str) -> pa.Schema:
        from contentgen_adapters.lance import layout

        return layout.words_schema() if table == self._words else layout.vectors_schema(self._dimension)

    async def _empty(self, table: str) -> None:
        """Delete the rows, and other models' tables: their users create them again."""
        if table in (self._words, self._vectors):
            await self._store.overwrite(table, self._schema(table))
        else:
            await self._store.drop(table)

    async def _create_if_missing(self) -> None:
        present = await self._store.tables()
        for table in (self._words, self._vectors):
            await self._open_or_create(table, present)

    async def _open_or_create(self, table: str, present: Collection[str]) -> AsyncTable:
        from contentgen_adapters.lance import upkeep

        if table not in present:
            await self._store.create(table, self._schema(table))
        opened = await self._store.open(table)
        await upkeep.ensure_search_indices(opened)
        return opened

    async def _on_table(
        self,
        table: str,
        work: Callable[[AsyncTable], Awaitable[T]],
        attempts: int,
        seconds: float | None = None,
        *,
        looks_itself: bool = False,
    ) -> T:
        """Run work on the table and retry when it fails. `seconds`: of one attempt; `looks_itself`: whether the work
        checks the layout of what it reads, so that an open table is not asked for it.
        """

        async def attempt_on_table() -> T:
            try:
                opened = self._tables.get(table) if looks_itself else None
                return await work(opened or await self._current_table(table))
            except _LIBRARY_ERRORS:
                self._tables.pop(table, None)
                raise

        return await self._retrying(attempt_on_table, attempts, seconds)

    async def _current_table(self, table: str) -> AsyncTable:
        """The table, after a look at its layout on every call: another process may have made it anew."""
        from contentgen_adapters.lance import layout

        opened = self._tables.get(table)
        if opened is None:
            # A process with another model may have emptied the index, this model's table with it.
            opened = await (
                self._open_or_create(table, await self._store.tables())
                if table == self._vectors
                else self._store.open(table)
            )
        layout.require_current(await opened.schema())
        self._tables[table] = opened
        return opened

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
            raise ValueError(f"a vector of {len(vector)} dimensions, where the index has {self._dimension}")


def load_library() -> None:
    """Imports LanceDB, without what is not used of it, and with its own logging to standard error limited to errors: it
    logs every retry otherwise. Its warning of forks is about children that use it; ours start another program at once.
    """
    os.environ.setdefault("LANCEDB_LOG", "error")
    warnings.filterwarnings("ignore", "lancedb fork support", RuntimeWarning)
    put_off_protocol_models()
    load("contentgen_adapters.lance.store")


def _batches(items: list[T], size: int) -> Iterator[list[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
