"""A topic read in one language: how much each of its words tells, and what each passage holds of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import Passage, TermStatistics
from contentgen_core.policies.retrieval.bm25 import Bm25
from contentgen_core.policies.text.title_words import importance

# A knowledge base says little on how common a word is while it is small: as if it had so many more passages, of which
# so many have the word. With less, a single passage that has one word of the topic would weigh on the score.
UNSEEN_PASSAGES: Final = 400
UNSEEN_WITH: Final = 2
# Chances are kept within these. Below, a word is no more telling for being rarer; above, in the knowledge base of a
# niche, the niche's own words are still what a topic is on.
RAREST: Final = 0.0005
COMMONEST: Final = math.exp(-1)
# In terms; BM25's mean length. Fixed, since the mean of the view moves with every document.
USUAL_LENGTH: Final = 60.0
_OUT_OF: Final = 100_000  # passages in which chances are told to BM25


@frozen
class PassageMatch:
    """What a passage holds of a topic. `share`: of the topic's information, `saturation`: BM25 over its upper bound,
    both in 0..1."""

    passage: Passage
    terms: frozenset[str]
    share: float
    saturation: float


@frozen
class TopicMatch:
    """`weights`: for each term of the topic, in order, its information in nats: minus the logarithm of the chance to
    find it in a passage that is not on the topic, times its importance; `words`: each as it was typed; `held`: the
    passages in the given order."""

    weights: dict[str, float]
    words: dict[str, str]
    held: tuple[PassageMatch, ...]

    def share(self, terms: Iterable[str]) -> float:
        return _share(self.weights, frozenset(terms))

    def information(self) -> float:
        """That of the passage that holds most, in nats: how little the words met in it by chance."""
        return max((held.share for held in self.held), default=0.0) * sum(self.weights.values())

    def missing(self) -> tuple[str, ...]:
        """The subject's words that no passage has, as typed."""
        found = frozenset(term for held in self.held for term in held.terms)
        return tuple(word for term, word in self.words.items() if importance(word) == 1.0 and term not in found)


def read(
    terms: Sequence[str], words: Mapping[str, str], passages: Sequence[Passage], statistics: TermStatistics
) -> TopicMatch:
    """`terms`: distinct, at least one; `passages`: independent ones in this language; `statistics`: of the background,
    by which a term is more or less telling."""
    typed = {term: words.get(term, term) for term in terms}
    chances = {term: _chance(term, statistics) for term in terms}
    weights = {term: -math.log(chances[term]) * importance(word) for term, word in typed.items()}
    scorer = Bm25(terms, _steadied(chances), typed)
    held = []
    for passage in passages:
        present = frozenset(terms).intersection((*passage.terms, *passage.head_terms))
        held.append(PassageMatch(passage, present, _share(weights, present), scorer.score(passage) if present else 0.0))
    return TopicMatch(weights, typed, tuple(held))


def _steadied(chances: Mapping[str, float]) -> TermStatistics:
    """Statistics by which BM25 weighs terms as they are weighed here; its idf of them is minus their logarithm."""
    return TermStatistics(_OUT_OF, USUAL_LENGTH, {term: round(_OUT_OF * chance) for term, chance in chances.items()})


def _chance(term: str, statistics: TermStatistics) -> float:
    having = min(statistics.passages_with.get(term, 0), statistics.passages)
    return min(COMMONEST, max(RAREST, (having + UNSEEN_WITH) / (statistics.passages + UNSEEN_PASSAGES)))


def _share(weights: Mapping[str, float], held: Iterable[str]) -> float:
    present = frozenset(held)
    total = sum(weights.values())
    # in the topic's order, so that the same terms always add up to the very same float
    return sum(weight for term, weight in weights.items() if term in present) / total if total else 0.0
