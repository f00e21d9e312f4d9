"""Split a document's text into its passages."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Sequence

from attrs import evolve

from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.ports.documents import Chunker
from contentgen_core.ports.entities import EntityExtractor
from contentgen_core.use_cases.use_case import use_case


@use_case
class ChunkDocument:
    """Takes milliseconds per page: call it in a thread. `extract`: None for passages without entities."""

    chunker: Chunker
    analysis: TextAnalysis
    extract: EntityExtractor | None = None

    def __call__(self, document: KbDocument, text: str) -> list[Passage]:
        language = document.language
        chunks = self.chunker.chunks(text, language)
        head_terms = _head_terms(document, {chunk.heading for chunk in chunks}, self.analysis)
        passages = [
            Passage(
                document=document,
                chunk_index=index,
                text=chunk.text,
                heading=chunk.heading,
                content_hash=sha256(chunk.text),
                terms=self.analysis.terms(chunk.text, language),
                head_terms=head_terms[chunk.heading],
            )
            for index, chunk in enumerate(chunks)
        ]
        if self.extract is None:
            return passages
        found = self.extract(passages)
        return [evolve(passage, entities=entities) for passage, entities in zip(passages, found, strict=True)]


def assign_to_document(document: KbDocument, passages: Sequence[Passage], analysis: TextAnalysis) -> list[Passage]:
    """Return the passages as those of this document, with the head terms that its title and their headings give
    them."""
    head_terms = _head_terms(document, {passage.heading for passage in passages}, analysis)
    return [evolve(p, document=document, head_terms=head_terms[p.heading]) for p in passages]


def _head_terms(document: KbDocument, headings: Iterable[str], analysis: TextAnalysis) -> dict[str, tuple[str, ...]]:
    """Return by heading the terms of the document's title and of the heading."""
    of_title = analysis.terms(document.title, document.language)
    return {heading: of_title + analysis.terms(heading, document.language) for heading in headings}


@use_case
class SplitInThread:
    """The port DocumentSplitter in a thread of this process, for texts of somebody who is trusted."""

    chunk: ChunkDocument

    async def passages(self, document: KbDocument, text: str, tenant_id: TenantId) -> list[Passage]:
        return await asyncio.to_thread(self.chunk, document, text)


def sha256(text: str) -> str:
    """Return the SHA-256 of the text in hex. The text may contain surrogates, which UTF-8 cannot encode."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
