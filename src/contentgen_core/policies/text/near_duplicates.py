"""Passages that repeat another one almost word for word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from contentgen_core.model.knowledge import Passage

SHINGLE_TERMS: Final = 5
"""Terms in a row that make a shingle."""
CONTAINMENT_THRESHOLD: Final = 0.8
"""A passage is a near-duplicate when other passages have at least this share of its shingles. Containment and not
Jaccard's coefficient: a teaser is a copy of the beginning of an article."""
MIN_TERMS: Final = 8
"""Shorter passages are captions, buttons and headings."""


class Novelty:
    """Decides, passage by passage, whether a passage is new. `seen`: passages that are known from the start."""

    def __init__(self, seen: Iterable[Passage] = ()) -> None:
        self._hashes: set[str] = set()
        self._shingles: set[tuple[str, ...]] = set()
        for passage in seen:
            self._add(passage)

    def __call__(self, passage: Passage) -> bool:
        """Whether the passage has at least MIN_TERMS terms and is no near-duplicate of one seen before. A new one
        counts as seen from then on."""
        if len(passage.terms) < MIN_TERMS or passage.content_hash in self._hashes:
            return False
        own = shingles(passage.terms)
        if len(own & self._shingles) >= CONTAINMENT_THRESHOLD * len(own):
            return False
        self._add(passage)
        return True

    def _add(self, passage: Passage) -> None:
        self._hashes.add(passage.content_hash)
        self._shingles |= shingles(passage.terms)


def shingles(terms: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return all runs of SHINGLE_TERMS terms; a shorter text is one run."""
    return set(shingles_in_order(terms))


def shingles_in_order(terms: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """Return the runs of SHINGLE_TERMS terms in order, repeated ones included."""
    if len(terms) <= SHINGLE_TERMS:
        return (terms,) if terms else ()
    return zip(*(terms[start:] for start in range(SHINGLE_TERMS)), strict=False)
