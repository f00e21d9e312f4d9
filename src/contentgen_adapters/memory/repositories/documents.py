"""Private documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.memory.records import Records, following, page_of
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.ports.repositories.documents import DocumentPage, Documents

PRIVATE_DOCUMENTS: Final = TableOf[DocumentId, PrivateDocument]("private_documents")


@repository(Documents)
class MemoryDocuments:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[PRIVATE_DOCUMENTS], "document")

    async def add(self, document: PrivateDocument) -> None:
        await self._session.writing()
        self._refuse_same(document)
        self._session[PRIVATE_DOCUMENTS].put(document.id, document)

    async def get(self, tenant_id: TenantId, document_id: DocumentId) -> PrivateDocument:
        return await self._records.get(tenant_id, document_id)

    async def save(self, document: PrivateDocument) -> PrivateDocument:
        await self._session.writing()
        saved = following(await self.get(document.tenant_id, document.id), document, "document")
        self._refuse_same(document)
        self._session[PRIVATE_DOCUMENTS].put(saved.id, saved)
        return saved

    async def delete(self, tenant_id: TenantId, document_id: DocumentId) -> None:
        await self._session.writing()
        await self.get(tenant_id, document_id)
        self._session[PRIVATE_DOCUMENTS].drop(document_id)

    async def page(self, tenant_id: TenantId, status: DocumentStatus | None, page: int, limit: int) -> DocumentPage:
        chosen = [d for d in self._records.of(tenant_id) if status is None or d.status is status]
        chosen.sort(key=lambda d: (d.created_at, d.id), reverse=True)
        return DocumentPage(tuple(page_of(chosen, page, limit)), len(chosen))

    async def named(self, tenant_id: TenantId, documents: Sequence[DocumentId]) -> list[PrivateDocument]:
        found = {d.id: d for d in self._records.of(tenant_id)}
        return [found[id] for id in dict.fromkeys(documents) if id in found]

    async def count(self, tenant_id: TenantId) -> int:
        return len(self._records.of(tenant_id))

    def _refuse_same(self, document: PrivateDocument) -> None:
        if document.status is DocumentStatus.FAILED:
            return
        for other in self._records.of(document.tenant_id):
            if other.id == document.id or other.status is DocumentStatus.FAILED:
                continue
            same_page = document.url is not None and other.url == document.url
            if same_page or (document.content_hash and other.content_hash == document.content_hash):
                raise AlreadyExists("The tenant has this document already.")
