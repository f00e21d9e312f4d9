"""Cutting a text to a length, and its reading time."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Final

from contentgen_core.model.vocabulary import Language

ELLIPSIS: Final = "…"
_TRAILING: Final = re.compile(r"[\s,;:.\-–—(\[«“„¿¡]+$")

# Words per minute, read silently (Trauzettel-Klosinski et al. 2012, IReST, table 2). Other languages: the mean, 184.
_WORDS_PER_MINUTE: Final[dict[Language, int]] = {
    Language.AR: 138,
    Language.ZH: 158,
    Language.NL: 202,
    Language.EN: 228,
    Language.FI: 161,
    Language.FR: 195,
    Language.DE: 179,
    Language.HE: 187,
    Language.IT: 188,
    Language.JA: 193,
    Language.PL: 166,
    Language.PT: 181,
    Language.RU: 184,
    Language.ES: 218,
    Language.SV: 199,
    Language.TR: 166,
}
_MEAN_WORDS_PER_MINUTE: Final = 184


def cut_at_words(text: str, max_length: int) -> str:
    """The text on one line of at most `max_length` characters, ellipsis included, cut between words. A first word that
    is too long by itself, or a text in a script without spaces, is cut inside."""
    line = " ".join(text.split())
    if len(line) <= max_length:
        return line
    if max_length <= 0:
        return ""
    room = line[:max_length]  # one more than the ellipsis leaves: a space there means that the word before is whole
    at = room.rfind(" ")
    kept = _TRAILING.sub("", room[:at]) if at > 0 else ""
    if not kept:
        kept = room[: max_length - 1]
        while kept and unicodedata.combining(line[len(kept)]):
            kept = kept[:-1]
    return kept + ELLIPSIS


def reading_minutes(word_count: int, language: Language) -> int:
    """Whole minutes, at least one, for a text of `word_count` words."""
    return max(1, math.ceil(word_count / _WORDS_PER_MINUTE.get(language, _MEAN_WORDS_PER_MINUTE)))
