"""Combines a ranking by words with the scores of a cross-encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from contentgen_core.model.knowledge import RankedPassage

# The cross-encoder's share; the ranking by words has the rest. With two thirds, a passage in the upper half of the
# cross-encoder's scale is above every passage that words alone favour; with all of it, a model of another language than
# the sources' would discard a good ranking. Chosen, not fitted: the best share differs from model to model.
CROSS_ENCODER_WEIGHT: Final = 2 / 3


def apply_rerank_scores(ranked: Sequence[RankedPassage], scores: Sequence[float]) -> tuple[RankedPassage, ...]:
    """Return the same passages, the first `len(scores)` of them in a new order; those without a score follow in theirs.
    `ranked`: best first. `scores`: of its first passages, in their order, each in 0..1.

    Both sides are blended on the scale of `combined_score`: the cross-encoder's best score counts like the best one by
    words and its worst counts 0, since models use their scale very differently. Scores that are all equal change
    nothing. A scored passage has its score as `rerank_score`. `combined_score` never rises along the result and never
    exceeds the best one by words, so it stays comparable across topics.

    Raises ValueError for more scores than passages, or for one outside 0..1."""
    if len(scores) > len(ranked):
        raise ValueError(f"{len(scores)} scores for {len(ranked)} passages")
    if not all(0.0 <= score <= 1.0 for score in scores):
        raise ValueError("a score is not in 0..1")
    if not scores:
        return tuple(ranked)
    scored, rest = ranked[: len(scores)], ranked[len(scores) :]
    level = max(passage.combined_score for passage in scored)
    worst, spread = min(scores), max(scores) - min(scores)
    blended = []
    for passage, score in zip(scored, scores, strict=True):
        combined = passage.combined_score
        if spread:
            combined = min(
                level, (1 - CROSS_ENCODER_WEIGHT) * combined + CROSS_ENCODER_WEIGHT * level * ((score - worst) / spread)
            )
        blended.append(evolve(passage, combined_score=combined, rerank_score=score))
    # sorted() keeps the given order among equals
    ordered = sorted(blended, key=lambda passage: -passage.combined_score)
    lowest = ordered[-1].combined_score
    return (*ordered, *(evolve(passage, combined_score=min(passage.combined_score, lowest)) for passage in rest))
