"""ICU segmentation with offsets in Python strings."""

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

# ICU's locales where they differ from our codes.
_LOCALES: Final = {Language.NO: "nb"}


def readable(text: str) -> str:
    """The text prepared for ICU, with the same offsets: U+FFFD for lone surrogates, which ICU does not accept, and
    plain digits for subscripts and for ² and ³ after m, so that CO₂ and m² are one word."""
    return text if text.isascii() else _UNREADABLE.sub(_legible, text)


def _legible(match: re.Match[str]) -> str:
    return "\ufffd" if match[0] >= "\ud800" else str(unicodedata.digit(match[0]))


def words(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """ICU's word segments, separators included, of a text from `readable`, as [start, end) in code points."""
    return _to_code_points(text, WordBreaker(text, _LOCALES.get(language, language.value)).segments())


def sentences(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """ICU's sentence segments, trailing white space included, of a text from `readable`, in code points."""
    return _to_code_points(text, SentenceBreaker(text, _LOCALES.get(language, language.value)).segments())


def _to_code_points(text: str, segments: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Converts offsets in UTF-16 units to code points: each character beyond the BMP counts twice in the former."""
    if text.isascii() or not _ASTRAL.search(text):
        return segments
    units = [match.start() + i for i, match in enumerate(_ASTRAL.finditer(text))]
    return ((start - bisect_left(units, start), end - bisect_left(units, end)) for start, end in segments)
