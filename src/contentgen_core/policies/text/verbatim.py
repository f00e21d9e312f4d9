"""Verbatim text: quotations, which must match a source, and copied runs, which are counted."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import Final

from attrs import field, frozen

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import Span, TextAnalysis
from contentgen_core.model.vocabulary import Language

# In quotation marks, at least this many words are a quotation; fewer are a term.
MIN_QUOTATION_WORDS: Final = 4
# The length, in words, of the runs that are counted as copied or not.
COPIED_RUN_WORDS: Final = 8

_QUOTED: Final = re.compile(r"“([^“”]*)”|«([^«»]*)»|„([^„“”]*)[“”]|「([^「」]*)」|\"([^\"]*)\"")
_MARKS: Final = "“”„«»「」『』\"'‘’‚ \u00a0\u202f"
_WORD: Final = re.compile(rf"[^\s{_MARKS}]+")
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑–—", "-"))
_SPACES: Final = str.maketrans(dict.fromkeys(f"{_MARKS}\n\t", " "))
_ENDINGS: Final = ".!?…。！？"


@frozen(eq=False)
class Wording:
    """A text as others are looked for in it word for word: white space, the shape of quotation marks, apostrophes and
    dashes, marks around what is looked for and its final punctuation may differ.

    `words`: with one space between them and dashes alike."""

    text: str = field(repr=False)
    words: str = field(repr=False)

    @classmethod
    def of(cls, text: str) -> Wording:
        return cls(text, _join_words(_words(text)))

    def find(self, text: str) -> Span | None:
        """Return the first place of the text, as a span of characters of the original; None for a text without
        words."""
        wanted = _join_words(_words(text)).rstrip(_ENDINGS).rstrip()
        at = self.words.find(wanted) if wanted else -1
        while at >= 0:
            end = at + len(wanted)
            if not (_is_letter(self.words[at - 1 : at]) or _is_letter(self.words[end : end + 1])):
                return Span(self._origin(at), self._origin(end - 1) + 1)
            at = self.words.find(wanted, at + 1)
        return None

    def _origin(self, at: int) -> int:
        """Return the place in the text of a character of `words`."""
        if self._shift is not None:
            return at + self._shift
        places, origins = self._places
        word = bisect_right(places, at) - 1
        return origins[word] + at - places[word]

    @cached_property
    def _shift(self) -> int | None:
        """The constant offset between words and text, where the text has exactly one space or mark between two words,
        as most texts have; else None."""
        spaced = self.text.translate(_SPACES)
        start = len(spaced) - len(spaced.lstrip())
        return start if self.words == spaced.strip().translate(_DASHES) else None

    @cached_property
    def _places(self) -> tuple[Sequence[int], Sequence[int]]:
        """The beginnings of each word in `words`, and in the text."""
        found = list(_WORD.finditer(self.text))
        places = accumulate([len(match[0]) + 1 for match in found], initial=0)
        return tuple(places), tuple([match.start() for match in found])


def find_verbatim(text: str, source: str) -> Span | None:
    """The span of the source that has the text word for word, or None (see Wording)."""
    return Wording.of(source).find(text)


def _words(text: str) -> list[str]:
    """Return the matches of _WORD."""
    return text.translate(_SPACES).split()


def _join_words(words: Iterable[str]) -> str:
    return " ".join(words).translate(_DASHES)


def _is_letter(character: str) -> bool:
    """Whether the character belongs to a word, so that text beside it is a part of the word."""
    return character.isalnum() or character == "_"


def quotations(text: str) -> tuple[str, ...]:
    """The quotations of a text, in quotation marks of any language, of at least MIN_QUOTATION_WORDS words."""
    found = (next(group for group in match.groups() if group is not None) for match in _QUOTED.finditer(text))
    return tuple(q.strip(_MARKS) for q in found if len(q.split()) >= MIN_QUOTATION_WORDS)


class Letters:
    """Encodes each distinct word as one character, so that a run of words is a substring. Caches; one instance for each
    article."""

    def __init__(self, analysis: TextAnalysis, language: Language) -> None:
        self._analysis, self._language = analysis, language
        self._letters = _NewLetters()
        self._written: dict[str, str] = {}

    def of(self, text: str) -> str:
        """Encode the text sentence by sentence, as a check splits texts."""
        found = self._written.get(text)
        if found is None:
            sentences = [span.of(text) for span in self._analysis.sentences(text, self._language)]
            tokens = chain.from_iterable(self._analysis.tokens(each, self._language) for each in sentences)
            letters = self._letters
            found = self._written[text] = "".join([letters[token.text.casefold()] for token in tokens])
        return found


class _NewLetters(dict[str, str]):
    def __missing__(self, word: str) -> str:
        self[word] = letter = chr(len(self) + 1)
        return letter


def longest_verbatim_run(texts: Iterable[str], passages: Iterable[Passage], letters: Letters) -> int:
    """The length, in words, of the longest run outside quotation marks that one of the texts shares with any of the
    passages."""
    ours = "\0".join(letters.of(part) for text in texts for part in _without_quotes(text))
    longest = 0
    for passage in passages:
        theirs = letters.of(passage.text)
        for start in range(len(theirs)):
            while start + longest < len(theirs) and theirs[start : start + longest + 1] in ours:
                longest += 1
    return longest


def copied_share(
    texts: Iterable[str],
    passages: Iterable[Passage],
    letters: Letters,
    length: int = COPIED_RUN_WORDS,
) -> float:
    """The share, in 0..1, of the texts' runs of `length` words that stand word for word in a passage; 0 where there is
    no run. What is in quotation marks is left out."""
    parts = [letters.of(part) for text in texts for part in _without_quotes(text)]
    ours = [run for part in parts for run in _runs(part, length)]
    theirs = {run for passage in passages for run in _runs(letters.of(passage.text), length)}
    return sum(run in theirs for run in ours) / len(ours) if ours else 0.0


def _without_quotes(text: str) -> list[str]:
    parts, at = [], 0
    for match in _QUOTED.finditer(text):
        parts.append(text[at : match.start()])
        at = match.end()
    return [*parts, text[at:]]


def _runs(words: str, length: int) -> Iterator[str]:
    return (words[i : i + length] for i in range(len(words) - length + 1))
