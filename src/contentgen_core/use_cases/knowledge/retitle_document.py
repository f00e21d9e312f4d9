"""A document of the knowledge base gets another title."""

from __future__ import annotations

import asyncio

from attrs import evolve

from contentgen_core.model.ids import DocumentId
from contentgen_core.model.text import TextAnalysis
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.knowledge.chunk_document import assign_to_document
from contentgen_core.use_cases.use_case import use_case


@use_case
class RetitleDocument:
    """Searches find the document by its new title as soon as the index has it; its vectors follow."""

    analysis: TextAnalysis

    async def __call__(self, tx: Transaction, document_id: DocumentId, title: str) -> bool:
        """Whether anything changed. A document that the knowledge base does not have, or not yet, is nothing to
        change."""
        present = (await tx[Knowledge].titles([document_id])).get(document_id)
        passages = [] if present in (None, title) else await tx[Knowledge].passages_of([document_id])
        if not passages:
            return False
        document = evolve(passages[0].document, title=title)
        await tx[Knowledge].retitle(
            document, await asyncio.to_thread(assign_to_document, document, passages, self.analysis)
        )
        return True
