"""Names in scripts with capitals: runs of words with a capital inside a sentence, abbreviations, codes.

The rules are those of `policies.text.facts.names`, with neighbouring words joined. A word that begins a sentence is a
name only if the document also has it inside one. German capitalises every noun: there only abbreviations, codes, runs
of several words and laws (by their endings) count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from contentgen_adapters.entities.types import TITLES, type_of
from contentgen_adapters.entities.word_classes import ABSTRACT_LABELS, joining_words
from contentgen_core.model.entity import MAX_ENTITY_NAME, EntityType
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.fact_words import MONTHS, UNITS

MAX_WORDS: Final = 6
_ALL_CAPS_WORDS: Final = 4
"""From this many words in a row in capitals on, a run is emphasis and not a name."""


def _ranges(letters: Sequence[int]) -> str:
    found: list[list[int]] = []
    for code in letters:
        if found and code == found[-1][1] + 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return "".join(f"{re.escape(chr(a))}-{re.escape(chr(b))}" for a, b in found)


_UPPER: Final = _ranges([code for code in range(0x2E80) if chr(code).isupper()])
# From a capital on, which a search finds quickly; what may stand before it (`iPhone`) is looked at behind it.
_BEGINS: Final = r"(?:(?<!\w.)|(?<=(?<!\w)[a-z].)|(?<=(?<!\w)[a-z][a-z].))"
_WORD: Final = re.compile(rf"[{_UPPER}]{_BEGINS}\w*(?:[-‐‑'’&.]\w+)*", re.DOTALL)
_SMALL: Final = "abcdefghijklmnopqrstuvwxyz"
_ELIDED: Final = re.compile(r"^(?:[cdjlmnst]|qu|dell|nell|all|dall|sull)['’](?=\w)", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_CONNECTORS: Final = frozenset(
    f" {words} " for words in ("of", "of the", "de", "de la", "du", "des", "di", "da", "do", "dos", "del", "della",
                               "von", "van", "van der", "van den", "de los", "&")
) | {" ", "\u00a0", " d'", " d’", " de l'", " de l’", " dell'", " dell’"}  # fmt: skip
_HYPHENS: Final = "-‐‑"
_OPENING_MARKS: Final = " \u00a0\t\"'“”„«»‘’([*_`"
_WITHIN_SENTENCE: Final = ",-–&/%)"
_ROMAN: Final = re.compile(r"[IVXLC]+|[IVX]+(?:e|er|re|ème|th)")
_CACHE_SIZE: Final = 50_000
_INITIALS: Final = re.compile(r"(?:\w\.)+\w")
_TRADEMARKS: Final = ("™", "®")
_DAYS: Final = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})
_ELIDING: Final = frozenset({Language.FR, Language.IT})


class Word(NamedTuple):
    """A word at `start`..`end` of a passage. `code`: an abbreviation or a code, see `_is_code`."""

    text: str
    start: int
    end: int
    code: bool


class NameCandidate(NamedTuple):
    """A run of words that may be a name.

    `sure`: it is one; else it begins a sentence, and the rest of the document decides. `rest`: the name without its
    first word, for a run of several words that begins a sentence.
    """

    name: str
    type: EntityType
    sure: bool
    rest: str = ""


class NameFinder:
    """Finds the candidates in texts of one language."""

    def __init__(self, analysis: TextAnalysis, language: Language) -> None:
        self._analysis, self._language = analysis, language
        self._stop_words: dict[str, bool] = {}
        self._joining = joining_words(language)
        self._months = frozenset(MONTHS.get(language, ()))
        self._types: dict[str, EntityType] = {}

    def __call__(self, text: str) -> Iterator[NameCandidate]:
        if text.isupper():
            return
        for run in self._runs(text):
            found = self._candidate(text, run)
            if found is not None:
                yield found

    def _runs(self, text: str) -> Iterator[list[Word]]:
        run: list[Word] = []
        for match in _WORD.finditer(text):
            word = self._word(text, *match.span())
            if word is None:
                continue
            if run and text[run[-1].end : word.start] in _CONNECTORS and len(run) < MAX_WORDS:
                run.append(word)
                continue
            if run:
                yield run
            run = [] if _is_hyphenated(text, word.start) else [word]
        if run:
            yield run

    def _word(self, passage: str, start: int, end: int) -> Word | None:
        while start and passage[start - 1] in _SMALL:
            start -= 1
        text = passage[start:end]
        if self._language in _ELIDING and (elided := _ELIDED.match(text)):  # L'Europe, but not L'authentification
            text, start = text[elided.end() :], start + elided.end()
            if text == text.lower():
                return None
        if "'" in text or "’" in text:
            text = _POSSESSIVE.sub("", text) or text
        return Word(text, start, start + len(text), _is_code(text))

    def _candidate(self, text: str, run: list[Word]) -> NameCandidate | None:
        starts = _begins_sentence(text, run[0].start)
        if len(run) >= _ALL_CAPS_WORDS and all(word.text.isupper() for word in run):
            return None
        if run[0].code and run[0].text.isupper() and (begun := self._label_end(run, starts)):
            if begun == len(run):
                return None
            run, starts = run[begun:], True
        person = _after_title(text, run[0].start)
        if (
            starts and not person and len(run) == 1 and not run[0].code
        ):  # every sentence has one: skip the costly checks
            return NameCandidate(run[0].text, EntityType.CONCEPT, False)
        if not person and len(run) > 1 and run[0].text.casefold() in TITLES:
            run, person = run[1:], True
        starts = starts and not person
        while run and (self._is_noise(run[0]) or (starts and self._is_stop_word(run[0]))):  # The European Commission
            run, starts = run[1:], False
        while run and (self._is_noise(run[-1]) or (len(run) > 1 and self._is_joint(run[-1]))):
            run = run[:-1]
        if all(map(self._is_stop_word, run)):
            return None
        name = _name(text, run)
        if len(name) > MAX_ENTITY_NAME or len(name) < 2:
            return None
        type = EntityType.PERSON if person and not any(word.code for word in run) else self._type(name)
        if type is EntityType.CONCEPT and text[run[-1].end : run[-1].end + 1] in _TRADEMARKS:
            type = EntityType.PRODUCT
        if len(run) == 1 and not run[0].code and not self._may_stand_alone(run[0], type):
            return None
        if starts and not run[0].code:
            return NameCandidate(name, type, False, _name(text, run[1:]) if len(run) > 1 else "")
        return NameCandidate(name, type, True)

    def _label_end(self, run: Sequence[Word], starts: bool) -> int:
        """Return how many words at the beginning of a run are a label, such as those of abstracts, or capitals before
        the stop word that begins a sentence.
        """
        capitals = next((n for n, word in enumerate(run) if not word.text.isupper()), len(run))
        known = next((n for n, word in enumerate(run[:capitals]) if word.text not in ABSTRACT_LABELS), capitals)
        if starts and 0 < capitals < len(run) and self._is_stop_word(run[capitals]):
            return capitals
        return known

    def _may_stand_alone(self, word: Word, type: EntityType) -> bool:
        return self._language is not Language.DE or type is not EntityType.CONCEPT

    def _is_noise(self, word: Word) -> bool:
        """Whether the word is dropped from the ends of a name: a month, a day, a unit, a Roman numeral, a letter."""
        plain = word.text.casefold()
        return (
            plain in self._months
            or (self._language is Language.EN and plain in _DAYS)
            or word.text in UNITS
            or (plain in UNITS and len(plain) > 2)  # but An is a name in Vietnam
            or len(word.text) < 2
            or _ROMAN.fullmatch(word.text) is not None
        )

    def _is_joint(self, word: Word) -> bool:
        """Whether the word at the end of a name joins it to a word outside the name (`Guide To`)."""
        return word.text.casefold() in self._joining

    def _is_stop_word(self, word: Word) -> bool:
        """Whether it is a stop word, which is not a name by itself but may be part of one (The Hague)."""
        if word.code:
            return False
        is_stop = self._stop_words.get(word.text)
        if is_stop is None:
            if len(self._stop_words) > _CACHE_SIZE:
                self._stop_words.clear()
            is_stop = self._stop_words[word.text] = not self._analysis.terms(word.text, self._language)
        return is_stop

    def _type(self, name: str) -> EntityType:
        type = self._types.get(name)
        if type is None:
            if len(self._types) > _CACHE_SIZE:
                self._types.clear()
            type = self._types[name] = type_of(name, self._language)
        return type


def _is_code(word: str) -> bool:
    """Whether the word has two capitals or a digit. A single capital may be due to the beginning of a sentence."""
    rest = word[1:]
    if rest.isalpha() and rest.islower() and word[0].isupper():
        return False
    return sum(map(str.isupper, word)) >= 2 or any(map(str.isdigit, word))


def _name(text: str, run: Sequence[Word]) -> str:
    if not run:
        return ""
    name = " ".join(text[run[0].start : run[-1].end].split())
    return f"{name}." if _INITIALS.fullmatch(name) and text[run[-1].end : run[-1].end + 1] == "." else name


def _is_hyphenated(text: str, at: int) -> bool:
    """Whether the word here is the second part of another (`sub-Saharan`)."""
    return at > 1 and text[at - 1] in _HYPHENS and text[at - 2].isalpha()


def _begins_sentence(text: str, at: int) -> bool:
    """Whether a sentence begins here, so that a capital does not indicate a name."""
    before = text[max(0, at - 12) : at].rstrip(_OPENING_MARKS)
    return not before or not (before[-1].isalnum() or before[-1] in _WITHIN_SENTENCE)


def _after_title(text: str, at: int) -> bool:
    before = text[max(0, at - 14) : at].split()
    if not before or not (before[-1][:1].isupper() or before[-1].endswith(".")):  # il sig. Rossi, Frau Merkel
        return False
    return before[-1].rstrip(".").casefold() in TITLES
