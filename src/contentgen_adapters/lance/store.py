"""The calls to LanceDB, which raise LanceDB's errors. Importing this module takes two seconds and 150 MB: only
`LanceIndex.open` does, in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import lancedb
import numpy as np
import pyarrow as pa
from lancedb import AsyncConnection, AsyncTable
from lancedb.expr import Expr, col, lit
from lancedb.query import AsyncStandardQuery, MatchQuery

from contentgen_adapters.lance import layout
from contentgen_adapters.lance.location import read_consistency_seconds
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView
from contentgen_core.ports.knowledge_base import Vector

_TIMEOUT: Final = timedelta(seconds=30)
_PROBED_PARTITIONS: Final = 20  # partitions of the vector index searched first (nprobes)
_PARTITIONS_OF_MANY: Final = 5
_TIMEOUT_OF_MANY: Final = timedelta(seconds=60)
_COMPRESSED: Final = "IvfRq"  # the type of index that compares compressed vectors
_REF_COLUMNS: Final = ["document_id", "chunk_index"]


class Store:
    """A database with its tables: one of words, one of vectors for each model."""

    def __init__(self, connection: AsyncConnection, uri: str, storage_options: Mapping[str, str] | None) -> None:
        self._connection, self._uri, self._storage_options = connection, uri, storage_options

    @classmethod
    async def connect(cls, uri: str, storage_options: Mapping[str, str] | None) -> Store:
        connection = await lancedb.connect_async(
            uri,
            read_consistency_interval=timedelta(seconds=read_consistency_seconds(uri)),
            storage_options=dict(storage_options) if storage_options else None,
        )
        return cls(connection, uri, storage_options)

    async def without_caches(self) -> Store:
        """The same database over a connection whose caches are empty."""
        return await Store.connect(self._uri, self._storage_options)

    def close(self) -> None:
        self._connection.close()  # type: ignore[no-untyped-call]

    async def tables(self) -> list[str]:
        return [name for name in (await self._connection.list_tables()).tables if _is_ours(name)]

    async def open(self, table: str) -> AsyncTable:
        return await self._connection.open_table(table)

    async def create(self, table: str, schema: pa.Schema) -> None:
        """Creates the table if it is missing."""
        await self._connection.create_table(table, schema=schema, exist_ok=True)

    async def overwrite(self, table: str, schema: pa.Schema) -> None:
        """Empties the table atomically; readers with an open handle see the new version."""
        await self._connection.create_table(table, schema=schema, mode="overwrite")

    async def drop(self, table: str) -> None:
        await self._connection.drop_table(table, ignore_missing=True)


async def upsert(table: AsyncTable, rows: pa.Table) -> None:
    """Inserts or replaces rows by id. `rows`: with the schema of `layout`, each id once."""
    await table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(rows)


async def first_row(table: AsyncTable) -> None:
    """Reads one row with all columns, which fails when files are missing or damaged."""
    await table.query().limit(1).to_arrow(timeout=_TIMEOUT)


async def rows_read_through(table: AsyncTable) -> int:
    """Reads one column of all rows, so that each of their files is opened. The number of rows."""
    batches = await table.query().select(["chunk_index"]).to_batches(timeout=_TIMEOUT)
    return sum([batch.num_rows async for batch in batches])


async def has_no_rows(table: AsyncTable) -> bool:
    return await table.count_rows() == 0


async def remove(table: AsyncTable, documents: Sequence[DocumentId]) -> None:
    await table.delete(col("document_id").isin(list(documents)))


async def retain(table: AsyncTable, document: DocumentId, chunk_indexes: Collection[int]) -> None:
    of_document = col("document_id") == lit(document)
    await table.delete(of_document & ~col("chunk_index").isin(sorted(chunk_indexes)) if chunk_indexes else of_document)


def visible(view: KbView) -> Expr:
    """The filter for the rows of a view. It always restricts the tenant."""
    seen = (
        col("tenant").isin(sorted({layout.PLATFORM, layout.tenant_value(view.tenant_id)}))
        & (col("niche_key") == lit(view.niche_key))
        & col("country").isin(sorted({layout.ANY_COUNTRY, *view.countries}))
    )
    if view.document_ids is not None:
        seen = seen & col("document_id").isin(sorted(view.document_ids))
    return seen


async def lexical(table: AsyncTable, seen: Expr, words: str, limit: int) -> dict[SourceRef, float]:
    """BM25 scores of the best rows that have any of the words. `seen`: a filter applied before scoring. Raises
    StaleIndex and Unavailable for a table of another layout, as `nearest` does."""
    match = MatchQuery(words, "words")  # type: ignore[call-arg]  # pydantic fills in the rest
    query = table.query().nearest_to_text(match).where(seen)
    return _scores_by_ref(await _answer(query.select([*_REF_COLUMNS, "_score"]).limit(limit)), "_score")


async def nearest(
    table: AsyncTable, seen: Expr, vector: Vector, limit: int, *, one_by_one: bool = False
) -> dict[SourceRef, float]:
    """Cosine similarities of the nearest rows. `seen`: a filter applied before the search. `one_by_one`: compare with
    every row that passes it instead of looking through the vector index, which is faster where they are few."""
    query = table.query().nearest_to(np.asarray(vector, dtype=np.float32)).column("vector").distance_type("cosine")
    query = query.where(seen).limit(limit).select([*_REF_COLUMNS, "_distance"])
    if one_by_one:
        found = _scores_by_ref(await _answer(query.bypass_vector_index()), "_distance")
        return _cosines(found)
    if compressed := any(index.index_type == _COMPRESSED for index in await table.list_indices()):
        query = query.refine_factor(1)  # score the hits by their uncompressed vectors
    query = query.minimum_nprobes(_PROBED_PARTITIONS).maximum_nprobes(_PROBED_PARTITIONS if compressed else 0)
    found = _scores_by_ref(await _answer(query), "_distance")
    if len(found) < limit and compressed:  # rows that pass a narrow filter may be in any partition
        found = _scores_by_ref(await _answer(query.maximum_nprobes(0)), "_distance")
    return _cosines(found)


async def nearest_of_each(
    table: AsyncTable, seen: Expr, vectors: Sequence[Vector], limit: int
) -> list[dict[SourceRef, float]]:
    """Return for each vector the cosines of the nearest rows, best first, from fewer partitions than `nearest`
    searches.
    """
    asked = [np.asarray(vector, dtype=np.float32) for vector in vectors]
    query = table.query().nearest_to(asked if len(asked) > 1 else asked[0])
    query = query.column("vector").distance_type("cosine").where(seen).limit(limit)
    if any(index.index_type == _COMPRESSED for index in await table.list_indices()):
        query = query.refine_factor(1).minimum_nprobes(_PARTITIONS_OF_MANY).maximum_nprobes(_PARTITIONS_OF_MANY)
    found = await query.select([*_REF_COLUMNS, "_distance"]).to_arrow(timeout=_TIMEOUT_OF_MANY)
    return await asyncio.to_thread(_group_by_query, found, len(asked))


async def _answer(query: AsyncStandardQuery) -> pa.Table:
    """Run a query and return its rows. Raises StaleIndex and Unavailable for a table of another layout."""
    found = await query.to_arrow(timeout=_TIMEOUT)
    layout.require_current(found.schema)
    return found


def _group_by_query(found: pa.Table, count: int) -> list[dict[SourceRef, float]]:
    single = "query_index" not in found.column_names
    numbers = [0] * found.num_rows if single else found.column("query_index").to_pylist()
    columns = [found.column(name).to_pylist() for name in (*_REF_COLUMNS, "_distance")]
    each: list[dict[SourceRef, float]] = [{} for _ in range(count)]
    for number, document, chunk, distance in sorted(zip(numbers, *columns, strict=True), key=lambda row: row[3]):
        each[number][SourceRef(document, chunk)] = max(-1.0, min(1.0, 1.0 - distance))
    return each


async def vectors_of(table: AsyncTable, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
    # The index of documents finds the rows to look at; ids have none.
    documents = col("document_id").isin(sorted({ref.document_id for ref in refs}))
    asked = documents & col("id").isin([str(ref) for ref in refs])
    found = await table.query().where(asked).select([*_REF_COLUMNS, "vector"]).to_arrow(timeout=_TIMEOUT)
    return await asyncio.to_thread(_scores_by_ref, found, "vector")


def _cosines(distances: dict[SourceRef, float]) -> dict[SourceRef, float]:
    return {ref: max(-1.0, min(1.0, 1.0 - distance)) for ref, distance in distances.items()}


def _is_ours(table: str) -> bool:
    return table == layout.WORDS or table.startswith(layout.VECTORS)


def _scores_by_ref(found: pa.Table, score: str) -> dict[SourceRef, Any]:
    columns: list[list[Any]] = [found.column(name).to_pylist() for name in (*_REF_COLUMNS, score)]
    return {SourceRef(document, chunk): value for document, chunk, value in zip(*columns, strict=True)}
