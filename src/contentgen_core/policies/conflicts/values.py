"""Read the measures and times of a sentence, so that two sentences can be compared: figures in common units, and
dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from attrs import field, frozen

from contentgen_core.model.text import Span, Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.conflicts.words import ABOUT, BEYOND, IN_TIME, LABELS, SINCE
from contentgen_core.policies.text.fact_words import MONTHS
from contentgen_core.policies.text.facts import Figure, figures, spelled_figures

SAME_CONVERTED: Final = 0.05
"""Relative difference up to which figures in different units of one kind are the same."""
ROUNDED: Final = 0.05
"""Relative difference below which a figure may be another one rounded."""
FAR_FROM_ABOUT: Final = 0.2
"""Relative difference from which a figure that is not meant exactly contradicts another one."""
YEARS: Final = (1000, 2100)
_BEFORE: Final = 3
"""Words before a figure that may say how it is meant."""

_FACTORS: Final = {
    "mm": ("m", ".001"), "cm": ("m", ".01"), "m": ("m", "1"), "km": ("m", "1000"), "mile": ("m", "1609.344"),
    "foot": ("m", ".3048"), "inch": ("m", ".0254"), "yard": ("m", ".9144"),
    "mg": ("g", ".001"), "g": ("g", "1"), "kg": ("g", "1000"), "t": ("g", "1000000"), "ounce": ("g", "28.3495"),
    "lb": ("g", "453.592"), "ml": ("l", ".001"), "l": ("l", "1"), "m³": ("l", "1000"), "gallon": ("l", "3.78541"),
    "ms": ("s", ".001"), "s": ("s", "1"), "min": ("s", "60"), "h": ("s", "3600"), "day": ("s", "86400"),
    "week": ("s", "604800"), "month": ("s", "2629746"), "year": ("s", "31556952"),
    "Wh": ("Wh", "1"), "kWh": ("Wh", "1000"), "MWh": ("Wh", "1000000"), "GWh": ("Wh", "1000000000"),
    "TWh": ("Wh", "1000000000000"), "W": ("W", "1"), "kW": ("W", "1000"), "MW": ("W", "1000000"),
    "GW": ("W", "1000000000"), "m²": ("m²", "1"), "km²": ("m²", "1000000"), "hectare": ("m²", "10000"),
    "acre": ("m²", "4046.86"), "KB": ("B", "1000"), "MB": ("B", "1000000"), "GB": ("B", "1000000000"),
    "TB": ("B", "1000000000000"), "km/h": ("km/h", "1"), "mph": ("km/h", "1.609344"),
}  # fmt: skip
_MORE_UNITS: Final = {
    "mile": "mile", "miles": "mile", "mi": "mile", "meilen": "mile", "milles": "mile", "millas": "mile",
    "foot": "foot", "feet": "foot", "ft": "foot", "pieds": "foot", "fuß": "foot", "pies": "foot",
    "inch": "inch", "inches": "inch", "yard": "yard", "yards": "yard",
    "lb": "lb", "lbs": "lb", "ounce": "ounce", "ounces": "ounce", "oz": "ounce",
    "gallon": "gallon", "gallons": "gallon", "acre": "acre", "acres": "acre",
    "hectare": "hectare", "hectares": "hectare", "ha": "hectare", "hektar": "hectare", "hectáreas": "hectare",
    "mph": "mph", "kmh": "km/h", "day": "day", "km²": "km²", "km2": "km²",
}  # fmt: skip
_AFTER: Final = re.compile(r"[\s\u00a0\u202f-]?([^\W\d_]+[²2]?)")
_SPEED: Final = re.compile(r"^\s?(?:/|per |pro |par |por )(?:h|hour|stunde|heure|hora)\b", re.IGNORECASE)
_ORDINAL: Final = re.compile(r"^(?:st|nd|rd|th|e|er|ère|ème|º|ª)\b|^\.(?=\s\S)")
_OF_A_DATE: Final = re.compile(r"[\s.,\u00a0]*(?:(?:of|de|du|del|\d{1,2}(?:st|nd|rd|th)?)[\s.,]+)?")
_ISO: Final = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")


@frozen
class Measure:
    """A figure of a sentence. `amounts`: its readings, in the base unit of its `dimension`; `unit`: "" where it counts
    what follows; `exact`: whether it is meant exactly; `bound`: whether it only bounds what it measures; `label`:
    whether it names a thing, as in season 4."""

    text: str
    span: Span
    readings: frozenset[Decimal]
    unit: str = ""
    exact: bool = True
    bound: bool = False
    label: bool = False
    amounts: frozenset[Decimal] = field(init=False)
    dimension: str = field(init=False)

    @amounts.default
    def _base(self) -> frozenset[Decimal]:
        factor = Decimal(_FACTORS.get(self.unit, ("", "1"))[1])
        return frozenset(reading * factor for reading in self.readings)

    @dimension.default
    def _dimension(self) -> str:
        return _FACTORS.get(self.unit, (self.unit, ""))[0]

    def is_same(self, other: Measure) -> bool:
        """Whether both may stand for one amount, however it is written or rounded."""
        if self.dimension != other.dimension:
            return not (self.dimension and other.dimension) and bool(self.readings & other.readings)
        converted = self.unit != other.unit
        return any(self._agrees(a, b, other, converted=converted) for a in self.amounts for b in other.amounts)

    def _agrees(self, one: Decimal, two: Decimal, other: Measure, *, converted: bool) -> bool:
        apart = abs(one - two) / max(abs(one), abs(two), Decimal("1e-9"))
        if not (self.exact and other.exact):
            return apart < FAR_FROM_ABOUT
        if converted:
            return apart <= SAME_CONVERTED
        return one == two or (apart < ROUNDED and _is_rounded(one, two))

    def is_like(self, other: Measure) -> bool:
        """Whether the two measure in one way, so that they can contradict each other."""
        return self.dimension == other.dimension and self.label is other.label


@frozen
class Time:
    """A date, or a part of one. `since`: whether something lasts from or to it."""

    text: str
    span: Span
    year: int | None = None
    month: int | None = None
    day: int | None = None
    since: bool = False

    def agrees(self, other: Time) -> bool:
        """Whether nothing that both have differs."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(one is None or two is None or one == two for one, two in pairs)


