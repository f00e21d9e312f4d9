"""Find the passages a view holds on a text: candidates from the index, truth and statistics from the database."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import Coverage
from contentgen_core.model.knowledge import KbView, RankedPassage, TermStatistics
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
        [vector] = await self.embedder.embed([text], "query")
        hits, statistics = await asyncio.gather(
            self.index.search(view, query.terms, vector, max(CANDIDATES_PER_SIDE, limit)),
            self._statistics(view, query),
        )
        async with self.unit_of_work() as tx:
            passages = await tx.knowledge.passages(view, [hit.ref for hit in hits])
        candidates = [Candidate(passages[hit.ref], hit) for hit in hits if hit.ref in passages]
        return Retrieved(query, relevant(rank(query, candidates, statistics, self.embedder.trust, limit)), statistics)

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
