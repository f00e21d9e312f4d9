"""Texts that were read and are of no use all the same."""

from __future__ import annotations

import re
from typing import Final

LONG: Final = 25
"""Letters of a word; compounds of German reach them, hardly any other word does."""
GLUED_SHARE: Final = 0.2
"""Of the letters of a text, in longer words. Of 16,000 texts in eight languages none reached it (0.15 at most); without
their spaces 99 of 100 do in Latin and Cyrillic letters, and those that keep every fourth space do not."""
FEWEST_LETTERS: Final = 200
"""Of a shorter text nothing is said: one long word would decide."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_WITHOUT_SPACES: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s)>\]]{1,300}")
_MARKS: Final = re.compile(r"[\W_]+")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}(?:\s|$)")


def has_glued_words(text: str) -> bool:
    """Whether words stand together as in a PDF that has no spaces. Scripts that are written without any do not
    count, nor do addresses."""
    words = [len(word) for word in _WORD.findall(_ADDRESS.sub(" ", text)) if not _WITHOUT_SPACES.search(word)]
    letters = sum(words)
    return letters >= FEWEST_LETTERS and sum(n for n in words if n > LONG) >= GLUED_SHARE * letters


def is_title_only(title: str, text: str) -> bool:
    """Whether a text says nothing but its title, or has headings alone. An empty one has no title either."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return False
    below = " ".join(line for line in lines if not _HEADING.match(line))
    return not _plain(below) or _plain(text) == _plain(title)


def _plain(text: str) -> str:
    return _MARKS.sub(" ", text).strip().casefold()