def _is_rounded(one: Decimal, two: Decimal) -> bool:
    """Whether one of the two is the other with fewer digits."""
    rough, fine = sorted((one, two), key=_digits)
    if _digits(rough) == _digits(fine):
        return False
    step = Decimal(1).scaleb(rough.adjusted() - _digits(rough) + 1)
    return (fine / step).quantize(Decimal(1), ROUND_HALF_UP) * step == rough


def _digits(value: Decimal) -> int:
    return len(value.normalize().as_tuple().digits)


def read_values(text: str, tokens: Sequence[Token], language: Language) -> tuple[list[Measure], list[Time]]:
    """The measures and dates of a sentence, each in order."""
    times = list(_dates(text, tokens, language))
    measures = list(_measures(text, tokens, language, times))
    return measures, sorted(times, key=lambda time: time.span.start)


def _dates(text: str, tokens: Sequence[Token], language: Language) -> Iterator[Time]:
    taken: list[Span] = []
    for iso in _ISO.finditer(text):
        taken.append(Span(iso.start(), iso.end()))
        yield Time(iso[0], taken[-1], int(iso[1]), int(iso[2]), int(iso[3]))
    months = MONTHS.get(language, {})
    for i, token in enumerate(tokens):
        month = months.get(token.text.casefold().rstrip("."))
        if month is None or (not token.text[:1].isupper() and language in (Language.EN, Language.DE)):
            continue
        near = [t for t in tokens[max(0, i - 2) : i + 3] if _number(t.text) is not None and _touches(text, t, token)]
        year = next((t for t in near if _is_year(t.text)), None)
        day = next((t for t in near if t is not year and 1 <= (_number(t.text) or 0) <= 31), None)
        if year or day:
            parts = [t.span for t in (token, year, day) if t]
            span = Span(min(s.start for s in parts), max(s.end for s in parts))
            taken.append(span)
            leading = next((t for t in reversed(tokens) if t.span.end <= span.start), None)
            numbers = [_number(part.text) if part else None for part in (year, day)]
            yield Time(span.of(text), span, numbers[0], month, numbers[1], since=_is_since(leading, language))
    for i, token in enumerate(tokens):
        if _is_year(token.text) and not any(s.start <= token.span.start < s.end for s in taken):
            before = tokens[i - 1] if i else None
            after = tokens[i + 1] if i + 1 < len(tokens) else None
            counts = (
                after is not None and text[token.span.end : after.span.start] == " " and _is_countable(after, language)
            )
            beside = before is not None and text[before.span.end : token.span.start] == " "
            named = beside and _is_capital(before) and language is not Language.DE
            word = before.text.casefold() if before else ""
            if not named and word not in ABOUT[language] and (word in IN_TIME[language] or not counts):
                yield Time(token.text, token.span, _number(token.text), since=_is_since(before, language))


