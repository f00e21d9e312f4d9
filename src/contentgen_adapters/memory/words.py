"""Words of texts, as a search compares them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

_WORD: Final = re.compile(r"\w+")


def search_words(text: str) -> tuple[str, ...]:
    """In their order, without case."""
    return tuple(_WORD.findall(unicodedata.normalize("NFC", text).casefold()))


def hold_words(texts: Sequence[str], prefixes: Sequence[str]) -> bool:
    """Whether each prefix begins a word of one of the texts."""
    if not prefixes:
        return True
    words = {word for text in texts for word in search_words(text)}
    return all(any(word.startswith(prefix) for word in words) for prefix in prefixes)
