"""The sentence of each found passage that is nearest to the query."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from math import log
from typing import Final

from attrs import frozen

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import RankedPassage, TermStatistics
from contentgen_core.model.text import Span, TextAnalysis
from contentgen_core.policies.retrieval.bm25 import NO_STATISTICS
from contentgen_core.policies.retrieval.ranking import weight_of
from contentgen_core.policies.text.nearness import cosine, models_meaning
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.use_cases.knowledge.retrieved import Retrieved
from contentgen_core.use_cases.use_case import use_case

MAX_EMBEDDED: Final = 40
"""Sentences of all passages that are embedded for one search, 3 to 7 ms each."""
MAX_OF_PASSAGE: Final = 8
MAX_CHARACTERS: Final = 400
"""Of a sentence that are embedded."""


@frozen
class _Sentence:
    """`shared`: how much the words say that it shares with the query, in nats."""

    span: Span
    shared: float


@use_case
class NearestSentences:
    """Finds the sentence of each passage nearest to the query: by meaning where the embedder models the passage's
    language, for the best passages, as far as MAX_EMBEDDED goes; else by the words it shares with the query, of which
    rare ones count more."""

    embedder: Embedder
    analysis: TextAnalysis

    async def __call__(self, retrieved: Retrieved) -> dict[SourceRef, Span]:
        """Return the nearest sentence by the ref of each passage in `retrieved.ranked`; passages without a near
        sentence are left out."""
        sentences = await asyncio.to_thread(self._sentences, retrieved)
        best = {ref: max(own, key=lambda one: one.shared) for ref, own in sentences.items() if own}
        by_words = {ref: sentence.span for ref, sentence in best.items() if sentence.shared > 0}
        return by_words | await self._by_meaning(retrieved, sentences)

    async def _by_meaning(
        self, retrieved: Retrieved, sentences: Mapping[SourceRef, Sequence[_Sentence]]
    ) -> dict[SourceRef, Span]:
        query = retrieved.vector
        chosen = [] if query is None else _choose_to_embed(retrieved, sentences)
        if query is None or not chosen:
            return {}
        texts = [span.of(ranked.passage.text)[:MAX_CHARACTERS] for ranked, span in chosen]
        try:
            vectors = await self.embedder.embed(texts, "passage")
        except (ProviderFailed, NotConfigured):
            return {}
        nearest: dict[SourceRef, tuple[float, Span]] = {}
        for (ranked, span), vector in zip(chosen, vectors, strict=True):
            near = cosine(query, vector)
            if ranked.ref not in nearest or near > nearest[ranked.ref][0]:
                nearest[ranked.ref] = near, span
        return {ref: span for ref, (_, span) in nearest.items()}

    def _sentences(self, retrieved: Retrieved) -> dict[SourceRef, list[_Sentence]]:
        return {ranked.ref: self._sentences_of(ranked, retrieved) for ranked in retrieved.ranked}

    def _sentences_of(self, ranked: RankedPassage, retrieved: Retrieved) -> list[_Sentence]:
        passage, language = ranked.passage, ranked.passage.document.language
        statistics = retrieved.statistics.get(language, NO_STATISTICS)
        asked = {term: _information(term, statistics) for term in retrieved.query.terms.get(language, ())}
        tokens = [token for token in self.analysis.tokens(passage.text, language) if token.term in asked]
        found = []
        for span in self.analysis.sentences(passage.text, language):
            own = {token.term for token in tokens if span.start <= token.start < span.end}
            found.append(_Sentence(span, sum(asked[term] for term in sorted(own))))
        return found


def _information(term: str, statistics: TermStatistics) -> float:
    return log((statistics.passages + 2) / (statistics.passages_with.get(term, 0) + 1))


def _choose_to_embed(
    retrieved: Retrieved, sentences: Mapping[SourceRef, Sequence[_Sentence]]
) -> list[tuple[RankedPassage, Span]]:
    """Return the sentences to embed: of the best passages first, and of each those that share most words, then the
    first."""
    weights = {
        candidate.passage.ref: weight_of(candidate, retrieved.embedding_weight) for candidate in retrieved.candidates
    }
    chosen: list[tuple[RankedPassage, Span]] = []
    for ranked in retrieved.ranked:
        if models_meaning(weights.get(ranked.ref, 0.0)):
            own = sorted(sentences[ranked.ref], key=lambda one: -one.shared)[:MAX_OF_PASSAGE]
            chosen += [(ranked, one.span) for one in own]
    return chosen[:MAX_EMBEDDED]
