"""Changing documents of the knowledge base, which keep their id: another title, another text. Statistics and outbox
included, below the lock of the scope, as for documents that come and go."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories import embeddings, entity_counts, index_changes, knowledge_statistics
from contentgen_adapters.postgres.repositories.knowledge_changes import (
    COPY_PASSAGES,
    Batch,
    lock,
    passage_row,
    tallied_rows,
)
from contentgen_adapters.postgres.repositories.knowledge_rows import DOCUMENT, findables, joined
from contentgen_adapters.postgres.repositories.knowledge_rows import document as document_of
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import DocumentHistory, DocumentVersion, KbDocument, Passage, PassageVersion
from contentgen_core.ports.repositories.knowledge import MAX_DOCUMENT_VERSIONS, MAX_VERSIONS

_TERMS: Final = "SELECT document_id, terms, head_terms FROM kb_passages WHERE document_id = ANY(%s)"
_CONTENTS: Final = "SELECT document_id, chunk_index, content_hash, heading FROM kb_passages WHERE document_id = ANY(%s)"
_LIVE: Final = "SELECT id, scope_id, language FROM kb_documents WHERE id = ANY(%s) AND deleted_at IS NULL"
_UNUSED: Final = (
    "SELECT id, greatest(next_chunk, (SELECT max(chunk_index) + 1 FROM kb_passages WHERE document_id = d.id), 0)"
    " FROM kb_documents d WHERE id = ANY(%s) AND deleted_at IS NULL"
)
_REVISE: Final = (
    "UPDATE kb_documents d SET title = n.title, language = n.language, content_hash = n.content_hash, url = n.url,"
    " fetched_at = n.fetched_at, published = n.published, author = n.author, revised_at = n.revised_at,"
    " passages = n.passages, next_chunk = n.next_chunk FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[],"
    " %s::text[], %s::timestamptz[], %s::date[], %s::text[], %s::timestamptz[], %s::integer[], %s::integer[]) AS n (id,"
    " title, language, content_hash, url, fetched_at, published, author, revised_at, passages, next_chunk)"
    " WHERE d.id = n.id"
)
_NAMED: Final = "unnest(%s::text[], %s::integer[]) AS n (document_id, chunk_index)"
_KEEP: Final = (
    "INSERT INTO kb_passage_versions (document_id, chunk_index, heading, text, replaced_at)"
    f" SELECT p.document_id, p.chunk_index, p.heading, p.text, d.revised_at FROM {_NAMED}"
    " JOIN kb_passages p ON p.document_id = n.document_id AND p.chunk_index = n.chunk_index"
    " JOIN kb_documents d ON d.id = p.document_id ORDER BY p.document_id, coalesce(p.place, p.chunk_index) DESC"
)
_PRUNE: Final = (
    # A version of a document whose passages are not all kept is none.
    "WITH pruned AS (DELETE FROM kb_passage_versions v USING (SELECT document_id, number, row_number() OVER"
    " (PARTITION BY document_id ORDER BY number DESC) AS place FROM kb_passage_versions WHERE document_id = ANY(%s)) o"
    " WHERE v.document_id = o.document_id AND v.number = o.number AND o.place > %s"
    " RETURNING v.document_id, v.replaced_at)"
    " DELETE FROM kb_document_versions d USING pruned p"
    " WHERE d.document_id = p.document_id AND d.until <= p.replaced_at"
)
_KEEP_DOCUMENT: Final = (
    "INSERT INTO kb_document_versions (document_id, since, until, title, chunk_indexes)"
    " SELECT d.id, coalesce(d.revised_at, d.created_at), n.revised_at, d.title, coalesce((SELECT"
    " array_agg(p.chunk_index ORDER BY coalesce(p.place, p.chunk_index)) FROM kb_passages p"
    " WHERE p.document_id = d.id), '{}')"
    " FROM unnest(%s::text[], %s::timestamptz[]) AS n (id, revised_at) JOIN kb_documents d ON d.id = n.id"
)
_PRUNE_DOCUMENTS: Final = (
    "DELETE FROM kb_document_versions v USING (SELECT document_id, number, row_number() OVER"
    " (PARTITION BY document_id ORDER BY number DESC) AS place FROM kb_document_versions WHERE document_id = ANY(%s)) o"
    " WHERE v.document_id = o.document_id AND v.number = o.number AND o.place > %s"
)
_DROP: Final = (
    f"DELETE FROM kb_passages p USING {_NAMED} WHERE p.document_id = n.document_id AND p.chunk_index = n.chunk_index"
)
_CHANGE: Final = (
    "UPDATE kb_passages p SET text = n.text, content_hash = n.content_hash, heading = n.heading, terms = n.terms,"
    " head_terms = n.head_terms, length = n.length, place = n.place"
    " FROM unnest(%s::text[], %s::integer[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::integer[],"
    " %s::integer[]) AS n (document_id, chunk_index, text, content_hash, heading, terms, head_terms, length, place)"
    " WHERE p.document_id = n.document_id AND p.chunk_index = n.chunk_index"
)

Place = tuple[str, int]
"""Document and chunk index."""
Live = dict[str, tuple[int, str]]
"""Scope id and language of documents."""


async def replace(session: Session, documents: Batch) -> None:
    """See `Knowledge.replace`."""
    live = await _locked(session, [document.id for document, _ in documents])
    revised = [(document, passages) for document, passages in documents if document.id in live]
    if not revised:
        return
    ids = [document.id for document, _ in revised]
    before: dict[Place, list[str]] = {
        (id, index): content for id, index, *content in await session.read(_CONTENTS, (ids,))
    }
    former = await session.read(_TERMS, (ids,))
    after = {(p.document.id, p.chunk_index): p for _, passages in revised for p in passages}
    unused = await unused_chunk_indexes(session, ids)
    await session.change(_KEEP_DOCUMENT, (ids, [document.revised_at for document, _ in revised]))
    await session.change(_PRUNE_DOCUMENTS, (ids, MAX_DOCUMENT_VERSIONS))
    await session.change(_REVISE, _revised(revised, unused))
    changed = [at for at, content in before.items() if at not in after or content != _content(after[at])]
    await session.change(_KEEP, _columns(changed))
    await session.change(_PRUNE, (ids, MAX_VERSIONS))
    await session.change(_DROP, _columns([at for at in before if at not in after]))
    if kept := [passage_row(passage) for at, passage in after.items() if at in before]:
        await session.change(_CHANGE, tuple(map(list, zip(*kept, strict=True))))
    await session.copy(COPY_PASSAGES, [passage_row(p) for at, p in after.items() if at not in before])
    await _count_anew(session, revised, live, former)
    await index_changes.record(session, ids)
    await embeddings.queue_everywhere(session, ids)


async def _count_anew(session: Session, revised: Batch, live: Live, former: Sequence[Row]) -> None:
    ids = [document.id for document, _ in revised]
    present = await session.read(_TERMS, (ids,))
    now: Live = {document.id: (live[document.id][0], document.language.value) for document, _ in revised}
    for rows, corpora, sign in ((former, live, -1), (present, now, 1)):
        await knowledge_statistics.apply(session, await asyncio.to_thread(tallied_rows, rows, corpora), sign)
    scope_ids = {document.scope: live[document.id][0] for document, _ in revised}
    named = await asyncio.to_thread(entity_counts.tallied, revised, scope_ids)
    await entity_counts.remove(session, ids)
    await entity_counts.add(session, named)


async def versions(session: Session, documents: Sequence[DocumentId]) -> dict[DocumentId, list[PassageVersion]]:
    rows = await session.read(
        "SELECT v.document_id, v.chunk_index, v.heading, v.text, v.replaced_at FROM kb_passage_versions v"
        " JOIN kb_documents d ON d.id = v.document_id AND d.deleted_at IS NULL"
        " WHERE v.document_id = ANY(%s) ORDER BY v.number DESC",
        (findables(documents),),
    )
    found: dict[DocumentId, list[PassageVersion]] = {}
    for document, *version in rows:
        found.setdefault(DocumentId(document), []).append(PassageVersion(*version))
    return found


async def history(session: Session, document: DocumentId) -> DocumentHistory | None:
    found = await session.read(
        f"SELECT {DOCUMENT} FROM kb_documents d JOIN kb_scopes s ON s.id = d.scope_id"
        " WHERE d.id = %s AND d.deleted_at IS NULL",
        (findable(document),),
    )
    if not found:
        return None
    rows = await session.read(
        "SELECT since, until, title, chunk_indexes FROM kb_document_versions WHERE document_id = %s"
        " ORDER BY number DESC",
        (findable(document),),
    )
    former = (DocumentVersion(since, until, title, tuple(indexes)) for since, until, title, indexes in rows)
    return DocumentHistory(document_of(found[0]), tuple(former))


async def unused_chunk_indexes(session: Session, documents: Sequence[DocumentId]) -> dict[DocumentId, int]:
    rows = await session.read(_UNUSED, (findables(documents),))
    return {DocumentId(id): index for id, index in rows}


async def retitle(session: Session, document: KbDocument, passages: Sequence[Passage]) -> None:
    """See `Knowledge.retitle`."""
    live = await _locked(session, [document.id])
    if not live:
        return
    await session.change("UPDATE kb_documents SET title = %s WHERE id = %s", (document.title, document.id))
    before = await session.read(_TERMS, ([document.id],))
    await session.change(
        "UPDATE kb_passages p SET head_terms = n.head_terms, length = n.length"
        " FROM unnest(%s::integer[], %s::text[], %s::integer[]) AS n (chunk_index, head_terms, length)"
        " WHERE p.document_id = %s AND p.chunk_index = n.chunk_index",
        (
            [passage.chunk_index for passage in passages],
            [joined(passage.head_terms) for passage in passages],
            [len(passage.terms) + len(passage.head_terms) for passage in passages],
            document.id,
        ),
    )
    after = await session.read(_TERMS, ([document.id],))
    await knowledge_statistics.apply(session, await asyncio.to_thread(tallied_rows, before, live), -1)
    await knowledge_statistics.apply(session, await asyncio.to_thread(tallied_rows, after, live), 1)
    await index_changes.record(session, [document.id])
    await embeddings.queue_everywhere(session, [document.id])


async def _locked(session: Session, documents: Sequence[DocumentId]) -> Live:
    """Scope and language of those that are live; their scopes are locked."""
    ids = findables(documents)
    if not (found := await session.read(_LIVE, (ids,))):
        return {}
    await lock(session, [scope_id for _, scope_id, _ in found])
    # What others have done to them until the locks were free.
    return {id: (scope_id, language) for id, scope_id, language in await session.read(_LIVE, (ids,))}


def _content(passage: Passage) -> list[str]:
    return [passage.content_hash, passage.heading]


def _columns(places: Sequence[Place]) -> tuple[list[str], list[int]]:
    return [id for id, _ in places], [index for _, index in places]


def _revised(documents: Batch, unused: Mapping[DocumentId, int]) -> tuple[list[object], ...]:
    """The columns for _REVISE."""
    rows = [
        (
            document.id,
            document.title,
            document.language.value,
            document.content_hash,
            document.url,
            document.fetched_at,
            document.published,
            document.author,
            document.revised_at,
            len(passages),
            max(unused[document.id], *(passage.chunk_index + 1 for passage in passages), 0),
        )
        for document, passages in documents
    ]
    return tuple(map(list, zip(*rows, strict=True)))
