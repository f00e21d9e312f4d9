"""The tables' schemas, metadata and rows. Imports pyarrow: only `LanceIndex.open` may import this module."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from contentgen_adapters.lance.lexicon import words_of
from contentgen_core.errors import StaleIndex, Unavailable
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import Passage
from contentgen_core.ports.knowledge_base import IndexedPassage

WORDS: Final = "passages"
"""The table that is searched by words."""
VECTORS: Final = "vectors_"
"""How the names of tables of vectors begin: one of each model, so that a new one is filled while the old one serves."""
LAYOUT: Final = 3
"""Grows with each change of the columns or of how they are filled. Tables of an older layout are replaced."""

PLATFORM: Final = ""
ANY_COUNTRY: Final = ""

_LAYOUT_KEY: Final = b"contentgen.layout"
# Lance reads the primary key from the field's metadata. With it, concurrent merges of the same new rows conflict and
# are retried; without it both would be inserted.
_PRIMARY_KEY: Final = {"lance-schema:unenforced-primary-key:position": "1"}
_TEXT: Final = pa.string()
# The platform as tenant and a missing country are empty strings, so that equality filters match them.
_SHARED: Final = (
    pa.field("id", _TEXT, nullable=False, metadata=_PRIMARY_KEY),
    pa.field("document_id", _TEXT, nullable=False),
    pa.field("chunk_index", pa.int32(), nullable=False),
    pa.field("tenant", _TEXT, nullable=False),
    pa.field("niche_key", _TEXT, nullable=False),
    pa.field("country", _TEXT, nullable=False),
)


def words_schema() -> pa.Schema:
    return pa.schema([*_SHARED, pa.field("words", _TEXT, nullable=False)], metadata=_identity())


def vectors_schema(dimension: int) -> pa.Schema:
    vector = pa.field("vector", pa.list_(pa.float32(), dimension), nullable=False)
    return pa.schema([*_SHARED, vector], metadata=_identity())


def vectors_table(model: str, dimension: int) -> str:
    """The name of the table of this model's vectors."""
    return VECTORS + hashlib.sha256(f"{model}\n{dimension}".encode()).hexdigest()[:24]


def layout_of(schema: pa.Schema) -> int:
    """Return the layout that a table was made with; 0 if the table names none."""
    named = (schema.metadata or {}).get(_LAYOUT_KEY, b"")
    return int(named) if named.isdigit() else 0


def require_current(schema: pa.Schema) -> None:
    """Check the layout in a schema: of a table, or of a query's answer. Raises StaleIndex, and Unavailable where the
    index has yet to be rebuilt.
    """
    found = layout_of(schema)
    if found > LAYOUT:
        raise StaleIndex(
            f"The search index was written by a newer version (layout {found}, this one reads {LAYOUT}). "
            "Start that version again, or run `contentgen kb reindex` with this one."
        )
    if found < LAYOUT:
        raise Unavailable("The search index is of an older version, and is being rebuilt from the database.")


def word_rows(passages: Sequence[Passage]) -> pa.Table:
    return pa.table([*_shared_columns(passages), _text(map(words_of, passages))], schema=words_schema())


def vector_rows(passages: Sequence[IndexedPassage], dimension: int) -> pa.Table:
    """Return the rows of vectors. `dimension`: of each vector."""
    vectors = np.array([p.vector for p in passages], dtype=np.float32).reshape(-1)
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors), dimension)
    return pa.table([*_shared_columns([p.passage for p in passages]), column], schema=vectors_schema(dimension))


def tenant_value(tenant: TenantId | None) -> str:
    """The value of the column `tenant`; None is the platform. Raises ValueError for an empty id."""
    if tenant is None:
        return PLATFORM
    if not tenant:
        raise ValueError("a tenant's id is never empty")
    return tenant


def _identity() -> dict[bytes, bytes]:
    return {_LAYOUT_KEY: str(LAYOUT).encode()}


def _shared_columns(passages: Sequence[Passage]) -> list[pa.Array]:
    documents = [passage.document for passage in passages]
    return [
        _text(str(passage.ref) for passage in passages),
        _text(d.id for d in documents),
        pa.array([passage.chunk_index for passage in passages], pa.int32()),
        _text(tenant_value(d.scope.tenant_id) for d in documents),
        _text(d.scope.niche_key for d in documents),
        _text(ANY_COUNTRY if d.scope.country is None else d.scope.country for d in documents),
    ]


def _text(values: Iterable[str | None]) -> pa.Array:
    return pa.array(list(values), pa.string())
