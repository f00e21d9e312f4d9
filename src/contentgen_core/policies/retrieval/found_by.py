"""Why a search found a passage: by the words of the query, by its meaning, or by both."""

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


def found_by(candidates: Sequence[Candidate], embedding_weight: EmbeddingWeight) -> list[FoundBy]:
    """For each candidate of a search: by WORDS, if the index found a word of the query in it, its title or its heading;
    by MEANING, if the embedder models meaning in its language and its cosine is at least NEAR_SHARE of the way from the
    lowest to the highest of the candidates. One that is neither was found by the stronger hint it has: its cosine, or
    else words that are spelled alike."""
    cosines = [
        candidate.hit.cosine if models_meaning(weight_of(candidate, embedding_weight)) else None
        for candidate in candidates
    ]
    known = [cosine for cosine in cosines if cosine is not None]
    least = min(known, default=0.0) + NEAR_SHARE * (max(known, default=0.0) - min(known, default=0.0))
    return [
        _of(candidate.hit.text_score > 0, cosine, least) for candidate, cosine in zip(candidates, cosines, strict=True)
    ]


def _of(by_words: bool, cosine: float | None, least: float) -> FoundBy:
    near = cosine is not None and cosine >= least
    if by_words:
        return FoundBy.BOTH if near else FoundBy.WORDS
    return FoundBy.WORDS if cosine is None else FoundBy.MEANING
