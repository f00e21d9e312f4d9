"""Recognise a document by its text where it has another name now, also if it was edited on the way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from attrs import field, frozen

SAME_TEXT: Final = 0.5
"""The share of the longer text's own statements, by their length, that two texts have in common from which one is the
other, edited."""
CLEARLY: Final = 0.2
"""By how much the best has to be more alike than the second best."""
SAME_TITLE: Final = 0.5
"""The same for the words of two texts of one title that no other document has."""
_STATEMENT_END: Final = re.compile(r"\n+|(?<=[.!?…])\s+|(?<=[。！？])")
_MARKS: Final = re.compile(r"[\s#>*_`|\-–—]+")
_WORD: Final = re.compile(r"\w+")


@frozen
class TextProfile:
    """The parts of a text by which it is compared. `statements`: its sentences and lines, without marks of Markdown;
    `words`: how often it has each."""

    title: str
    statements: frozenset[str]
    words: Counter[str] = field(repr=False)

    @classmethod
    def of(cls, title: str, text: str) -> TextProfile:
        """Build the profile of a text. Takes some milliseconds for a long one."""
        parts = (_plain(part) for part in _STATEMENT_END.split(text))
        return cls(_plain(title), frozenset(part for part in parts if part), Counter(_WORD.findall(text.casefold())))


@frozen
class FormerTexts:
    """The texts of documents whose names are gone, by name. `others`: texts of documents that still have their names:
    what one of them says as well tells nothing of who a text is."""

    known: dict[str, TextProfile]
    others: Sequence[TextProfile] = ()
    _common: frozenset[str] = field(init=False)

    @_common.default
    def _said_by_several(self) -> frozenset[str]:
        counts = Counter(statement for one in self.known.values() for statement in one.statements)
        elsewhere = {statement for one in self.others for statement in one.statements}
        return frozenset(elsewhere | {statement for statement, n in counts.items() if n > 1})

    def same(self, text: TextProfile, free: Collection[str]) -> str | None:
        """Return the former name of the document with exactly this text; None where none or several have it. `free`:
        the former names that are not matched yet."""
        if not text.statements:
            return None
        same = [name for name, one in self._free_profiles(free) if one.statements == text.statements]
        titled = [name for name in same if self.known[name].title == text.title]
        found = titled or same
        return found[0] if len(found) == 1 else None

    def edited(self, text: TextProfile, free: Collection[str]) -> str | None:
        """Return the former name of the document that has this text after an edit; None where none or several may be
        it. Two pages of one template that differ in their figures are two documents. `free`: as above."""
        shares = sorted(((self._share(text, one), name) for name, one in self._free_profiles(free)), reverse=True)
        if shares and shares[0][0] >= SAME_TEXT:
            return shares[0][1] if len(shares) == 1 or shares[0][0] - shares[1][0] >= CLEARLY else None
        return self._find_by_title(text, free)

    def _free_profiles(self, free: Collection[str]) -> Iterable[tuple[str, TextProfile]]:
        return ((name, one) for name, one in self.known.items() if name in free)

    def _share(self, one: TextProfile, other: TextProfile) -> float:
        longer = max(_length(one.statements - self._common), _length(other.statements - self._common))
        return _length((one.statements & other.statements) - self._common) / longer if longer else 0.0

    def _find_by_title(self, text: TextProfile, free: Collection[str]) -> str | None:
        titled = [(name, one) for name, one in self._free_profiles(free) if one.title == text.title and text.title]
        if len(titled) != 1 or any(one.title == text.title for one in self.others):
            return None
        [(name, one)] = titled
        longer = max(one.words.total(), text.words.total())
        return name if longer and (one.words & text.words).total() / longer >= SAME_TITLE else None


def _plain(text: str) -> str:
    return _MARKS.sub(" ", text).strip(" .!?…。！？").casefold()


def _length(statements: Iterable[str]) -> int:
    return sum(map(len, statements))
