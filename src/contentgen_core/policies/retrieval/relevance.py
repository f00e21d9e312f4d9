"""Select the ranked passages that are about a text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.policies.retrieval.ranking import Candidate, EmbeddingWeight, weight_of
from contentgen_core.policies.text.nearness import models_meaning

# On the sample knowledge base the best passage of a topic it covers scores .45 to .65, that of a topic it lacks .05 at
# most; within a covered topic, passages below a quarter of the best share a common word or nothing with it.
MIN_BEST_SCORE: Final = 0.10
MIN_SHARE_OF_BEST: Final = 0.25

BACKGROUND_PASSAGES: Final = 20
"""The fewest cosines whose lowest is taken for that of passages on other subjects."""
SUFFICIENT_NEARNESS: Final = 0.08
"""The nearness that makes a passage relevant without a word of the text."""
SUFFICIENT_WORDS: Final = 0.5
"""The score by words that makes a passage relevant that is no nearer than the background."""

FIRST_RESULTS: Final = 10
MIN_SHARE_OF_FIRST: Final = 0.15
"""Of the best score, for the FIRST_RESULTS passages of a search."""
MIN_SHARE_OF_FURTHER: Final = 0.3

Nearness = Mapping[SourceRef, float]
"""How far a passage's cosine is on the way from the background of the search, 0, to the same vector, 1. Cosines of
models differ in their background and their range, so that they tell nothing by themselves."""


def nearness(candidates: Collection[Candidate], embedding_weight: EmbeddingWeight) -> dict[SourceRef, float]:
    """The nearness of each candidate in a language whose meaning the embedder models. The background is the lowest
    cosine among the candidates; none is known, and the result is empty, below BACKGROUND_PASSAGES of them."""
    cosines = {
        candidate.passage.ref: candidate.hit.cosine
        for candidate in candidates
        if models_meaning(weight_of(candidate, embedding_weight))
    }
    known = [cosine for cosine in cosines.values() if cosine is not None]
    if len(known) < BACKGROUND_PASSAGES:
        return {}
    background = min(known)
    if background >= 1.0:
        return {}
    return {
        ref: 0.0 if cosine is None else min(1.0, (cosine - background) / (1.0 - background))
        for ref, cosine in cosines.items()
    }


def relevant(ranked: Sequence[RankedPassage], near: Nearness) -> tuple[RankedPassage, ...]:
    """The passages to write from, in their order: those that score at least MIN_SHARE_OF_BEST of the best one and,
    where their nearness is known, are about the text by words and nearness together. None when the best scores less
    than MIN_BEST_SCORE."""
    best = _best_score(ranked)
    if best < MIN_BEST_SCORE:
        return ()
    return tuple(r for r in ranked if r.combined_score >= MIN_SHARE_OF_BEST * best and _is_about_it(r, near))


def worth_showing(ranked: Sequence[RankedPassage], near: Nearness) -> tuple[RankedPassage, ...]:
    """The passages to show to somebody who searches, in their order. Where nearness is known, the first FIRST_RESULTS
    may score less than those that an article is written from, since a reader judges for himself, and those that follow
    have to score more; else as `relevant`."""
    if not near:
        return relevant(ranked, near)
    best = _best_score(ranked)
    first = [r for r in ranked[:FIRST_RESULTS] if r.combined_score >= MIN_SHARE_OF_FIRST * best]
    further = [
        r for r in ranked[FIRST_RESULTS:] if r.combined_score >= MIN_SHARE_OF_FURTHER * best and _is_about_it(r, near)
    ]
    return (*first, *further) if best >= MIN_BEST_SCORE else ()


def _best_score(ranked: Sequence[RankedPassage]) -> float:
    return max((r.combined_score for r in ranked), default=0.0)


def _is_about_it(ranked: RankedPassage, near: Nearness) -> bool:
    nearness_of_it = near.get(ranked.ref)
    if nearness_of_it is None:
        return True
    return nearness_of_it / SUFFICIENT_NEARNESS + ranked.rerank_score / SUFFICIENT_WORDS >= 1.0
