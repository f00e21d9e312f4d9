"""Find the passages a view holds on a text: candidates from the index, truth and statistics from the database."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from contentgen_core.concurrency import run_both, run_concurrently
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import Coverage
from contentgen_core.model.knowledge import IndexHit, KbView, Passage, RankedPassage, TermStatistics
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.assessment import assess
from contentgen_core.policies.retrieval.bm25 import merged_statistics
from contentgen_core.policies.retrieval.off_topic_statistics import off_topic_statistics, originals
from contentgen_core.policies.retrieval.ranking import (
    Candidate,
    EmbeddingWeight,
    TopicQuery,
    rank,
    relevant,
    topic_query,
)
from contentgen_core.ports.knowledge_base import Embedder, PassageIndex
from contentgen_core.ports.reranking import Reranker
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.knowledge.candidate_search import CandidateSearch
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.rerank import reread, to_read

# The index orders by the statistics of everybody's passages; ours re-orders by those of the view. Asking for more
# than is needed lets a passage that only the view's statistics favour still come in.
CANDIDATES_PER_SIDE = 60
# A search of many views (a tenant's documents and all its niches) leaves connections to others.
SIDES_AT_ONCE = 4


@frozen
class Retrieved:
    """`ranked`: what to show and to write from. The rest is what it was chosen from: `candidates`, the
    view's `statistics`, and how far nearness counted."""

    query: TopicQuery
    ranked: tuple[RankedPassage, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    statistics: Mapping[Language, TermStatistics] = field(factory=dict)
    embedding_weight: EmbeddingWeight = 0.0

    def by_words(self) -> tuple[RankedPassage, ...]:
        """Everything found, ranked without a cross-encoder: coverage counts it all, so that a better source that comes
        in puts none out of the count, and depends on nobody who reads it again. Work of some milliseconds."""
        return rank(
            self.query, originals(self.candidates), self.statistics, self.embedding_weight, len(self.candidates)
        )

    @property
    def off_topic_statistics(self) -> Mapping[Language, TermStatistics]:
        """The statistics of the view apart from what was found (see `policies.retrieval.off_topic_statistics`)."""
        return off_topic_statistics(self.query, [candidate.passage for candidate in self.candidates], self.statistics)

    def coverage(self, length: ArticleLength) -> Coverage:
        return evolve(assess(self.query, self.by_words(), self.off_topic_statistics, length), ranked=self.ranked)


@frozen
class Retrieve:
    unit_of_work: UnitOfWork
    index: PassageIndex
    embedder: Embedder
    analysis: TextAnalysis
    embedding_weight: EmbeddingWeights
    reranker: Reranker | None = None

    async def __call__(self, view: KbView, text: str, limit: int, also: Sequence[KbView] = ()) -> Retrieved:
        """At most `limit` passages that are about the text, best first, near-duplicates removed. `also`: further views
        of the same reader, of other niches (or private documents), ranked with the first as one.

        Raises ProviderFailed (embeddings), StaleIndex, Unavailable.
        """
        views = (view, *also)
        most, places = max(CANDIDATES_PER_SIDE, limit), asyncio.Semaphore(SIDES_AT_ONCE)
        searches = [CandidateSearch(self.unit_of_work, self.index, seen, most, places) for seen in views]
        (query, statistics, embedding_weight), _ = await run_both(
            self._search_by_words(text, views, searches), self._search_nearest(text, searches)
        )
        candidates = [candidate for search in searches for candidate in search.candidates()]
        return await self._reread(query, candidates, statistics, embedding_weight, limit)

    async def named(
        self, view: KbView, text: str, refs: Sequence[SourceRef], limit: int, also: Sequence[KbView] = ()
    ) -> Retrieved:
        """The same over passages that a client names: those that do not exist for these views or are not about the text
        are dropped, the others are ranked by us, whatever scores came with them."""
        if not refs:
            return Retrieved(topic_query(text, (), self.analysis))
        views = (view, *also)
        passages: dict[SourceRef, Passage] = {}
        async with self.unit_of_work() as tx:
            for seen in views:
                passages |= await tx.knowledge.passages(seen, refs)
            query = topic_query(text, {p.document.language for p in passages.values()}, self.analysis)
            statistics = merged_statistics([await tx.knowledge.statistics(seen, query.terms) for seen in views])
        candidates = [Candidate(passage, IndexHit(ref, 0.0, None)) for ref, passage in passages.items()]
        return await self._reread(query, candidates, statistics, 0.0, limit)

    async def _search_by_words(
        self, text: str, views: Sequence[KbView], searches: Sequence[CandidateSearch]
    ) -> tuple[TopicQuery, Mapping[Language, TermStatistics], EmbeddingWeight]:
        async with self.unit_of_work() as tx:
            languages = frozenset[Language]().union(*[await tx.knowledge.languages(seen) for seen in views])
        query = topic_query(text, languages, self.analysis)
        (embedding_weight, statistics), _ = await run_both(
            run_both(self.embedding_weight(languages), self._statistics(views, query)),
            run_concurrently([search.by_words(query.terms) for search in searches]),
        )
        return query, statistics, embedding_weight

    async def _statistics(self, views: Sequence[KbView], query: TopicQuery) -> Mapping[Language, TermStatistics]:
        async with self.unit_of_work() as tx:
            return merged_statistics([await tx.knowledge.statistics(seen, query.terms) for seen in views])

    async def _search_nearest(self, text: str, searches: Sequence[CandidateSearch]) -> None:
        [vector] = await self.embedder.embed([text], "query")
        await run_concurrently([search.by_nearness(vector) for search in searches])

    async def _reread(
        self,
        query: TopicQuery,
        candidates: Sequence[Candidate],
        statistics: Mapping[Language, TermStatistics],
        embedding_weight: EmbeddingWeight,
        limit: int,
    ) -> Retrieved:
        found = rank(query, originals(candidates), statistics, embedding_weight, to_read(self.reranker, limit))
        ranked = await reread(self.reranker, query.text, relevant(found), limit)
        return Retrieved(query, ranked, tuple(candidates), statistics, embedding_weight)
