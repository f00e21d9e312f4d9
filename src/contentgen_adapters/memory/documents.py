"""Private documents."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.ports.repositories.documents import DocumentPage


class MemoryDocuments:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, document: PrivateDocument) -> None:
        await self._session.writing()
        self._refuse_same(document)
        self._session.private_documents.put(document.id, document)

    async def get(self, tenant_id: TenantId, document_id: DocumentId) -> PrivateDocument:
        document = self._session.private_documents.get(document_id)
        if document is None or document.tenant_id != tenant_id:
            raise NotFound("document", document_id)
        return document

    async def save(self, document: PrivateDocument) -> PrivateDocument:
        await self._session.writing()
        stored = await self.get(document.tenant_id, document.id)
        if stored.revision != document.revision:
            raise ConcurrentChange("The document was changed meanwhile. Read it again and repeat your change.")
        self._refuse_same(document)
        saved = evolve(document, revision=document.revision + 1)
        self._session.private_documents.put(saved.id, saved)
        return saved

    async def delete(self, tenant_id: TenantId, document_id: DocumentId) -> None:
        await self._session.writing()
        await self.get(tenant_id, document_id)
        self._session.private_documents.drop(document_id)

    async def page(self, tenant_id: TenantId, status: DocumentStatus | None, page: int, limit: int) -> DocumentPage:
        chosen = [d for d in self._of(tenant_id) if status is None or d.status is status]
        chosen.sort(key=lambda d: (d.created_at, d.id), reverse=True)
        start = (page - 1) * limit
        return DocumentPage(tuple(chosen[start : start + limit]), len(chosen))

    async def named(self, tenant_id: TenantId, documents: Sequence[DocumentId]) -> list[PrivateDocument]:
        found = {d.id: d for d in self._of(tenant_id)}
        return [found[id] for id in dict.fromkeys(documents) if id in found]

    async def count(self, tenant_id: TenantId) -> int:
        return len(self._of(tenant_id))

    def _of(self, tenant_id: TenantId) -> list[PrivateDocument]:
        return [d for d in self._session.private_documents.rows() if d.tenant_id == tenant_id]

    def _refuse_same(self, document: PrivateDocument) -> None:
        if document.status is DocumentStatus.FAILED:
            return
        for other in self._of(document.tenant_id):
            if other.id == document.id or other.status is DocumentStatus.FAILED:
                continue
            same_page = document.url is not None and other.url == document.url
            if same_page or (document.content_hash and other.content_hash == document.content_hash):
                raise AlreadyExists("The tenant has this document already.")
