"""The truth of the knowledge base."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories import (
    document_revisions,
    embeddings,
    index_changes,
    knowledge_changes,
    knowledge_statistics,
)
from contentgen_adapters.postgres.repositories.knowledge_rows import (
    DOCUMENT,
    DOCUMENT_SEEN,
    PASSAGE,
    SCOPE_SEEN,
    document,
    findables,
    passages,
    view_parameters,
)
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import (
    DocumentHistory,
    KbDocument,
    KbScope,
    KbView,
    Passage,
    PassageVersion,
    TermStatistics,
)
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import Knowledge

_LARGEST_INDEX: Final = 2**31 - 1  # of a chunk, as its column holds it
_DOCUMENTS: Final = "FROM kb_documents d JOIN kb_scopes s ON s.id = d.scope_id"
_PASSAGES: Final = f"{_DOCUMENTS} JOIN kb_passages p ON p.document_id = d.id"

_NAMED: Final = (
    f"SELECT {PASSAGE} FROM unnest(%(named)s::text[], %(indices)s::integer[]) AS named (document_id, chunk_index)"
    # Apart (OFFSET 0): without statistics the planner would read every document of a scope, and with them every passage
    # of a document to find one by its place.
    " CROSS JOIN LATERAL (SELECT * FROM kb_documents WHERE id = named.document_id OFFSET 0) d"
    " JOIN kb_scopes s ON s.id = d.scope_id"
    " CROSS JOIN LATERAL (SELECT * FROM kb_passages WHERE document_id = named.document_id"
    " AND chunk_index = named.chunk_index OFFSET 0) p"
    f" WHERE {DOCUMENT_SEEN}"
)
# The newest of each scope first, which an index has in order; then those of all, and only their first passages.
_SAMPLE: Final = (
    f"WITH newest AS MATERIALIZED (SELECT d.id FROM kb_scopes s CROSS JOIN LATERAL"
    " (SELECT * FROM kb_documents WHERE scope_id = s.id AND deleted_at IS NULL AND passages > 0"
    " AND (%(document_ids)s::text[] IS NULL OR id = ANY(%(document_ids)s::text[]))"
    " ORDER BY created_at DESC, id DESC LIMIT %(limit)s) d"
    f" WHERE {SCOPE_SEEN} ORDER BY d.created_at DESC, d.id DESC LIMIT %(limit)s)"
    f" SELECT {PASSAGE} FROM newest JOIN kb_documents d ON d.id = newest.id JOIN kb_scopes s ON s.id = d.scope_id"
    " CROSS JOIN LATERAL (SELECT * FROM kb_passages WHERE document_id = d.id ORDER BY chunk_index LIMIT 1) p"
    " ORDER BY d.created_at DESC, d.id DESC"
)
_PAGE: Final = (
    f"SELECT {DOCUMENT} FROM kb_scopes s CROSS JOIN LATERAL"
    " (SELECT * FROM kb_documents WHERE scope_id = s.id AND deleted_at IS NULL AND passages > 0"
    " AND (%(document_ids)s::text[] IS NULL OR id = ANY(%(document_ids)s::text[]))"
    " AND (%(time)s::timestamptz IS NULL OR (created_at, id) < (%(time)s, %(id)s))"
    " ORDER BY created_at DESC, id DESC LIMIT %(limit)s) d"
    f" WHERE {SCOPE_SEEN} ORDER BY d.created_at DESC, d.id DESC LIMIT %(limit)s"
)
_LANGUAGES: Final = (
    "SELECT DISTINCT c.language FROM kb_scopes s JOIN kb_corpora c ON c.scope_id = s.id"
    f" WHERE {SCOPE_SEEN} AND c.passages > 0"
)
_LANGUAGES_OF_DOCUMENTS: Final = (
    f"SELECT DISTINCT d.language {_DOCUMENTS} WHERE {DOCUMENT_SEEN}"
    " AND EXISTS (SELECT FROM kb_passages p WHERE p.document_id = d.id)"
)


@repository(Knowledge)
class PostgresKnowledge:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, documents: Sequence[tuple[KbDocument, Sequence[Passage]]]) -> None:
        await knowledge_changes.add(self._session, documents)

    async def remove(self, documents: Iterable[DocumentId]) -> None:
        await knowledge_changes.remove(self._session, documents)

    async def replace(self, documents: Sequence[tuple[KbDocument, Sequence[Passage]]]) -> None:
        await document_revisions.replace(self._session, documents)

    async def rekey(self, document: DocumentId, source_key: str) -> None:
        await self._session.change(
            "UPDATE kb_documents SET source_key = %s, source_digest = %s WHERE id = ANY(%s) AND deleted_at IS NULL",
            (source_key, digest(source_key), findables([document])),
        )

    async def versions(self, documents: Sequence[DocumentId]) -> dict[DocumentId, list[PassageVersion]]:
        return await document_revisions.versions(self._session, documents)

    async def history(self, document: DocumentId) -> DocumentHistory | None:
        return await document_revisions.history(self._session, document)

    async def unused_chunk_indexes(self, documents: Sequence[DocumentId]) -> dict[DocumentId, int]:
        return await document_revisions.unused_chunk_indexes(self._session, documents)

    async def retitle(self, document: KbDocument, passages: Sequence[Passage]) -> None:
        await document_revisions.retitle(self._session, document, passages)

    async def titles(self, documents: Sequence[DocumentId]) -> dict[DocumentId, str]:
        query = "SELECT id, title FROM kb_documents WHERE id = ANY(%s) AND deleted_at IS NULL"
        return {DocumentId(id): title for id, title in await self._session.read(query, (findables(documents),))}

    async def known(self, scope: KbScope, source_keys: Sequence[str]) -> dict[str, KbDocument]:
        scope_id = await knowledge_changes.scope_id(self._session, scope)
        if scope_id is None:
            return {}
        rows = await self._session.read(
            f"SELECT {DOCUMENT} {_DOCUMENTS}"
            " WHERE d.scope_id = %s AND d.source_digest = ANY(%s) AND d.deleted_at IS NULL",
            (scope_id, [digest(key) for key in source_keys]),
        )
        return {found.source_key: found for found in map(document, rows)}

    async def known_content(self, scope: KbScope, content_hashes: Sequence[str]) -> set[str]:
        scope_id = await knowledge_changes.scope_id(self._session, scope)
        if scope_id is None:
            return set()
        rows = await self._session.read(
            "SELECT DISTINCT content_hash FROM kb_documents"
            " WHERE scope_id = %s AND content_hash = ANY(%s) AND deleted_at IS NULL",
            (scope_id, findables(content_hashes)),
        )
        return {content_hash for (content_hash,) in rows}

    async def passages(self, view: KbView, refs: Sequence[SourceRef]) -> dict[SourceRef, Passage]:
        named = [
            ref for ref in dict.fromkeys(refs) if findable(ref.document_id) and 0 <= ref.chunk_index <= _LARGEST_INDEX
        ]
        rows = await self._session.read(
            _NAMED,
            {
                **view_parameters(view),
                "named": [ref.document_id for ref in named],
                "indices": [ref.chunk_index for ref in named],
            },
        )
        found = {(passage.document.id, passage.chunk_index): passage for passage in passages(rows)}
        return {ref: found[key] for ref in named if (key := (ref.document_id, ref.chunk_index)) in found}

    async def passages_of(self, documents: Sequence[DocumentId]) -> list[Passage]:
        rows = await self._session.read(
            f"SELECT {PASSAGE} {_PASSAGES} WHERE d.id = ANY(%s) AND d.deleted_at IS NULL ORDER BY d.id,"
            " coalesce(p.place, p.chunk_index)",
            (findables(documents),),
        )
        return passages(rows)

    async def sample(self, view: KbView, limit: int) -> list[Passage]:
        return passages(await self._session.read(_SAMPLE, {**view_parameters(view), "limit": limit}))

    async def documents(self, view: KbView, after: KbDocument | None, limit: int) -> list[KbDocument]:
        before = {"time": after and after.created_at, "id": after and after.id}
        return [
            document(row)
            for row in await self._session.read(_PAGE, {**view_parameters(view), **before, "limit": limit})
        ]

    async def statistics(self, view: KbView, terms: Mapping[Language, Sequence[str]]) -> dict[Language, TermStatistics]:
        return await knowledge_statistics.read(self._session, view, terms)

    async def languages(self, view: KbView) -> frozenset[Language]:
        query = _LANGUAGES if view.document_ids is None else _LANGUAGES_OF_DOCUMENTS
        rows = await self._session.read(query, view_parameters(view))
        return frozenset(Language(language) for (language,) in rows)

    async def all_documents(self, after: DocumentId | None, limit: int) -> list[DocumentId]:
        rows = await self._session.read(
            "SELECT id FROM kb_documents WHERE id > %s AND deleted_at IS NULL ORDER BY id LIMIT %s",
            (after or "", limit),
        )
        return [id for (id,) in rows]

    async def claim_changes(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[DocumentId]:
        return await index_changes.claim(self._session, worker, now, leased_until, limit)

    async def complete_changes(self, worker: str, documents: Sequence[DocumentId]) -> None:
        await index_changes.applied(self._session, worker, documents)

    async def renew_changes(self, worker: str, leased_until: datetime) -> None:
        await index_changes.renew(self._session, worker, leased_until)

    async def release_changes(self, worker: str) -> None:
        await index_changes.release(self._session, worker)

    async def mark_changed(self, documents: Sequence[DocumentId]) -> None:
        if documents:
            await index_changes.record(self._session, documents)
            await embeddings.queue_everywhere(self._session, findables(documents))

    async def any_indexed(self) -> bool:
        return await index_changes.any_indexed(self._session)

    async def more_indexed_than(self, passages: int) -> bool:
        return await index_changes.more_than(self._session, passages)

    async def pending_changes(self) -> int:
        return await index_changes.pending(self._session)
