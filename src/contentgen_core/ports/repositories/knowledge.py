"""Documents and passages of the knowledge base."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Passage, TermStatistics
from contentgen_core.model.vocabulary import Language


class Knowledge(Protocol):
    """The truth of the knowledge base. Adding and removing documents also puts them into the index outbox and keeps
    the term statistics exact, in the same transaction."""

    async def add(self, documents: Sequence[tuple[KbDocument, Sequence[Passage]]]) -> None:
        """Raises AlreadyExists when a live document of that scope has the same source_key."""
        ...

    async def remove(self, documents: Iterable[DocumentId]) -> None:
        """Tombstone documents with their passages. Idempotent."""
        ...

    async def known(self, scope: KbScope, source_keys: Sequence[str]) -> dict[str, KbDocument]:
        """The live documents of exactly this scope that have one of these keys, by key."""
        ...

    async def known_content(self, scope: KbScope, content_hashes: Sequence[str]) -> set[str]:
        """Which of these contents exist already as live documents of exactly this scope."""
        ...

    async def passages(self, view: KbView, refs: Sequence[SourceRef]) -> dict[SourceRef, Passage]:
        """Those of the named passages that are live and that the view sees, with their terms."""
        ...

    async def passages_of(self, documents: Sequence[DocumentId]) -> list[Passage]:
        """All live passages of these documents, whoever owns them: for the index."""
        ...

    async def sample(self, view: KbView, limit: int) -> list[Passage]:
        """First passages of different documents, the newest documents first: what the KB is about."""
        ...

    async def statistics(self, view: KbView, terms: Mapping[Language, Sequence[str]]) -> dict[Language, TermStatistics]:
        """BM25's figures for the view; a language without passages is left out."""
        ...

    async def languages(self, view: KbView) -> frozenset[Language]:
        """The languages that the view has passages in."""
        ...

    async def all_documents(self, after: DocumentId | None, limit: int) -> list[DocumentId]:
        """Ids of live documents in order, for a rebuild."""
        ...

    async def claim_changes(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[DocumentId]:
        """Documents whose index entry is out of date (added or removed), oldest change first, leased to the worker."""
        ...

    async def changes_applied(self, worker: str, documents: Sequence[DocumentId]) -> None:
        """The index now shows these documents as they were when claimed; a change made since stays pending."""
        ...

    async def release_changes(self, worker: str) -> None:
        """Whatever this worker holds may be claimed by others at once: it stops."""
        ...

    async def changed_again(self, documents: Sequence[DocumentId]) -> None:
        """Have the index brought up to date on these documents, as if they had just changed."""
        ...

    async def pending_changes(self) -> int:
        """How many documents' index entries are out of date, those leased to a worker included."""
        ...
