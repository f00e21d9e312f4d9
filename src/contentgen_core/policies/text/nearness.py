"""Nearness of texts by the vectors of an embedding model."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import fsum, hypot, prod
from operator import mul
from typing import Final, TypeVar

from attrs import frozen

SPELLING_WEIGHT: Final = 0.25
"""The weight of a cosine that reflects spelling only: names and related words are near each other in any language."""
_SHORTEST: Final = 1e-6
"""A vector less the mean that is no longer has no direction."""

Key = TypeVar("Key", bound=Hashable)


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors of unit length. The sum is exact before it is rounded, so that the order of
    adding up, which differs between machines, changes nothing."""
    return fsum(map(mul, one, other))


def nearness_beside(to: Sequence[float], vectors: Mapping[Key, Sequence[float]]) -> dict[Key, float]:
    """The cosines of texts to another one, each less what the texts have in common, which is their mean vector: what
    they and it share with all of them counts for nothing.

    `to`: of unit length, as the vectors are. A text that is what they have in common and nothing else is as near as
    any: 0."""
    if not vectors:
        return {}
    mean = [fsum(column) / len(vectors) for column in zip(*vectors.values(), strict=True)]

    def apart(vector: Sequence[float]) -> list[float]:
        return [x - m for x, m in zip(vector, mean, strict=True)]

    own = apart(to)
    found = {}
    for key, vector in vectors.items():
        other = apart(vector)
        lengths = hypot(*own), hypot(*other)
        found[key] = cosine(own, other) / prod(lengths) if min(lengths) > _SHORTEST else 0.0
    return found


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
