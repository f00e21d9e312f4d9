"""Size limits of tools' answers: an agent reads them whole, and pays for every character."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import msgspec

from contentgen_core.errors import InvalidInput
from contentgen_core.policies.text.truncation import truncate

MAX_TEXT: Final = 24_000
"""Characters of articles, and of the texts of sources, in one answer."""
MAX_LIST: Final = 32_000
"""Characters of an answer that is a list, as JSON."""
MAX_ANSWER: Final = 100_000
"""Characters of any answer, as JSON."""
MAX_ADDRESS: Final = 1_000
"""Characters of an address; a longer one is left out, since it would not work when cut."""

_INVISIBLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

A = TypeVar("A", bound=msgspec.Struct)


def readable(text: str) -> str:
    """The text without control characters, each of which takes six characters in JSON."""
    return _INVISIBLE.sub("", text)


def shorten(text: str | None, most: int) -> str:
    """Return the text on one line of at most `most` characters, with an ellipsis where it was cut."""
    return truncate(" ".join(readable(text or "").split()), most, dangling=None)


def address(url: str | None) -> str | None:
    """The address, or None if it is too long."""
    return url if url is not None and len(url) <= MAX_ADDRESS else None


def text_slice(text: str, offset: int, most: int) -> tuple[str, int | None]:
    """Return at most `most` characters of a text from `offset` on, and where the rest begins (None: there is none).

    Consecutive slices make up the whole text. A slice ends behind a line or a word if one ends in its second half.
    Raises InvalidInput for an offset beyond the text.
    """
    if offset > len(text):
        raise InvalidInput.of("offset", f"the text has {len(text)} characters only")
    if len(text) - offset <= most:
        return text[offset:], None
    end, half = offset + most, offset + most // 2
    for boundary in ("\n", " "):
        found = text.rfind(boundary, half, end)
        if found >= 0:
            return text[offset : found + 1], found + 1
    return text[offset:end], end


def shares(lengths: Sequence[int], most: int) -> list[int]:
    """Return how many characters to show of texts with these lengths, `most` in all: short ones whole, equal parts of
    others.
    """
    parts = [0] * len(lengths)
    left, waiting = most, sorted(range(len(lengths)), key=lambda i: lengths[i])
    for place, i in enumerate(waiting):
        parts[i] = min(lengths[i], left // (len(waiting) - place))
        left -= parts[i]
    return parts


def size(answer: msgspec.Struct) -> int:
    """The number of characters of the answer as JSON."""
    return len(msgspec.json.encode(answer).decode())


def first_within(candidates: Iterable[A], most: int) -> A:
    """Return the first candidate of at most `most` characters, else the last one, which is small by construction."""
    last: A | None = None
    for last in candidates:
        if size(last) <= most:
            return last
    assert last is not None
    return last
