"""Text functions that both kinds of writers use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from contentgen_core.model.article_plan import MAX_SECTION_WORDS, MIN_SECTION_WORDS
from contentgen_core.policies.text.truncation import truncate_at_space

SAME_TOPIC: Final = 0.6
NEAR_DUPLICATE_WORDS: Final = 4
_WORD: Final = re.compile(r"\w{4,}")


def shorten(text: str, most: int) -> str:
    """The text within `most` characters, an ellipsis included, cut at a word that ends in its second half."""
    return text if len(text) <= most else truncate_at_space(text, most - 1, range(most // 2 + 1, most - 1))


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def shares(weights: Sequence[float], total: int) -> list[int]:
    """Words for each section in proportion to the weights; they sum to `total` as far as the limits of a section
    allow."""
    whole = sum(weights) or 1.0
    parts = [int(total * weight / whole) for weight in weights]
    if parts:
        parts[max(range(len(parts)), key=lambda i: weights[i])] += total - sum(parts)
    return [min(MAX_SECTION_WORDS, max(MIN_SECTION_WORDS, part)) for part in parts]


def alike(one: str, other: str) -> bool:
    """Whether two topics share most of their long words; in scripts without spaces, of their character pairs."""
    a, b = _words(one), _words(other)
    shared = len(a & b)
    return shared >= NEAR_DUPLICATE_WORDS or shared / max(1, min(len(a), len(b))) >= SAME_TOPIC


def _words(text: str) -> set[str]:
    folded = text.casefold()
    if folded.isascii() or " " in folded.strip():
        return set(_WORD.findall(folded)) or set(folded.split())
    solid = re.sub(r"\W", "", folded)
    # a pair of characters is less distinctive than a word: three in a row count about as much
    return {solid[i : i + 3] for i in range(max(1, len(solid) - 2))}
