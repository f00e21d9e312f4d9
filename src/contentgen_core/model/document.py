"""Private documents: files and pages that a tenant adds for itself, and the table of their states."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import IllegalTransition
from contentgen_core.model.ids import DocumentId, JobId, TenantId, UserId
from contentgen_core.model.knowledge import PRIVATE, KbScope
from contentgen_core.model.vocabulary import Language

MAX_BYTES: Final = 25 * 1024 * 1024
MAX_TITLE: Final = 300
MAX_DESCRIPTION: Final = 2_000
MAX_TAGS: Final = 20
MAX_TAG: Final = 50


class DocumentStatus(StrEnum):
    PROCESSING = "processing"
    READY = "ready"
    FAILED = "failed"


TRANSITIONS: Final[dict[DocumentStatus, frozenset[DocumentStatus]]] = {
    DocumentStatus.PROCESSING: frozenset({DocumentStatus.READY, DocumentStatus.FAILED}),
    DocumentStatus.READY: frozenset(),
    DocumentStatus.FAILED: frozenset(),
}


@frozen
class PrivateDocument:
    """A private document. `file_name` for an upload, `url` for a page: one of the two. `media_type`: from its bytes.
    `content_hash`: SHA-256 of the original in hex; empty until a page was fetched. Its passages belong to a document of
    the knowledge base with the same id. `published`, `author`: as the file or the page states them. `revision` grows
    with each stored change."""

    id: DocumentId
    tenant_id: TenantId
    title: str
    created_at: datetime
    updated_at: datetime
    created_by: UserId | None = None
    file_name: str | None = None
    url: str | None = None
    media_type: str | None = None
    size: int = 0
    content_hash: str = ""
    description: str | None = None
    tags: tuple[str, ...] = ()
    language: Language | None = None
    status: DocumentStatus = DocumentStatus.PROCESSING
    error: str | None = None
    words: int = 0
    passages: int = 0
    job_id: JobId | None = None
    revision: int = 0
    published: date | None = None
    author: str | None = None

    @property
    def object_key(self) -> str:
        """The key of its original in the object store."""
        return f"{self.tenant_id}/documents/{self.id}"

    @property
    def scope(self) -> KbScope:
        return KbScope(PRIVATE, self.tenant_id)

    def moved_to(self, status: DocumentStatus, now: datetime) -> PrivateDocument:
        """The document in another state. Raises IllegalTransition."""
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"A document that is {self.status} cannot become {status}.")
        return evolve(self, status=status, updated_at=now, job_id=None)
