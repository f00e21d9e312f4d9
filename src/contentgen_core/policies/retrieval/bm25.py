"""BM25 over one view of the knowledge base (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework").

Title terms count more (their section 3.6, BM25F with one shared length), proximity of the topic's terms adds to the
score, and a missing term counts in part where the passage has a similar word. The constants were chosen on questions
over encyclopaedia passages in English and Spanish and on claims over abstracts (docs/quality.md)."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import chain, pairwise
from operator import neg
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import Passage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.title_words import importance

K1: Final = 1.2
B: Final = 0.5
# One occurrence in a title or heading counts as this many in the text.
HEAD_WEIGHT: Final = 3.0
# The share of proximity in the score; the rest is BM25 over its upper bound.
PROXIMITY_SHARE: Final = 0.08
# In terms: pairs farther apart than this have no proximity.
PROXIMITY_WINDOW: Final = 8
# How much proximity adds to a score beyond what it adds to others, at most in practice: over half of its share.
REACH: Final = 0.05

# Fuzzy matches: words that share a prefix of most of their letters (`acadie`, `acadien`, to which stemmers give
# different stems), or of which one begins or ends the other (compounds). A term that a passage lacks has the frequency
# FUZZY_WEIGHT times its similarity to the most similar word of the passage.
FUZZY_WEIGHT: Final = 0.5
MIN_COMMON_PREFIX: Final = 4  # letters
MIN_PREFIX_SHARE: Final = 0.6  # of the longer word
MIN_COMPOUND_PART: Final = 5  # letters

Positions = list[tuple[int, int]]
"""Occurrences of the topic's terms in a text: (position in the text, index of the term in the topic)."""

SimilarTerms = list[tuple[str, float]]
"""Terms of the topic, each with its similarity to a word of a passage."""

NO_STATISTICS: Final = TermStatistics(passages=0, mean_length=0.0, passages_with={})


def idf(term: str, statistics: TermStatistics) -> float:
    """Inverse document frequency of a term within the view, ln(1 + (N - n + ½)/(n + ½)), always above 0. It is largest
    for a term that no passage has, and the same for all terms of an empty view."""
    total = statistics.passages
    having = min(statistics.passages_with.get(term, 0), total)
    return math.log1p((total - having + 0.5) / (having + 0.5))


def within_reach(scores: Sequence[float], best: int, least: int) -> int:
    """Return how many of these falling scores, which ignore proximity, may be among the `best` ones once it counts; at
    least `least`, or all."""
    if len(scores) <= max(best, least):
        return len(scores)
    needed = scores[best - 1] - REACH * scores[0]
    return max(least, bisect_right(scores, -needed, key=neg))


def similarity(term: str, word: str) -> float:
    """The share of the longer word's letters, in 0..1, that two different words have in common as prefix or as part of
    a compound. 0 for other words, for equal ones and for numbers."""
    shorter, longer = sorted((term, word), key=len)
    if term == word or len(shorter) < MIN_COMMON_PREFIX or shorter.isdigit() or longer.isdigit():
        return 0.0
    common = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    share = common / len(longer)
    if common >= MIN_COMMON_PREFIX and share >= MIN_PREFIX_SHARE:
        return share
    part = len(shorter) >= MIN_COMPOUND_PART and (common == len(shorter) or longer.endswith(shorter))
    return len(shorter) / len(longer) if part else 0.0


# The weight of the word that names the answer type of a question (questions.py), in the order of passages.
ANSWER_TYPE_WEIGHT: Final = 0.5


@frozen
class Match:
    """The scores of a passage for a topic, both in 0..1. `exact`: by exact terms, each counted once; `fuzzy`: with
    fuzzy matches, terms counted as often as the topic has them, and those of a question's answer type less."""

    exact: float
    fuzzy: float


NO_MATCH: Final = Match(0.0, 0.0)


