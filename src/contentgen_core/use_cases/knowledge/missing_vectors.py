"""A search over passages of which some have no vector yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import VectorSpace
from contentgen_core.policies.retrieval.ranking import Candidate
from contentgen_core.policies.text.nearness import cosine
from contentgen_core.ports.knowledge_base import Embedder, Vector, space_of
from contentgen_core.ports.repositories.embeddings import Embeddings, KeptVector
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.knowledge.embed_passages import text_hash
from contentgen_core.use_cases.use_case import use_case

BEST_OF_EACH: Final = 20


@use_case
class MissingVectors:
    """Embeds passages that lack vectors at once, for a search. Among passages with and without vectors, the cosine
    would mostly tell which are embedded: fused with words, it ranks below words alone. So only the best by words and
    the nearest are compared, all of them with a vector, and the new vectors are kept."""

    unit_of_work: UnitOfWork
    embedder: Embedder

    async def fill(
        self, candidates: Sequence[Candidate], by_words: Sequence[SourceRef], query: Vector
    ) -> list[Candidate]:
        """The BEST_OF_EACH best of the candidates by words and the BEST_OF_EACH nearest, each with its cosine; all of
        the candidates without one where embedding fails. Documents that were found come first from now on.

        `by_words`: candidates in the order of a ranking by words. `query`: the vector of what is searched for."""
        space = space_of(self.embedder)
        near = sorted((-c.hit.cosine, _place(c)) for c in candidates if c.hit.cosine is not None)
        wanted = {(ref.document_id, ref.chunk_index) for ref in by_words[:BEST_OF_EACH]}
        wanted |= {place for _, place in near[:BEST_OF_EACH]}
        chosen = [candidate for candidate in candidates if _place(candidate) in wanted]
        lacking = [candidate for candidate in chosen if candidate.hit.cosine is None]
        async with self.unit_of_work() as tx:
            vectors = await tx[Embeddings].kept(space, [candidate.passage.ref for candidate in lacking])
        try:
            vectors |= await self._embed_missing(space, [c for c in lacking if c.passage.ref not in vectors])
        except (ProviderFailed, NotConfigured):
            return [evolve(candidate, hit=evolve(candidate.hit, cosine=None)) for candidate in candidates]
        return [
            candidate
            if candidate.hit.cosine is not None
            else evolve(candidate, hit=evolve(candidate.hit, cosine=cosine(query, vectors[candidate.passage.ref])))
            for candidate in chosen
        ]

    async def _embed_missing(self, space: VectorSpace, candidates: Sequence[Candidate]) -> dict[SourceRef, Vector]:
        if not candidates:
            return {}
        texts = [candidate.passage.with_titles() for candidate in candidates]
        vectors = await self.embedder.embed(texts, "passage")
        kept = [
            KeptVector(candidate.passage.ref, text_hash(text), vector)
            for candidate, text, vector in zip(candidates, texts, vectors, strict=True)
        ]
        async with self.unit_of_work() as tx:
            await tx[Embeddings].keep(space, kept)
            await tx[Embeddings].ask(space, sorted({DocumentId(vector.ref.document_id) for vector in kept}))
        return {vector.ref: vector.vector for vector in kept}


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.passage.ref.document_id, candidate.passage.chunk_index
