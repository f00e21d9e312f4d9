"""GET, PATCH and DELETE of private documents, and removing documents from the knowledge base of a niche."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from contentgen_core.errors import Conflict, ContentgenError, Faults, FieldError, InvalidInput, NotFound
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.document import (
    MAX_DESCRIPTION,
    MAX_TAG,
    MAX_TAGS,
    MAX_TITLE,
    DocumentStatus,
    PrivateDocument,
)
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.job import JobKind
from contentgen_core.model.knowledge import PRIVATE
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.repositories.documents import DocumentPage, Documents
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.knowledge.retitle_document import RetitleDocument
from contentgen_core.use_cases.synced_sources.manage_sources import MOST_SOURCES
from contentgen_core.use_cases.use_case import use_case


@frozen
class DocumentChanges:
    """UNSET fields are not changed."""

    title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    tags: tuple[str, ...] | UnsetType = UNSET


@use_case
class ManageDocuments:
    unit_of_work: UnitOfWork
    objects: ObjectStore
    apply_changes: ApplyIndexChanges
    retitle: RetitleDocument
    clock: Clock

    async def page(
        self, caller: Caller, status: DocumentStatus | None = None, page: int = 1, limit: int = 20
    ) -> DocumentPage:
        async with self.unit_of_work() as tx:
            return await tx[Documents].page(caller.tenant_id, status, page, limit)

    async def one(self, caller: Caller, document_id: DocumentId) -> PrivateDocument:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[Documents].get(caller.tenant_id, document_id)

    async def edit(self, caller: Caller, document_id: DocumentId, changes: DocumentChanges) -> PrivateDocument:
        """A title reaches searches and the sources of articles. Raises InvalidInput, NotPermitted, NotFound,
        ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        changed: dict[str, Any] = {}
        faults = Faults()
        if changes.title is not UNSET:
            changed["title"] = faults.checked(_needed_title, changes.title)
        if changes.description is not UNSET:
            changed["description"] = faults.checked(_checked_description, changes.description)
        if changes.tags is not UNSET:
            changed["tags"] = faults.checked(_checked_tags, changes.tags)
        faults.require_none()
        async with self.unit_of_work() as tx:
            document = await tx[Documents].get(caller.tenant_id, document_id)
            document = await tx[Documents].save(evolve(document, updated_at=self.clock.now(), **changed))
            retitled = await self.retitle(tx, document.id, document.title)
        if retitled:
            with suppress(ContentgenError):  # the outbox has it
                await self.apply_changes.bring_up_to_date([document.id])
        return document

    async def delete(self, caller: Caller, document_id: DocumentId) -> None:
        """Delete a document; its passages are invisible to every reader at once. Raises NotPermitted, NotFound,
        Unavailable."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            document = await tx[Documents].get(caller.tenant_id, document_id)
        # The original first: a crash after this leaves a document that can be deleted again, and never an original
        # without a record.
        await self.objects.delete(document.object_key)
        async with self.unit_of_work() as tx:
            await tx[Jobs].cancel_subject(caller.tenant_id, document_id, JobKind.PROCESS_DOCUMENT)
            await tx[Knowledge].remove([document_id])
            await tx[Documents].delete(caller.tenant_id, document_id)
        with suppress(ContentgenError):  # the outbox has the removal, and no reader sees the passages
            await self.apply_changes.bring_up_to_date([document_id])

    async def remove(self, caller: Caller, document_id: DocumentId) -> None:
        """Remove one of the tenant's documents from the knowledge base of a niche, such as a page that an enrichment
        found. Raises NotPermitted, NotFound, and Conflict for one of a synced source, which would bring it back."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            history = await tx[Knowledge].history(document_id)
            scope = history.document.scope if history else None
            if history is None or scope is None or scope.tenant_id != caller.tenant_id or scope.niche_key == PRIVATE:
                raise NotFound("document", document_id)
            sources = await tx[SyncedSources].of_tenant(caller.tenant_id, max(MOST_SOURCES.values()))
            if any(history.document.source_key.startswith(source.source_key("")) for source in sources):
                raise Conflict("This document comes from a source that is followed. Remove it there, or the source.")
            await tx[Knowledge].remove([document_id])
        with suppress(ContentgenError):  # the outbox has the removal, and no reader sees the passages
            await self.apply_changes.bring_up_to_date([document_id])


def checked_title(title: str | None) -> str | None:
    """The title on one line; None if it is empty. Raises InvalidInput."""
    text = " ".join((title or "").split())
    if len(text) > MAX_TITLE:
        raise InvalidInput.of("title", f"at most {MAX_TITLE} characters")
    return text or None


def _needed_title(title: str) -> str:
    text = checked_title(title)
    if text is None:
        raise InvalidInput.of("title", "must not be empty")
    return text


def _checked_description(description: str | None) -> str | None:
    text = (description or "").strip()
    if len(text) > MAX_DESCRIPTION:
        raise InvalidInput.of("description", f"at most {MAX_DESCRIPTION} characters")
    return text or None


def _checked_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    if len(tags) > MAX_TAGS:
        raise InvalidInput.of("tags", f"at most {MAX_TAGS}")
    cleaned = [" ".join(tag.split()) for tag in tags]
    faults = [
        FieldError(f"tags[{n}]", f"1 to {MAX_TAG} characters")
        for n, tag in enumerate(cleaned)
        if not 1 <= len(tag) <= MAX_TAG
    ]
    if faults:
        raise InvalidInput(*faults)
    return tuple(dict.fromkeys(cleaned))