def _is_since(before: Token | None, language: Language) -> bool:
    return before is not None and before.text.casefold() in SINCE[language]


def _is_countable(after: Token, language: Language) -> bool:
    """Whether a word can be the thing counted by the number before it."""
    return after.text[:1].isupper() if language is Language.DE else not after.stop


def _is_capital(token: Token | None) -> bool:
    return token is not None and not token.stop and token.text[:1].isupper()


def _touches(text: str, one: Token, other: Token) -> bool:
    """Whether only the signs of a date, and at most one word of it, stand between."""
    start, end = min(one.span.end, other.span.end), max(one.span.start, other.span.start)
    return _OF_A_DATE.fullmatch(text, start, end) is not None


def _number(word: str) -> int | None:
    match = re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th|er|\.)?", word)
    return int(match[1]) if match else None


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and YEARS[0] <= int(word) <= YEARS[1]


def _measures(text: str, tokens: Sequence[Token], language: Language, times: Sequence[Time]) -> Iterator[Measure]:
    at = 0
    for figure in figures(text, language):
        shown = figure.text.lstrip("-")
        start = text.find(shown, at)
        if start < 0:
            continue
        span = Span(start, start + len(shown))
        at = start + len(re.match(r"[\d.,\s\u00a0\u202f]*\d|", shown)[0] or shown[:1])  # type: ignore[index]
        if not any(time.span.start <= start < time.span.end for time in times):
            yield _measure(text, figure, span, tokens, language)
    for figure in spelled_figures(tokens, language):
        word = figure.text.split(" ")[0]
        token = next(t for t in tokens if t.text == word)
        yield _measure(text, figure, Span(token.span.start, token.span.start + len(figure.text)), tokens, language)


def _measure(text: str, figure: Figure, span: Span, tokens: Sequence[Token], language: Language) -> Measure:
    unit, end = figure.unit, span.end
    after = _AFTER.match(text, end)
    if not unit and after and (more := _MORE_UNITS.get(after[1].casefold())):
        unit, end = more, after.end()
    if unit == "km" and _SPEED.match(text[end:]):
        unit = "km/h"
    if unit == "mile" and _SPEED.match(text[end:]):
        unit = "mph"
    before = [t for t in tokens if t.span.end <= span.start][-_BEFORE:]
    words = [t.text.casefold() for t in before]
    adjacent = bool(before) and text[before[-1].span.end : span.start] in (" ", "-", "\u00a0")
    named = adjacent and (words[-1] in LABELS[language] or _is_capital(before[-1]))
    ordinal = not unit and _ORDINAL.match(text[end:]) is not None
    return Measure(
        text=text[span.start : end],
        span=Span(span.start, end),
        readings=frozenset(Decimal(value) for value in figure.values),
        unit=unit,
        exact=not ABOUT[language].intersection(words),
        bound=bool(BEYOND[language].intersection(words)),
        label=not unit and (named or ordinal),
    )
