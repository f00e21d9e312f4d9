"""The table's schema, metadata and rows. Imports pyarrow: only `LanceIndex.open` may import this module."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from contentgen_adapters.lance.lexicon import words_of
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.knowledge_base import IndexedPassage

TABLE: Final = "passages"
LAYOUT: Final = "2"
"""Grows with each change of the columns or of how they are filled; an index of another layout is stale."""

PLATFORM: Final = ""
ANY_COUNTRY: Final = ""

# Lance reads the primary key from the field's metadata. With it, concurrent merges of the same new rows conflict and
# are retried; without it both would be inserted.
_PRIMARY_KEY: Final = {"lance-schema:unenforced-primary-key:position": "1"}


def schema(model: str, dimension: int) -> pa.Schema:
    """The Arrow schema. The platform as tenant and a missing country are empty strings, so that equality filters match
    them.

    `model`, `dimension`: of the vectors.
    """
    text = pa.string()
    return pa.schema(
        [
            pa.field("id", text, nullable=False, metadata=_PRIMARY_KEY),
            pa.field("document_id", text, nullable=False),
            pa.field("chunk_index", pa.int32(), nullable=False),
            pa.field("tenant", text, nullable=False),
            pa.field("niche_key", text, nullable=False),
            pa.field("country", text, nullable=False),
            pa.field("language", text, nullable=False),
            pa.field("origin", text, nullable=False),
            pa.field("content_hash", text, nullable=False),
            pa.field("url", text),
            pa.field("fetched_at", pa.timestamp("us", tz="UTC")),
            pa.field("words", text, nullable=False),
            pa.field("vector", pa.list_(pa.float32(), dimension), nullable=False),
        ],
        metadata=identity(model, dimension),
    )


def identity(model: str, dimension: int) -> dict[bytes, bytes]:
    """The table's metadata: the embedding model, the dimension and the layout it was built with."""
    return {
        b"contentgen.layout": LAYOUT.encode(),
        b"contentgen.embedding-model": model.encode(),
        b"contentgen.embedding-dimension": str(dimension).encode(),
    }


def rows(passages: Sequence[IndexedPassage], like: pa.Schema) -> pa.Table:
    """The rows of these passages. `like`: the schema; the vectors have its dimension."""
    documents = [p.passage.document for p in passages]
    dimension = like.field("vector").type.list_size
    vectors = np.array([p.vector for p in passages], dtype=np.float32).reshape(-1)
    columns: list[pa.Array] = [
        _text(str(p.passage.ref) for p in passages),
        _text(d.id for d in documents),
        pa.array([p.passage.chunk_index for p in passages], pa.int32()),
        _text(tenant_value(d.scope.tenant_id) for d in documents),
        _text(d.scope.niche_key for d in documents),
        _text(ANY_COUNTRY if d.scope.country is None else d.scope.country for d in documents),
        _text(d.language.value for d in documents),
        _text(d.origin.value for d in documents),
        _text(p.passage.content_hash for p in passages),
        _text(d.url for d in documents),
        pa.array([d.fetched_at for d in documents], pa.timestamp("us", tz="UTC")),
        _text(words_of(p.passage) for p in passages),
        pa.FixedSizeListArray.from_arrays(pa.array(vectors), dimension),
    ]
    return pa.table(columns, schema=like)


def tenant_value(tenant: TenantId | None) -> str:
    """The value of the column `tenant`; None is the platform. Raises ValueError for an empty id."""
    if tenant is None:
        return PLATFORM
    if not tenant:
        raise ValueError("a tenant's id is never empty")
    return tenant


def _text(values: Iterable[str | None]) -> pa.Array:
    return pa.array(list(values), pa.string())
