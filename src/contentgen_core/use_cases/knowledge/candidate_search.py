"""The candidates of one search in one view."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from attrs import evolve

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import IndexHit, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.ranking import Candidate
from contentgen_core.ports.knowledge_base import PassageIndex, Vector
from contentgen_core.ports.unit_of_work import UnitOfWork


class CandidateSearch:
    """Each side of the index reads the passages it names as soon as it knows them: one side's reading takes place while
    the other still searches, or the text's vector is on its way."""

    def __init__(
        self, unit_of_work: UnitOfWork, index: PassageIndex, view: KbView, limit: int, places: asyncio.Semaphore
    ) -> None:
        """`limit`: candidates of each side. `places`: how many sides, of all views of a search, look at once."""
        self._places = places
        self._unit_of_work, self._index, self._view, self._limit = unit_of_work, index, view, limit
        self._by_words: list[IndexHit] = []
        self._by_nearness: list[IndexHit] = []
        self._asked: set[SourceRef] = set()
        self._passages: dict[SourceRef, Passage] = {}

    async def by_words(self, terms: Mapping[Language, Sequence[str]]) -> None:
        async with self._places:
            self._by_words = await self._index.search(self._view, terms, None, self._limit)
            await self._read(self._by_words)

    async def by_nearness(self, vector: Vector) -> None:
        async with self._places:
            self._by_nearness = await self._index.search(self._view, {}, vector, self._limit)
            await self._read(self._by_nearness)

    def candidates(self) -> list[Candidate]:
        """What both sides found, joined by ref; what the database no longer holds or shows is left out."""
        hits = {hit.ref: hit for hit in self._by_words}
        for near in self._by_nearness:
            met = hits.get(near.ref)
            hits[near.ref] = near if met is None else evolve(met, cosine=near.cosine)
        return [Candidate(self._passages[ref], hit) for ref, hit in hits.items() if ref in self._passages]

    async def _read(self, hits: Sequence[IndexHit]) -> None:
        refs = [hit.ref for hit in hits if hit.ref not in self._asked]
        self._asked.update(refs)
        if refs:
            async with self._unit_of_work() as tx:
                self._passages |= await tx.knowledge.passages(self._view, refs)
