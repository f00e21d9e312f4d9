"""Texts cut to a length, and the time a text takes to read."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Final

from contentgen_core.model.vocabulary import Language

ELLIPSIS: Final = "…"
_TRAILING: Final = re.compile(r"[\s,;:.\-–—(\[«“„¿¡]+$")

# Words a minute, silently read (Trauzettel-Klosinski et al. 2012, IReST, table 2). Other languages: the mean, 184.
_WORDS_A_MINUTE: Final[dict[Language, int]] = {
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
_MEAN: Final = 184


def cut_at_words(text: str, most: int) -> str:
    """The text in one line of at most `most` characters, an ellipsis included. Only a first word that is too long by
    itself (or a text in a script without spaces) is cut within."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    if most <= 0:
        return ""
    room = line[:most]  # one more than the ellipsis leaves: a space just there ends a whole word
    at = room.rfind(" ")
    kept = _TRAILING.sub("", room[:at]) if at > 0 else ""
    if not kept:
        kept = room[: most - 1]
        while kept and unicodedata.combining(line[len(kept)]):
            kept = kept[:-1]
    return kept + ELLIPSIS


def reading_minutes(word_count: int, language: Language) -> int:
    """Whole minutes, at least one."""
    return max(1, math.ceil(word_count / _WORDS_A_MINUTE.get(language, _MEAN)))
