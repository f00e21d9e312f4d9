"""Find the passages a view holds on a text: candidates from the index, truth and statistics from the database."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import Coverage
from contentgen_core.model.knowledge import KbView, Passage, RankedPassage, TermStatistics
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.bm25 import NO_STATISTICS
from contentgen_core.policies.coverage import assess
from contentgen_core.policies.ranking import Candidate, TopicQuery, rank, topic_query
from contentgen_core.policies.relevance import relevant
from contentgen_core.ports.knowledge_base import Embedder, IndexHit, PassageIndex
from contentgen_core.ports.text_analysis import TextAnalysis
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork

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

    async def __call__(self, view: KbView, text: str, limit: int, also: Sequence[KbView] = ()) -> Retrieved:
        """At most `limit` passages that are about the text, best first, near-duplicates removed. `also`: further views
        of the same reader, of other niches (or private documents), ranked with the first as one.

        Raises ProviderFailed (embeddings), StaleIndex, Unavailable.
        """
        views = (view, *also)
        async with self.unit_of_work() as tx:
            languages = frozenset[Language]().union(*[await tx.knowledge.languages(v) for v in views])
        query = topic_query(text, languages, self.analysis)
        if not languages:
            return Retrieved(query, (), {})
        [vector] = await self.embedder.embed([text], "query")
        most = max(CANDIDATES_PER_SIDE, limit)
        found = await asyncio.gather(*(self.index.search(v, query.terms, vector, most) for v in views))
        hits = [hit for of_view in found for hit in of_view]
        async with self.unit_of_work() as tx:
            passages, statistics = await _read(tx, views, [hit.ref for hit in hits], query)
        candidates = [Candidate(passages[hit.ref], hit) for hit in hits if hit.ref in passages]
        return Retrieved(query, relevant(rank(query, candidates, statistics, self.embedder.trust, limit)), statistics)

    async def named(
        self, view: KbView, text: str, refs: Sequence[SourceRef], limit: int, also: Sequence[KbView] = ()
    ) -> Retrieved:
        """The same over passages that a client names: those that do not exist for these views or are not about the text
        are dropped, the others are ranked by us, whatever scores came with them."""
        if not refs:
            return Retrieved(topic_query(text, (), self.analysis), (), {})
        views = (view, *also)
        async with self.unit_of_work() as tx:
            passages: dict[SourceRef, Passage] = {}
            for v in views:
                passages |= await tx.knowledge.passages(v, refs)
            query = topic_query(text, {p.document.language for p in passages.values()}, self.analysis)
            statistics = together([await tx.knowledge.statistics(v, query.terms) for v in views])
        candidates = [Candidate(passage, IndexHit(ref, 0.0, None)) for ref, passage in passages.items()]
        return Retrieved(query, relevant(rank(query, candidates, statistics, 0.0, limit)), statistics)


async def _read(
    tx: Transaction, views: Sequence[KbView], refs: Sequence[SourceRef], query: TopicQuery
) -> tuple[dict[SourceRef, Passage], Mapping[Language, TermStatistics]]:
    passages: dict[SourceRef, Passage] = {}
    for view in views:
        passages |= await tx.knowledge.passages(view, refs)
    return passages, together([await tx.knowledge.statistics(view, query.terms) for view in views])


def together(statistics: Sequence[Mapping[Language, TermStatistics]]) -> Mapping[Language, TermStatistics]:
    """BM25's figures of several views that share no passage, as those of one view that sees them all."""
    if len(statistics) == 1:
        return statistics[0]
    summed: dict[Language, TermStatistics] = {}
    for of_view in statistics:
        for language, figures in of_view.items():
            before = summed.get(language, NO_STATISTICS)
            passages = before.passages + figures.passages
            length = before.passages * before.mean_length + figures.passages * figures.mean_length
            counts = Counter(before.passages_with) + Counter(figures.passages_with)
            summed[language] = TermStatistics(passages, length / passages, dict(counts))
    return summed
