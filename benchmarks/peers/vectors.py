"""Vectors of words, for programs that want some: cheap, so that what is measured is the programs' own work. Runs in the
environments of the peers."""

from __future__ import annotations

from hashlib import blake2b

DIMENSION = 384


def embedded(text: str) -> list[float]:
    """A vector of length 1, in which each word has a place."""
    vector = [0.0] * DIMENSION
    for word in text.lower().split():
        vector[int.from_bytes(blake2b(word.encode(), digest_size=4).digest(), "little") % DIMENSION] += 1.0
    length = sum(each * each for each in vector) ** 0.5 or 1.0
    return [each / length for each in vector]
