"""Vectors of passages, and which documents still wait for theirs."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import numpy as np

from contentgen_adapters.postgres.repositories.knowledge_rows import (
    DOCUMENT_SEEN,
    MORE_PASSAGES,
    SCOPE_SEEN,
    findables,
    view_parameters,
)
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbView, Understanding, VectorSpace
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.ports.repositories.embeddings import STEPS, Embeddings, KeptVector

_SPACE: Final = "(SELECT id FROM embedding_spaces WHERE model = %(model)s AND dimension = %(dimension)s)"
_OWN: Final = f"w.space_id = {_SPACE} AND w.document_id = ANY(%(documents)s)"
_FREE: Final = "(leased_until IS NULL OR leased_until <= %(now)s)"
_REGISTER: Final = (
    "INSERT INTO embedding_spaces (model, dimension, used_at) VALUES (%(model)s, %(dimension)s, %(now)s)"
    " ON CONFLICT (model, dimension) DO NOTHING"
)
# As if they had just been added: a worker that has one embeds what was there before, or has written to an index that is
# gone. Its lease ends, and its completion with it.
_AGAIN: Final = (
    " ON CONFLICT (space_id, document_id) DO UPDATE SET worker = NULL, leased_until = NULL, attempts = 0, embedded = 0"
)
_QUEUE: Final = (
    "INSERT INTO kb_documents_to_embed (space_id, document_id, scope_id)"
    f" SELECT s.id, d.id, d.scope_id FROM kb_documents d, embedding_spaces s WHERE s.id = {_SPACE}"
    f" AND d.id = ANY(%(documents)s) AND d.deleted_at IS NULL AND d.passages > 0 ORDER BY d.id{_AGAIN}"
)
# For each space that is used: its vectors follow.
_QUEUE_EVERYWHERE: Final = (
    "INSERT INTO kb_documents_to_embed (space_id, document_id, scope_id)"
    " SELECT s.id, d.id, d.scope_id FROM kb_documents d, embedding_spaces s"
    f" WHERE d.id = ANY(%s) AND d.deleted_at IS NULL AND d.passages > 0 ORDER BY d.id, s.id{_AGAIN}"
)
_CLAIM: Final = (
    "WITH first AS MATERIALIZED (SELECT space_id, document_id, attempts, asked, place FROM kb_documents_to_embed"
    f" WHERE space_id = {_SPACE} AND {_FREE} ORDER BY asked DESC, place LIMIT %(limit)s FOR UPDATE SKIP LOCKED),"
    " numbered AS (SELECT *, row_number() OVER next AS at, first_value(attempts) OVER next AS failures FROM first"
    " WINDOW next AS (ORDER BY asked DESC, place)),"
    " chosen AS (SELECT space_id, document_id FROM numbered"
    " WHERE CASE WHEN failures > 0 THEN at = 1 ELSE attempts = 0 END)"
    " UPDATE kb_documents_to_embed w SET worker = %(worker)s, leased_until = %(leased_until)s FROM chosen c"
    " WHERE w.space_id = c.space_id AND w.document_id = c.document_id RETURNING w.asked, w.place, w.document_id"
)
_KEEP: Final = (
    "WITH live AS MATERIALIZED (SELECT p.document_id, p.chunk_index, v.text_hash, v.vector"
    " FROM unnest(%(documents)s::text[], %(indices)s::integer[], %(hashes)s::bytea[], %(vectors)s::bytea[])"
    " AS v (document_id, chunk_index, text_hash, vector)"
    " JOIN kb_passages p ON p.document_id = v.document_id AND p.chunk_index = v.chunk_index"
    " ORDER BY p.document_id, p.chunk_index FOR KEY SHARE OF p)"
    " INSERT INTO kb_passage_vectors (space_id, document_id, chunk_index, text_hash, vector)"
    f" SELECT s.id, l.document_id, l.chunk_index, l.text_hash, l.vector FROM live l, embedding_spaces s"
    f" WHERE s.id = {_SPACE}"
    " ON CONFLICT (document_id, chunk_index, space_id)"
    " DO UPDATE SET text_hash = excluded.text_hash, vector = excluded.vector"
)
_KEPT: Final = (
    "SELECT v.document_id, v.chunk_index, v.vector"
    " FROM unnest(%(documents)s::text[], %(indices)s::integer[]) AS n (document_id, chunk_index)"
    " JOIN kb_passage_vectors v ON v.document_id = n.document_id AND v.chunk_index = n.chunk_index"
    f" WHERE v.space_id = {_SPACE}"
)
_KEPT_TEXTS: Final = (
    "SELECT DISTINCT ON (text_hash) text_hash, vector FROM kb_passage_vectors"
    f" WHERE space_id = {_SPACE} AND text_hash = ANY(%(hashes)s)"
)
_WAITING_IN_VIEW: Final = (
    "FROM kb_scopes s JOIN kb_documents_to_embed w ON w.scope_id = s.id"
    f" WHERE w.space_id = {_SPACE} AND {SCOPE_SEEN}"
    " AND (%(document_ids)s::text[] IS NULL OR w.document_id = ANY(%(document_ids)s::text[]))"
)
_ALL_PASSAGES: Final = (
    "SELECT coalesce(sum(c.passages), 0) FROM kb_scopes s JOIN kb_corpora c ON c.scope_id = s.id WHERE " + SCOPE_SEEN
)
_ALL_PASSAGES_OF_DOCUMENTS: Final = (
    "SELECT coalesce(sum(d.passages), 0) FROM kb_documents d JOIN kb_scopes s ON s.id = d.scope_id WHERE "
    + DOCUMENT_SEEN
)
_NOT_UNDERSTOOD: Final = (
    "SELECT coalesce(sum(greatest(d.passages - w.embedded, 0)), 0) FROM (SELECT w.document_id, w.embedded "
    f"{_WAITING_IN_VIEW}) w JOIN kb_documents d ON d.id = w.document_id WHERE d.deleted_at IS NULL"
)


async def queue_everywhere(session: Session, documents: Sequence[str]) -> None:
    """Documents that were added, whose texts changed or that have to be indexed anew wait in every space that is used,
    also where a worker has them."""
    await session.change(_QUEUE_EVERYWHERE, (list(documents),))


async def forget_documents(session: Session, documents: Sequence[str]) -> None:
    """Documents that were removed wait no longer."""
    await session.change("DELETE FROM kb_documents_to_embed WHERE document_id = ANY(%s)", (list(documents),))


@repository(Embeddings)
class PostgresEmbeddings:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def use(self, space: VectorSpace, now: datetime) -> bool:
        parameters = {**_of(space), "now": now}
        known = "UPDATE embedding_spaces SET used_at = %(now)s WHERE model = %(model)s AND dimension = %(dimension)s"
        rows = await self._session.write(f"{known} RETURNING whole", parameters)
        if not rows:
            # Whoever adds documents locks their scope: those that began before are committed by now, and those that
            # begin later see the space.
            await self._session.change("LOCK TABLE kb_scopes IN EXCLUSIVE MODE")
            await self._session.change(_REGISTER, parameters)
            return False
        return bool(rows[0][0])

    async def whole(self, space: VectorSpace) -> None:
        await self._session.change(f"UPDATE embedding_spaces SET whole = true WHERE id = {_SPACE}", _of(space))

    async def queue(self, space: VectorSpace, documents: Sequence[DocumentId]) -> None:
        await self._session.change(_QUEUE, {**_of(space), "documents": findables(documents)})

    async def claim(
        self, space: VectorSpace, worker: str, now: datetime, leased_until: datetime, limit: int
    ) -> list[DocumentId]:
        parameters = {"worker": worker, "now": now, "leased_until": leased_until, "limit": limit}
        rows = await self._session.write(_CLAIM, {**_of(space), **parameters})
        return [DocumentId(document) for _, _, document in sorted(rows, key=lambda row: (not row[0], row[1]))]

    async def advance(self, space: VectorSpace, passages: Mapping[DocumentId, int]) -> None:
        await self._session.change(
            "UPDATE kb_documents_to_embed w SET embedded = n.embedded"
            " FROM unnest(%(documents)s::text[], %(counts)s::integer[]) AS n (document_id, embedded)"
            f" WHERE w.space_id = {_SPACE} AND w.document_id = n.document_id",
            {**_of(space), "documents": list(passages), "counts": list(passages.values())},
        )

    async def complete(self, space: VectorSpace, worker: str, documents: Sequence[DocumentId]) -> list[DocumentId]:
        parameters = {**_of(space), "documents": findables(documents), "worker": worker}
        await self._session.change(
            f"DELETE FROM kb_documents_to_embed w WHERE {_OWN} AND w.worker = %(worker)s", parameters
        )
        rows = await self._session.read(
            "SELECT id FROM kb_documents WHERE id = ANY(%(documents)s) AND deleted_at IS NULL", parameters
        )
        live = {document for (document,) in rows}
        return [document for document in documents if document not in live]

    async def postpone(self, space: VectorSpace, worker: str, documents: Sequence[DocumentId], until: datetime) -> None:
        await self._session.change(
            "UPDATE kb_documents_to_embed w SET attempts = attempts + 1, worker = NULL, leased_until = %(until)s"
            f" WHERE {_OWN} AND w.worker = %(worker)s",
            {**_of(space), "documents": findables(documents), "worker": worker, "until": until},
        )

    async def attempts(self, space: VectorSpace, documents: Sequence[DocumentId]) -> int:
        rows = await self._session.read(
            f"SELECT coalesce(max(attempts), 0) FROM kb_documents_to_embed w WHERE {_OWN}",
            {**_of(space), "documents": findables(documents)},
        )
        return int(rows[0][0])

    async def renew(self, worker: str, leased_until: datetime) -> None:
        await self._session.change(
            "UPDATE kb_documents_to_embed SET leased_until = %s WHERE worker = %s", (leased_until, worker)
        )

    async def release(self, worker: str) -> None:
        await self._session.change(
            "UPDATE kb_documents_to_embed SET worker = NULL, leased_until = NULL WHERE worker = %s", (worker,)
        )

    async def ask(self, space: VectorSpace, documents: Sequence[DocumentId]) -> None:
        await self._session.change(
            f"UPDATE kb_documents_to_embed w SET asked = true WHERE {_OWN} AND NOT w.asked",
            {**_of(space), "documents": findables(sorted(documents))},
        )

    async def keep(self, space: VectorSpace, vectors: Sequence[KeptVector]) -> None:
        if not vectors:
            return
        await self._session.change(
            _KEEP,
            {
                **_of(space),
                "documents": [kept.ref.document_id for kept in vectors],
                "indices": [kept.ref.chunk_index for kept in vectors],
                "hashes": [kept.text_hash for kept in vectors],
                "vectors": [encoded(kept.vector) for kept in vectors],
            },
        )

    async def kept(self, space: VectorSpace, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
        rows = await self._session.read(
            _KEPT,
            {
                **_of(space),
                "documents": [ref.document_id for ref in refs],
                "indices": [ref.chunk_index for ref in refs],
            },
        )
        return {SourceRef(document, index): decoded(vector) for document, index, vector in rows}

    async def kept_texts(self, space: VectorSpace, text_hashes: Sequence[bytes]) -> dict[bytes, Vector]:
        rows = await self._session.read(_KEPT_TEXTS, {**_of(space), "hashes": list(text_hashes)})
        return {bytes(text_hash): decoded(vector) for text_hash, vector in rows}

    async def waiting(self, space: VectorSpace) -> int:
        query = f"SELECT count(*) FROM kb_documents_to_embed WHERE space_id = {_SPACE}"
        return int((await self._session.read(query, _of(space)))[0][0])

    async def any_embedded(self, space: VectorSpace) -> bool:
        rows = await self._session.read(
            "SELECT EXISTS (SELECT 1 FROM kb_documents d WHERE deleted_at IS NULL AND passages > 0"
            f" AND NOT EXISTS (SELECT 1 FROM kb_documents_to_embed w WHERE w.space_id = {_SPACE}"
            " AND w.document_id = d.id))"
            f" AND EXISTS (SELECT 1 FROM embedding_spaces s WHERE s.id = {_SPACE} AND s.whole)",
            _of(space),
        )
        return bool(rows[0][0])

    async def more_embedded_than(self, space: VectorSpace, vectors: int) -> bool:
        rows = await self._session.read(
            f"SELECT EXISTS (SELECT 1 FROM embedding_spaces s WHERE s.id = {_SPACE} AND s.whole)"
            f" AND NOT EXISTS (SELECT 1 FROM kb_documents_to_embed WHERE space_id = {_SPACE}) AND {MORE_PASSAGES}",
            {**_of(space), "passages": vectors},
        )
        return bool(rows[0][0])

    async def all_understood(self, space: VectorSpace, view: KbView) -> bool:
        query = f"SELECT NOT EXISTS (SELECT 1 {_WAITING_IN_VIEW})"
        rows = await self._session.read(
            f"{query} AND EXISTS (SELECT 1 FROM embedding_spaces WHERE id = {_SPACE} AND whole)",
            {**_of(space), **view_parameters(view)},
        )
        return bool(rows[0][0])

    async def understanding(self, space: VectorSpace, view: KbView) -> Understanding:
        parameters = {**_of(space), **view_parameters(view)}
        every = _ALL_PASSAGES if view.document_ids is None else _ALL_PASSAGES_OF_DOCUMENTS
        of = int((await self._session.read(every, parameters))[0][0])
        missing = int((await self._session.read(_NOT_UNDERSTOOD, parameters))[0][0])
        known = await self._session.read(f"SELECT whole FROM embedding_spaces WHERE id = {_SPACE}", parameters)
        return Understanding(max(0, of - missing) if known and known[0][0] else 0, of)

    async def unused(self, since: datetime) -> list[VectorSpace]:
        rows = await self._session.read("SELECT model, dimension FROM embedding_spaces WHERE used_at < %s", (since,))
        return [VectorSpace(model, dimension) for model, dimension in rows]

    async def forget(self, space: VectorSpace, limit: int) -> bool:
        parameters = {**_of(space), "limit": limit}
        for table in ("kb_documents_to_embed", "kb_passage_vectors"):
            some = f"ARRAY(SELECT ctid FROM {table} WHERE space_id = {_SPACE} LIMIT %(limit)s)"
            if await self._session.change(f"DELETE FROM {table} WHERE ctid = ANY({some})", parameters) >= limit:
                return False
        await self._session.change(f"DELETE FROM embedding_spaces WHERE id = {_SPACE}", parameters)
        return True


def _of(space: VectorSpace) -> dict[str, Any]:
    return {"model": space.model, "dimension": space.dimension}


def encoded(vector: Vector) -> bytes:
    """A vector of unit length as it is kept: 16 bits a number."""
    steps = np.clip(np.rint(np.asarray(vector, dtype=np.float64) * STEPS), -(2**15), 2**15 - 1)
    return steps.astype("<i2").tobytes()


def decoded(vector: bytes) -> Vector:
    """The vector of these bytes."""
    return array("f", (np.frombuffer(vector, dtype="<i2").astype(np.float32) / STEPS).tobytes())
