"""Passages that say what another one says already, almost word for word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from contentgen_core.model.knowledge import Passage

SHINGLE: Final = 5
"""Terms in a row."""
CONTAINED: Final = 0.8
"""A passage is a near-duplicate from this share of its shingles on that others have. Containment and not Jaccard's
coefficient: a teaser is a copy of the beginning of an article."""
LEAST_TERMS: Final = 8
"""Shorter passages are captions, buttons and headings."""


class Novelty:
    """Tells passages that are new from those that were seen, one after the other."""

    def __init__(self, seen: Iterable[Passage] = ()) -> None:
        self._hashes: set[str] = set()
        self._shingles: set[tuple[str, ...]] = set()
        for passage in seen:
            self._remember(passage)

    def __call__(self, passage: Passage) -> bool:
        """Whether a passage is long enough to say something and new; a new one counts as seen from then on."""
        if len(passage.terms) < LEAST_TERMS or passage.content_hash in self._hashes:
            return False
        own = shingles(passage.terms)
        if len(own & self._shingles) >= CONTAINED * len(own):
            return False
        self._remember(passage)
        return True

    def _remember(self, passage: Passage) -> None:
        self._hashes.add(passage.content_hash)
        self._shingles |= shingles(passage.terms)


def shingles(terms: tuple[str, ...]) -> set[tuple[str, ...]]:
    """All runs of SHINGLE terms; of a shorter text the whole."""
    if len(terms) <= SHINGLE:
        return {terms} if terms else set()
    return set(zip(*(terms[start:] for start in range(SHINGLE)), strict=False))
