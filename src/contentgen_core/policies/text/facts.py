"""The facts of a sentence that a check can compare: figures with their units, dates, names, codes.

They are what a reader checks first, and what a faithful sentence neither changes nor adds."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Final

from attrs import frozen

from contentgen_core.model.text import Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.fact_words import MONTHS, NUMBER_WORDS, SCALES, UNITS


@frozen
class Figure:
    """A number in a text. `values`: its readings in plain decimal form, two where the separator is ambiguous (`1.500`);
    `unit`: a canonical unit, or "" where none follows or precedes it."""

    text: str
    values: frozenset[str]
    unit: str = ""


class FigureCounts:
    """Figures, to be looked up by their values: in a time that does not grow with their number."""

    def __init__(self, figures: Iterable[Figure] = ()) -> None:
        self._units: dict[str, set[str]] = {}
        self._by_value = Counter[str]()
        self._by_values = Counter[frozenset[str]]()
        for figure in figures:
            self.add(figure)

    def add(self, figure: Figure) -> None:
        """Count one more."""
        self._by_value.update(figure.values)
        self._by_values[figure.values] += 1
        for value in figure.values:
            self._units.setdefault(value, set()).add(figure.unit)

    def has(self, figure: Figure) -> bool:
        """Whether one of them has the same number, and the same unit where both have one."""
        units = set[str]().union(*(self._units.get(value, ()) for value in figure.values))
        return bool(units) and (not figure.unit or figure.unit in units or units == {""})

    def times(self, figure: Figure) -> int:
        """Return how many figures may have the same number."""
        found = sum(self._by_value[value] for value in figure.values)
        # There are two readings at most: a figure that has both was counted twice.
        return found - self._by_values[figure.values] if len(figure.values) > 1 else found


_GROUPED: Final = r"\d{1,3}(?:(?P<sep>[ \u00a0\u202f\u2009'’.,])\d{3})(?:(?P=sep)\d{3})*(?![\d])(?:[.,]\d+)?"
# A digit after a letter belongs to a code (R290), except in scripts that put no space before a number.
_LETTER: Final = r"A-Za-z\u00c0-\u024f\u0370-\u052f"
_NUMBER: Final = re.compile(rf"(?<![{_LETTER}\d_])(?<!\d[.,])(?P<number>{_GROUPED}|\d+(?:[.,]\d+)*)")
_DIGIT: Final = re.compile(r"\d")
_WORD_AFTER: Final = re.compile(
    r"[\s\u00a0\u202f]?[\s\-]?([%％‰]|°\s?[CF]\b|[€$£¥](?!\d)|[^\W\d_]+[²³23]?(?:/[^\W\d_]+)?)"
)
_COMPOUND: Final = re.compile(
    r"(?<![\w-])(?=[\w‐‑–-]*[\dα-ω])(?=[\w‐‑–-]*[A-ZΑ-ΩА-Я])[^\W_]+(?:[-‐‑–][^\W_]+)+(?![\w-])"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_IN_BRACKETS: Final = re.compile(r"\(([^\W\d_]{2,8})\)")
# The most words that an abbreviation may leave out.
MAX_SKIPPED_WORDS: Final = 2
REMEMBERED_WORDS: Final = 20_000
"""Folded ones, since the same words come again from text to text."""
_ARABIC_SEPARATORS: Final = str.maketrans("٫٬", ".,")
_FIRST_CJK: Final = "\u2e80"
_SIGNS: Final = {"-": "-", "−": "-", "–": "-"}


def figures(text: str, language: Language) -> tuple[Figure, ...]:
    """The numbers written in digits, in order, with the separators and digits of any locale."""
    if not _DIGIT.search(text):
        return ()
    found: list[Figure] = []
    text = text.translate(_ARABIC_SEPARATORS)
    for match in _NUMBER.finditer(text):
        raw = match["number"]
        readings = _readings(raw)
        if not readings:  # a date, a version, an address: each of its numbers on its own
            found += [Figure(part, _readings(part)) for part in re.split(r"[.,]", raw) if part]
            continue
        unit, end = _unit_after(text, match.end(), language)
        scale = SCALES.get(unit, 0) if unit else 0
        if scale:
            readings = frozenset(_plain(Decimal(r).scaleb(scale)) for r in readings)
            unit, end = _unit_after(text, end, language)
        shown = text[match.start() : end].strip()
        before = text[max(0, match.start() - 2) : match.start()]
        if not unit and not before.strip()[-1:].isalnum():  # a sign before the number: no letter of the word before
            unit = UNITS.get(before[-1:].strip(), UNITS.get(before.strip(), ""))
        if before[-1:] in _SIGNS and not before[:-1].strip():
            readings = frozenset(f"-{r}" for r in readings)
            shown = f"-{shown}"
        found.append(Figure(shown, readings, unit))
    return tuple(found)


def _readings(raw: str) -> frozenset[str]:
    """The values that a written number may have; none when it is no single number."""
    digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in raw)
    digits = re.sub(r"[\s'’]", "", digits)
    marks = re.sub(r"\d", "", digits)
    if not marks:
        return frozenset({_plain(Decimal(digits))})
    if len(set(marks)) == 2 and marks.count(marks[-1]) == 1:  # 1.234,56 or 1,234.56: the last mark is the decimal one
        whole, _, fraction = digits.rpartition(marks[-1])
        return frozenset({_plain(Decimal(f"{re.sub('[.,]', '', whole)}.{fraction}"))})
    grouped = re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", digits) is not None
    readings = {_plain(Decimal(re.sub("[.,]", "", digits)))} if grouped else set()
    if len(marks) == 1:
        readings.add(_plain(Decimal(digits.replace(",", "."))))
    return frozenset(readings)


def _plain(value: Decimal) -> str:
    text = format(value, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def _unit_after(text: str, at: int, language: Language) -> tuple[str, int]:
    """The canonical unit (or scale word) that follows, and where it ends; "" and `at` when no unit follows."""
    match = _WORD_AFTER.match(text, at)
    if match is None:
        return "", at
    word = re.sub(r"\s", "", match[1])
    if word[0] >= _FIRST_CJK:  # no space ends such a unit: 3万元 is 3, 万, 元
        unit = UNITS.get(word[0], "")
        return (unit, match.start(1) + 1) if unit else ("", at)
    if word == "per" or word == "pour" or word == "por":  # per cent, pour cent, por ciento
        phrase = re.match(
            r"[\s\u00a0]?(?:per\s?cento?|pour\s?cent|por\s?cento|por\s?ciento)\b", text[at : at + 16], re.I
        )
        return ("%", at + phrase.end()) if phrase else ("", at)
    if word.casefold() in ("billion", "billions"):
        return ("short billion" if language is Language.EN else "long billion"), match.end()
    unit = UNITS.get(word) or UNITS.get(word.casefold(), "")
    if not unit and "/" in word:  # mg/day: the unit it is counted in
        word = word.partition("/")[0]
        return (unit, match.start(1) + len(word)) if (unit := UNITS.get(word, "")) else ("", at)
    return (unit, match.end()) if unit else ("", at)


def spelled_figures(tokens: Sequence[Token], language: Language) -> tuple[Figure, ...]:
    """Small numbers written as words, from two on ("one" is as often an article), with the unit that follows."""
    words = NUMBER_WORDS.get(language, {})
    found = []
    for i, token in enumerate(tokens):
        value = words.get(token.text.casefold())
        if value is not None:
            after = tokens[i + 1].text.casefold() if i + 1 < len(tokens) else ""
            unit = UNITS.get(after, "") if len(after) > 1 else ""
            found.append(Figure(f"{token.text} {after}" if unit else token.text, frozenset({str(value)}), unit))
    return tuple(found)


def months(text: str, tokens: Sequence[Token], language: Language) -> dict[int, str]:
    """The months of dates: the text that names each, by number. A month counts beside a number or in an ISO date."""
    names = MONTHS.get(language, {})
    found: dict[int, str] = {}
    for token in tokens:
        number = names.get(token.text.casefold().rstrip("."))
        if number is None:
            continue
        around = text[max(0, token.start - 6) : token.start] + text[token.end : token.end + 6]
        if any(c.isdecimal() for c in around):
            found.setdefault(number, token.text)
    for iso in re.finditer(r"\b\d{4}-(\d{2})-\d{2}\b", text):
        found.setdefault(int(iso[1]), iso[0])
    return found


def names(text: str, tokens: Sequence[Token], language: Language) -> tuple[Token, ...]:
    """Names and codes: words with a capital inside a sentence, abbreviations, words with digits.

    A capital at a sentence's start is no sign of a name; in German it never is, so there only abbreviations and codes
    count. Scripts without capitals have codes only."""
    found = []
    for i, token in enumerate(tokens):
        word = token.text
        if word.isalpha() and word.islower():
            continue
        letters = sum(c.isalpha() for c in word)
        code = sum(c.isupper() for c in word) >= 2 or (letters > 0 and any(c.isdigit() for c in word))
        starts = i == 0 or text[tokens[i - 1].end : token.start].strip(" \u00a0\u202f'’-–,") != ""
        named = word[:1].isupper() and letters > 1 and not starts and language is not Language.DE
        if code or (named and not token.stop):
            found.append(token)
    return tuple(found)


def codes(text: str) -> tuple[tuple[int, int, str], ...]:
    """Codes of several parts (CTLA-4, PD-L1) as (start, end, code folded without its hyphens)."""
    return tuple((m.start(), m.end(), _compact(m[0])) for m in _COMPOUND.finditer(text))


def bracketed_abbreviations(text: str) -> tuple[tuple[int, int, str], ...]:
    """Abbreviations in brackets after the words that they stand for, some of which may have no letter in it (chronic
    kidney disease (CKD), break-induced DNA replication (BIR)), as (start, end, those words)."""
    found = []
    written = list(_WORD.finditer(text)) if "(" in text else []
    ends = [word.end() for word in written]
    for match in _IN_BRACKETS.finditer(text):
        letters = "".join(c for c in match[1].casefold() if c.isalpha())
        before = bisect_right(ends, match.start())
        for count in range(len(letters), len(letters) + MAX_SKIPPED_WORDS + 1):
            words = [word[0] for word in written[max(0, before - count) : before]]
            if len(letters) > 1 and len(words) == count and _abbreviates(letters, [w[0].casefold() for w in words]):
                found.append((match.start(), match.end(), " ".join(words)))
                break
    return tuple(found)


def _abbreviates(letters: str, initials: Sequence[str]) -> bool:
    """Whether the letters are the initials in their order, from the first to the last, some left out in between."""
    rest = iter(initials)
    return letters[0] == initials[0] and letters[-1] == initials[-1] and all(letter in rest for letter in letters)


def initials(tokens: Sequence[Token]) -> str:
    """The first letters of the words other than stop words, in order, with a space where punctuation separates two
    words."""
    found, end = "", 0
    for token in tokens:
        if token.start - end > 1:
            found += " "
        end = token.end
        if not token.stop:
            found += fold_name(token.text)[:1]
    return found


def two_word_codes(tokens: Sequence[Token]) -> tuple[tuple[int, int, str], ...]:
    """Codes of two words (NIH 3T3), which are also written as one, as (start, end, code folded without the space)."""
    found = []
    for first, second in pairwise(tokens):
        parts = (first.text, second.text)
        if parts[0].isalpha() and parts[1].isalpha():
            continue
        numbered = any(c.isdigit() for c in "".join(parts))
        coded = any(sum(c.isupper() for c in part) >= 2 for part in parts)
        if numbered and coded and second.start - first.end <= 1:
            found.append((first.start, second.end, _compact("".join(parts))))
    return tuple(found)


def _compact(code: str) -> str:
    return fold_name(re.sub(r"[-‐‑–]", "", code))


@lru_cache(REMEMBERED_WORDS)
def fold_name(word: str) -> str:
    """Fold a word for comparing names: case-folded, without accents and without a possessive s."""
    if word.isascii() and "'" not in word:
        return word.lower()
    plain = "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))
    return re.sub(r"['’]s?$", "", plain)
