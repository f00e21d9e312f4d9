"""Importing sources into the knowledge base. Idempotent for the same content."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing
from typing import TypeAlias

from attrs import frozen

from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import PRIVATE, KbDocument, KbScope, Origin, Passage
from contentgen_core.policies.text.authors import author_of
from contentgen_core.ports.documents import LanguageDetector, SourceSplitter, SourceText, Unsplit
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument, sha256
from contentgen_core.use_cases.knowledge.revise_documents import revise
from contentgen_core.use_cases.knowledge.split_sources import Split, SplitSources
from contentgen_core.use_cases.use_case import use_case

# Limits a transaction, so that memory does not grow with the size of an import. Whatever a batch repeats of a term is
# counted in one row; the first one is smaller, so that the database soon has something to do.
FIRST_BATCH_PASSAGES = 500
BATCH_PASSAGES = 2_000

Batch: TypeAlias = list[tuple[KbDocument, list[Passage]]]


@frozen
class _Part:
    """The documents of an import that are stored in one transaction. `without_text`: sources that were left out."""

    batch: Batch
    without_text: int


@frozen
class _Read:
    """A document as it was read, with the passages of it that are kept."""

    document: KbDocument
    kept: list[Passage]
    without_text: bool


@frozen
class ImportReport:
    """The documents by outcome, and the passages added. `without_text`: sources that hold nothing to read, and were
    left out."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    passages: int = 0
    without_text: int = 0

    def plus(self, other: ImportReport) -> ImportReport:
        return ImportReport(
            self.added + other.added,
            self.updated + other.updated,
            self.unchanged + other.unchanged,
            self.passages + other.passages,
            self.without_text + other.without_text,
        )


@use_case
class ImportSources:
    """`splitter`: takes the texts of a large import apart in other processes as well; None: in a thread alone."""

    unit_of_work: UnitOfWork
    chunk: ChunkDocument
    detector: LanguageDetector
    clock: Clock
    ids: Ids
    splitter: SourceSplitter | None = None

    async def __call__(
        self,
        scope: KbScope,
        sources: Iterable[SourceText],
        origin: Origin = Origin.IMPORT,
        on_progress: Callable[[ImportReport], None] = lambda _: None,
        keep: Callable[[Passage], bool] | None = None,
    ) -> ImportReport:
        """Store sources in batches; each batch is stored completely or not at all. `sources` is consumed lazily, in a
        thread. `keep` is called for each passage, in order; a source without a kept passage is left out.

        A source whose key exists in the scope replaces its former text, and the document and the passages that it
        keeps stay the same ones; one whose content exists under another key is left out, and what it said before is
        removed. Raises
        NotFound for a tenant's scope whose niche does not exist (any more). An exception from `sources` is raised after
        the batches before it are stored."""
        total = ImportReport()
        split = SplitSources(self.chunk, self.splitter)
        unsplit = (self._unsplit(scope, origin, source) for source in sources)
        async with aclosing(split(unsplit)) as parts, aclosing(_read(parts, keep)) as read:
            following = asyncio.create_task(_next_batch(read, FIRST_BATCH_PASSAGES))
            try:
                while (part := await following).batch:
                    following = asyncio.create_task(_next_batch(read, BATCH_PASSAGES))  # while this one is stored
                    try:
                        report = await self._store(scope, part.batch)
                    except AlreadyExists:  # another import stored one of these meanwhile: now it is found
                        report = await self._store(scope, part.batch)
                    total = total.plus(report).plus(ImportReport(without_text=part.without_text))
                    on_progress(total)
                total = total.plus(ImportReport(without_text=part.without_text))
            finally:
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
        return total

    def _unsplit(self, scope: KbScope, origin: Origin, source: SourceText) -> Unsplit:
        document = KbDocument(
            id=DocumentId(self.ids.new()),
            scope=scope,
            source_key=source.source_key,
            title=source.title,
            language=source.language or self.detector.detect(source.text),
            origin=origin,
            content_hash=content_hash(source),
            created_at=self.clock.now(),
            url=source.url,
            fetched_at=source.fetched_at,
            published=source.published,
            author=author_of(source.author),  # a program that brings its own sources may state anything
        )
        return Unsplit(document, source.text)

    async def _store(self, scope: KbScope, batch: Batch) -> ImportReport:
        async with self.unit_of_work() as tx:
            if scope.tenant_id is not None and scope.niche_key != PRIVATE:
                await tx[Niches].lock(scope.tenant_id, scope.niche_key)
            known = await tx[Knowledge].known(scope, [document.source_key for document, _ in batch])
            same = await tx[Knowledge].known_content(scope, [document.content_hash for document, _ in batch])
            changed = {key for d, _ in batch if (key := d.source_key) in known and not _is_same(d, known[key])}
            fresh: Batch = []
            # What only a source of this batch has that changes is not there any more.
            seen = set(same) - {known[key].content_hash for key in changed}
            for document, passages in batch:
                if document.content_hash not in seen:
                    seen.add(document.content_hash)
                    fresh.append((document, passages))
            stored = {document.source_key for document, _ in fresh}
            await tx[Knowledge].remove([known[key].id for key in sorted(changed - stored)])  # it says what another says
            replaced = [(known[d.source_key], d, passages) for d, passages in fresh if d.source_key in known]
            added = [(d, passages) for d, passages in fresh if d.source_key not in known]
            await revise(tx, replaced, self.clock.now())
            await tx[Knowledge].add(added)
        return ImportReport(
            added=len(fresh) - len(replaced),
            updated=len(replaced),
            unchanged=len(batch) - len(fresh),
            passages=sum(len(passages) for _, passages in fresh),
        )


async def _read(parts: AsyncIterator[Split], keep: Callable[[Passage], bool] | None) -> AsyncGenerator[_Read, None]:
    """Yield one document after the other."""
    async for part in parts:
        kept = (
            [passages for _, passages in part] if keep is None else await asyncio.to_thread(_keep_passages, part, keep)
        )
        for (document, passages), of_it in zip(part, kept, strict=True):
            yield _Read(document, of_it, without_text=not passages)


def _keep_passages(part: Split, keep: Callable[[Passage], bool]) -> list[list[Passage]]:
    return [[passage for passage in passages if keep(passage)] for _, passages in part]


async def _next_batch(documents: AsyncIterator[_Read], most_passages: int) -> _Part:
    batch: dict[str, tuple[KbDocument, list[Passage]]] = {}
    passages = without_text = 0
    async for read in documents:
        without_text += read.without_text
        if read.kept:  # of a key twice in one batch the later text counts, as in two batches
            batch[read.document.source_key] = (read.document, read.kept)
            passages += len(read.kept)
        if passages >= most_passages or len(batch) >= most_passages // 2:
            break
    return _Part(list(batch.values()), without_text)


def content_hash(source: SourceText) -> str:
    """Return the hash that tells whether two sources are the same."""
    author = author_of(source.author)
    # The author only where there is one: sources that were stored before one was read are not all new.
    return sha256("\0".join((source.title, source.url or "", source.text, *((author,) if author else ()))))


def _is_same(one: KbDocument, other: KbDocument) -> bool:
    return one.content_hash == other.content_hash
