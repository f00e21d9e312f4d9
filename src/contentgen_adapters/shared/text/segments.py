"""ICU segmentation in the offsets of a Python string."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from icu4py.breakers import SentenceBreaker, WordBreaker

from contentgen_core.model.vocabulary import Language

_UNREADABLE: Final = re.compile("[\ud800-\udfff\u2080-\u2089]|(?<=m)[²³]")
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")

# ICU's own names, where they differ from ours.
_LOCALES: Final = {Language.NO: "nb"}


def readable(text: str) -> str:
    """The text as ICU reads it best, with every offset the same: lone surrogates, which it cannot take, are U+FFFD;
    lowered figures and those of areas and volumes stand on the line, so that CO₂ and m² are one word."""
    return text if text.isascii() else _UNREADABLE.sub(_legible, text)


def _legible(match: re.Match[str]) -> str:
    return "\ufffd" if match[0] >= "\ud800" else str(unicodedata.digit(match[0]))


def words(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """ICU's word segments (separators included) of an readable text, as [start, end) in code points."""
    return _in_code_points(text, WordBreaker(text, _LOCALES.get(language, language.value)).segments())


def sentences(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """ICU's sentence segments of an readable text, trailing white space included, in code points."""
    return _in_code_points(text, SentenceBreaker(text, _LOCALES.get(language, language.value)).segments())


def _in_code_points(text: str, segments: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """ICU counts UTF-16 units: each character beyond the BMP before an offset makes it one too large."""
    if text.isascii() or not _ASTRAL.search(text):
        return segments
    units = [match.start() + i for i, match in enumerate(_ASTRAL.finditer(text))]
    return ((start - bisect_left(units, start), end - bisect_left(units, end)) for start, end in segments)
