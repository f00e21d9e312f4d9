"""Clean up the answers that an article requested in batches, when its writing ends."""

from __future__ import annotations

from collections.abc import Mapping

from contentgen_core.model.article import Article, Usage
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.ports.repositories.model_batches import ModelBatches
from contentgen_core.ports.unit_of_work import Transaction


async def forget_parts(tx: Transaction, article: Article, drafts: Mapping[int, SectionDraft]) -> list[Usage]:
    """The usage of what was answered and is in no draft: it was paid for all the same. Nothing of it is kept."""
    parts = await tx[ModelBatches].parts(article.id)
    await tx[ModelBatches].forget(article.id)
    return [part.answer.usage for position, part in parts.items() if part.answer and position not in drafts]
