"""Whether a translation has the numbers of its original, as each language writes them."""

from __future__ import annotations

import re
from typing import Final

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.facts import figures

SMALL: Final = 12
"""Numbers up to this may be a figure in one language and a word in the other: months (3月), `two` (2 台)."""
_MONTHS: Final = re.compile(r"(\d{1,2})\s?[月월]")
_CODE: Final = re.compile(r"(?<![^\W_])(?=[A-Za-z-]*\d)[A-Z][A-Za-z]*-?\d[A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")
_NUMBER_MARKS: Final = frozenset(" ,.'’\u00a0\u202f\u2009٫٬")
_CENTURIES: Final = 39


def number_fault(original: str, translation: str, source: Language | None, target: Language) -> str | None:
    """The first number or code that was lost or added, in words for a model; None when all are there. `source`: None if
    unknown.

    Numbers compare by value with any separators and digits (`1,500.5`, `1 500,5`), with or without a word of scale
    (`1.5 million`, `150万`). A century may become Roman; a month or a small number may be a word in one language and a
    figure in the other."""
    present = translation.casefold()
    for code in _CODE.findall(original):
        if code.casefold() not in present:
            return f"the code {code} is missing"
    wanted, found = _numbers(original, source or Language.EN), _numbers(translation, target)
    months = {int(n) for n in _MONTHS.findall(original)}
    for text, values in wanted:
        match = next((i for i, (_, others) in enumerate(found) if values & others), None)
        if match is not None:
            del found[match]
        elif not _has_values_in_words(values, months, translation):
            return f"the number {text} is missing: write every number of the original in figures"
    for text, values in found:
        if not any(value.isdecimal() and 1 <= int(value) <= SMALL for value in values):
            return f"it adds the number {text}"
    return None


def _numbers(text: str, language: Language) -> list[tuple[str, frozenset[str]]]:
    """The numbers of a text, each with all values it may have: alone, and with the word of scale after it."""
    found = []
    for figure in figures(text, language):
        alone = "".join(c for c in figure.text if c.isdecimal() or c in _NUMBER_MARKS).strip()
        values = figure.values.union(*(other.values for other in figures(alone, language)))
        found.append((alone or figure.text, frozenset(value.removeprefix("-") for value in values)))
    return found


def _has_values_in_words(values: frozenset[str], months: set[int], translation: str) -> bool:
    numbers = {int(value) for value in values if value.isdecimal()}
    if numbers & months:
        return True
    words = set(re.findall(r"[IVX]+", translation))
    return any(0 < number <= _CENTURIES and _roman(number) in words for number in numbers)


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]
