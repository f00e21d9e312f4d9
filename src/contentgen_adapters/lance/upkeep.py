"""The indices of the table: which there are, and how they follow the rows. Imports lancedb, as store.py does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from math import isqrt
from typing import Final

from lancedb import AsyncTable
from lancedb.index import FTS, Bitmap, BTree, IvfFlat

VECTOR_INDEX_FROM: Final = 20_000
"""Rows from which an approximate index is worth its upkeep; below, comparing with every row takes few milliseconds."""

_KEEP_VERSIONS: Final = timedelta(minutes=30)  # a writer of another process may still stand on an old version
_VECTOR_INDEX: Final = "vector_partitions_"
_SCALAR_INDICES: Final[Mapping[str, Bitmap | BTree]] = {
    "document_id": BTree(),
    "tenant": Bitmap(),
    "niche_key": Bitmap(),
    "country": Bitmap(),
}


async def ensure_search_indices(table: AsyncTable) -> None:
    """Without the full-text index LanceDB would cut words by its own rules; so it is there before the first row."""
    present = {column for index in await table.list_indices() for column in index.columns}
    if "words" not in present:
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


async def fold_in(table: AsyncTable) -> None:
    """Merge small files, bring new rows into the indices, forget old versions."""
    await ensure_search_indices(table)
    rows = await table.count_rows()
    if rows >= VECTOR_INDEX_FROM:
        await _ensure_vector_index(table, isqrt(rows))
    await table.optimize(cleanup_older_than=_KEEP_VERSIONS)


async def _ensure_vector_index(table: AsyncTable, partitions: int) -> None:
    """Trained anew when the table has grown fourfold: folding rows in never adds a partition. LanceDB does not tell
    how many an index has, so its name does."""
    names = [index.name for index in await table.list_indices() if "vector" in index.columns]
    if any(2 * int(name.removeprefix(_VECTOR_INDEX)) > partitions for name in names):
        return
    config = IvfFlat(distance_type="cosine", num_partitions=partitions)
    await table.create_index("vector", config=config, name=f"{_VECTOR_INDEX}{partitions}")
    for outgrown in names:
        await table.drop_index(outgrown)