class Bm25:
    """Scores passages of one language for one sequence of distinct terms, always in 0..1."""

    def __init__(
        self,
        terms: Sequence[str],
        statistics: TermStatistics,
        words: Mapping[str, str],
        answer_type_terms: Collection[str] = (),
        frequencies: Mapping[str, int] | None = None,
    ) -> None:
        """`terms`: the topic's, in order. `statistics`: those of the view in this language. `words`: the word that each
        term was typed as, which says whether it is one of titles in general. `answer_type_terms`: those that name the
        type of a question's answer, which a passage that answers it need not contain. `frequencies`: how often each
        term stands in the topic; once where nothing is said."""
        self._weights = {term: idf(term, statistics) * importance(words.get(term, term)) for term in terms}
        self._mean_length = statistics.mean_length
        self._bound = sum(self._weights.values())
        # The rarest term is what the question is about, wherever it stands ("Which HEAT PUMP for a house?").
        most = max(self._weights.values(), default=0.0)
        less = {term for term in answer_type_terms if self._weights.get(term, most) < most}
        self._factors = dict.fromkeys(terms, 1.0) | dict.fromkeys(less, ANSWER_TYPE_WEIGHT)
        for term, frequency in (frequencies or {}).items():
            self._factors[term] *= frequency
        self._fuzzy_bound = sum(weight * self._factors[term] for term, weight in self._weights.items())
        self._order = {term: i for i, term in enumerate(terms)}
        self._pairs = [min(self._weights[a], self._weights[b]) for a, b in pairwise(terms)]
        self._pairs_bound = sum(self._pairs)
        long = [term for term in terms if len(term) >= MIN_COMMON_PREFIX]
        self._beginnings = _by_part(long, slice(MIN_COMMON_PREFIX))
        self._endings = _by_part([t for t in long if len(t) >= MIN_COMPOUND_PART], slice(-MIN_COMPOUND_PART, None))

    def score(self, passage: Passage) -> float:
        """BM25 over its upper bound for these terms, mixed with proximity: what `matches` gives as `exact`, for a third
        of its work. 0 when no term occurs."""
        body, head = self._positions(enumerate(passage.terms)), self._positions(enumerate(passage.head_terms))
        if not self._bound or not (body or head):
            return 0.0
        exact = 0.0
        damping, frequencies = self._length_damping(len(passage.terms)), self._frequencies(body, head)
        for frequency, weight in zip(frequencies, self._weights.values(), strict=True):
            if frequency:
                exact += weight * frequency / (frequency + damping)
        exact /= self._bound
        return (1 - PROXIMITY_SHARE) * exact + self._share_of_proximity(body, head) if self._pairs else exact

    def matches(self, passages: Sequence[Passage]) -> list[Match]:
        """Return for each passage the exact score (as `score` gives it) and the fuzzy one. Only exact terms count for
        proximity in both."""
        if not self._bound:
            return [NO_MATCH] * len(passages)
        texts = chain.from_iterable((passage.terms, passage.head_terms) for passage in passages)
        similar = self._similar_terms(frozenset[str]().union(*texts))
        sought = self._order.keys() | similar.keys()
        return [self._match(passage, sought, similar) for passage in passages]

    def _match(self, passage: Passage, sought: Set[str], similar: Mapping[str, SimilarTerms]) -> Match:
        """`sought`: the topic's terms and those similar to them; `similar`: these, as `_similar_terms` found them."""
        in_body = [(at, term) for at, term in enumerate(passage.terms) if term in sought]
        in_head = [(at, term) for at, term in enumerate(passage.head_terms) if term in sought]
        if not (in_body or in_head):
            return NO_MATCH
        body, head = self._positions(in_body), self._positions(in_head)
        near = [similar[term] for _, term in chain(in_body, in_head) if term in similar]
        exact, fuzzy = self._saturation(near, len(passage.terms), body, head)
        if not self._pairs:
            return Match(exact, fuzzy)
        proximity = self._share_of_proximity(body, head) if exact else 0.0
        return Match((1 - PROXIMITY_SHARE) * exact + proximity, (1 - PROXIMITY_SHARE) * fuzzy + proximity)

    def _share_of_proximity(self, body: Positions, head: Positions) -> float:
        return PROXIMITY_SHARE * max(self._proximity(body), self._proximity(head))

    def _positions(self, terms: Iterable[tuple[int, str]]) -> Positions:
        """`terms`: with where they stand."""
        order = self._order
        return [(at, order[term]) for at, term in terms if term in order]

    def _frequencies(self, body: Positions, head: Positions) -> list[float]:
        frequencies = [0.0] * len(self._order)
        for _, place in body:
            frequencies[place] += 1.0
        for _, place in head:
            frequencies[place] += HEAD_WEIGHT
        return frequencies

    def _length_damping(self, length: int) -> float:
        relative_length = length / self._mean_length if self._mean_length > 0 else 1.0
        return K1 * (1 - B + B * relative_length)

    def _saturation(
        self, near: Sequence[SimilarTerms], length: int, body: Positions, head: Positions
    ) -> tuple[float, float]:
        """The exact and the fuzzy score, each over its upper bound. `near`: those of each word that has any."""
        frequencies, damping = self._frequencies(body, head), self._length_damping(length)
        nearest: dict[str, float] = {}  # term -> similarity of the most similar word
        for terms in near:
            for term, share in terms:
                nearest[term] = max(share, nearest.get(term, 0.0))
        exact = fuzzy = 0.0
        for frequency, (term, weight) in zip(frequencies, self._weights.items(), strict=True):
            # BM25's factor (k1 + 1) is in the upper bound too and falls out of the quotient.
            if frequency:
                reached = weight * frequency / (frequency + damping)
                exact += reached
                fuzzy += reached * self._factors[term]
            elif term in nearest:
                part = FUZZY_WEIGHT * nearest[term]
                fuzzy += weight * part / (part + damping) * self._factors[term]
        return exact / self._bound, fuzzy / self._fuzzy_bound

    def _similar_terms(self, words: Collection[str]) -> dict[str, SimilarTerms]:
        """Return the words that are similar to a term of the topic, each with these terms."""
        beginnings, endings = self._beginnings, self._endings
        # A letter tells most of thousands of words, for less than a slice.
        first, last = {beginning[0] for beginning in beginnings}, {ending[-1] for ending in endings}
        alike = [
            word
            for word in words
            if (word[:1] in first and word[:MIN_COMMON_PREFIX] in beginnings)
            or (word[-1:] in last and word[-MIN_COMPOUND_PART:] in endings)
        ]
        found: dict[str, SimilarTerms] = {}
        for word in alike:
            near = {*beginnings.get(word[:MIN_COMMON_PREFIX], ()), *endings.get(word[-MIN_COMPOUND_PART:], ())}
            if terms := [(term, share) for term in near if (share := similarity(term, word))]:
                found[word] = terms
        return found

    def _proximity(self, seen: Positions) -> float:
        """Return how close neighbouring terms of the topic stand in the text, weighted by idf: 1 when all follow
        directly."""
        best: dict[int, float] = {}
        for (at, a), (then, b) in pairwise(seen):
            if abs(a - b) != 1 or then - at > PROXIMITY_WINDOW:
                continue
            nearness = (1.0 if b > a else 0.5) / (then - at)
            pair = min(a, b)
            if nearness > best.get(pair, 0.0):
                best[pair] = nearness
        # Summed in the topic's order, so that the same evidence always gives the very same float.
        return sum(self._pairs[pair] * best[pair] for pair in sorted(best)) / self._pairs_bound


def _by_part(terms: Iterable[str], part: slice) -> dict[str, list[str]]:
    """The terms by this part of them."""
    found: dict[str, list[str]] = {}
    for term in terms:
        found.setdefault(term[part], []).append(term)
    return found


def merged_statistics(statistics: Sequence[Mapping[Language, TermStatistics]]) -> Mapping[Language, TermStatistics]:
    """The statistics of several views that share no passage, combined into those of one view with all passages."""
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
