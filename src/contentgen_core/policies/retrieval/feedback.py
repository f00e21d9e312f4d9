"""Pseudo-relevance feedback: the candidates of a search are scored once more by the words of the best of them.

After RM3 (Abdul-Jaleel et al. 2004, "UMass at TREC 2004: Novelty and HARD"), but without a second search: the terms
that distinguish the best passages from the other candidates form an expanded query over the same candidates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Final

from contentgen_core.model.knowledge import Passage
from contentgen_core.policies.retrieval.bm25 import K1, B

FEEDBACK_PASSAGES: Final = 5  # the best ones, from which terms are taken
EXPANSION_TERMS: Final = 20  # terms taken from them
MAX_FEEDBACK_SHARE: Final = 0.15
"""The share of feedback in the score of a topic of at most SHORT_TOPIC_TERMS terms; a longer topic is more specific and
needs less."""
SHORT_TOPIC_TERMS: Final = 3


def feedback_share(terms: int) -> float:
    """The share of feedback in the score, in 0..MAX_FEEDBACK_SHARE, for a topic of `terms` terms."""
    return MAX_FEEDBACK_SHARE * min(1.0, SHORT_TOPIC_TERMS / terms) if terms else 0.0


def feedback_scores(passages: Sequence[Passage], scores: Sequence[float], topic_terms: Collection[str]) -> list[float]:
    """Return for each passage its score by the expansion terms, in 0..1; all 0 when the best share no term with the
    others. `scores`: those of the first ranking, in the same order. `topic_terms`: left out of the expansion, since the
    first ranking counted them. Copies of the same content are used once."""
    mean = sum(len(p.terms) for p in passages) / len(passages) if passages else 0.0
    normalisations = [K1 * (1 - B + B * (len(p.terms) / mean if mean else 1.0)) for p in passages]
    weights = _expansion_weights(passages, scores, normalisations, topic_terms)
    total = sum(weights.values())
    if not total:
        return [0.0] * len(passages)
    found = []
    for passage, normalisation in zip(passages, normalisations, strict=True):
        count = Counter(filter(weights.__contains__, passage.terms))
        found.append(sum(w * count[t] / (count[t] + normalisation) for t, w in weights.items() if t in count) / total)
    return found


def _expansion_weights(
    passages: Sequence[Passage],
    scores: Sequence[float],
    normalisations: Sequence[float],
    topic_terms: Collection[str],
) -> dict[str, float]:
    counts = {place: Counter(passages[place].terms) for place in _best_indices(passages, scores)}
    terms = frozenset(chain.from_iterable(counts.values())).difference(topic_terms)
    document_frequency = Counter(chain.from_iterable(terms.intersection(p.terms) for p in passages))
    weights: dict[str, float] = {}
    for place, count in counts.items():
        for term, frequency in count.items():
            if document_frequency[term] > 1:
                # The view's statistics hold the topic's terms only: the idf of others is taken over the candidates.
                idf = math.log((len(passages) + 1) / (document_frequency[term] + 0.5))
                weight = scores[place] * frequency / (frequency + normalisations[place]) * max(idf, 0.0)
                weights[term] = weights.get(term, 0.0) + weight
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:EXPANSION_TERMS])


def _best_indices(passages: Sequence[Passage], scores: Sequence[float]) -> list[int]:
    """Return the indices of the best passages with a score above 0, best first, one of each content."""
    order = sorted(range(len(passages)), key=lambda i: (-scores[i], passages[i].document.id, passages[i].chunk_index))
    contents: dict[str, int] = {}
    for place in order:
        if scores[place] > 0.0:
            contents.setdefault(passages[place].content_hash, place)
        if len(contents) == FEEDBACK_PASSAGES:
            break
    return list(contents.values())
