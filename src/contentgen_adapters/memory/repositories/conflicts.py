"""Conflicts of a knowledge base, the searches that find them, and what those have seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from contentgen_adapters.memory.common_tables import CONFLICT_SEARCHES, CONFLICTS, DOCUMENTS, NICHES, TENANTS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.conflict import Conflict, ConflictSearch, ConflictState, ExaminedDocument
from contentgen_core.model.ids import ConflictId, ConflictSearchId, DocumentId, TenantId
from contentgen_core.ports.repositories.conflicts import Conflicts, ConflictSearches

CONFLICTS_DUE: Final = TableOf[ConflictSearchId, datetime]("conflicts_due")
EXAMINED_DOCUMENTS: Final = TableOf[tuple[ConflictSearchId, DocumentId], ExaminedDocument]("examined_documents")


@repository(ConflictSearches)
class MemoryConflictSearches:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[CONFLICT_SEARCHES], "search for conflicts")

    async def add(self, search: ConflictSearch) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], search.tenant_id, "tenant")
        existing(self._session[NICHES], search.niche_id, "niche")
        if await self.of_niche(search.tenant_id, search.niche_key) is not None:
            raise AlreadyExists("This niche has a search for conflicts already.")
        self._session[CONFLICT_SEARCHES].put(search.id, search)

    async def get(self, tenant_id: TenantId, search_id: ConflictSearchId) -> ConflictSearch:
        return await self._records.get(tenant_id, search_id)

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> ConflictSearch | None:
        return next((search for search in self._records.of(tenant_id) if search.niche_key == niche_key), None)

    async def save(self, search: ConflictSearch) -> ConflictSearch:
        return await self._records.save(search)

    async def documents_changed(self, documents: Sequence[DocumentId], at: datetime) -> None:
        await self._session.writing()
        live = [self._session[DOCUMENTS].get(document) for document in documents]
        scopes = {document.scope for document in live if document is not None}
        seen = {search for (search, document), _ in self._session[EXAMINED_DOCUMENTS].items() if document in documents}
        for search in self._session[CONFLICT_SEARCHES].rows():
            sees = any(s.niche_key == search.niche_key and s.tenant_id in (None, search.tenant_id) for s in scopes)
            if (sees or search.id in seen) and self._session[CONFLICTS_DUE].get(search.id) is None:
                self._session[CONFLICTS_DUE].put(search.id, at)

    async def due(self, since: datetime, limit: int) -> list[ConflictSearch]:
        found = []
        for search_id, at in self._session[CONFLICTS_DUE].items():
            search = self._session[CONFLICT_SEARCHES].get(search_id)
            if search is not None and search.job_id is None and at <= since:
                found.append((at, search.id, search))
        return [search for *_, search in sorted(found, key=lambda one: one[:2])[:limit]]

    async def set_changed(self, search_id: ConflictSearchId, at: datetime | None) -> None:
        await self._session.writing()
        if at is None:
            self._session[CONFLICTS_DUE].drop(search_id)
        else:
            self._session[CONFLICTS_DUE].put(search_id, at)

    async def examined(
        self, search_id: ConflictSearchId, documents: Sequence[DocumentId]
    ) -> dict[DocumentId, ExaminedDocument]:
        found = {document: self._session[EXAMINED_DOCUMENTS].get((search_id, document)) for document in documents}
        return {document: examined for document, examined in found.items() if examined is not None}

    async def save_examined(self, documents: Sequence[ExaminedDocument]) -> None:
        await self._session.writing()
        for examined in documents:
            existing(self._session[CONFLICT_SEARCHES], examined.search_id, "search for conflicts")
            self._session[EXAMINED_DOCUMENTS].put((examined.search_id, examined.document_id), examined)

    async def gone(self, search_id: ConflictSearchId, limit: int) -> list[DocumentId]:
        seen = sorted(d for (search, d), _ in self._session[EXAMINED_DOCUMENTS].items() if search == search_id)
        return [document for document in seen if self._session[DOCUMENTS].get(document) is None][:limit]

    async def forget(self, search_id: ConflictSearchId, documents: Sequence[DocumentId]) -> None:
        await self._session.writing()
        for document in documents:
            self._session[EXAMINED_DOCUMENTS].drop((search_id, document))


@repository(Conflicts)
class MemoryConflicts:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[CONFLICTS], "conflict")

    async def add(self, conflicts: Sequence[Conflict]) -> int:
        await self._session.writing()
        added = 0
        for conflict in conflicts:
            existing(self._session[CONFLICT_SEARCHES], conflict.search_id, "search for conflicts")
            if all(known.key != conflict.key for known in self._of(conflict.search_id)):
                self._session[CONFLICTS].put(conflict.id, conflict)
                added += 1
        return added

    async def get(self, tenant_id: TenantId, conflict_id: ConflictId) -> Conflict:
        return await self._records.get(tenant_id, conflict_id)

    async def save(self, conflict: Conflict) -> Conflict:
        return await self._records.save(conflict)

    async def page(
        self, search_id: ConflictSearchId, state: ConflictState | None, before: ConflictId | None, limit: int
    ) -> list[Conflict]:
        found = [c for c in self._of(search_id) if state in (None, c.state) and (not before or c.id < before)]
        return sorted(found, key=lambda conflict: conflict.id, reverse=True)[:limit]

    async def open(self, tenant_id: TenantId, limit: int) -> list[Conflict]:
        found = [c for c in self._records.of(tenant_id) if c.state is ConflictState.OPEN]
        return sorted(found, key=lambda conflict: conflict.id, reverse=True)[:limit]

    async def count(self, search_id: ConflictSearchId) -> dict[ConflictState, int]:
        return dict(Counter(conflict.state for conflict in self._of(search_id)))

    async def of_documents(
        self, search_id: ConflictSearchId, documents: Sequence[DocumentId], limit: int
    ) -> list[Conflict]:
        found = [
            c
            for c in self._of(search_id)
            if c.state is not ConflictState.OUTDATED and not (c.one.said_by | c.other.said_by).isdisjoint(documents)
        ]
        return sorted(found, key=lambda conflict: conflict.id)[:limit]

    async def ended(self, search_id: ConflictSearchId, keys: Sequence[str]) -> dict[str, Conflict]:
        return {c.key: c for c in self._of(search_id) if c.state is ConflictState.OUTDATED and c.key in keys}

    async def lost(self, tenant_id: TenantId, niche_key: str, documents: Sequence[DocumentId]) -> list[Conflict]:
        own = [c for c in self._records.of(tenant_id) if c.niche_key == niche_key]
        found = [c for c in own if c.losing is not None and c.losing.source.document_id in documents]
        return sorted(found, key=lambda conflict: conflict.id)

    async def casting_doubt(
        self, tenant_id: TenantId, niche_key: str, documents: Sequence[DocumentId], limit: int
    ) -> list[Conflict]:
        own = [c for c in self._records.of(tenant_id) if c.niche_key == niche_key]
        found = [c for c in own if c.weaker is not None and c.weaker.source.document_id in documents]
        return sorted(found, key=lambda conflict: (conflict.state, conflict.id))[:limit]

    def _of(self, search_id: ConflictSearchId) -> list[Conflict]:
        return [conflict for conflict in self._session[CONFLICTS].rows() if conflict.search_id == search_id]


def drop_search(session: Session, search_id: ConflictSearchId) -> None:
    """Drop a search with its conflicts and what it has seen."""
    for conflict in [c for c in session[CONFLICTS].rows() if c.search_id == search_id]:
        session[CONFLICTS].drop(conflict.id)
    for key in [key for key, _ in session[EXAMINED_DOCUMENTS].items() if key[0] == search_id]:
        session[EXAMINED_DOCUMENTS].drop(key)
    session[CONFLICTS_DUE].drop(search_id)
    session[CONFLICT_SEARCHES].drop(search_id)
