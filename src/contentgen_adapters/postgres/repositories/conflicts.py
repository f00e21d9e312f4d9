"""Conflicts of a knowledge base, the searches that find them, and what those have seen."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from psycopg.types.json import Jsonb

from contentgen_adapters.postgres.converter import dumps
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.conflict import Conflict, ConflictSearch, ConflictState, ExaminedDocument
from contentgen_core.model.ids import ConflictId, ConflictSearchId, DocumentId, TenantId
from contentgen_core.ports.repositories.conflicts import Conflicts, ConflictSearches

_CHANGED: Final = (
    "UPDATE conflict_searches SET changed_at = %(at)s WHERE changed_at IS NULL AND id IN ("
    " SELECT c.id FROM kb_documents d JOIN kb_scopes s ON s.id = d.scope_id JOIN conflict_searches c"
    " ON c.niche_key = s.niche_key AND (s.tenant_id IS NULL OR s.tenant_id = c.tenant_id)"
    " WHERE d.id = ANY(%(documents)s) AND d.deleted_at IS NULL"
    " UNION SELECT search_id FROM examined_documents WHERE document_id = ANY(%(documents)s))"
)
_SAVE_EXAMINED: Final = (
    "INSERT INTO examined_documents (search_id, document_id, fingerprint, passages)"
    " SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::jsonb[])"
    " ON CONFLICT (search_id, document_id)"
    " DO UPDATE SET fingerprint = excluded.fingerprint, passages = excluded.passages"
)
_GONE: Final = (
    "SELECT e.document_id FROM examined_documents e WHERE e.search_id = %s AND NOT EXISTS"
    " (SELECT FROM kb_documents d WHERE d.id = e.document_id AND d.deleted_at IS NULL) ORDER BY e.document_id LIMIT %s"
)
_OF_DOCUMENTS: Final = (
    f"SELECT {RECORD}, id FROM conflicts WHERE search_id = %(search)s AND state <> 'outdated'"
    " AND one_document = ANY(%(documents)s)"
    f" UNION SELECT {RECORD}, id FROM conflicts WHERE search_id = %(search)s AND state <> 'outdated'"
    " AND other_document = ANY(%(documents)s)"
    f" UNION SELECT {RECORD}, id FROM conflicts WHERE search_id = %(search)s AND state <> 'outdated'"
    " AND witnesses && %(documents)s::text[] ORDER BY id LIMIT %(limit)s"
)

_OPEN: Final = (
    "SELECT c.record::text, c.revision FROM conflict_searches s CROSS JOIN LATERAL"
    " (SELECT id, record, revision FROM conflicts WHERE search_id = s.id AND state = 'open'"
    " ORDER BY id DESC LIMIT %(limit)s) c WHERE s.tenant_id = %(tenant)s ORDER BY c.id DESC LIMIT %(limit)s"
)


@repository(ConflictSearches)
class PostgresConflictSearches:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "conflict_searches", ConflictSearch, "search for conflicts")

    async def add(self, search: ConflictSearch) -> None:
        columns = {"niche_id": search.niche_id, "niche_key": search.niche_key, "idle": search.job_id is None}
        await self._records.add(search, columns)

    async def get(self, tenant_id: TenantId, search_id: ConflictSearchId) -> ConflictSearch:
        return await self._records.get(tenant_id, search_id)

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> ConflictSearch | None:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM conflict_searches WHERE tenant_id = %s AND niche_key = %s",
            (findable(tenant_id), findable(niche_key)),
        )
        return next((self._records.read(row) for row in rows), None)

    async def save(self, search: ConflictSearch) -> ConflictSearch:
        return await self._records.save(search, {"idle": search.job_id is None})

    async def documents_changed(self, documents: Sequence[DocumentId], at: datetime) -> None:
        await self._session.change(_CHANGED, {"documents": findables(documents), "at": at})

    async def due(self, since: datetime, limit: int) -> list[ConflictSearch]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM conflict_searches WHERE changed_at <= %s AND idle ORDER BY changed_at, id LIMIT %s",
            (since, limit),
        )
        return [self._records.read(row) for row in rows]

    async def set_changed(self, search_id: ConflictSearchId, at: datetime | None) -> None:
        await self._session.change("UPDATE conflict_searches SET changed_at = %s WHERE id = %s", (at, search_id))

    async def examined(
        self, search_id: ConflictSearchId, documents: Sequence[DocumentId]
    ) -> dict[DocumentId, ExaminedDocument]:
        rows = await self._session.read(
            "SELECT document_id, fingerprint, passages FROM examined_documents"
            " WHERE search_id = %s AND document_id = ANY(%s)",
            (findable(search_id), findables(documents)),
        )
        return {
            DocumentId(id): ExaminedDocument(
                search_id, DocumentId(id), fingerprint, {int(index): text for index, text in passages.items()}
            )
            for id, fingerprint, passages in rows
        }

    async def save_examined(self, documents: Sequence[ExaminedDocument]) -> None:
        if not documents:
            return
        await self._session.change(
            _SAVE_EXAMINED,
            (
                [document.search_id for document in documents],
                [document.document_id for document in documents],
                [document.fingerprint for document in documents],
                [Jsonb({str(index): text for index, text in d.passages.items()}) for d in documents],
            ),
        )

    async def gone(self, search_id: ConflictSearchId, limit: int) -> list[DocumentId]:
        return [DocumentId(id) for (id,) in await self._session.read(_GONE, (search_id, limit))]

    async def forget(self, search_id: ConflictSearchId, documents: Sequence[DocumentId]) -> None:
        await self._session.change(
            "DELETE FROM examined_documents WHERE search_id = %s AND document_id = ANY(%s)",
            (findable(search_id), findables(documents)),
        )


@repository(Conflicts)
class PostgresConflicts:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "conflicts", Conflict, "conflict")

    async def add(self, conflicts: Sequence[Conflict]) -> int:
        added = 0
        # Few a batch, since what is found is rare; in one order: two who add the same do not wait for each other.
        for conflict in sorted(conflicts, key=lambda one: (one.search_id, one.key)):
            added += await self._session.change(
                "INSERT INTO conflicts (id, tenant_id, search_id, niche_key, key, state, one_document, other_document,"
                " weaker_document, weaker_since, witnesses, record, revision)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
                " ON CONFLICT (search_id, key) DO NOTHING",
                (
                    conflict.id,
                    conflict.tenant_id,
                    conflict.search_id,
                    conflict.niche_key,
                    conflict.key,
                    conflict.state.value,
                    conflict.one.source.document_id,
                    conflict.other.source.document_id,
                    None if conflict.weaker is None else conflict.weaker.source.document_id,
                    conflict.weaker_since,
                    _witnesses(conflict),
                    dumps(conflict, Conflict),
                    conflict.revision,
                ),
            )
        return added

    async def get(self, tenant_id: TenantId, conflict_id: ConflictId) -> Conflict:
        return await self._records.get(tenant_id, conflict_id)

    async def save(self, conflict: Conflict) -> Conflict:
        losing, weaker = conflict.losing, conflict.weaker
        columns: dict[str, Any] = {
            "state": conflict.state.value,
            "losing_document": None if losing is None else losing.source.document_id,
            "weaker_document": None if weaker is None else weaker.source.document_id,
            "weaker_since": conflict.weaker_since,
            "witnesses": _witnesses(conflict),
        }
        return await self._records.save(conflict, columns)

    async def page(
        self, search_id: ConflictSearchId, state: ConflictState | None, before: ConflictId | None, limit: int
    ) -> list[Conflict]:
        matching = {"search_id": search_id, "state": None if state is None else state.value}
        return await self._records.page(matching, before, limit)

    async def open(self, tenant_id: TenantId, limit: int) -> list[Conflict]:
        rows = await self._session.read(_OPEN, {"tenant": findable(tenant_id), "limit": limit})
        return [self._records.read(row) for row in rows]

    async def count(self, search_id: ConflictSearchId) -> dict[ConflictState, int]:
        rows = await self._session.read(
            "SELECT state, sum(conflicts)::bigint FROM conflict_counts WHERE search_id = %s GROUP BY state"
            " HAVING sum(conflicts) > 0",
            (findable(search_id),),
        )
        return {ConflictState(state): count for state, count in rows}

    async def of_documents(
        self, search_id: ConflictSearchId, documents: Sequence[DocumentId], limit: int
    ) -> list[Conflict]:
        parameters = {"search": findable(search_id), "documents": findables(documents), "limit": limit}
        return [self._records.read(row) for row in await self._session.read(_OF_DOCUMENTS, parameters)]

    async def ended(self, search_id: ConflictSearchId, keys: Sequence[str]) -> dict[str, Conflict]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM conflicts WHERE search_id = %s AND key = ANY(%s) AND state = 'outdated'",
            (findable(search_id), list(keys)),
        )
        return {conflict.key: conflict for conflict in map(self._records.read, rows)}

    async def lost(self, tenant_id: TenantId, niche_key: str, documents: Sequence[DocumentId]) -> list[Conflict]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM conflicts WHERE tenant_id = %s AND niche_key = %s AND losing_document = ANY(%s)"
            " ORDER BY id",
            (findable(tenant_id), findable(niche_key), findables(documents)),
        )
        return [self._records.read(row) for row in rows]

    async def casting_doubt(
        self, tenant_id: TenantId, niche_key: str, documents: Sequence[DocumentId], limit: int
    ) -> list[Conflict]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM conflicts WHERE tenant_id = %s AND niche_key = %s AND weaker_document = ANY(%s)"
            " ORDER BY state, id LIMIT %s",
            (findable(tenant_id), findable(niche_key), findables(documents), limit),
        )
        return [self._records.read(row) for row in rows]


def _witnesses(conflict: Conflict) -> list[str]:
    """The documents that say the same as one of the sides."""
    return sorted({witness.document_id for side in (conflict.one, conflict.other) for witness in side.witnesses})
