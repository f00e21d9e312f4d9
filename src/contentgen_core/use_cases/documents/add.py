"""POST /documents/upload and /documents/url: store a private document and enqueue its processing."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import Final

from attrs import evolve

from contentgen_core.errors import ContentgenError, InvalidInput
from contentgen_core.model.document import MAX_BYTES, MAX_TITLE, PrivateDocument
from contentgen_core.model.ids import DocumentId, JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.tenancy.quotas import check_included, limit_of, quota_error
from contentgen_core.ports.documents import UploadReader
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.documents.edit import checked_title
from contentgen_core.use_cases.use_case import use_case

MAX_FILE_NAME: Final = 255
MAX_URL: Final = 2_000


@use_case
class AddDocument:
    """Creates every private document."""

    unit_of_work: UnitOfWork
    objects: ObjectStore
    reader: UploadReader
    pages: PageReader
    clock: Clock
    ids: Ids

    async def upload(self, caller: Caller, file_name: str, content: bytes, title: str | None = None) -> PrivateDocument:
        """Store a file; its type is determined from its bytes. `title`: None for the one that is found
        in it, else the words of its name; until it is read, its name.

        Raises InvalidInput (empty, too large, unsupported type), NotPermitted, QuotaExceeded, AlreadyExists (the tenant
        has a file with these bytes), UnreadableFile, Unavailable; then nothing is stored."""
        require_role(caller, Role.EDITOR)
        check_included(caller.plan, Quota.DOCUMENTS)
        name = _file_name(file_name)
        if not content:
            raise InvalidInput.of("file", "is empty")
        if len(content) > MAX_BYTES:
            raise InvalidInput.of("file", f"is larger than {MAX_BYTES // 1024 // 1024} MB")
        media_type = await self.reader.media_type(content, name)
        document = evolve(
            self._new(caller, checked_title(title) or name[:MAX_TITLE]),
            file_name=name,
            media_type=media_type,
            size=len(content),
            content_hash=hashlib.sha256(content).hexdigest(),
        )
        async with self.unit_of_work() as tx:  # before storing the original, which costs most
            await self._check_left(tx, caller)
        await self.objects.put(document.object_key, content)
        try:
            await self._admit(caller, document)
        except BaseException:
            with suppress(ContentgenError):
                await self.objects.delete(document.object_key)
            raise
        return document

    async def from_url(self, caller: Caller, url: str, title: str | None = None) -> PrivateDocument:
        """Add a web page, which the job reads. Raises InvalidInput (an address that can never be read), NotPermitted,
        QuotaExceeded, AlreadyExists (the tenant has this page)."""
        require_role(caller, Role.EDITOR)
        check_included(caller.plan, Quota.DOCUMENTS)
        address = _address(url, self.pages)
        document = evolve(self._new(caller, checked_title(title) or address[:MAX_TITLE]), url=address)
        await self._admit(caller, document)
        return document

    def _new(self, caller: Caller, title: str) -> PrivateDocument:
        now = self.clock.now()
        return PrivateDocument(
            id=DocumentId(self.ids.new()),
            tenant_id=caller.tenant_id,
            title=title,
            created_at=now,
            updated_at=now,
            created_by=caller.user_id,
            job_id=JobId(self.ids.new()),
        )

    async def _admit(self, caller: Caller, document: PrivateDocument) -> None:
        assert document.job_id is not None
        now = document.created_at
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # so that concurrent requests cannot exceed the quota
            await self._check_left(tx, caller)
            await tx[Documents].add(document)
            await tx[Jobs].enqueue(
                Job(document.job_id, JobKind.PROCESS_DOCUMENT, document.tenant_id, document.id, run_at=now)
            )

    async def _check_left(self, tx: Transaction, caller: Caller) -> None:
        limit = limit_of(caller.plan, Quota.DOCUMENTS)
        used = await tx[Documents].count(caller.tenant_id)
        if limit is not None and used >= limit:
            raise quota_error(caller.plan, Quota.DOCUMENTS, used, self.clock.now())


def _file_name(text: str) -> str:
    """The name without directories: clients send paths of either kind."""
    name = text.replace("\\", "/").rpartition("/")[2].strip()
    name = "".join(c for c in name if c.isprintable())
    if not name or len(name) > MAX_FILE_NAME:
        raise InvalidInput.of("file", f"needs a name of at most {MAX_FILE_NAME} characters")
    return name


def _address(url: str, pages: PageReader) -> str:
    if len(url) > MAX_URL:
        raise InvalidInput.of("url", f"at most {MAX_URL} characters")
    fault = pages.fault_of(url.strip())
    if fault is not None:
        raise InvalidInput.of("url", fault)
    return url.strip()
