"""How much the cosine counts in the order of passages, beside words."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from operator import mul
from typing import Final

from attrs import frozen

SPELLING_WEIGHT: Final = 0.25
"""The weight of a cosine that reflects spelling only: names and related words are near each other in any language."""
SPELLING_SHARE: Final = 0.075
"""The cosine's share in the score at that weight."""
MEANING_SHARE: Final = 0.35
"""Its share at a weight of 1 for a topic of LONG_TOPIC_TERMS terms or more."""
SHORT_MEANING_SHARE: Final = 0.6
"""Its share there for a topic of at most SHORT_TOPIC_TERMS terms. A title names its subject in a word or two, of which
many passages on the subject have none; the words of a long question say more."""
SHORT_TOPIC_TERMS: Final = 3
LONG_TOPIC_TERMS: Final = 6


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Of two vectors of unit length. The sum is exact before it is rounded, so that the order of adding up, which
    differs between machines, changes nothing."""
    return fsum(map(mul, one, other))


def models_meaning(embedding_weight: float) -> bool:
    """Whether the cosine reflects more than spelling."""
    return embedding_weight > SPELLING_WEIGHT


def cosine_share(embedding_weight: float, terms: int) -> float:
    """The cosine's share in the score, in 0..SHORT_MEANING_SHARE; words have the rest. It rises with the weight, and
    above SPELLING_WEIGHT falls with the number of the topic's distinct terms."""
    if embedding_weight <= SPELLING_WEIGHT:
        return SPELLING_SHARE * embedding_weight / SPELLING_WEIGHT
    shortness = min(1.0, max(0.0, (LONG_TOPIC_TERMS - terms) / (LONG_TOPIC_TERMS - SHORT_TOPIC_TERMS)))
    most = MEANING_SHARE + shortness * (SHORT_MEANING_SHARE - MEANING_SHARE)
    meaning = (embedding_weight - SPELLING_WEIGHT) / (1 - SPELLING_WEIGHT)
    return SPELLING_SHARE + meaning * (most - SPELLING_SHARE)


@frozen
class NearnessScale:
    """Cosines of any model on one scale: 0 as near as sentences on different things, 1 as near as paraphrases.

    `unrelated`, `paraphrased`: their mean cosines, the second one higher."""

    unrelated: float
    paraphrased: float

    def of(self, cosine: float) -> float:
        return (cosine - self.unrelated) / (self.paraphrased - self.unrelated)
