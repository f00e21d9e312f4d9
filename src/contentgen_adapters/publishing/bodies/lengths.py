"""Lengths in UTF-16 units, and truncation between grapheme clusters.

Vendors count UTF-16 units or code points, and seldom document which. A text never has fewer UTF-16 units than code
points: a limit met in units is met in either.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

_JOINER: Final = "\u200d"
_LONGEST_CLUSTER: Final = 30


def units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(c > "\uffff" for c in text)


def fitting(text: str, limit: int) -> int:
    """Return how many characters fit into `limit` UTF-16 units."""
    if len(text) * 2 <= limit:
        return len(text)
    count = min(len(text), limit)
    if text.isascii():
        return count
    used = 0
    for at in range(count):
        used += 2 if text[at] > "\uffff" else 1
        if used > limit:
            return at
    return count


def whole(text: str, end: int) -> int:
    """Return the last index up to `end` at which the text can be cut without splitting an accent, a variation selector
    or a joined emoji from its base.
    """
    at = end
    while 0 < at < len(text) and end - at < _LONGEST_CLUSTER and _belongs_together(text[at - 1], text[at]):
        at -= 1
    return at if at and end - at < _LONGEST_CLUSTER else end


def pieces(text: str, limit: int) -> Iterator[str]:
    """The text in parts of at most `limit` UTF-16 units, cut behind a line or word where one ends in the second half of
    a part. `limit`: at least 2."""
    while text:
        end = fitting(text, limit)
        if end < len(text):
            found = max(text.rfind(" ", end // 2, end), text.rfind("\n", end // 2, end))
            end = found + 1 if found > 0 else whole(text, end)
        yield text[:end]
        text = text[end:]


def _belongs_together(before: str, after: str) -> bool:
    return before == _JOINER or after == _JOINER or unicodedata.category(after).startswith("M") or _is_modifier(after)


def _is_modifier(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"
