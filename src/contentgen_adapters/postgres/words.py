"""The words that a search by prefixes compares."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_WORD: Final = re.compile(r"\w+")
LONGEST_WORD: Final = 100  # characters; PostgreSQL takes 2,046 bytes. A longer one is found by its beginning
MOST_BYTES: Final = 500_000  # of one article's different words; PostgreSQL takes 1 MiB, its own overhead included
MOST_SEARCHED: Final = 20  # words of a search: enough for a title typed in full
WORDS: Final = {"words": "array_to_tsvector(%(words)s::text[])"}
"""The column of these words, with the SQL that it is set to from a list of them."""


def words(text: str) -> list[str]:
    """The different words of a text in the order they come, NFC and case-folded, each cut to LONGEST_WORD."""
    found = _WORD.findall(unicodedata.normalize("NFC", text).casefold())
    return list(dict.fromkeys(word[:LONGEST_WORD] for word in found))


def indexed_words(title: str, content: str) -> list[str]:
    """The words an article is found by: all of them, unless it has more different ones than any real text of a
    megabyte; then those that come first, title before content."""
    found = words(f"{title}\n{content}")
    size = 0
    for i, word in enumerate(found):
        size += len(word.encode())
        if size > MOST_BYTES:
            return found[:i]
    return found


def prefix_query(search: str) -> str | None:
    """A tsquery that asks for each word of a search as a prefix; None when it has no word. A word holds letters, digits
    and underscores alone, so there is nothing to escape; the quotes keep `or` from being an operator."""
    wanted = words(search)[:MOST_SEARCHED]
    return " & ".join(f"'{word}':*" for word in wanted) or None
