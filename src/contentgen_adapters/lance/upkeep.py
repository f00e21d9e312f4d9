"""The table's indices: their creation and maintenance. Imports lancedb, as store.py does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from lancedb import AsyncTable
from lancedb.index import FTS, Bitmap, BTree, IvfFlat, IvfRq

EXACT_INDEX_FROM: Final = 2_000
"""Rows from which their vectors are held beside each other in memory: comparing with all of them is as exact as over
the rows, in half the time."""
COMPRESSED_INDEX_FROM: Final = 20_000
"""Rows from which vectors are held compressed (RaBitQ: Gao & Long 2024, "RaBitQ: Quantizing High-Dimensional
Vectors"), a seventh of the memory, in partitions of which a search visits the nearest."""
ROWS_PER_PARTITION: Final = 4_096
"""On average. LanceDB's upkeep joins much smaller ones until few are left, and each search would visit all."""

_BITS: Final = 4  # per dimension; with 1, a fifth of the nearest 60 are missed
_KEEP_VERSIONS: Final = timedelta(minutes=30)  # a writer of another process may still be using an old version
_COMPRESSIBLE: Final = 8  # the dimension must be a multiple
_SCALAR_INDICES: Final[Mapping[str, Bitmap | BTree]] = {
    "document_id": BTree(),
    "tenant": Bitmap(),
    "niche_key": Bitmap(),
    "country": Bitmap(),
}


async def ensure_search_indices(table: AsyncTable) -> None:
    """Creates the scalar indices, and the full-text index of a table of words. That has to exist before the first row:
    LanceDB would tokenise by its own rules otherwise."""
    present = {column for index in await table.list_indices() for column in index.columns}
    if "words" in (await table.schema()).names and "words" not in present:
        whole_words = FTS(
            base_tokenizer="whitespace",
            stem=False,
            lower_case=False,
            remove_stop_words=False,
            ascii_folding=False,
            max_token_length=None,
        )
        await table.create_index("words", config=whole_words)
    for column, config in _SCALAR_INDICES.items():
        if column not in present:
            await table.create_index(column, config=config)


async def optimize(table: AsyncTable) -> None:
    """Compacts small files, adds new rows to the indices, deletes old versions."""
    await ensure_search_indices(table)
    if "vector" in (await table.schema()).names:
        await _ensure_vector_index(table, await table.count_rows())
    await table.optimize(cleanup_older_than=_KEEP_VERSIONS)


async def _ensure_vector_index(table: AsyncTable, rows: int) -> None:
    """Trains the vector index again when the table has grown fourfold. LanceDB does not report how many rows an index
    was trained on: its name holds that number."""
    if rows < EXACT_INDEX_FROM:
        return
    dimension = (await table.schema()).field("vector").type.list_size
    kind, config = _vector_index(rows, dimension)
    names = [index.name for index in await table.list_indices() if "vector" in index.columns]
    if any(_is_current(name, kind, rows) for name in names):
        return
    await table.create_index("vector", config=config, name=f"vector_{kind}_{rows}")
    for outgrown in names:
        await table.drop_index(outgrown)


def _vector_index(rows: int, dimension: int) -> tuple[str, IvfFlat | IvfRq]:
    if rows < COMPRESSED_INDEX_FROM:
        return "exact", IvfFlat(distance_type="cosine", num_partitions=1)
    partitions = max(1, rows // ROWS_PER_PARTITION)
    if dimension % _COMPRESSIBLE:
        return "partitioned", IvfFlat(distance_type="cosine", num_partitions=partitions)
    return "compressed", IvfRq(distance_type="cosine", num_partitions=partitions, num_bits=_BITS)


def _is_current(name: str, kind: str, rows: int) -> bool:
    trained = re.fullmatch(rf"vector_{kind}_(\d+)", name)
    return trained is not None and rows < 4 * int(trained[1])
