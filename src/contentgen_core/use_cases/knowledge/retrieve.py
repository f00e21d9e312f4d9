"""Retrieval: the passages of a view that are relevant to a text. The index gives candidates, the database their texts
and the view's statistics."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from contentgen_core.concurrency import run_both, run_concurrently
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.knowledge import IndexHit, KbView, Passage, RankedPassage, TermStatistics, VectorSpace
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.meaning import Background
from contentgen_core.policies.retrieval.aboutness import first_about, off_topic
from contentgen_core.policies.retrieval.acronyms import (
    Alias,
    add_frequencies,
    aliases,
    join_candidates,
    read_out,
    short_forms,
    spell_out,
)
from contentgen_core.policies.retrieval.bm25 import NO_STATISTICS, Bm25, merged_statistics
from contentgen_core.policies.retrieval.off_topic_statistics import originals
from contentgen_core.policies.retrieval.on_topic import (
    MOST_COMPARED,
    Compared,
    depends_on_coverage,
    on_topic,
    probabilities,
)
from contentgen_core.policies.retrieval.ranking import (
    Candidate,
    EmbeddingWeight,
    TopicQuery,
    rank,
    topic_query,
    weight_of,
)
from contentgen_core.policies.retrieval.relevance import nearness, relevant, worth_showing
from contentgen_core.policies.text.nearness import cosine, models_meaning, nearness_beside
from contentgen_core.ports.knowledge_base import Embedder, PassageIndex, Vector, space_of
from contentgen_core.ports.repositories.embeddings import Embeddings
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.reranking import Reranker
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.conflicts.follow import blank_sentences, losing_sentences
from contentgen_core.use_cases.knowledge.candidate_search import CandidateSearch
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from contentgen_core.use_cases.knowledge.index_loss import IndexLoss, require_whole
from contentgen_core.use_cases.knowledge.listed_things import add_listed_things
from contentgen_core.use_cases.knowledge.missing_vectors import BEST_OF_EACH, MissingVectors
from contentgen_core.use_cases.knowledge.nearness_background import NearnessBackground
from contentgen_core.use_cases.knowledge.rerank import candidates_to_rank, rerank
from contentgen_core.use_cases.knowledge.retrieved import Retrieved

# The index scores by the statistics of all tenants' passages; they are ranked again by those of the view. Fetching more
# than needed includes passages that only the view's statistics favour.
CANDIDATES_PER_SIDE = 60
# Concurrent searches, of the many views of one request (a tenant's documents and all its niches), so that it does not
# take every connection.
SIDES_AT_ONCE = 4


@frozen
class Retrieve:
    unit_of_work: UnitOfWork
    index: PassageIndex
    embedder: Embedder
    analysis: TextAnalysis
    embedding_weight: EmbeddingWeights
    reranker: Reranker | None = None
    former: tuple[Retrieve, ...] = ()
    """The same over models that may have been used before: one with all vectors serves while the present one lacks
    some."""

    async def __call__(self, view: KbView, text: str, limit: int, also: Sequence[KbView] = ()) -> Retrieved:
        """Return at most `limit` passages to write from: those that are relevant to the text, best first,
        near-duplicates removed, and without sentences that lost a conflict; of things that the text lists, some of
        each. `also`: further views of the same reader, of other niches or private documents, ranked together with the
        first. Where the embedder fails, by words alone. Raises StaleIndex, and Unavailable, also while the index is
        being rebuilt."""
        views = (view, *also)
        found = await self._search_current_space(views, text, limit)
        return await add_listed_things(
            found, text, limit, lambda topic: self._search_current_space(views, topic, limit)
        )

    async def to_show(self, view: KbView, text: str, limit: int, also: Sequence[KbView] = ()) -> Retrieved:
        """Return passages for a reader who searches and judges: those worth showing. They have no coverage by
        meaning."""
        return await self._search_current_space((view, *also), text, limit, to_show=True)

    async def _search_current_space(
        self, views: Sequence[KbView], text: str, limit: int, *, to_show: bool = False
    ) -> Retrieved:
        """Search with this model, or with a former one that has all vectors of these views where this one lacks
        some."""
        if self.former:
            async with self.unit_of_work() as tx:
                for retrieve in (self, *self.former):
                    if all([await tx[Embeddings].all_understood(retrieve.space, seen) for seen in views]):
                        break
                else:
                    retrieve = self
            if retrieve is not self:
                return evolve(await retrieve._search(views, text, limit, to_show=to_show), vector=None)
        return await self._search(views, text, limit, to_show=to_show)

    async def vectors_of(self, ranked: Sequence[RankedPassage]) -> dict[SourceRef, Vector]:
        """The vectors of passages that were retrieved, as far as they are kept; none where the embedder does not model
        meaning."""
        if not models_meaning(self.embedder.embedding_weight):
            return {}
        async with self.unit_of_work() as tx:
            return await tx[Embeddings].kept(self.space, [each.ref for each in ranked])

    @property
    def space(self) -> VectorSpace:
        """The space of the vectors that are compared."""
        return space_of(self.embedder)

    async def _search(
        self,
        views: Sequence[KbView],
        text: str,
        limit: int,
        *,
        to_show: bool,
        explained: Sequence[Alias] = (),
    ) -> Retrieved:
        """Search. `explained`: the acronyms that the text spells out, which are searched for as well."""
        limit_per_side, slots = max(CANDIDATES_PER_SIDE, limit), asyncio.Semaphore(SIDES_AT_ONCE)
        searches = [CandidateSearch(self.unit_of_work, self.index, seen, limit_per_side, slots) for seen in views]
        (query, statistics, embedding_weight, understood), by_vector = await run_both(
            self._search_by_words(text, views, searches),
            self._search_by_vector(text, () if to_show else views, searches),
        )
        candidates = [candidate for search in searches for candidate in search.candidates()]
        if not candidates:
            await IndexLoss(self.unit_of_work, self.index).require_not_empty()
        if not to_show:
            candidates = await self._drop_lost_sentences(views, candidates)
        if not explained:
            explained = await asyncio.to_thread(aliases, query, [c.passage for c in candidates], self.analysis)
            spelled = spell_out(query, explained)
            if spelled != text:
                return await self._search(views, spelled, limit, to_show=to_show, explained=explained)
        stored = candidates
        if explained:
            others = [CandidateSearch(self.unit_of_work, self.index, seen, limit_per_side, slots) for seen in views]
            await run_concurrently([search.by_words(short_forms(explained)) for search in others])
            await self._keep_best(evolve(query, terms=short_forms(explained)), statistics, others)
            more = [candidate for search in others for candidate in search.candidates()]
            if not to_show:
                more = await self._drop_lost_sentences(views, more)
            stored, candidates = join_candidates(candidates, more, explained, query, self.analysis)
            statistics = add_frequencies(statistics, stored, candidates)
        if by_vector is None:
            found = await self._rank(query, candidates, statistics, 0.0, limit, to_show=to_show)
            return _as_stored(evolve(found, provisional=models_meaning(self.embedder.embedding_weight)), stored)
        vector, background = by_vector
        if not understood:
            best = await asyncio.to_thread(rank, query, candidates, statistics, 0.0, BEST_OF_EACH)
            by_words = [found.ref for found in best]
            candidates = await MissingVectors(self.unit_of_work, self.embedder).fill(candidates, by_words, vector)
        judged = None
        if background is not None and not to_show:
            judged = await self._on_topic(query, candidates, statistics, embedding_weight, limit, vector, background)
        found = judged or await self._rank(query, candidates, statistics, embedding_weight, limit, to_show=to_show)
        found = evolve(found, vector=vector, background=background, provisional=not understood)
        return _as_stored(found, stored)

    async def _drop_lost_sentences(self, views: Sequence[KbView], candidates: Sequence[Candidate]) -> list[Candidate]:
        """Remove the sentences that lost a conflict in one of these views: nothing is written from them."""
        lost = await losing_sentences(self.unit_of_work, views, (candidate.passage for candidate in candidates))
        if not lost:
            return list(candidates)
        passages = [blank_sentences(c.passage, lost.get(c.passage.document.id, ()), self.analysis) for c in candidates]
        return [evolve(c, passage=p) for c, p in zip(candidates, passages, strict=True) if p is not None]

    async def _on_topic(
        self,
        query: TopicQuery,
        candidates: Sequence[Candidate],
        statistics: Mapping[Language, TermStatistics],
        embedding_weight: EmbeddingWeight,
        limit: int,
        vector: Vector,
        background: Background,
    ) -> Retrieved | None:
        """The passages on the topic by words and meaning; None where those to compare have not all of them a vector,
        or the embedder does not model their language."""
        found = await _ranked_originals(query, candidates, statistics, embedding_weight, len(candidates))
        modelled = {c.passage.ref for c in candidates if models_meaning(weight_of(c, embedding_weight))}
        best = found[:MOST_COMPARED]
        async with self.unit_of_work() as tx:
            vectors = await tx[Embeddings].kept(self.space, [ranked.ref for ranked in best])
        if any(ranked.ref not in modelled or ranked.ref not in vectors for ranked in best):
            return None
        scale, usual = background.scale, background.level
        near = {ref: scale.of(cosine(vector, other)) - usual for ref, other in vectors.items()}
        compared = Compared(found, vectors, near, scale)
        likely = await asyncio.to_thread(probabilities, compared)
        result = Retrieved(
            query, (), tuple(candidates), statistics, embedding_weight, vector, background, compared=found
        )
        covered = depends_on_coverage(likely) and await asyncio.to_thread(_is_covered, result)
        beside = nearness_beside(vector, vectors)
        kept = on_topic(found, likely, beside, covered=covered)
        return await self._limit(result, kept, best, beside, limit)

    async def _limit(
        self,
        found: Retrieved,
        kept: Sequence[RankedPassage],
        compared: Sequence[RankedPassage],
        nearness: Mapping[SourceRef, float],
        limit: int,
    ) -> Retrieved:
        """Return at most `limit` of `kept`, first those whose documents are about the topic too."""
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].unused_chunk_indexes(sorted({each.passage.document.id for each in compared}))
        off = off_topic(kept, compared, passages, nearness)
        first = first_about(kept, off, candidates_to_rank(self.reranker, limit))
        return evolve(found, ranked=await rerank(self.reranker, found.query.text, first, limit), off_topic=off)

    async def named(
        self, view: KbView, text: str, refs: Sequence[SourceRef], limit: int, also: Sequence[KbView] = ()
    ) -> Retrieved:
        """Rank passages that a client names, whatever scores it sent; those that these views do not have or that are
        not relevant are left out."""
        if not refs:
            return Retrieved(topic_query(text, (), self.analysis))
        views = (view, *also)
        passages: dict[SourceRef, Passage] = {}
        async with self.unit_of_work() as tx:
            for seen in views:
                passages |= await tx[Knowledge].passages(seen, refs)
        languages = {p.document.language for p in passages.values()}
        query = topic_query(text, languages, self.analysis)
        explained = await asyncio.to_thread(aliases, query, list(passages.values()), self.analysis)
        if explained:
            query = topic_query(spell_out(query, explained), languages, self.analysis)
        plain = [Candidate(passage, IndexHit(ref, 0.0, None)) for ref, passage in passages.items()]
        plain = await self._drop_lost_sentences(views, plain)
        candidates = read_out(plain, explained, query, self.analysis)
        statistics = add_frequencies(await self._statistics(views, query), plain, candidates)
        found = await self._rank(query, candidates, statistics, 0.0, limit)
        return _as_stored(found, plain)

    async def _search_by_words(
        self, text: str, views: Sequence[KbView], searches: Sequence[CandidateSearch]
    ) -> tuple[TopicQuery, Mapping[Language, TermStatistics], EmbeddingWeight, bool]:
        """And whether all passages of the views have vectors, as far as that matters."""
        spelling = not models_meaning(self.embedder.embedding_weight)
        async with self.unit_of_work() as tx:
            await require_whole(tx)
            languages = frozenset[Language]().union(*[await tx[Knowledge].languages(seen) for seen in views])
            understood = spelling or all([await tx[Embeddings].all_understood(self.space, seen) for seen in views])
        query = topic_query(text, languages, self.analysis)
        (embedding_weight, statistics), _ = await run_both(
            run_both(self._embedding_weight(languages), self._statistics(views, query)),
            run_concurrently([search.by_words(query.terms) for search in searches]),
        )
        await self._keep_best(query, statistics, searches)
        return query, statistics, embedding_weight, understood

    async def _keep_best(
        self, query: TopicQuery, statistics: Mapping[Language, TermStatistics], searches: Sequence[CandidateSearch]
    ) -> None:
        """Keep the best candidates of those found by words."""
        large = [search for search in searches if search.has_more]
        if not large:
            return
        scorers = {
            language: Bm25(terms, statistics.get(language, NO_STATISTICS), query.words)
            for language, terms in query.terms.items()
        }
        for search in large:
            await asyncio.to_thread(search.keep_best, scorers)

    async def _embedding_weight(self, languages: frozenset[Language]) -> EmbeddingWeight:
        try:
            return await self.embedding_weight(languages)
        except (ProviderFailed, NotConfigured):
            return 0.0

    async def _statistics(self, views: Sequence[KbView], query: TopicQuery) -> Mapping[Language, TermStatistics]:
        async with self.unit_of_work() as tx:
            return merged_statistics([await tx[Knowledge].statistics(seen, query.terms) for seen in views])

    async def _search_by_vector(
        self, text: str, views: Sequence[KbView], searches: Sequence[CandidateSearch]
    ) -> tuple[Vector, Background | None] | None:
        """The text's vector, and how near passages of `views` usually are to it; None where the embedder fails."""
        usual = NearnessBackground(self.unit_of_work, self.index, self.embedding_weight)
        try:
            [vector] = await self.embedder.embed([text], "query")
            background, _ = await run_both(
                usual(views, vector), run_concurrently([search.by_vector(vector) for search in searches])
            )
        except (ProviderFailed, NotConfigured):
            return None
        return vector, background

    async def _rank(
        self,
        query: TopicQuery,
        candidates: Sequence[Candidate],
        statistics: Mapping[Language, TermStatistics],
        embedding_weight: EmbeddingWeight,
        limit: int,
        *,
        to_show: bool = False,
    ) -> Retrieved:
        found = Retrieved(query, (), tuple(candidates), statistics, embedding_weight)
        near = nearness(candidates, embedding_weight)
        if to_show:
            most = candidates_to_rank(self.reranker, limit)
            best = await _ranked_originals(query, candidates, statistics, embedding_weight, most)
            kept = worth_showing(best, near)
            return evolve(found, ranked=await rerank(self.reranker, query.text, kept, limit))
        compared = await _ranked_originals(query, candidates, statistics, embedding_weight, len(candidates))
        return await self._limit(evolve(found, compared=compared), relevant(compared, near), compared, {}, limit)


async def _ranked_originals(
    query: TopicQuery,
    candidates: Sequence[Candidate],
    statistics: Mapping[Language, TermStatistics],
    embedding_weight: EmbeddingWeight,
    limit: int,
) -> tuple[RankedPassage, ...]:
    """The best `limit` of the candidates, copies left out. In a thread: it takes some ten milliseconds a view."""
    return await asyncio.to_thread(rank, query, originals(candidates), statistics, embedding_weight, limit)


def _is_covered(found: Retrieved) -> bool:
    """Whether there are sources on the topic at all. Takes some milliseconds."""
    return found.coverage(ArticleLength.SHORT).level is not CoverageLevel.INSUFFICIENT


def _as_stored(found: Retrieved, stored: Sequence[Candidate]) -> Retrieved:
    """With the passages to show and to write from as they are stored, without what was read out in them."""
    passages = {candidate.passage.ref: candidate.passage for candidate in stored}
    return evolve(found, ranked=tuple(evolve(each, passage=passages[each.ref]) for each in found.ranked))
