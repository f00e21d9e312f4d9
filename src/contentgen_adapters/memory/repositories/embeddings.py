"""Vectors of passages, and which documents still wait for theirs."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import evolve, frozen

from contentgen_adapters.memory.common_tables import DOCUMENTS, PASSAGES
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbView, Understanding, VectorSpace
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.ports.repositories.embeddings import STEPS, Embeddings, KeptVector


@frozen
class SpaceRow:
    """A space of vectors that is used. `whole`: all documents that were there before have been queued."""

    space: VectorSpace
    whole: bool
    used_at: datetime


@frozen
class WaitingDocument:
    """A document that waits for its vectors. `embedded`: how many of its passages have one; `attempts`: that failed."""

    space: VectorSpace
    document_id: DocumentId
    place: int
    asked: bool = False
    embedded: int = 0
    attempts: int = 0
    worker: str | None = None
    leased_until: datetime | None = None


@frozen
class KeptVectorRow:
    space: VectorSpace
    ref: SourceRef
    text_hash: bytes
    vector: Vector


SPACES: Final = TableOf[VectorSpace, SpaceRow]("spaces")
WAITING_DOCUMENTS: Final = TableOf[tuple[VectorSpace, DocumentId], WaitingDocument]("waiting_documents")
WAITING_PLACES: Final = TableOf[VectorSpace, int]("waiting_places")
PASSAGE_VECTORS: Final = TableOf[tuple[VectorSpace, SourceRef], KeptVectorRow]("passage_vectors")


@repository(Embeddings)
class MemoryEmbeddings:
    def __init__(self, session: Session) -> None:
        self._session = session

    def queue_everywhere(self, documents: Iterable[DocumentId]) -> None:
        """Documents that were added, whose texts changed or that have to be indexed anew wait in every space that is
        used, also where a worker has them."""
        documents = list(documents)
        for row in list(self._session[SPACES].rows()):
            self._queue(row.space, documents)

    def forget_passages(self, document: DocumentId, kept: Collection[int]) -> None:
        """The vectors of passages that the document no longer has."""
        for row in list(self._session[PASSAGE_VECTORS].rows()):
            if row.ref.document_id == document and row.ref.chunk_index not in kept:
                self._session[PASSAGE_VECTORS].drop((row.space, row.ref))

    def forget_document(self, document: DocumentId) -> None:
        """A document that was removed waits no longer, and has no vectors."""
        for waiting in list(self._session[WAITING_DOCUMENTS].rows()):
            if waiting.document_id == document:
                self._session[WAITING_DOCUMENTS].drop((waiting.space, document))
        for kept in list(self._session[PASSAGE_VECTORS].rows()):
            if kept.ref.document_id == document:
                self._session[PASSAGE_VECTORS].drop((kept.space, kept.ref))

    async def use(self, space: VectorSpace, now: datetime) -> bool:
        await self._session.writing()
        known = self._session[SPACES].get(space)
        self._session[SPACES].put(space, SpaceRow(space, known is not None and known.whole, now))
        return known is not None and known.whole

    async def whole(self, space: VectorSpace) -> None:
        await self._session.writing()
        if (known := self._session[SPACES].get(space)) is not None:
            self._session[SPACES].put(space, evolve(known, whole=True))

    async def queue(self, space: VectorSpace, documents: Sequence[DocumentId]) -> None:
        await self._session.writing()
        if self._session[SPACES].get(space) is not None:
            self._queue(space, documents)

    async def claim(
        self, space: VectorSpace, worker: str, now: datetime, leased_until: datetime, limit: int
    ) -> list[DocumentId]:
        await self._session.writing()
        free = [w for w in self._waiting(space) if w.leased_until is None or w.leased_until <= now]
        free.sort(key=lambda waiting: (not waiting.asked, waiting.place))
        free = free[:limit]
        chosen = free[:1] if free and free[0].attempts else [w for w in free if not w.attempts]
        for waiting in chosen:
            self._put(evolve(waiting, worker=worker, leased_until=leased_until))
        return [waiting.document_id for waiting in chosen]

    async def advance(self, space: VectorSpace, passages: Mapping[DocumentId, int]) -> None:
        await self._session.writing()
        for waiting in self._named(space, list(passages)):
            self._put(evolve(waiting, embedded=passages[waiting.document_id]))

    async def complete(self, space: VectorSpace, worker: str, documents: Sequence[DocumentId]) -> list[DocumentId]:
        await self._session.writing()
        for waiting in self._named(space, documents):
            if waiting.worker == worker:
                self._session[WAITING_DOCUMENTS].drop((space, waiting.document_id))
        return [document for document in documents if self._session[DOCUMENTS].get(document) is None]

    async def postpone(self, space: VectorSpace, worker: str, documents: Sequence[DocumentId], until: datetime) -> None:
        await self._session.writing()
        for waiting in self._named(space, documents):
            if waiting.worker == worker:
                self._put(evolve(waiting, attempts=waiting.attempts + 1, worker=None, leased_until=until))

    async def attempts(self, space: VectorSpace, documents: Sequence[DocumentId]) -> int:
        return max((waiting.attempts for waiting in self._named(space, documents)), default=0)

    async def renew(self, worker: str, leased_until: datetime) -> None:
        await self._session.writing()
        for waiting in list(self._session[WAITING_DOCUMENTS].rows()):
            if waiting.worker == worker:
                self._put(evolve(waiting, leased_until=leased_until))

    async def release(self, worker: str) -> None:
        await self._session.writing()
        for waiting in list(self._session[WAITING_DOCUMENTS].rows()):
            if waiting.worker == worker:
                self._put(evolve(waiting, worker=None, leased_until=None))

    async def ask(self, space: VectorSpace, documents: Sequence[DocumentId]) -> None:
        await self._session.writing()
        for waiting in self._named(space, documents):
            self._put(evolve(waiting, asked=True))

    async def keep(self, space: VectorSpace, vectors: Sequence[KeptVector]) -> None:
        await self._session.writing()
        if self._session[SPACES].get(space) is None:
            return
        for kept in vectors:
            passages = self._session[PASSAGES].get(DocumentId(kept.ref.document_id)) or ()
            if any(passage.ref == kept.ref for passage in passages):
                row = KeptVectorRow(space, kept.ref, kept.text_hash, _rounded(kept.vector))
                self._session[PASSAGE_VECTORS].put((space, kept.ref), row)

    async def kept(self, space: VectorSpace, refs: Sequence[SourceRef]) -> dict[SourceRef, Vector]:
        found = [self._session[PASSAGE_VECTORS].get((space, ref)) for ref in refs]
        return {row.ref: row.vector for row in found if row is not None}

    async def kept_texts(self, space: VectorSpace, text_hashes: Sequence[bytes]) -> dict[bytes, Vector]:
        wanted = set(text_hashes)
        rows = self._session[PASSAGE_VECTORS].rows()
        return {row.text_hash: row.vector for row in rows if row.space == space and row.text_hash in wanted}

    async def waiting(self, space: VectorSpace) -> int:
        return sum(1 for _ in self._waiting(space))

    async def any_embedded(self, space: VectorSpace) -> bool:
        return self._is_whole(space) and any(
            self._session[PASSAGES].get(document.id)
            and self._session[WAITING_DOCUMENTS].get((space, document.id)) is None
            for document in self._session[DOCUMENTS].rows()
        )

    async def more_embedded_than(self, space: VectorSpace, vectors: int) -> bool:
        waits = any(waiting.space == space for waiting in self._session[WAITING_DOCUMENTS].rows())
        return self._is_whole(space) and not waits and passage_count(self._session) > vectors

    async def all_understood(self, space: VectorSpace, view: KbView) -> bool:
        return self._is_whole(space) and not any(self._waiting_in(space, view))

    async def understanding(self, space: VectorSpace, view: KbView) -> Understanding:
        of = sum(len(self._session[PASSAGES].get(d.id) or ()) for d in self._visible(view))
        missing = sum(
            max(0, len(self._session[PASSAGES].get(waiting.document_id) or ()) - waiting.embedded)
            for waiting in self._waiting_in(space, view)
        )
        return Understanding(of - missing if self._is_whole(space) else 0, of)

    async def unused(self, since: datetime) -> list[VectorSpace]:
        return [row.space for row in self._session[SPACES].rows() if row.used_at < since]

    async def forget(self, space: VectorSpace, limit: int) -> bool:
        await self._session.writing()
        for waiting in self._waiting(space):
            self._session[WAITING_DOCUMENTS].drop((space, waiting.document_id))
        for kept in list(self._session[PASSAGE_VECTORS].rows()):
            if kept.space == space:
                self._session[PASSAGE_VECTORS].drop((space, kept.ref))
        self._session[SPACES].drop(space)
        return True

    def _queue(self, space: VectorSpace, documents: Iterable[DocumentId]) -> None:
        for document in sorted(documents):
            if not self._session[PASSAGES].get(document):
                continue
            if (waiting := self._session[WAITING_DOCUMENTS].get((space, document))) is not None:
                self._put(evolve(waiting, worker=None, leased_until=None, attempts=0, embedded=0))
                continue
            place = (self._session[WAITING_PLACES].get(space) or 0) + 1
            self._session[WAITING_PLACES].put(space, place)
            self._put(WaitingDocument(space, document, place))

    def _put(self, waiting: WaitingDocument) -> None:
        self._session[WAITING_DOCUMENTS].put((waiting.space, waiting.document_id), waiting)

    def _waiting(self, space: VectorSpace) -> list[WaitingDocument]:
        return [waiting for waiting in self._session[WAITING_DOCUMENTS].rows() if waiting.space == space]

    def _named(self, space: VectorSpace, documents: Sequence[DocumentId]) -> list[WaitingDocument]:
        found = [self._session[WAITING_DOCUMENTS].get((space, document)) for document in dict.fromkeys(documents)]
        return [waiting for waiting in found if waiting is not None]

    def _waiting_in(self, space: VectorSpace, view: KbView) -> Iterator[WaitingDocument]:
        seen = {document.id for document in self._visible(view)}
        return (waiting for waiting in self._waiting(space) if waiting.document_id in seen)

    def _visible(self, view: KbView) -> Iterator[KbDocument]:
        for document in self._session[DOCUMENTS].rows():
            if view.sees(document.scope) and (view.document_ids is None or document.id in view.document_ids):
                yield document

    def _is_whole(self, space: VectorSpace) -> bool:
        known = self._session[SPACES].get(space)
        return known is not None and known.whole


def _rounded(vector: Vector) -> Vector:
    return array("f", [max(-(2**15), min(2**15 - 1, round(value * STEPS))) / STEPS for value in vector])


def passage_count(session: Session) -> int:
    """Of all live documents."""
    return sum(len(session[PASSAGES].get(document.id) or ()) for document in session[DOCUMENTS].rows())
