"""The calls to LanceDB, one method each, its errors left as they are. Importing this module takes two seconds and
150 MB: only `LanceIndex.open` does, in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import lancedb
import numpy as np
import pyarrow as pa
from lancedb import AsyncConnection, AsyncTable
from lancedb.expr import Expr, col, lit
from lancedb.query import MatchQuery

from contentgen_adapters.lance import layout
from contentgen_adapters.lance.place import behind_seconds
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView
from contentgen_core.ports.knowledge_base import Vector

_TIMEOUT: Final = timedelta(seconds=30)
_PROBED: Final = 20  # partitions of the vector index that are looked into at first
_COMPRESSED: Final = "IvfRq"  # the type of index that compares compressed vectors
_REF_COLUMNS: Final = ["document_id", "chunk_index"]


class Store:
    """One database folder with the one table in it."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    @classmethod
    async def connect(cls, uri: str, storage_options: Mapping[str, str] | None) -> Store:
        return cls(
            await lancedb.connect_async(
                uri,
                read_consistency_interval=timedelta(seconds=behind_seconds(uri)),
                storage_options=dict(storage_options) if storage_options else None,
            )
        )

    def close(self) -> None:
        self._connection.close()  # type: ignore[no-untyped-call]

    async def exists(self) -> bool:
        return layout.TABLE in (await self._connection.list_tables()).tables

    async def open(self) -> AsyncTable:
        return await self._connection.open_table(layout.TABLE)

    async def create(self, model: str, dimension: int) -> None:
        """Make the table unless it is there."""
        await self._connection.create_table(layout.TABLE, schema=layout.schema(model, dimension), exist_ok=True)

    async def overwrite(self, model: str, dimension: int) -> None:
        """Empty the table in one step; readers with an open handle see the new one."""
        await self._connection.create_table(layout.TABLE, schema=layout.schema(model, dimension), mode="overwrite")

    async def drop(self) -> None:
        await self._connection.drop_table(layout.TABLE, ignore_missing=True)


async def upsert(table: AsyncTable, rows: pa.Table) -> None:
    """Add or replace by id. The rows carry the schema of `layout`, no id twice."""
    await table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(rows)


async def first_row(table: AsyncTable) -> None:
    """Read one row, all columns: fails when the files are gone or damaged."""
    await table.query().limit(1).to_arrow(timeout=_TIMEOUT)


async def has_no_rows(table: AsyncTable) -> bool:
    return await table.count_rows() == 0


async def remove(table: AsyncTable, documents: Sequence[DocumentId]) -> None:
    await table.delete(col("document_id").isin(list(documents)))


def visible(view: KbView) -> Expr:
    """The rows a view sees. The tenant's part is always there."""
    seen = (
        col("tenant").isin(sorted({layout.PLATFORM, layout.tenant_value(view.tenant_id)}))
        & (col("niche_key") == lit(view.niche_key))
        & col("country").isin(sorted({layout.ANY_COUNTRY, *view.countries}))
    )
    if view.document_ids is not None:
        seen = seen & col("document_id").isin(sorted(view.document_ids))
    return seen


async def lexical(table: AsyncTable, seen: Expr, words: str, limit: int) -> dict[SourceRef, float]:
    """BM25 of the best rows; a row matches when it holds any of the words. The filter is applied before."""
    match = MatchQuery(words, "words")  # type: ignore[call-arg]  # pydantic fills in the rest
    query = table.query().nearest_to_text(match).where(seen)
    return _by_ref(await query.select([*_REF_COLUMNS, "_score"]).limit(limit).to_arrow(timeout=_TIMEOUT), "_score")


async def nearest(table: AsyncTable, seen: Expr, vector: Vector, limit: int) -> dict[SourceRef, float]:
    """Cosine of the nearest rows. The filter is applied before."""
    query = table.query().nearest_to(np.asarray(vector, dtype=np.float32)).column("vector").distance_type("cosine")
    query = query.where(seen).limit(limit).select([*_REF_COLUMNS, "_distance"])
    if compressed := any(index.index_type == _COMPRESSED for index in await table.list_indices()):
        query = query.refine_factor(1)  # what is found is measured by its own vector
    query = query.minimum_nprobes(_PROBED).maximum_nprobes(_PROBED if compressed else 0)
    found = _by_ref(await query.to_arrow(timeout=_TIMEOUT), "_distance")
    if len(found) < limit and compressed:  # what a narrow filter lets through may lie in any partition
        found = _by_ref(await query.maximum_nprobes(0).to_arrow(timeout=_TIMEOUT), "_distance")
    return {ref: max(-1.0, min(1.0, 1.0 - distance)) for ref, distance in found.items()}


def _by_ref(found: pa.Table, score: str) -> dict[SourceRef, float]:
    columns: list[list[Any]] = [found.column(name).to_pylist() for name in (*_REF_COLUMNS, score)]
    return {SourceRef(document, chunk): value for document, chunk, value in zip(*columns, strict=True)}
