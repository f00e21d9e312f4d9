"""Truncating texts, and their reading time."""

from __future__ import annotations

import math
import unicodedata
from typing import Final

from contentgen_core.model.vocabulary import Language

ELLIPSIS: Final = "…"
DANGLING: Final = " ,;:–—-"
"""Characters that are removed before an ellipsis."""
_DANGLING_IN_PROSE: Final = " ,;:.-–—([«“„¿¡"

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


def truncate(text: str, max_length: int, dangling: str | None = "") -> str:
    """The text in at most `max_length` characters (1 or more), ellipsis included. `dangling`: characters removed before
    the ellipsis (None: white space)."""
    return text if len(text) <= max_length else text[: max_length - 1].rstrip(dangling) + ELLIPSIS


def truncate_at_word(text: str, max_length: int) -> str:
    """The text on one line of at most `max_length` characters, ellipsis included, cut between words. A first word that
    is too long by itself, or a text in a script without spaces, is cut inside."""
    line = " ".join(text.split())
    if len(line) <= max_length:
        return line
    if max_length <= 0:
        return ""
    # A space at the position that the ellipsis takes means that the word before is whole.
    cut = truncate_at_space(line, 0, range(1, max_length), _DANGLING_IN_PROSE)
    if cut != ELLIPSIS:
        return cut
    end = max_length - 1
    while end and unicodedata.combining(line[end]):
        end -= 1
    return line[:end] + ELLIPSIS


def truncate_at_space(
    text: str, end: int, spaces: range, dangling: str | None = DANGLING, ellipsis: str = ELLIPSIS
) -> str:
    """The text up to the last space at one of the positions `spaces`, or up to `end` where there is none, with an
    ellipsis. `dangling`: as for `truncate`."""
    space = text.rfind(" ", spaces.start, spaces.stop)
    return text[: end if space < 0 else space].rstrip(dangling) + ellipsis


def reading_minutes(word_count: int, language: Language) -> int:
    """Whole minutes, at least one, for a text of `word_count` words."""
    return max(1, math.ceil(word_count / _WORDS_PER_MINUTE.get(language, _MEAN_WORDS_PER_MINUTE)))
