"""Conflicts of a knowledge base, the searches that find them, and what those have seen."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.conflict import Conflict, ConflictSearch, ConflictState, ExaminedDocument
from contentgen_core.model.ids import ConflictId, ConflictSearchId, DocumentId, TenantId


class ConflictSearches(Protocol):
    """One a niche of a tenant; it goes with the niche, and takes its conflicts and what it has seen along."""

    async def add(self, search: ConflictSearch) -> None:
        """Raises AlreadyExists; NotFound for an unknown tenant or niche."""
        ...

    async def get(self, tenant_id: TenantId, search_id: ConflictSearchId) -> ConflictSearch:
        """Raises NotFound."""
        ...

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> ConflictSearch | None: ...

    async def save(self, search: ConflictSearch) -> ConflictSearch:
        """Store a changed search that was read at `search.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def documents_changed(self, documents: Sequence[DocumentId], at: datetime) -> None:
        """Searches that see one of these documents, or have seen one that is gone, are due from then on; those that are
        due already stay so since when they were."""
        ...

    async def due(self, since: datetime, limit: int) -> list[ConflictSearch]:
        """Of any tenant, idle ones whose documents changed at that time or before, the longest due first."""
        ...

    async def set_changed(self, search_id: ConflictSearchId, at: datetime | None) -> None:
        """Since when the search has documents to look at; None: it has none."""
        ...

    async def examined(
        self, search_id: ConflictSearchId, documents: Sequence[DocumentId]
    ) -> dict[DocumentId, ExaminedDocument]:
        """These documents as the search last saw them; those that it never saw are left out."""
        ...

    async def save_examined(self, documents: Sequence[ExaminedDocument]) -> None:
        """Raises NotFound for an unknown search."""
        ...

    async def gone(self, search_id: ConflictSearchId, limit: int) -> list[DocumentId]:
        """Documents that the search saw and that are not live any more."""
        ...

    async def forget(self, search_id: ConflictSearchId, documents: Sequence[DocumentId]) -> None:
        """The search has not seen these documents."""
        ...


class Conflicts(Protocol):
    """A tenant sees its own conflicts only."""

    async def add(self, conflicts: Sequence[Conflict]) -> int:
        """Store those whose key the search does not have yet; how many. Raises NotFound for an unknown search."""
        ...

    async def get(self, tenant_id: TenantId, conflict_id: ConflictId) -> Conflict:
        """Raises NotFound."""
        ...

    async def save(self, conflict: Conflict) -> Conflict:
        """Store a changed conflict that was read at `conflict.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def page(
        self, search_id: ConflictSearchId, state: ConflictState | None, before: ConflictId | None, limit: int
    ) -> list[Conflict]:
        """Newest first. `state`: None for all; `before`: only older ones."""
        ...

    async def open(self, tenant_id: TenantId, limit: int) -> list[Conflict]:
        """Those of all niches that wait for a person, newest first."""
        ...

    async def count(self, search_id: ConflictSearchId) -> dict[ConflictState, int]:
        """How many there are in each state; states without any are left out."""
        ...

    async def of_documents(
        self, search_id: ConflictSearchId, documents: Sequence[DocumentId], limit: int
    ) -> list[Conflict]:
        """Those with a sentence or a witness of one of these documents that are not outdated, in the order of their
        ids."""
        ...

    async def ended(self, search_id: ConflictSearchId, keys: Sequence[str]) -> dict[str, Conflict]:
        """The outdated ones with these keys, by their keys."""
        ...

    async def lost(self, tenant_id: TenantId, niche_key: str, documents: Sequence[DocumentId]) -> list[Conflict]:
        """Those of a niche whose losing side is in one of these documents."""
        ...

    async def casting_doubt(
        self, tenant_id: TenantId, niche_key: str, documents: Sequence[DocumentId], limit: int
    ) -> list[Conflict]:
        """Those of a niche whose weaker side is in one of these documents, decided ones first."""
        ...
