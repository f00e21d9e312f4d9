"""Acronyms that a text explains: "power purchase agreement (PPA)", "PPA (power purchase agreement)", "PPA, pour power
purchase agreement". What an acronym stands for has its letters as initials, some words left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.policies.text.facts import fold_name

MAX_SKIPPED: Final = 3
"""Words of an expansion that may have no letter in its acronym ("d" of "contrat d'achat" included)."""
_NEAR: Final = 120
"""Characters before or after an acronym in which its expansion is looked for."""
_LEADS: Final = frozenset(
    {"pour", "for", "from", "de", "l", "anglais", "english", "soit", "kurz", "für", "por", "sigla", "siglas", "van"}
)
_LEAD: Final = 4
"""Words that may stand between an acronym and what it stands for, besides those above."""
_UNBRACKETED: Final = 3
"""The fewest letters of an acronym that is explained without brackets: of two, initials meet by chance."""
# The first sign comes before what must not precede it: a set of signs to begin with is looked for many times as fast.
_ACRONYM: Final = re.compile(r"([A-Z\u0080-\U0010ffff](?<=[^\W\d_a-z])(?<![\w.-].)[^\W\d_a-z]{1,7})s?(?![\w-])")
_WORD: Final = re.compile(r"[^\W\d_]+")
_OPENING: Final = ("(", "（", "[", "「")
_ENDS: Final = re.compile(r"[.!?;:。！？；](?:\s|$)|[)）\]」\n]")
_EXPLAINS: Final = re.compile(
    r"\s*[(（\[]\s*|\s*[:：=]\s+|\s+[–—]\s+|\s+(?:stands for|is short for|means|signifie|désigne|steht für)\s+"
    r"|\s*,\s*(?=(?:pour|for|short for|de l['’]anglais|soit|c['’]est-à-dire|kurz für|für|por|sigla|siglas|per|van)\b)"
)
_OTHER_SCRIPT: Final = re.compile(r"[\u0590-\u0e7f\uac00-\ud7a3]+")
"""A word of a script that writes acronyms in Latin letters, with spaces between its words."""
_UNSPACED: Final = re.compile(r"[\u30a0-\u30ff\u3400-\u9fff々]{2,12}$")


@frozen
class Acronym:
    """An acronym, and what a text says that it stands for."""

    short: str
    long: str


def explained_acronyms(text: str, wanted: Callable[[str], bool] = bool) -> Iterator[Acronym]:
    """The acronyms that the text explains, in their order. `wanted`: whether an acronym, case folded, is asked for.
    Takes some 60 µs an abstract of 200 words where all are."""
    for match in _ACRONYM.finditer(text):
        short = match[1]
        letters = fold_name(short)
        if not short.isupper() or len(letters) != len(short) or not wanted(letters):
            continue
        long = _long_form_before(text, match.start(), letters) or _long_form_after(text, match.end(), letters)
        if long:
            yield Acronym(short, long)


def _long_form_before(text: str, at: int, letters: str) -> str:
    """Return the words before the bracket that an acronym opens, if the acronym stands for them."""
    bracket = text[:at].rstrip(" \u00a0")
    if not bracket.endswith(tuple(_OPENING)):
        return ""
    end = len(bracket) - 1
    begin = max(0, end - _NEAR)
    words = [(begin + m.start(), begin + m.end()) for m in _WORD.finditer(text[begin:end])]
    for count in range(len(letters), len(letters) + MAX_SKIPPED + 1):
        own = words[-count:]
        if len(own) == count and _abbreviates(letters, text, own):
            return text[own[0][0] : own[-1][1]]
    return _foreign_long_form(text, words, text[begin:end].rstrip(), letters)


def _foreign_long_form(text: str, words: Sequence[tuple[int, int]], before: str, letters: str) -> str:
    """Return the text before a bracket with Latin letters in a script that has none of them: as many words as letters,
    or the signs up to one that joins words."""
    if not letters.isascii():
        return ""
    own = words[-len(letters) :]
    if len(own) > 1 and all(_OTHER_SCRIPT.fullmatch(text[start:end]) for start, end in own):
        return text[own[0][0] : own[-1][1]]
    signs = _UNSPACED.search(before)
    return signs[0] if signs else ""


def _long_form_after(text: str, at: int, letters: str) -> str:
    """Return the words after an acronym, in brackets or behind a comma, colon or dash, if it stands for them."""
    joint = _EXPLAINS.match(text, at)
    if joint is None:
        return ""
    bracketed = joint[0].strip().startswith(_OPENING)
    if not bracketed and len(letters) < _UNBRACKETED:
        return ""
    near = text[joint.end() : joint.end() + _NEAR]
    end = _ENDS.search(near)
    words = [
        (joint.end() + m.start(), joint.end() + m.end()) for m in _WORD.finditer(near[: end.start() if end else None])
    ]
    while words and text[words[0][0] : words[0][1]].lower() in _LEADS:
        words = words[1:]
    for start in range(min(_LEAD + 1, len(words))):
        for count in range(len(letters), len(letters) + (MAX_SKIPPED if bracketed else 0) + 1):
            own = words[start : start + count]
            if len(own) == count and _abbreviates(letters, text, own):
                return text[own[0][0] : own[-1][1]]
    return ""


def _abbreviates(letters: str, text: str, words: Sequence[tuple[int, int]]) -> bool:
    """Whether the letters are the initials of these words in order, from the first to the last, some left out."""
    initials = [fold_name(text[start])[:1] for start, _ in words]
    rest = iter(initials)
    return initials[0] == letters[0] and initials[-1] == letters[-1] and all(letter in rest for letter in letters)
