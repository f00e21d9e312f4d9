"""Records of private documents; their passages are in the knowledge base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen

from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId, TenantId


@frozen
class DocumentPage:
    documents: tuple[PrivateDocument, ...]
    total: int


class Documents(Protocol):
    async def add(self, document: PrivateDocument) -> None:
        """Raises AlreadyExists when the tenant has a document of the same content, or the same URL."""
        ...

    async def get(self, tenant_id: TenantId, document_id: DocumentId) -> PrivateDocument:
        """Raises NotFound."""
        ...

    async def save(self, document: PrivateDocument) -> PrivateDocument:
        """Store a changed document that was read at `document.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound, AlreadyExists as `add` does."""
        ...

    async def delete(self, tenant_id: TenantId, document_id: DocumentId) -> None:
        """Raises NotFound."""
        ...

    async def page(self, tenant_id: TenantId, status: DocumentStatus | None, page: int, limit: int) -> DocumentPage:
        """Newest first; `total` counts all pages."""
        ...

    async def named(self, tenant_id: TenantId, documents: Sequence[DocumentId]) -> list[PrivateDocument]:
        """Those of the given documents that the tenant has, in the order given."""
        ...

    async def count(self, tenant_id: TenantId) -> int: ...
