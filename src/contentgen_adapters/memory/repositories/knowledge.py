"""The truth of the knowledge base: documents and passages by scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.common_tables import CHANGES, DOCUMENTS, PASSAGES
from contentgen_adapters.memory.repositories.embeddings import MemoryEmbeddings, passage_count
from contentgen_adapters.memory.repositories.index_outbox import IndexOutbox
from contentgen_adapters.memory.repositories.term_counts import TermCounts, counted
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import (
    DocumentHistory,
    DocumentVersion,
    KbDocument,
    KbScope,
    KbView,
    Passage,
    PassageVersion,
    TermStatistics,
)
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import MAX_DOCUMENT_VERSIONS, MAX_VERSIONS, Knowledge

DOCUMENTS_BY_KEY: Final = TableOf[tuple[KbScope, str], DocumentId]("documents_by_key")
CONTENTS: Final = TableOf[tuple[KbScope, str], int]("contents")
PASSAGE_VERSIONS: Final = TableOf[DocumentId, tuple[PassageVersion, ...]]("passage_versions")
DOCUMENT_VERSIONS: Final = TableOf[DocumentId, tuple[DocumentVersion, ...]]("document_versions")
NEXT_CHUNKS: Final = TableOf[DocumentId, int]("next_chunks")


@repository(Knowledge)
class MemoryKnowledge:
    """Only live documents are kept: a tombstone is an entry of the index outbox alone."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._counts = TermCounts(session)
        self._outbox = IndexOutbox(session)
        self._embeddings = MemoryEmbeddings(session)

    async def add(self, documents: Sequence[tuple[KbDocument, Sequence[Passage]]]) -> None:
        await self._session.writing()
        self._refuse_taken([document for document, _ in documents])
        for document, passages in documents:
            self._add(document, tuple(_of(document, passage) for passage in passages))
        self._embeddings.queue_everywhere(document.id for document, _ in documents)

    async def remove(self, documents: Iterable[DocumentId]) -> None:
        await self._session.writing()
        for document_id in documents:
            document = self._session[DOCUMENTS].get(document_id)
            if document is not None:
                self._remove(document)

    async def replace(self, documents: Sequence[tuple[KbDocument, Sequence[Passage]]]) -> None:
        await self._session.writing()
        for document, passages in documents:
            stored = self._session[DOCUMENTS].get(document.id)
            if stored is not None:
                self._replace(stored, document, passages)

    def _replace(self, stored: KbDocument, document: KbDocument, passages: Sequence[Passage]) -> None:
        next_chunk = self._unused_chunk_index(document.id)
        before, after = self._passages(document.id), {passage.chunk_index: passage for passage in passages}
        gone = [p for p in before if not _says_the_same(p, after.get(p.chunk_index))]
        assert document.revised_at is not None
        versions = [PassageVersion(p.chunk_index, p.heading, p.text, document.revised_at) for p in gone]
        known = (*versions, *(self._session[PASSAGE_VERSIONS].get(document.id) or ()))
        self._session[PASSAGE_VERSIONS].put(document.id, known[:MAX_VERSIONS])
        version = DocumentVersion(
            stored.revised_at or stored.created_at,
            document.revised_at,
            stored.title,
            tuple(passage.chunk_index for passage in before),
        )
        former = (version, *(self._session[DOCUMENT_VERSIONS].get(document.id) or ()))[:MAX_DOCUMENT_VERSIONS]
        lost = max((pruned.replaced_at for pruned in known[MAX_VERSIONS:]), default=None)
        kept = tuple(one for one in former if lost is None or one.until > lost)
        self._session[DOCUMENT_VERSIONS].put(document.id, kept)
        self._session[NEXT_CHUNKS].put(document.id, max(next_chunk, *(index + 1 for index in after), 0))
        self._count_content(stored, -1)
        revised = evolve(document, scope=stored.scope, source_key=stored.source_key, created_at=stored.created_at)
        self._session[DOCUMENTS].put(document.id, revised)
        self._count_content(revised, 1)
        self._counts.subtract(before)
        stored_passages = sorted((_of(revised, p) for p in passages), key=lambda p: p.place)
        self._session[PASSAGES].put(document.id, tuple(stored_passages))
        self._counts.add(stored_passages)
        self._embeddings.forget_passages(document.id, after)
        self._outbox.changed(document.id)
        self._embeddings.queue_everywhere([document.id])

    async def rekey(self, document: DocumentId, source_key: str) -> None:
        await self._session.writing()
        stored = self._session[DOCUMENTS].get(document)
        if stored is None or stored.source_key == source_key:
            return
        rekeyed = evolve(stored, source_key=source_key)
        self._refuse_taken([rekeyed])
        self._session[DOCUMENTS].put(document, rekeyed)
        self._session[DOCUMENTS_BY_KEY].drop((stored.scope, stored.source_key))
        self._session[DOCUMENTS_BY_KEY].put((stored.scope, source_key), document)
        self._session[PASSAGES].put(document, tuple(_of(rekeyed, p) for p in self._passages(document)))

    async def versions(self, documents: Sequence[DocumentId]) -> dict[DocumentId, list[PassageVersion]]:
        found = {document: self._session[PASSAGE_VERSIONS].get(document) or () for document in documents}
        return {document: list(versions) for document, versions in found.items() if versions}

    async def history(self, document: DocumentId) -> DocumentHistory | None:
        stored = self._session[DOCUMENTS].get(document)
        if stored is None:
            return None
        return DocumentHistory(stored, self._session[DOCUMENT_VERSIONS].get(document) or ())

    async def unused_chunk_indexes(self, documents: Sequence[DocumentId]) -> dict[DocumentId, int]:
        return {id: self._unused_chunk_index(id) for id in documents if self._session[DOCUMENTS].get(id) is not None}

    def _unused_chunk_index(self, document: DocumentId) -> int:
        highest = max((passage.chunk_index for passage in self._passages(document)), default=-1)
        return max(self._session[NEXT_CHUNKS].get(document) or 0, highest + 1)

    async def retitle(self, document: KbDocument, passages: Sequence[Passage]) -> None:
        await self._session.writing()
        stored = self._session[DOCUMENTS].get(document.id)
        if stored is None:
            return
        retitled = evolve(stored, title=document.title)
        head_terms = {passage.chunk_index: passage.head_terms for passage in passages}
        before = self._passages(document.id)
        after = tuple(
            evolve(p, document=retitled, head_terms=head_terms.get(p.chunk_index, p.head_terms)) for p in before
        )
        self._session[DOCUMENTS].put(document.id, retitled)
        self._counts.subtract(before)
        self._counts.add(after)
        self._session[PASSAGES].put(document.id, after)
        self._outbox.changed(document.id)
        self._embeddings.queue_everywhere([document.id])

    async def titles(self, documents: Sequence[DocumentId]) -> dict[DocumentId, str]:
        found = (self._session[DOCUMENTS].get(document_id) for document_id in documents)
        return {document.id: document.title for document in found if document is not None}

    async def known(self, scope: KbScope, source_keys: Sequence[str]) -> dict[str, KbDocument]:
        found: dict[str, KbDocument] = {}
        for key in source_keys:
            document_id = self._session[DOCUMENTS_BY_KEY].get((scope, key))
            document = None if document_id is None else self._session[DOCUMENTS].get(document_id)
            if document is not None:
                found[key] = document
        return found

    async def known_content(self, scope: KbScope, content_hashes: Sequence[str]) -> set[str]:
        return {content for content in content_hashes if self._session[CONTENTS].get((scope, content))}

    async def passages(self, view: KbView, refs: Sequence[SourceRef]) -> dict[SourceRef, Passage]:
        found: dict[SourceRef, Passage] = {}
        for document_id in dict.fromkeys(DocumentId(ref.document_id) for ref in refs):
            document = self._session[DOCUMENTS].get(document_id)
            if document is not None and _sees(view, document):
                found.update({passage.ref: passage for passage in self._passages(document_id)})
        return {ref: found[ref] for ref in refs if ref in found}

    async def passages_of(self, documents: Sequence[DocumentId]) -> list[Passage]:
        return [passage for document_id in dict.fromkeys(documents) for passage in self._passages(document_id)]

    async def sample(self, view: KbView, limit: int) -> list[Passage]:
        newest = sorted(self._visible(view), key=lambda d: (d.created_at, d.id), reverse=True)
        firsts = (min(passages, key=lambda p: p.chunk_index) for d in newest if (passages := self._passages(d.id)))
        return [passage for passage, _ in zip(firsts, range(limit), strict=False)]

    async def documents(self, view: KbView, after: KbDocument | None, limit: int) -> list[KbDocument]:
        def age(document: KbDocument) -> tuple[datetime, DocumentId]:
            return document.created_at, document.id

        seen = (d for d in self._visible(view) if self._passages(d.id) and (after is None or age(d) < age(after)))
        return nlargest(limit, seen, key=age)

    async def statistics(self, view: KbView, terms: Mapping[Language, Sequence[str]]) -> dict[Language, TermStatistics]:
        if view.document_ids is None:
            return self._counts.of_view(view, terms)
        return counted(self._visible_passages(view), terms)

    async def languages(self, view: KbView) -> frozenset[Language]:
        if view.document_ids is None:
            return self._counts.languages(view)
        return frozenset(passage.document.language for passage in self._visible_passages(view))

    async def all_documents(self, after: DocumentId | None, limit: int) -> list[DocumentId]:
        return sorted(d.id for d in self._session[DOCUMENTS].rows() if after is None or d.id > after)[:limit]

    async def claim_changes(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[DocumentId]:
        await self._session.writing()
        return self._outbox.claim(worker, now, leased_until, limit)

    async def complete_changes(self, worker: str, documents: Sequence[DocumentId]) -> None:
        await self._session.writing()
        self._outbox.applied(worker, documents)

    async def renew_changes(self, worker: str, leased_until: datetime) -> None:
        await self._session.writing()
        self._outbox.renew(worker, leased_until)

    async def release_changes(self, worker: str) -> None:
        await self._session.writing()
        self._outbox.release(worker)

    async def mark_changed(self, documents: Sequence[DocumentId]) -> None:
        await self._session.writing()
        for document_id in sorted(documents):
            self._outbox.changed(document_id)
        self._embeddings.queue_everywhere(documents)

    async def any_indexed(self) -> bool:
        return any(self._session[CHANGES].get(document.id) is None for document in self._session[DOCUMENTS].rows())

    async def more_indexed_than(self, passages: int) -> bool:
        return not self._outbox.pending() and passage_count(self._session) > passages

    async def pending_changes(self) -> int:
        return self._outbox.pending()

    def _refuse_taken(self, documents: Sequence[KbDocument]) -> None:
        """Refuses before anything is added: within the batch as well."""
        keys = [(document.scope, document.source_key) for document in documents]
        if len(set(keys)) < len(keys) or any(self._session[DOCUMENTS_BY_KEY].get(key) is not None for key in keys):
            raise AlreadyExists("A document with this source key is in the knowledge base already.")

    def _add(self, document: KbDocument, passages: tuple[Passage, ...]) -> None:
        tables = self._session
        tables[DOCUMENTS].put(document.id, document)
        tables[DOCUMENTS_BY_KEY].put((document.scope, document.source_key), document.id)
        self._count_content(document, 1)
        tables[PASSAGES].put(document.id, tuple(sorted(passages, key=lambda passage: passage.place)))
        self._counts.add(passages)
        self._outbox.changed(document.id)

    def _remove(self, document: KbDocument) -> None:
        tables = self._session
        self._counts.subtract(self._passages(document.id))
        tables[DOCUMENTS].drop(document.id)
        tables[DOCUMENTS_BY_KEY].drop((document.scope, document.source_key))
        self._count_content(document, -1)
        tables[PASSAGES].drop(document.id)
        tables[PASSAGE_VERSIONS].drop(document.id)
        tables[DOCUMENT_VERSIONS].drop(document.id)
        tables[NEXT_CHUNKS].drop(document.id)
        self._embeddings.forget_document(document.id)
        self._outbox.changed(document.id)

    def _count_content(self, document: KbDocument, sign: int) -> None:
        content = (document.scope, document.content_hash)
        count = (self._session[CONTENTS].get(content) or 0) + sign
        if count:
            self._session[CONTENTS].put(content, count)
        else:
            self._session[CONTENTS].drop(content)

    def _passages(self, document_id: DocumentId) -> tuple[Passage, ...]:
        return self._session[PASSAGES].get(document_id) or ()

    def _visible(self, view: KbView) -> Iterator[KbDocument]:
        if view.document_ids is None:
            return (document for document in self._session[DOCUMENTS].rows() if view.sees(document.scope))
        named = (self._session[DOCUMENTS].get(document_id) for document_id in view.document_ids)
        return (document for document in named if document is not None and view.sees(document.scope))

    def _visible_passages(self, view: KbView) -> Iterator[Passage]:
        return (passage for document in self._visible(view) for passage in self._passages(document.id))


def _of(document: KbDocument, passage: Passage) -> Passage:
    return passage if passage.document is document else evolve(passage, document=document)


def _says_the_same(one: Passage, other: Passage | None) -> bool:
    return other is not None and (one.content_hash, one.heading) == (other.content_hash, other.heading)


def _sees(view: KbView, document: KbDocument) -> bool:
    return view.sees(document.scope) and (view.document_ids is None or document.id in view.document_ids)
