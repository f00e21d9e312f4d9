"""Tell why a search found a passage: by the words of the query, by its meaning, or by both."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from contentgen_core.policies.retrieval.ranking import Candidate, EmbeddingWeight, weight_of
from contentgen_core.policies.text.nearness import models_meaning

NEAR_SHARE: Final = 0.5
"""How far up the cosines of a search, from the lowest (0) to the highest (1), a passage is found by its meaning. In a
small knowledge base every passage is among the nearest, whatever it is about."""


class FoundBy(StrEnum):
    WORDS = "words"
    MEANING = "meaning"
    BOTH = "both"


def shares_of_meaning(candidates: Sequence[Candidate], embedding_weight: EmbeddingWeight) -> list[float | None]:
    """Return for each candidate of a search the position of its cosine between the lowest (0) and the highest (1); None
    where the embedder does not model meaning in its language, and for a candidate that is not among the nearest."""
    cosines = [
        candidate.hit.cosine if models_meaning(weight_of(candidate, embedding_weight)) else None
        for candidate in candidates
    ]
    known = [cosine for cosine in cosines if cosine is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    return [None if cosine is None else (cosine - low) / (high - low) if high > low else 1.0 for cosine in cosines]


def found_by(candidates: Sequence[Candidate], embedding_weight: EmbeddingWeight) -> list[FoundBy]:
    """Return for each candidate of a search: by WORDS, if the index found a word of the query in it, its title or its
    heading; by MEANING, if its share of meaning is at least NEAR_SHARE. A candidate of neither was found by the
    stronger hint it has: its cosine, or else similarly spelled words."""
    shares = shares_of_meaning(candidates, embedding_weight)
    return [_found_by(candidate.hit.text_score > 0, share) for candidate, share in zip(candidates, shares, strict=True)]


def _found_by(by_words: bool, share: float | None) -> FoundBy:
    if by_words:
        return FoundBy.BOTH if share is not None and share >= NEAR_SHARE else FoundBy.WORDS
    return FoundBy.WORDS if share is None else FoundBy.MEANING
