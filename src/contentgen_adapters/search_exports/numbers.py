"""Numbers as exports write them, with the signs of any language."""

from __future__ import annotations

import re
from typing import Final

from contentgen_core.model.search_report import MAX_COUNT

_SPACES: Final = re.compile("[\\s\u00a0\u202f\u2009'’]")
_GROUPED: Final = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_WHOLE: Final = re.compile(r"(\d{1,15})(?:[.,]0+)?")
_DECIMAL: Final = re.compile(r"\d{1,9}(?:\.\d{1,20})?")
_NONE: Final = frozenset({"", "-", "–", "—", "n/a", "null", "none"})


class BadNumber(ValueError):
    """The text is not a number of its kind."""


def count_of(text: str) -> int | None:
    """Return a number of clicks or impressions (`1,234`, `1.234`, `1 234`, `12.0`); None for an empty cell. Raises
    BadNumber.
    """
    plain = _SPACES.sub("", text)
    if plain.casefold() in _NONE:
        return None
    if _GROUPED.fullmatch(plain):
        plain = re.sub("[.,]", "", plain)
    whole = _WHOLE.fullmatch(plain)
    if whole is None or int(whole[1]) > MAX_COUNT:
        raise BadNumber
    return int(whole[1])


def decimal_of(text: str) -> float | None:
    """Return a position (`4.2`, `4,2`, `1.234,5`); None for an empty cell. Raises BadNumber."""
    plain = _SPACES.sub("", text)
    if plain.casefold() in _NONE:
        return None
    if "," in plain and "." in plain:  # the last of the two is the decimal sign
        groups, decimals = ",.", ".,"
        plain = plain.replace(*((groups[0], "") if plain.rindex(".") > plain.rindex(",") else (decimals[0], "")))
    plain = plain.replace(",", ".")
    if _DECIMAL.fullmatch(plain) is None:
        raise BadNumber
    return float(plain)
