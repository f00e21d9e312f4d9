"""How near texts are to each other, by the vectors of an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from operator import mul
from typing import Final

from attrs import frozen

SPELLING_WEIGHT: Final = 0.25
"""The weight of a cosine that reflects spelling only: names and related words are near each other in any language."""


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Of two vectors of unit length. The sum is exact before it is rounded, so that the order of adding up, which
    differs between machines, changes nothing."""
    return fsum(map(mul, one, other))


def models_meaning(embedding_weight: float) -> bool:
    """Whether the cosine reflects more than spelling."""
    return embedding_weight > SPELLING_WEIGHT


@frozen
class NearnessScale:
    """Cosines of any model on one scale: 0 as near as sentences on different things, 1 as near as paraphrases.

    `unrelated`, `paraphrased`: their mean cosines, the second one higher."""

    unrelated: float
    paraphrased: float

    def of(self, cosine: float) -> float:
        return (cosine - self.unrelated) / (self.paraphrased - self.unrelated)
