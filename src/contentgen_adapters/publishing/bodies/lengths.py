"""Lengths as targets count them, and cuts that leave characters whole.

Vendors count in UTF-16 units or in code points and seldom say which. Counted here are UTF-16 units, of which a text has
never fewer than code points: what fits in them fits in either.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

_JOINER: Final = "\u200d"
_LONGEST_CLUSTER: Final = 30


def units(text: str) -> int:
    """UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(c > "\uffff" for c in text)


def fitting(text: str, limit: int) -> int:
    """How many characters from the beginning have at most `limit` units."""
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
    """At most `end`, so that no accent, variation or joined emoji is cut from what it belongs to."""
    at = end
    while 0 < at < len(text) and end - at < _LONGEST_CLUSTER and _belongs_together(text[at - 1], text[at]):
        at -= 1
    return at if at and end - at < _LONGEST_CLUSTER else end


def pieces(text: str, limit: int) -> Iterator[str]:
    """The text in parts of at most `limit` units (2 or more), cut behind a line or word where one ends in the part's
    second half."""
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
