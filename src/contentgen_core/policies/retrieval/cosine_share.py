"""The share of the cosine, beside words, in the order of passages."""

from __future__ import annotations

from typing import Final

from contentgen_core.policies.text.nearness import SPELLING_WEIGHT

SPELLING_SHARE: Final = 0.075
"""The cosine's share in the score at SPELLING_WEIGHT."""
MEANING_SHARE: Final = 0.35
"""Its share at a weight of 1 for a topic of LONG_TOPIC_TERMS terms or more."""
SHORT_MEANING_SHARE: Final = 0.6
"""Its share there for a topic of at most SHORT_TOPIC_TERMS terms. A title names its subject in a word or two, of which
many passages on the subject have none; the words of a long question say more."""
SHORT_TOPIC_TERMS: Final = 3
LONG_TOPIC_TERMS: Final = 6


def cosine_share(embedding_weight: float, terms: int) -> float:
    """The cosine's share in the score, in 0..SHORT_MEANING_SHARE; words have the rest. It rises with the weight, and
    above SPELLING_WEIGHT falls with the number of the topic's distinct terms."""
    if embedding_weight <= SPELLING_WEIGHT:
        return SPELLING_SHARE * embedding_weight / SPELLING_WEIGHT
    shortness = min(1.0, max(0.0, (LONG_TOPIC_TERMS - terms) / (LONG_TOPIC_TERMS - SHORT_TOPIC_TERMS)))
    most = MEANING_SHARE + shortness * (SHORT_MEANING_SHARE - MEANING_SHARE)
    meaning = (embedding_weight - SPELLING_WEIGHT) / (1 - SPELLING_WEIGHT)
    return SPELLING_SHARE + meaning * (most - SPELLING_SHARE)
