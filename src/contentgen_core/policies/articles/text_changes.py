"""Compare two texts sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from attrs import frozen

MAX_COMPARED: Final = 1_000
"""Lines of a text, without those that both texts begin and end with, that are compared one by one; more are one
change."""


@frozen
class TextChange:
    """Lines of the one text that stand in the place of lines of the other; either may be none. `position`: of the first
    line in the text before."""

    position: int
    before: tuple[str, ...]
    after: tuple[str, ...]


def text_changes(before: Sequence[str], after: Sequence[str]) -> tuple[TextChange, ...]:
    """The changes from one text to the other, in order. `before`, `after`: their sentences and headings."""
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    end = next((n for n in range(shorter - start) if before[-1 - n] != after[-1 - n]), shorter - start)
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if not old and not new:
        return ()
    if not old or not new or max(len(old), len(new)) > MAX_COMPARED:
        return (TextChange(start, tuple(old), tuple(new)),)
    return tuple(
        TextChange(start + i, tuple(old[i:j]), tuple(new[k:m]))
        for tag, i, j, k, m in SequenceMatcher(None, old, new).get_opcodes()
        if tag != "equal"
    )


def apply_changes(before: Sequence[str], changes: Sequence[TextChange]) -> list[str]:
    """Return the text after these changes."""
    after, at = list[str](), 0
    for change in changes:
        after += [*before[at : change.position], *change.after]
        at = change.position + len(change.before)
    return [*after, *before[at:]]
