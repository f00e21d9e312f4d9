"""BM25 over one view of the knowledge base (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework").

Title terms count more (their section 3.6, BM25F with one shared length), closeness of the topic's terms is rewarded."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from contentgen_core.model.knowledge import Passage, TermStatistics
from contentgen_core.policies.title_words import importance

K1: Final = 1.2
B: Final = 0.75
# One occurrence in a title or heading counts as this many in the text.
HEAD_WEIGHT: Final = 2.0
# The share of the score that closeness makes; the rest is BM25 over its upper bound.
PROXIMITY_SHARE: Final = 0.15
# Terms farther apart than this are not close at all.
PROXIMITY_WINDOW: Final = 8

NO_STATISTICS: Final = TermStatistics(passages=0, mean_length=0.0, passages_with={})


def idf(term: str, statistics: TermStatistics) -> float:
    """How telling a term is within the view: ln(1 + (N - n + ½)/(n + ½)), above 0. A term found nowhere is the most
    telling one; with an empty view all are alike."""
    total = statistics.passages
    having = min(statistics.passages_with.get(term, 0), total)
    return math.log1p((total - having + 0.5) / (having + 0.5))


class Bm25:
    """Scores passages of one language against one sequence of distinct terms, always in 0..1."""

    def __init__(self, terms: Sequence[str], statistics: TermStatistics, words: Mapping[str, str]) -> None:
        """`words`: each term's word as typed, by which words of titles in general are told from those of a subject."""
        self._weights = {term: idf(term, statistics) * importance(words.get(term, term)) for term in terms}
        self._mean_length = statistics.mean_length
        self._bound = sum(self._weights.values())
        self._order = {term: i for i, term in enumerate(terms)}
        self._pairs = [min(self._weights[a], self._weights[b]) for a, b in pairwise(terms)]

    def score(self, passage: Passage) -> float:
        """BM25 over its upper bound for these terms, mixed with closeness. 0 when no term occurs."""
        if not self._bound:
            return 0.0
        saturation = self._saturation(passage)
        if not saturation or not self._pairs:
            return saturation
        closeness = max(self._closeness(passage.terms), self._closeness(passage.head_terms))
        return (1 - PROXIMITY_SHARE) * saturation + PROXIMITY_SHARE * closeness

    def _saturation(self, passage: Passage) -> float:
        body, head = Counter(passage.terms), Counter(passage.head_terms)
        relative_length = len(passage.terms) / self._mean_length if self._mean_length > 0 else 1.0
        damping = K1 * (1 - B + B * relative_length)
        total = 0.0
        for term, weight in self._weights.items():
            frequency = body[term] + HEAD_WEIGHT * head[term]
            # BM25's factor (k1 + 1) is in the upper bound too and falls out of the quotient.
            total += weight * frequency / (frequency + damping) if frequency else 0.0
        return total / self._bound

    def _closeness(self, terms: Sequence[str]) -> float:
        """How near neighbours of the topic stand to each other here, idf-weighted: 1 when all follow directly."""
        order = self._order
        seen = [(at, order[term]) for at, term in enumerate(terms) if term in order]
        best: dict[int, float] = {}
        for (at, a), (then, b) in pairwise(seen):
            if abs(a - b) != 1 or then - at > PROXIMITY_WINDOW:
                continue
            nearness = (1.0 if b > a else 0.5) / (then - at)
            pair = min(a, b)
            if nearness > best.get(pair, 0.0):
                best[pair] = nearness
        # Summed in the topic's order, so that the same evidence always gives the very same float.
        return sum(self._pairs[pair] * best[pair] for pair in sorted(best)) / sum(self._pairs)
