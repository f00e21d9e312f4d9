"""Usual nearness of a view's passages to a text, from a sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from contentgen_core.concurrency import run_concurrently
from contentgen_core.model.knowledge import KbView
from contentgen_core.policies.coverage.meaning import Background, background_of
from contentgen_core.ports.knowledge_base import PassageIndex, Vector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.use_case import use_case

SAMPLED_DOCUMENTS: Final = 40
"""The newest of a view, which the index then searches alone: two milliseconds, however large the view is."""
SAMPLED_PASSAGES: Final = 400


@use_case
class NearnessBackground:
    unit_of_work: UnitOfWork
    index: PassageIndex
    embedding_weights: EmbeddingWeights

    async def __call__(self, views: Sequence[KbView], vector: Vector) -> Background | None:
        """Return the usual nearness; None for no view, and for an embedder that compares spelling or whose cosines have
        no scale. `vector`: of the text. Raises ProviderFailed, NotConfigured, StaleIndex, Unavailable."""
        scale = await self.embedding_weights.scale() if views else None
        if scale is None:
            return None
        sampled = await run_concurrently([self._cosines(view, vector) for view in views])
        return Background(scale, background_of([scale.of(cosine) for cosines in sampled for cosine in cosines]))

    async def _cosines(self, view: KbView, vector: Vector) -> list[float]:
        async with self.unit_of_work() as tx:
            newest = await tx[Knowledge].sample(view, SAMPLED_DOCUMENTS)
        documents = frozenset(passage.document.id for passage in newest)
        hits = await self.index.search(evolve(view, document_ids=documents), {}, vector, SAMPLED_PASSAGES)
        return [hit.cosine for hit in hits if hit.cosine is not None]
