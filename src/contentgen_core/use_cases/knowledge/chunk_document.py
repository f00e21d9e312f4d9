"""From a document's text to its passages."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence

from attrs import evolve, frozen

from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.ports.documents import Chunker
from contentgen_core.ports.entities import EntityExtractor


@frozen
class ChunkDocument:
    """Takes milliseconds per page: call it in a thread. `extract`: None for passages without entities."""

    chunker: Chunker
    analysis: TextAnalysis
    extract: EntityExtractor | None = None

    def __call__(self, document: KbDocument, text: str) -> list[Passage]:
        language = document.language
        passages = [
            Passage(
                document=document,
                chunk_index=index,
                text=chunk.text,
                heading=chunk.heading,
                content_hash=sha256(chunk.text),
                terms=self.analysis.terms(chunk.text, language),
            )
            for index, chunk in enumerate(self.chunker.chunks(text, language))
        ]
        passages = titled(document, passages, self.analysis)
        if self.extract is None:
            return passages
        found = self.extract(passages)
        return [evolve(passage, entities=entities) for passage, entities in zip(passages, found, strict=True)]


def titled(document: KbDocument, passages: Sequence[Passage], analysis: TextAnalysis) -> list[Passage]:
    """Passages as those of this document, with the head terms that its title and their headings give them."""
    of_title = analysis.terms(document.title, document.language)
    of_heading = {heading: analysis.terms(heading, document.language) for heading in {p.heading for p in passages}}
    return [evolve(p, document=document, head_terms=of_title + of_heading[p.heading]) for p in passages]


@frozen
class SplitInThread:
    """The port DocumentSplitter in a thread of this process, for texts of somebody who is trusted."""

    chunk: ChunkDocument

    async def passages(self, document: KbDocument, text: str, tenant_id: TenantId) -> list[Passage]:
        return await asyncio.to_thread(self.chunk, document, text)


def sha256(text: str) -> str:
    """In hex. The text may contain surrogates, which UTF-8 cannot encode."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
