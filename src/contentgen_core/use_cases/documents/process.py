"""The job PROCESS_DOCUMENT: from the original to passages that a search finds."""

from __future__ import annotations

import asyncio
import hashlib

from attrs import evolve

from contentgen_core.errors import AlreadyExists, NotFound, UnreadableFile
from contentgen_core.model.document import MAX_TITLE, DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import KbDocument, Origin
from contentgen_core.page_errors import PageUnreadable
from contentgen_core.ports.documents import DocumentSplitter, LanguageDetector, SourceText, UploadReader
from contentgen_core.ports.object_store import ObjectStore
from contentgen_core.ports.page_reader import PageReader, WebPage
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, JobLost, subject_of
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.knowledge.retitle_document import RetitleDocument
from contentgen_core.use_cases.use_case import use_case

WEB_PAGE = "text/markdown"
"""The media type of what is stored of a web page: its main text."""


@use_case
class ProcessDocument:
    runner: AttemptRunner
    objects: ObjectStore
    reader: UploadReader
    pages: PageReader
    splitter: DocumentSplitter
    detector: LanguageDetector
    apply_changes: ApplyIndexChanges
    retitle: RetitleDocument

    async def __call__(self, job: Job) -> None:
        """Bring the document of a claimed job to `ready` or `failed`, or the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            document = await self._document(tx, job)
        if document.url is not None and not document.content_hash:
            document = await self._fetch(job, document)
        content = await self._original(document)
        try:
            source = await self._read(document, content)
            document = evolve(document, title=_title(document, source))
            kb_document = await asyncio.to_thread(self._to_kb_document, document, source)
            passages = await self.splitter.passages(kb_document, source.text, document.tenant_id)
        except UnreadableFile as error:
            raise JobFailed(error.detail) from error
        if not passages:
            raise JobFailed("There is no text in it.")
        async with self.runner.fenced(job) as tx:
            await self._document(tx, job)  # raises if it was deleted meanwhile, so that nothing of it is added
            if not await tx[Knowledge].known(document.scope, [kb_document.source_key]):
                await tx[Knowledge].add([(kb_document, passages)])
        await self.apply_changes.bring_up_to_date([document.id])
        async with self.runner.fenced(job) as tx:
            now = self.runner.clock.now()
            document = await self._document(tx, job)
            ready = evolve(
                document.moved_to(DocumentStatus.READY, now),
                title=_title(document, source),
                language=kb_document.language,
                words=sum(len(passage.text.split()) for passage in passages),
                passages=len(passages),
                published=source.published,
                author=source.author,
            )
            await tx[Documents].save(ready)
            await self.retitle(tx, ready.id, ready.title)  # where it was renamed meanwhile
            await tx[Jobs].finish(job)

    async def _fetch(self, job: Job, document: PrivateDocument) -> PrivateDocument:
        """Read the page and store its text as the original."""
        assert document.url is not None
        try:
            page = await self.pages.read(document.url, document.tenant_id)
        except PageUnreadable as error:
            raise JobFailed(error.detail, retryable=error.retryable) from error
        content = page.text.encode()
        await self.objects.put(document.object_key, content)
        try:
            return await self._store_page(job, document, page, content)
        except JobLost:
            await self._forget_orphan(document)
            raise

    async def _forget_orphan(self, document: PrivateDocument) -> None:
        """Delete the original of a document that was deleted while its page was read."""
        try:
            async with self.runner.unit_of_work() as tx:
                await tx[Documents].get(document.tenant_id, document.id)
        except NotFound:
            await self.objects.delete(document.object_key)

    async def _store_page(self, job: Job, document: PrivateDocument, page: WebPage, content: bytes) -> PrivateDocument:
        async with self.runner.fenced(job) as tx:
            document = await self._document(tx, job)
            title = page.title if document.title == document.url and page.title else document.title
            fetched = evolve(
                document,
                title=title,
                media_type=WEB_PAGE,
                size=len(content),
                content_hash=hashlib.sha256(content).hexdigest(),
                published=page.published,
                author=page.author,
            )
            try:
                return await tx[Documents].save(fetched)
            except AlreadyExists as error:
                raise JobFailed("The tenant has a document with this very text already.") from error

    async def _original(self, document: PrivateDocument) -> bytes:
        try:
            return await self.objects.get(document.object_key)
        except NotFound as error:
            raise JobFailed("Its original is gone from the store. Upload it again.") from error

    async def _read(self, document: PrivateDocument, content: bytes) -> SourceText:
        if document.url is not None:
            return SourceText(
                document.url,
                document.title,
                content.decode(),
                url=document.url,
                published=document.published,
                author=document.author,
            )
        return await self.reader.read(content, document.file_name or "document", document.tenant_id)

    def _to_kb_document(self, document: PrivateDocument, source: SourceText) -> KbDocument:
        return KbDocument(
            id=document.id,
            scope=document.scope,
            source_key=document.id,
            title=document.title,
            language=source.language or self.detector.detect(source.text),
            origin=Origin.DOCUMENT,
            content_hash=document.content_hash,
            created_at=document.created_at,
            url=document.url,
            published=source.published,
            author=source.author,
        )

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        document = await self._document(tx, job)
        await tx[Knowledge].remove([document.id])
        failed = document.moved_to(DocumentStatus.FAILED, self.runner.clock.now())
        await tx[Documents].save(evolve(failed, error=reason))

    async def _document(self, tx: Transaction, job: Job) -> PrivateDocument:
        return await subject_of(job, tx[Documents].get(job.tenant_id, DocumentId(job.subject_id)))


def _title(document: PrivateDocument, source: SourceText) -> str:
    """The title that a person gave, else the one that was found in the file."""
    named = document.file_name is None or document.title != document.file_name[:MAX_TITLE]
    return document.title if named else source.title[:MAX_TITLE]
