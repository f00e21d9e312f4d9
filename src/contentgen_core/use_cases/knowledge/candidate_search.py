"""The candidates of a hybrid search in one view."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import IndexHit, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.bm25 import Bm25, within_reach
from contentgen_core.policies.retrieval.ranking import Candidate
from contentgen_core.ports.knowledge_base import PassageIndex, Vector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork

DEEP: Final = 5
"""As many times the limit are asked of the index: in a large view very many passages are about equally good, and those
that the view's statistics and proximity favour are among them."""
BEST: Final = 20
"""As many by words are to be found, whatever the size of the view."""


class CandidateSearch:
    """Searches by words and by vector concurrently. Each loads its passages from the database as soon as it has hits,
    while the other still searches or the text is being embedded."""

    def __init__(
        self, unit_of_work: UnitOfWork, index: PassageIndex, view: KbView, limit: int, slots: asyncio.Semaphore
    ) -> None:
        """`limit`: candidates by words, and by vector. `slots`: limits how many searches of all views run at once."""
        self._slots = slots
        self._unit_of_work, self._index, self._view, self._limit = unit_of_work, index, view, limit
        self._by_words: list[IndexHit] = []
        self._by_vector: list[IndexHit] = []
        self._requested: set[SourceRef] = set()
        self._passages: dict[SourceRef, Passage] = {}

    async def by_words(self, terms: Mapping[Language, Sequence[str]]) -> None:
        """Search by the terms of each language, and load the passages found: more than the limit where scores are so
        near to each other that `keep_best` has to choose."""
        async with self._slots:
            hits = await self._index.search(self._view, terms, None, DEEP * self._limit)
            hits = sorted(hits, key=lambda hit: -hit.text_score)
            self._by_words = hits[: within_reach([hit.text_score for hit in hits], BEST, self._limit)]
            await self._read(self._by_words)

    @property
    def has_more(self) -> bool:
        """Whether more were found by words than the limit."""
        return len(self._by_words) > self._limit

    def keep_best(self, scorers: Mapping[Language, Bm25]) -> None:
        """Keep those that are best by the view's own statistics, as many as the limit. Takes some milliseconds."""
        found = [(hit, self._passages[hit.ref]) for hit in self._by_words if hit.ref in self._passages]
        scores = {
            hit.ref: scorers[language].score(passage) if (language := passage.document.language) in scorers else 0.0
            for hit, passage in found
        }
        self._by_words = sorted((hit for hit, _ in found), key=lambda hit: -scores[hit.ref])[: self._limit]

    async def by_vector(self, vector: Vector) -> None:
        """Search for the nearest vectors, and load the passages found."""
        async with self._slots:
            self._by_vector = await self._index.search(self._view, {}, vector, self._limit)
            await self._read(self._by_vector)

    def candidates(self) -> list[Candidate]:
        """The hits of both searches, joined by ref, without those that the database no longer has or the view does not
        see."""
        hits = {hit.ref: hit for hit in self._by_words}
        for near in self._by_vector:
            met = hits.get(near.ref)
            hits[near.ref] = near if met is None else evolve(met, cosine=near.cosine)
        return [Candidate(self._passages[ref], hit) for ref, hit in hits.items() if ref in self._passages]

    async def _read(self, hits: Sequence[IndexHit]) -> None:
        refs = [hit.ref for hit in hits if hit.ref not in self._requested]
        self._requested.update(refs)
        if refs:
            async with self._unit_of_work() as tx:
                self._passages |= await tx[Knowledge].passages(self._view, refs)
