"""Accents that users of a language leave out, and letters that are spelled in several ways."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import chain
from typing import Final

from contentgen_core.model.vocabulary import Language

# Accented letters that distinguish words, and so are kept. All other Latin accents are removed: French, Italian,
# Portuguese, English, Dutch and Indonesian users search without them (`energie`, `cafe`), and in other scripts Latin
# letters are foreign. Snowball removes German umlauts with the plural (Häuser, Haus). Spanish keeps ñ (año is not ano).
_OWN_LETTERS: Final[dict[Language, str]] = {
    Language.ES: "ñ",
    Language.DE: "äöü",
    Language.SV: "åäö",
    Language.FI: "åäö",
    Language.DA: "åæø",
    Language.NO: "åæø",
    Language.PL: "ąćęłńóśźż",
    Language.CS: "áčďéěíňóřšťúůýž",
    Language.HU: "áéíóöőúüű",
    Language.RO: "ăâîșț",
    Language.TR: "çğıöşü",
}
_LIGATURES: Final = {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i"}
_INVISIBLE: Final = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_APOSTROPHES: Final = "’‘ʼ＇"


@cache
def folding(language: Language) -> dict[int, str | None]:
    """A `str.translate` table that removes a language's optional accents, for text in `normal_form`."""
    table: dict[int, str | None] = {}
    if language is Language.RO:  # the cedilla forms are an old encoding of the comma ones
        table |= {ord("ş"): "ș", ord("ţ"): "ț"}
    if language is not Language.VI:  # tone and vowel marks are most of a Vietnamese word (ban, bán, bạn)
        own = _OWN_LETTERS.get(language, "")
        latin = chain(range(0xC0, 0x250), range(0x1E00, 0x1F00))
        greek = chain(range(0x370, 0x400), range(0x1F00, 0x2000))
        for code in chain(latin, greek):
            letter = chr(code)
            bare = _LIGATURES.get(letter) or _without_marks(letter)
            if bare != letter and letter not in own:
                table.setdefault(code, bare)
    if language is Language.RU:
        table[ord("ё")] = "е"  # seldom written
    if language is Language.AR:
        table |= dict.fromkeys((0x640, *range(0x64B, 0x653)))  # tatweel and vowel marks
    if language is Language.HE:
        table |= dict.fromkeys(range(0x591, 0x5C8))  # points
    return table


def normal_form(word: str, language: Language) -> str:
    """The word in NFKC, case folded (Turkish with its own i), with straight apostrophes, without invisible
    characters."""
    if word.isascii() and language is not Language.TR:
        return word.lower()
    text = unicodedata.normalize("NFKC", word)
    if language is Language.TR:
        text = text.replace("İ", "i").replace("I", "ı")
    return text.casefold().translate(_CLEAN)


def _without_marks(letter: str) -> str:
    decomposed = unicodedata.normalize("NFD", letter)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


_CLEAN: Final[dict[int, str | None]] = {
    **dict.fromkeys(map(ord, _INVISIBLE)),
    **dict.fromkeys(map(ord, _APOSTROPHES), "'"),
}
