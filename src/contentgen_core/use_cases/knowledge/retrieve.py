"""Find the passages a view holds on a text: candidates from the index, truth and statistics from the database."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import Coverage
from contentgen_core.model.knowledge import KbView, Passage, RankedPassage, TermStatistics
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage import assess
from contentgen_core.policies.ranking import Candidate, TopicQuery, rank, topic_query
from contentgen_core.policies.relevance import relevant
from contentgen_core.ports.knowledge_base import Embedder, IndexHit, PassageIndex
from contentgen_core.ports.text_analysis import TextAnalysis
from contentgen_core.ports.unit_of_work import UnitOfWork

# The index orders by the statistics of everybody's passages; ours re-orders by those of the view. Asking for more
# than is needed lets a passage that only the view's statistics favour still come in.
CANDIDATES_PER_SIDE = 60


@frozen
class Retrieved:
    query: TopicQuery
    ranked: tuple[RankedPassage, ...]
    statistics: Mapping[Language, TermStatistics]

    def coverage(self, length: ArticleLength) -> Coverage:
        return assess(self.query, self.ranked, self.statistics, length)


@frozen
class Retrieve:
    unit_of_work: UnitOfWork
    index: PassageIndex
    embedder: Embedder
    analysis: TextAnalysis

    async def __call__(self, view: KbView, text: str, limit: int) -> Retrieved:
        """At most `limit` passages that are about the text, best first, near-duplicates removed.

        Raises ProviderFailed (embeddings), StaleIndex, Unavailable.
        """
        async with self.unit_of_work() as tx:
            languages = await tx.knowledge.languages(view)
        query = topic_query(text, languages, self.analysis)
        if not languages:
            return Retrieved(query, (), {})
        looked_up = _LookUp(self, view, max(CANDIDATES_PER_SIDE, limit))
        statistics, *_ = await asyncio.gather(
            self._statistics(view, query), looked_up.by_words(query), looked_up.by_nearness(text)
        )
        ranked = rank(query, looked_up.candidates(), statistics, self.embedder.trust, limit)
        return Retrieved(query, relevant(ranked), statistics)

    async def _statistics(self, view: KbView, query: TopicQuery) -> Mapping[Language, TermStatistics]:
        async with self.unit_of_work() as tx:
            return await tx.knowledge.statistics(view, query.terms)

    async def named(self, view: KbView, text: str, refs: tuple[SourceRef, ...], limit: int) -> Retrieved:
        """The same over passages that a client names: those that do not exist for this view or are not about the text
        are dropped, the others are ranked by us, whatever scores came with them."""
        if not refs:
            return Retrieved(topic_query(text, (), self.analysis), (), {})
        async with self.unit_of_work() as tx:
            passages = await tx.knowledge.passages(view, refs)
            query = topic_query(text, {p.document.language for p in passages.values()}, self.analysis)
            statistics = await tx.knowledge.statistics(view, query.terms)
        candidates = [Candidate(passage, IndexHit(ref, 0.0, None)) for ref, passage in passages.items()]
        return Retrieved(query, relevant(rank(query, candidates, statistics, 0.0, limit)), statistics)


class _LookUp:
    """The candidates of one search. Each side of the index reads the passages it names as soon as it knows them: one
    side's reading takes place while the other still searches, or the text's vector is on its way."""

    def __init__(self, ports: Retrieve, view: KbView, limit: int) -> None:
        self._ports, self._view, self._limit = ports, view, limit
        self._by_words: list[IndexHit] = []
        self._by_nearness: list[IndexHit] = []
        self._asked: set[SourceRef] = set()
        self._passages: dict[SourceRef, Passage] = {}

    async def by_words(self, query: TopicQuery) -> None:
        self._by_words = await self._ports.index.search(self._view, query.terms, None, self._limit)
        await self._read(self._by_words)

    async def by_nearness(self, text: str) -> None:
        [vector] = await self._ports.embedder.embed([text], "query")
        self._by_nearness = await self._ports.index.search(self._view, {}, vector, self._limit)
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
            async with self._ports.unit_of_work() as tx:
                self._passages |= await tx.knowledge.passages(self._view, refs)
