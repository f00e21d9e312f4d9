"""BM25 over one view of the knowledge base (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework").

Title terms count more (their section 3.6, BM25F with one shared length), closeness of the topic's terms is rewarded,
and a term that is missing is in part made up for by a word akin to it. The constants were chosen on questions over
encyclopaedia passages in English and Spanish and on claims over abstracts (docs/quality.md)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import Passage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.title_words import importance

K1: Final = 1.2
B: Final = 0.5
# One occurrence in a title or heading counts as this many in the text.
HEAD_WEIGHT: Final = 3.0
# The share of the score that closeness makes; the rest is BM25 over its upper bound.
PROXIMITY_SHARE: Final = 0.08
# Terms farther apart than this are not close at all.
PROXIMITY_WINDOW: Final = 8

# Words are akin that begin alike in most of their letters (`acadie`, `acadien`: stemmers leave them apart), or of which
# one is the first or last part of the other (compounds). A term that a passage lacks occurs there as often as its
# nearest kin is like it, times KIN_WEIGHT.
KIN_WEIGHT: Final = 0.5
LEAST_COMMON: Final = 4  # letters at the beginning
LEAST_ALIKE: Final = 0.6  # of the longer word
LEAST_PART: Final = 5  # letters of a part of a compound

Places = list[tuple[int, int]]
"""Where a text holds terms of the topic: its place in the text, the term's in the topic."""

NO_STATISTICS: Final = TermStatistics(passages=0, mean_length=0.0, passages_with={})


def idf(term: str, statistics: TermStatistics) -> float:
    """How telling a term is within the view: ln(1 + (N - n + ½)/(n + ½)), above 0. A term found nowhere is the most
    telling one; with an empty view all are alike."""
    total = statistics.passages
    having = min(statistics.passages_with.get(term, 0), total)
    return math.log1p((total - having + 0.5) / (having + 0.5))


def likeness(term: str, word: str) -> float:
    """How near kin two different words are, 0..1 in letters of the longer one; 0 for others and for numbers."""
    shorter, longer = sorted((term, word), key=len)
    if term == word or len(shorter) < LEAST_COMMON or shorter.isdigit() or longer.isdigit():
        return 0.0
    common = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    share = common / len(longer)
    if common >= LEAST_COMMON and share >= LEAST_ALIKE:
        return share
    part = len(shorter) >= LEAST_PART and (common == len(shorter) or longer.endswith(shorter))
    return len(shorter) / len(longer) if part else 0.0


# What the word that a question asks for (questions.py) weighs in the order of passages, beside one it is about.
ASKED_FOR_WEIGHT: Final = 0.5


@frozen
class Match:
    """How well a passage meets a topic, both in 0..1: by its very terms; and with those akin to them, what a question
    asks for counting less."""

    exact: float
    akin: float


class Bm25:
    """Scores passages of one language against one sequence of distinct terms, always in 0..1."""

    def __init__(
        self,
        terms: Sequence[str],
        statistics: TermStatistics,
        words: Mapping[str, str],
        asked_for: Collection[str] = (),
    ) -> None:
        """`words`: each term's word as typed, by which words of titles in general are told from those of a subject;
        `asked_for`: the terms that name the answer of a question, which a passage that gives it need not name."""
        self._weights = {term: idf(term, statistics) * importance(words.get(term, term)) for term in terms}
        self._mean_length = statistics.mean_length
        self._bound = sum(self._weights.values())
        # The most telling term is what the question is about, wherever it stands ("Which HEAT PUMP for a house?").
        most = max(self._weights.values(), default=0.0)
        less = {term for term in asked_for if self._weights.get(term, most) < most}
        self._shares = {term: ASKED_FOR_WEIGHT if term in less else 1.0 for term in terms}
        self._asked_bound = sum(weight * self._shares[term] for term, weight in self._weights.items())
        self._order = {term: i for i, term in enumerate(terms)}
        self._pairs = [min(self._weights[a], self._weights[b]) for a, b in pairwise(terms)]
        self._pairs_bound = sum(self._pairs)
        long = [term for term in terms if len(term) >= LEAST_COMMON]
        self._beginnings = frozenset({term[:LEAST_COMMON] for term in long})
        self._endings = frozenset({term[-LEAST_PART:] for term in long if len(term) >= LEAST_PART})
        self._met: set[str] = set()
        self._kin: dict[str, list[tuple[str, float]]] = {}  # word of a passage -> terms akin to it

    def score(self, passage: Passage) -> float:
        """BM25 over its upper bound for these terms, mixed with closeness. 0 when no term occurs."""
        return self.match(passage).exact

    def match(self, passage: Passage) -> Match:
        """`score`, and the same with kin and by what is asked; closeness counts the very terms alone."""
        if not self._bound:
            return Match(0.0, 0.0)
        words = {*passage.terms, *passage.head_terms}
        met = not words.isdisjoint(self._order)
        body = self._places(passage.terms) if met else []
        head = self._places(passage.head_terms) if met else []
        exact, akin = self._saturation(words, len(passage.terms), body, head)
        if not self._pairs:
            return Match(exact, akin)
        close = PROXIMITY_SHARE * max(self._closeness(body), self._closeness(head)) if exact else 0.0
        return Match((1 - PROXIMITY_SHARE) * exact + close, (1 - PROXIMITY_SHARE) * akin + close)

    def _places(self, terms: Sequence[str]) -> Places:
        order = self._order
        return [(at, order[term]) for at, term in enumerate(terms) if term in order]

    def _saturation(self, words: set[str], length: int, body: Places, head: Places) -> tuple[float, float]:
        """By the very terms; and with kin for those that are missing, what is asked for counting less."""
        frequencies = [0.0] * len(self._order)
        for _, place in body:
            frequencies[place] += 1.0
        for _, place in head:
            frequencies[place] += HEAD_WEIGHT
        relative_length = length / self._mean_length if self._mean_length > 0 else 1.0
        damping = K1 * (1 - B + B * relative_length)
        kin = self._akin(words)
        exact = akin = 0.0
        for frequency, (term, weight) in zip(frequencies, self._weights.items(), strict=True):
            # BM25's factor (k1 + 1) is in the upper bound too and falls out of the quotient.
            if frequency:
                reached = weight * frequency / (frequency + damping)
                exact += reached
                akin += reached * self._shares[term]
            elif term in kin:
                likened = KIN_WEIGHT * kin[term]
                akin += weight * likened / (likened + damping) * self._shares[term]
        return exact / self._bound, akin / self._asked_bound

    def _akin(self, words: set[str]) -> dict[str, float]:
        """Each term that has kin among these words, with the likeness of the nearest."""
        beginnings, endings = self._beginnings, self._endings
        new = words - self._met
        self._met |= new
        for word in [w for w in new if w[:LEAST_COMMON] in beginnings or w[-LEAST_PART:] in endings]:
            alike = ((term, likeness(term, word)) for term in self._order)
            if found := [(term, share) for term, share in alike if share]:
                self._kin[word] = found
        nearest: dict[str, float] = {}
        for word in self._kin.keys() & words:
            for term, share in self._kin[word]:
                nearest[term] = max(share, nearest.get(term, 0.0))
        return nearest

    def _closeness(self, seen: Places) -> float:
        """How near neighbours of the topic stand to each other here, idf-weighted: 1 when all follow directly."""
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


def merged_statistics(statistics: Sequence[Mapping[Language, TermStatistics]]) -> Mapping[Language, TermStatistics]:
    """The figures of views that share no passage, as those of one view that sees all of theirs."""
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
