"""Private documents."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.ports.repositories.documents import DocumentPage, Documents

_CHOSEN: Final = (
    "FROM private_documents WHERE tenant_id = %(tenant_id)s AND (%(status)s::text IS NULL OR status = %(status)s)"
)


@repository(Documents)
class PostgresDocuments:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "private_documents", PrivateDocument, "document")

    async def add(self, document: PrivateDocument) -> None:
        await self._records.add(document, {**_columns(document), "created_at": document.created_at})

    async def get(self, tenant_id: TenantId, document_id: DocumentId) -> PrivateDocument:
        return await self._records.get(tenant_id, document_id)

    async def save(self, document: PrivateDocument) -> PrivateDocument:
        return await self._records.save(document, _columns(document))

    async def delete(self, tenant_id: TenantId, document_id: DocumentId) -> None:
        query = "DELETE FROM private_documents WHERE id = %s AND tenant_id = %s"
        deleted = await self._session.change(query, (findable(document_id), findable(tenant_id)))
        require(deleted, "document", document_id)

    async def page(self, tenant_id: TenantId, status: DocumentStatus | None, page: int, limit: int) -> DocumentPage:
        parameters = {
            "tenant_id": findable(tenant_id),
            "status": status,
            "limit": limit,
            "offset": (page - 1) * limit,
        }
        rows = await self._session.read(
            f"SELECT {RECORD} {_CHOSEN} ORDER BY created_at DESC, id DESC LIMIT %(limit)s OFFSET %(offset)s",
            parameters,
        )
        [(total,)] = await self._session.read(f"SELECT count(*) {_CHOSEN}", parameters)
        return DocumentPage(tuple(map(self._records.read, rows)), total)

    async def named(self, tenant_id: TenantId, documents: Sequence[DocumentId]) -> list[PrivateDocument]:
        if not documents:
            return []
        rows = await self._session.read(
            f"SELECT {RECORD} FROM private_documents WHERE tenant_id = %s AND id = ANY(%s)",
            (findable(tenant_id), findables(documents)),
        )
        found = {document.id: document for document in map(self._records.read, rows)}
        return [found[id] for id in dict.fromkeys(documents) if id in found]

    async def count(self, tenant_id: TenantId) -> int:
        query = "SELECT count(*) FROM private_documents WHERE tenant_id = %s"
        [(count,)] = await self._session.read(query, (findable(tenant_id),))
        return int(count)


def _columns(document: PrivateDocument) -> dict[str, Any]:
    """What is searched by, beside the record."""
    return {
        "status": document.status.value,
        "content_hash": document.content_hash,
        "address_digest": None if document.url is None else digest(document.url),
    }
