"""Adding documents to the knowledge base and removing them, statistics and outbox included.

The rows of the scopes concerned are locked first and in order: changes of one scope happen one after another."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.repositories import embeddings, entity_counts, index_changes, knowledge_statistics
from contentgen_adapters.postgres.repositories.knowledge_rows import findables, joined, split
from contentgen_adapters.postgres.repositories.knowledge_statistics import Tally
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, Passage

_REMOVED_AT_ONCE: Final = 100  # documents, so that their terms fit into memory

_COPY_DOCUMENTS: Final = (
    "COPY kb_documents (id, scope_id, source_key, source_digest, title, language, origin, content_hash, created_at,"
    " url, fetched_at, published, author, passages) FROM STDIN"
)
COPY_PASSAGES: Final = (
    "COPY kb_passages (document_id, chunk_index, text, content_hash, heading, terms, head_terms, length, place)"
    " FROM STDIN"
)

Batch = Sequence[tuple[KbDocument, Sequence[Passage]]]


async def add(session: Session, documents: Batch) -> None:
    """Raises AlreadyExists."""
    if not documents:
        return
    scope_ids = await _scope_ids(session, {document.scope for document, _ in documents})
    # Before the lock, which other imports into these scopes wait for.
    document_rows, passage_rows, tallies, named = await asyncio.to_thread(_prepared, documents, scope_ids)
    await lock(session, scope_ids.values())
    await session.copy(_COPY_DOCUMENTS, document_rows)
    await session.copy(COPY_PASSAGES, passage_rows)
    await knowledge_statistics.apply(session, tallies, 1)
    await entity_counts.add(session, named)
    await index_changes.record(session, [document.id for document, _ in documents])
    await embeddings.queue_everywhere(session, [document.id for document, _ in documents])


async def remove(session: Session, documents: Iterable[DocumentId]) -> None:
    remaining = iter(findables(documents))
    while batch := list(islice(remaining, _REMOVED_AT_ONCE)):
        await _remove(session, batch)


async def scope_id(session: Session, scope: KbScope) -> int | None:
    """None: nothing was ever added there."""
    # Said with IS NULL, since no index serves IS NOT DISTINCT FROM.
    tenant = "IS NULL" if scope.tenant_id is None else "= %(tenant_id)s"
    country = "IS NULL" if scope.country is None else "= %(country)s"
    query = f"SELECT id FROM kb_scopes WHERE niche_key = %(niche_key)s AND tenant_id {tenant} AND country {country}"
    rows = await session.read(query, _scope_parameters(scope))
    return rows[0][0] if rows else None


async def _remove(session: Session, documents: list[str]) -> None:
    query = "SELECT DISTINCT scope_id FROM kb_documents WHERE id = ANY(%s) AND deleted_at IS NULL"
    scopes = await session.read(query, (documents,))
    if not scopes:
        return
    await lock(session, [scope for (scope,) in scopes])
    # No clock is at hand here, and nothing depends on the moment: a tombstone's time is for whoever looks at the table.
    removed = await session.write(
        "UPDATE kb_documents SET deleted_at = now() WHERE id = ANY(%s) AND deleted_at IS NULL"
        " RETURNING id, scope_id, language",
        (documents,),
    )
    if not removed:
        return
    ids = [id for id, _, _ in removed]
    query = "DELETE FROM kb_passages WHERE document_id = ANY(%s) RETURNING document_id, terms, head_terms"
    gone = await session.write(query, (ids,))
    corpora = {id: (scope, language) for id, scope, language in removed}
    await knowledge_statistics.apply(session, await asyncio.to_thread(tallied_rows, gone, corpora), -1)
    await session.change("DELETE FROM kb_passage_versions WHERE document_id = ANY(%s)", (ids,))
    await session.change("DELETE FROM kb_document_versions WHERE document_id = ANY(%s)", (ids,))
    await entity_counts.remove(session, ids)
    await index_changes.record(session, ids)
    await embeddings.forget_documents(session, ids)


async def _scope_ids(session: Session, scopes: set[KbScope]) -> dict[KbScope, int]:
    """The numbers of scopes, given out where they have none yet."""
    ids: dict[KbScope, int] = {}
    for scope in sorted(scopes, key=lambda scope: (scope.niche_key, scope.tenant_id or "", scope.country or "")):
        known = await scope_id(session, scope)
        if known is None:
            await session.change(
                "INSERT INTO kb_scopes (niche_key, tenant_id, country)"
                " VALUES (%(niche_key)s, %(tenant_id)s, %(country)s) ON CONFLICT DO NOTHING",
                _scope_parameters(scope),
            )
            known = await scope_id(session, scope)
            assert known is not None
        ids[scope] = known
    return ids


def _scope_parameters(scope: KbScope) -> dict[str, Any]:
    return {"niche_key": scope.niche_key, "tenant_id": scope.tenant_id, "country": scope.country}


async def lock(session: Session, scope_ids: Iterable[int]) -> None:
    # NO KEY: the foreign keys of others' documents may go on pointing here.
    query = "SELECT 1 FROM kb_scopes WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"
    await session.write(query, (sorted(set(scope_ids)),))


def _prepared(
    documents: Batch, scope_ids: dict[KbScope, int]
) -> tuple[list[Row], list[Row], knowledge_statistics.Tallies, entity_counts.Tallies]:
    """Rows for COPY, and what the passages add to the figures. Work of tens of milliseconds: for a thread."""
    document_rows: list[Row] = []
    passage_rows: list[Row] = []
    tallies: dict[tuple[int, str], Tally] = {}
    for document, passages in documents:
        scope, language = scope_ids[document.scope], document.language.value
        document_rows.append(
            (
                document.id,
                scope,
                document.source_key,
                digest(document.source_key),
                document.title,
                language,
                document.origin.value,
                document.content_hash,
                document.created_at,
                document.url,
                document.fetched_at,
                document.published,
                document.author,
                len(passages),
            )
        )
        if not passages:
            continue
        tally = tallies.setdefault((scope, language), Tally())
        for passage in passages:
            tally.count(passage.terms, passage.head_terms)
            passage_rows.append(passage_row(passage))
    return document_rows, passage_rows, tallies, entity_counts.tallied(documents, scope_ids)


def passage_row(passage: Passage) -> Row:
    """For COPY_PASSAGES."""
    return (
        passage.document.id,
        passage.chunk_index,
        passage.text,
        passage.content_hash,
        passage.heading,
        joined(passage.terms),
        joined(passage.head_terms),
        len(passage.terms) + len(passage.head_terms),
        None if passage.place == passage.chunk_index else passage.place,
    )


def tallied_rows(rows: Iterable[Row], corpora: dict[str, tuple[int, str]]) -> knowledge_statistics.Tallies:
    tallies: dict[tuple[int, str], Tally] = {}
    for document_id, terms, head_terms in rows:
        tallies.setdefault(corpora[document_id], Tally()).count(split(terms), split(head_terms))
    return tallies
