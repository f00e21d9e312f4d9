"""A topic in one language: the information of each of its terms, and which of them each passage holds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import Passage, TermStatistics
from contentgen_core.policies.retrieval.bm25 import Bm25
from contentgen_core.policies.text.title_words import importance

# Prior counts, as if the knowledge base had this many more passages, of which so many have the term: while it is small,
# it says little on how common a word is, and a single passage with one of the topic's words would change the score.
PRIOR_PASSAGES: Final = 400
PRIOR_PASSAGES_WITH_TERM: Final = 2
# Bounds of a term's probability. Below, a rarer term carries no more information; above, in the knowledge base of a
# niche, the niche's own words still count as subjects of a topic.
MIN_PROBABILITY: Final = 0.0005
MAX_PROBABILITY: Final = math.exp(-1)
# In terms, for BM25's mean length. Fixed, since the mean of the view moves with every document.
REFERENCE_LENGTH: Final = 60.0
_SCALE: Final = 100_000  # the number of passages by which probabilities become counts for BM25
# In these scripts a single sign may be a word: Chinese characters, and syllables of Korean.
_SIGNS_THAT_ARE_WORDS: Final = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]")


@frozen
class PassageMatch:
    """The part of a topic in one passage. `terms`: the topic's terms that it has; `share`: their share of the topic's
    information; `saturation`: BM25 over its upper bound; both in 0..1."""

    passage: Passage
    terms: frozenset[str]
    share: float
    saturation: float


@frozen
class TopicMatch:
    """A topic against passages of one language. `weights`: for each term of the topic, in order, its information in
    nats: minus the logarithm of the probability that a passage off the topic has it, times its importance; `words`:
    each as it was typed; `matches`: one a passage, in the given order."""

    weights: dict[str, float]
    words: dict[str, str]
    matches: tuple[PassageMatch, ...]

    def share(self, terms: Iterable[str]) -> float:
        """The share, in 0..1, of the topic's information that these terms carry."""
        return _share(self.weights, frozenset(terms))

    def information(self) -> float:
        """The information, in nats, of the passage that holds most: how unlikely its terms are to occur together by
        chance."""
        return max((match.share for match in self.matches), default=0.0) * sum(self.weights.values())

    def missing(self) -> tuple[str, ...]:
        """Return the topic's words, as typed, that no passage has, without single letters and words of titles in
        general."""
        found = frozenset(term for match in self.matches for term in match.terms)
        return tuple(
            word
            for term, word in self.words.items()
            if importance(word) == 1.0 and term not in found and not _is_single_letter(word)
        )


def match_topic(
    terms: Sequence[str], words: Mapping[str, str], passages: Sequence[Passage], statistics: TermStatistics
) -> TopicMatch:
    """Match a topic's terms against passages of one language.

    `terms`: distinct, at least one; `words`: the word that each was typed as; `passages`: without copies; `statistics`:
    the off-topic statistics of the language."""
    typed = {term: words.get(term, term) for term in terms}
    probabilities = {term: _term_probability(term, statistics) for term in terms}
    weights = {term: -math.log(probabilities[term]) * importance(word) for term, word in typed.items()}
    scorer = Bm25(terms, _bm25_statistics(probabilities), typed)
    matches, asked = [], frozenset(terms)
    for passage in passages:
        present = asked & passage.words
        matches.append(
            PassageMatch(passage, present, _share(weights, present), scorer.score(passage) if present else 0.0)
        )
    return TopicMatch(weights, typed, tuple(matches))


def _bm25_statistics(probabilities: Mapping[str, float]) -> TermStatistics:
    """Statistics by which BM25's idf of each term is minus the logarithm of its probability."""
    return TermStatistics(
        _SCALE, REFERENCE_LENGTH, {term: round(_SCALE * probability) for term, probability in probabilities.items()}
    )


def _term_probability(term: str, statistics: TermStatistics) -> float:
    having = min(statistics.passages_with.get(term, 0), statistics.passages)
    return min(
        MAX_PROBABILITY,
        max(MIN_PROBABILITY, (having + PRIOR_PASSAGES_WITH_TERM) / (statistics.passages + PRIOR_PASSAGES)),
    )


def _share(weights: Mapping[str, float], terms: Iterable[str]) -> float:
    present = frozenset(terms)
    total = sum(weights.values())
    # in the topic's order, so that the same terms always add up to the very same float
    return sum(weight for term, weight in weights.items() if term in present) / total if total else 0.0


def _is_single_letter(word: str) -> bool:
    """Whether the word is one letter, which names no subject: the stop words of the view's language may not list it."""
    return len(word) == 1 and word.isalpha() and not _SIGNS_THAT_ARE_WORDS.match(word)
