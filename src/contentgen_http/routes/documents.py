"""Private documents."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model.document import MAX_BYTES, DocumentStatus
from contentgen_core.model.ids import DocumentId
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query, read_upload
from contentgen_http.services import Services
from contentgen_http.wire import documents as wire
from contentgen_http.wire.base import Done, absent_as_none

TAG: Final = "Documents"
MAX_AVAILABLE: Final = 2_000
_ADDS: Final = (errors.NotPermitted, errors.QuotaExceeded, errors.AlreadyExists)


class DocumentRoutes(Controller):
    services: Services

    @operation("GET", "/documents", tag=TAG, query=wire.DocumentQuery, answer=wire.DocumentList)
    async def list_documents(self, request: TenantRequest) -> wire.DocumentList:
        """List private documents.

        Newest first.
        """
        query = read_query(request, wire.DocumentQuery)
        status = None if query.status is UNSET else query.status
        found = await self.services.knowledge.documents.page(request.user, status, query.page, query.limit)
        return wire.DocumentList.of(found, query.page, query.limit)

    @operation("GET", "/documents/available", tag=TAG, answer=wire.AvailableDocuments)
    async def list_available_documents(self, request: TenantRequest) -> wire.AvailableDocuments:
        """List documents to write from.

        Those whose text is searchable: what documentIds of generate-plan may name.
        """
        found = await self.services.knowledge.documents.page(request.user, DocumentStatus.READY, 1, MAX_AVAILABLE)
        return wire.AvailableDocuments.of(found)

    @operation(
        "POST",
        "/documents/upload",
        tag=TAG,
        body=wire.UploadForm,
        body_media="multipart/form-data",
        answer=wire.Document,
        max_body=MAX_BYTES + 64 * KIB,
        raises=(*_ADDS, errors.UnreadableFile),
        slow=True,
    )
    async def upload_document(self, request: TenantRequest) -> wire.Document:
        """Upload a file.

        Its first bytes decide its type before its name does; the field `file` lists the types and the largest size. Its
        text is taken apart in the background: poll GET /documents/{id} until status is ready or failed. 409 for a file
        that you have already.
        """
        upload = await read_upload(request, "file", ("title",))
        added = await self.services.knowledge.add_document.upload(
            request.user, upload.file_name, upload.content, upload.fields.get("title")
        )
        return wire.Document.of(added)

    @operation(
        "POST",
        "/documents/url",
        tag=TAG,
        body=wire.DocumentUrl,
        answer=wire.Document,
        raises=_ADDS,
        example={"url": "https://example.org/"},
    )
    async def add_document_url(self, request: TenantRequest) -> wire.Document:
        """Add a page of the web.

        The page, or the PDF, is read in the background. Addresses in private networks are refused.
        """
        body = await read_body(request, wire.DocumentUrl)
        added = await self.services.knowledge.add_document.from_url(request.user, body.url, absent_as_none(body.title))
        return wire.Document.of(added)

    @operation(
        "POST",
        "/documents/search",
        tag=TAG,
        body=wire.SearchBody,
        answer=wire.SearchResults,
        raises=(errors.StaleIndex, errors.ProviderFailed),
        example={"query": "flow temperature", "limit": 5},
        slow=True,
    )
    async def search_documents(self, request: TenantRequest) -> wire.SearchResults:
        """Search what you may read.

        Private documents and the knowledge base of your activated niches, by words and by meaning, best first, each
        passage with why it was found and its nearest sentence.
        """
        body = await read_body(request, wire.SearchBody)
        return wire.SearchResults.of(await self.services.knowledge.search(request.user, body.query, body.limit))

    @operation("GET", "/documents/{id:str}", tag=TAG, answer=wire.Document, raises=(errors.NotFound,))
    async def get_document(self, request: TenantRequest, id: FromPath[str]) -> wire.Document:
        """Get a document."""
        return wire.Document.of(await self.services.knowledge.documents.one(request.user, _id(id)))

    @operation(
        "PATCH",
        "/documents/{id:str}",
        tag=TAG,
        body=wire.DocumentPatch,
        answer=wire.Document,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
        example={"title": "Heating manual", "tags": ["heating"]},
    )
    async def edit_document(self, request: TenantRequest, id: FromPath[str]) -> wire.Document:
        """Edit a document's title, description and tags."""
        body = await read_body(request, wire.DocumentPatch)
        return wire.Document.of(await self.services.knowledge.documents.edit(request.user, _id(id), body.to_changes()))

    @operation("DELETE", "/documents/{id:str}", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound))
    async def delete_document(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete a document.

        No search finds it from then on, and no article is written from it.
        """
        await self.services.knowledge.documents.delete(request.user, _id(id))
        return Done()


def _id(text: str) -> DocumentId:
    return DocumentId(path_id("document", text))
