"""/console/knowledge: the documents, and one with its text, its versions and the articles that rest on it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import PRIVATE, DocumentHistory, Origin
from contentgen_core.model.synced_source import SyncedSource
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.document_catalogue import MOST_COUNTED
from contentgen_core.use_cases.knowledge.browse_documents import MAX_SEARCH
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.knowledge.shared import PER_PAGE, KnowledgePage
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit, page_number

SHOWN_FAILED: Final = 10
MAX_PASSAGE: Final = 1_000_000
_LAST_PAGE: Final = MOST_COUNTED // PER_PAGE


class DocumentPages(KnowledgePage):
    @get("/knowledge")
    async def documents(self, request: Visit) -> Response[str]:
        asked, caller = request.query_params, request.user.caller
        niche, search = asked.get("niche", ""), asked.get("search", "")[:MAX_SEARCH]
        origin, language = asked.get("origin", ""), asked.get("language", "")
        page = page_number(request, _LAST_PAGE)
        niches = await self.niches(request)
        known = niche in (PRIVATE, *(each.niche_key for each in niches))
        found = await self.services.knowledge.browse.page(
            caller,
            niche=niche if known else None,
            search=search or None,
            origin=Origin(origin) if origin in set(Origin) else None,
            language=Language(language) if language in set(Language) else None,
            page=page,
            limit=PER_PAGE,
        )
        return self.show(
            request,
            "knowledge/documents.html",
            documents=found.documents,
            total=found.total,
            counted_all=found.total < MOST_COUNTED,
            page=page,
            pages=max(1, -(-found.total // PER_PAGE)),
            chosen={"search": search, "niche": niche, "origin": origin, "language": language},
            niches=niches,
            names={each.niche_key: each.name for each in niches},
            private=PRIVATE,
            origins=list(Origin),
            languages_of_texts=list(Language),
            **await self._preparing(request),
        )

    @get("/knowledge/preparing")
    async def preparing(self, request: Visit) -> Response[str]:
        """The part of the page that says which documents are being read, and which could not be."""
        return self.show(request, "knowledge/preparing_part.html", polled=True, **await self._preparing(request))

    async def _preparing(self, request: Visit) -> dict[str, Any]:
        documents, caller = self.services.knowledge.documents, request.user.caller
        read = await documents.page(caller, DocumentStatus.PROCESSING, 1, PER_PAGE)
        failed = await documents.page(caller, DocumentStatus.FAILED, 1, SHOWN_FAILED)
        return {"processing": read, "failed": failed}

    @get("/knowledge/documents/{id:str}")
    async def document(self, request: Visit, id: FromPath[str]) -> Response[str]:
        """`asOf`: a time, whose text is shown instead of the present one; `from`: the passage to begin with."""
        caller, document_id, asked = request.user.caller, _id(id), request.query_params
        private, history = await self._found(request, document_id)
        text, first = None, page_number(request, MAX_PASSAGE, "from")
        as_of = _time(asked.get("asOf", ""))
        if history is not None:
            if as_of is not None and as_of < history.kept_since:
                raise InvalidInput.of("asOf", "is before what is kept of this document")
            text = await self.services.knowledge.history.text(caller, document_id, as_of, first - 1, PER_PAGE)
        source = await self._source(request, history)
        return self.show(
            request,
            "knowledge/document.html",
            id=document_id,
            removable=private is not None or _removable(request, history, source),
            private=private,
            history=history,
            document=history.document if history else None,
            niche=await self._niche(request, history),
            source=source,
            text=text,
            first=first,
            step=PER_PAGE,
            as_of=asked.get("asOf", "") if as_of else "",
            articles=await self.services.knowledge.browse.articles_on(caller, document_id),
        )

    @get("/knowledge/documents/{id:str}/delete")
    async def ask_to_delete(self, request: Visit, id: FromPath[str]) -> Response[str]:
        document_id = _id(id)
        private, history = await self._found(request, document_id)
        if private is None and not _removable(request, history, await self._source(request, history)):
            raise NotFound("document", document_id)
        return self.show(
            request,
            "knowledge/delete_document.html",
            id=document_id,
            title=private.title if private else history.document.title if history else "",
            articles=await self.services.knowledge.browse.articles_on(request.user.caller, document_id),
        )

    @post("/knowledge/documents/{id:str}/delete")
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        private, _ = await self._found(request, _id(id))
        documents = self.services.knowledge.documents
        await (documents.delete if private else documents.remove)(request.user.caller, _id(id))
        return to("/console/knowledge", "note-document-deleted")

    async def _found(
        self, request: Visit, document_id: DocumentId
    ) -> tuple[PrivateDocument | None, DocumentHistory | None]:
        """What was added, of a private document, and what is searched, unless it is not read yet. Raises NotFound."""
        caller = request.user.caller
        try:
            private = await self.services.knowledge.documents.one(caller, document_id)
        except NotFound:
            return None, await self.services.knowledge.history.versions(caller, document_id)
        if private.status is not DocumentStatus.READY:
            return private, None
        return private, await self.services.knowledge.history.versions(caller, document_id)

    async def _niche(self, request: Visit, history: DocumentHistory | None) -> str:
        """The name of the niche that the document belongs to; empty for a private one."""
        key = history.document.scope.niche_key if history else PRIVATE
        return next((niche.name for niche in await self.niches(request) if niche.niche_key == key), "")

    async def _source(self, request: Visit, history: DocumentHistory | None) -> SyncedSource | None:
        """The synced source that the document comes from; None where it comes from elsewhere."""
        if history is None or history.document.scope.tenant_id != request.user.caller.tenant_id:
            return None
        sources = await self.services.knowledge.sources.list(request.user.caller)
        key = history.document.source_key
        return next((source for source in sources if key.startswith(source.source_key(""))), None)


def _removable(request: Visit, history: DocumentHistory | None, source: SyncedSource | None) -> bool:
    """Whether the document is the tenant's own, and comes from no source that would bring it back."""
    own = history is not None and history.document.scope.tenant_id == request.user.caller.tenant_id
    return own and source is None


def _id(text: str) -> DocumentId:
    return DocumentId(path_id("document", text))


def _time(text: str) -> datetime | None:
    """None for what is no moment with its zone."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo is not None else None
