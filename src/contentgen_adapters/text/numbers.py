"""Numbers in texts: their extent, and a canonical spelling for comparison."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from contentgen_core.model.vocabulary import Language

_DOT_DECIMAL: Final = frozenset(
    {Language.EN, Language.ZH, Language.JA, Language.KO, Language.TH, Language.HE, Language.HI}
)
_SPACE_GROUPS: Final = frozenset(
    Language(code) for code in ("fr", "es", "it", "pt", "pl", "sv", "no", "da", "fi", "cs", "hu", "ro", "uk", "ru")
)
_NO_BREAK_SPACES: Final = "\u00a0\u2007\u2009\u202f"
_NUMBER: Final = re.compile(rf"\d[\d.,'’٫٬ {_NO_BREAK_SPACES}]*")
# What may not stand before the number is looked for behind its first digit: a search for digits passes letters quickly.
_GROUPS: Final = r"\d(?<![\w.,'’]\d)\d{{0,2}}(?:[{spaces}]\d{{3}})+(?:[.,]\d+)?(?![.,]?\w)"
_GROUPED: Final = re.compile(_GROUPS.format(spaces=_NO_BREAK_SPACES))
_GROUPED_BY_SPACE: Final = re.compile(_GROUPS.format(spaces=_NO_BREAK_SPACES + " "))
_SPACES_AND_APOSTROPHES: Final = re.compile(rf"[ '’٬{_NO_BREAK_SPACES}]")
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")


def grouped_numbers(text: str, language: Language) -> dict[int, int]:
    """Numbers with digits grouped by spaces (`1 000`, `12 500,50`), from start to end offset.

    A plain space groups digits only in languages with that convention, a no-break or thin space in all.
    """
    if language not in _SPACE_GROUPS and text.isascii():
        return {}
    pattern = _GROUPED_BY_SPACE if language in _SPACE_GROUPS else _GROUPED
    return {match.start(): match.end() for match in pattern.finditer(text)}


def is_number(word: str) -> bool:
    return word[:1].isdecimal() and _NUMBER.fullmatch(word) is not None


def canonical(number: str, language: Language) -> str:
    """The canonical spelling of a number: ASCII digits, no grouping, a decimal point.

    `1 000`, `1'000`, `1.000` (de) and `1,000` (en) are all `1000`; `3,5` is `3.5`. Ambiguous numbers are read by the
    language's convention; dates, versions and addresses (`12.05.2024`) are unchanged.
    """
    plain = _SPACES_AND_APOSTROPHES.sub("", _ascii_digits(number)).replace("٫", ",").rstrip(".,")
    dots, commas = plain.count("."), plain.count(",")
    if dots and commas:
        decimal = "." if plain.rfind(".") > plain.rfind(",") else ","
        grouping = "," if decimal == "." else "."
        return plain.replace(grouping, "").replace(decimal, ".") if plain.count(decimal) == 1 else plain
    if not dots and not commas:
        return plain
    separator = "." if dots else ","
    is_decimal = (separator == ".") == (language in _DOT_DECIMAL)
    if _THOUSANDS.fullmatch(plain) and (dots + commas > 1 or not is_decimal):
        return plain.replace(separator, "")
    return plain.replace(",", ".") if dots + commas == 1 else plain


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
