"""What differs between two texts, word by word, as a page shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from attrs import frozen

from contentgen_core.policies.articles.text_changes import TextChange

MAX_WORDS: Final = 1_000
"""Words of a text beyond which it is shown as exchanged as a whole."""
_WORDS: Final = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")


@frozen
class ChangedWords:
    """Words that stand in both texts (`kind` same), in the former alone (del) or in the present alone (ins)."""

    kind: str
    text: str


def changed_words(change: TextChange) -> list[ChangedWords]:
    """The words of a change."""
    return word_changes("\n".join(change.before), "\n".join(change.after))


def word_changes(before: str, after: str) -> list[ChangedWords]:
    """From the one text to the other."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > MAX_WORDS:
        return _exchanged(before, after)
    found: list[ChangedWords] = []
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        found += (
            [ChangedWords("same", _text(old, i, j))]
            if kind == "equal"
            else _exchanged(_text(old, i, j), _text(new, k, m))
        )
    return found


def _exchanged(before: str, after: str) -> list[ChangedWords]:
    return [ChangedWords(kind, text) for kind, text in (("del", before), ("ins", after)) if text]


def _text(words: Sequence[str], start: int, end: int) -> str:
    return "".join(words[start:end])
