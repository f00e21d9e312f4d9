"""Which of the ranked passages are about the topic at all: an article is written from these and no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_core.model.knowledge import RankedPassage

# On the sample knowledge base the best passage of a topic it covers scores .45 to .65, that of a topic it lacks .05 at
# most; within a covered topic, passages below a quarter of the best share a common word or nothing with it.
LEAST_BEST: Final = 0.10
SHARE_OF_BEST: Final = 0.25


def relevant(ranked: Sequence[RankedPassage]) -> tuple[RankedPassage, ...]:
    """The passages worth writing from, in their order; none when even the best has little to do with the topic."""
    best = max((r.combined_score for r in ranked), default=0.0)
    if best < LEAST_BEST:
        return ()
    return tuple(r for r in ranked if r.combined_score >= SHARE_OF_BEST * best)
