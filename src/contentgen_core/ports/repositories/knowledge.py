"""Documents and passages of the knowledge base."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

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

MAX_VERSIONS: Final = 500
"""Former texts of passages, of a document."""
MAX_DOCUMENT_VERSIONS: Final = 50


class Knowledge(Protocol):
    """The authoritative store of the knowledge base. Adding and removing documents also records them in the index
    outbox and updates the term statistics, in the same transaction."""

    async def add(self, documents: Sequence[tuple[KbDocument, Sequence[Passage]]]) -> None:
        """Raises AlreadyExists when a live document of that scope has the same source_key."""
        ...

    async def remove(self, documents: Iterable[DocumentId]) -> None:
        """Mark documents with their passages as deleted. Idempotent."""
        ...

    async def replace(self, documents: Sequence[tuple[KbDocument, Sequence[Passage]]]) -> None:
        """Store what live documents of one scope, by their ids, say from their `revised_at` on: title, language, hash,
        address, dates and passages, which are all they have. What passages of the same chunk_index said, and those that
        are no longer, are kept as versions, MAX_VERSIONS a document. Vectors of texts that stay are kept. A document
        that was removed stays so."""
        ...

    async def rekey(self, document: DocumentId, source_key: str) -> None:
        """Give a live document another source_key, which none of its scope has. One that was removed stays so. Raises
        AlreadyExists."""
        ...

    async def versions(self, documents: Sequence[DocumentId]) -> dict[DocumentId, list[PassageVersion]]:
        """What the passages of these live documents said before, newest first, those of one time by their places. Those
        that never changed are left out."""
        ...

    async def history(self, document: DocumentId) -> DocumentHistory | None:
        """A live document and its former versions, MAX_DOCUMENT_VERSIONS at most: those whose passages are all kept.
        None where it is not there."""
        ...

    async def unused_chunk_indexes(self, documents: Sequence[DocumentId]) -> dict[DocumentId, int]:
        """For each live document the lowest chunk_index from which on no passage of it ever had one."""
        ...

    async def retitle(self, document: KbDocument, passages: Sequence[Passage]) -> None:
        """Store the title of a document and the head terms of its passages, which are all it has and else unchanged.
        Where vectors were made with the former title, it waits for new ones. A document that was removed stays so."""
        ...

    async def titles(self, documents: Sequence[DocumentId]) -> dict[DocumentId, str]:
        """The titles of those that are live, of any tenant."""
        ...

    async def known(self, scope: KbScope, source_keys: Sequence[str]) -> dict[str, KbDocument]:
        """The live documents of exactly this scope with one of these keys, by key."""
        ...

    async def known_content(self, scope: KbScope, content_hashes: Sequence[str]) -> set[str]:
        """Which of these contents exist as live documents of exactly this scope."""
        ...

    async def passages(self, view: KbView, refs: Sequence[SourceRef]) -> dict[SourceRef, Passage]:
        """Those of the given passages that are live and visible in the view, with their terms."""
        ...

    async def passages_of(self, documents: Sequence[DocumentId]) -> list[Passage]:
        """All live passages of these documents, of any tenant, each document's by place."""
        ...

    async def sample(self, view: KbView, limit: int) -> list[Passage]:
        """First passages of different documents, the newest documents first: a sample of the subjects."""
        ...

    async def documents(self, view: KbView, after: KbDocument | None, limit: int) -> list[KbDocument]:
        """Documents of the view that have passages, the newest first, those of one time by their ids from the last,
        from the one after `after`."""
        ...

    async def statistics(self, view: KbView, terms: Mapping[Language, Sequence[str]]) -> dict[Language, TermStatistics]:
        """BM25's corpus statistics of the view; a language without passages is left out."""
        ...

    async def languages(self, view: KbView) -> frozenset[Language]:
        """The languages of the view's passages."""
        ...

    async def all_documents(self, after: DocumentId | None, limit: int) -> list[DocumentId]:
        """Ids of live documents in order, from the one after `after`, for a rebuild of the index."""
        ...

    async def claim_changes(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[DocumentId]:
        """Claim documents that were added or removed and are not yet so in the index, oldest change first, leased to
        the worker."""
        ...

    async def complete_changes(self, worker: str, documents: Sequence[DocumentId]) -> None:
        """The index has these documents as they were when claimed; a later change stays pending."""
        ...

    async def renew_changes(self, worker: str, leased_until: datetime) -> None:
        """Lease the changes that this worker has claimed for longer."""
        ...

    async def release_changes(self, worker: str) -> None:
        """Release the changes that this worker has claimed, at its end."""
        ...

    async def mark_changed(self, documents: Sequence[DocumentId]) -> None:
        """Record these documents in the outbox as if they had just changed."""
        ...

    async def any_indexed(self) -> bool:
        """Whether there is a document that is not in the outbox: one that the index has to show by now."""
        ...

    async def more_indexed_than(self, passages: int) -> bool:
        """Whether the outbox is empty, and the index has to show more than so many passages."""
        ...

    async def pending_changes(self) -> int:
        """The number of documents in the outbox, claimed ones included."""
        ...
