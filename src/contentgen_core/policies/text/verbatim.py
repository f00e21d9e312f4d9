"""Verbatim text: quotations, which must match a source, and copied runs, which are counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import Span, TextAnalysis
from contentgen_core.model.vocabulary import Language

# In quotation marks, at least this many words are a quotation; fewer are a term.
MIN_QUOTATION_WORDS: Final = 4
# The length, in words, of the runs that are counted as copied or not.
COPIED_RUN_WORDS: Final = 8

_QUOTED: Final = re.compile(r"“([^“”]*)”|«([^«»]*)»|„([^„“”]*)[“”]|「([^「」]*)」|\"([^\"]*)\"")
_MARKS: Final = "“”„«»「」『』\"'‘’‚ \u00a0\u202f"
_BETWEEN_WORDS: Final = re.compile(rf"[\s{_MARKS}]+")
_DASH: Final = re.compile("[-‐‑–—]")


def find_verbatim(text: str, source: str) -> Span | None:
    """The span of the source that has the text word for word, or None. White space, the shape of quotation marks,
    apostrophes and dashes, marks around the text and its final punctuation may differ."""
    words = _BETWEEN_WORDS.split(text.strip(_MARKS).rstrip(".!?…。！？").strip(_MARKS))
    if not words[0]:
        return None
    loosened = (_DASH.pattern.join(map(re.escape, _DASH.split(word))) for word in words)
    match = re.search(rf"(?<!\w){_BETWEEN_WORDS.pattern.join(loosened)}(?!\w)", source)
    return Span(match.start(), match.end()) if match else None


def quotations(text: str) -> tuple[str, ...]:
    """The quotations of a text, in quotation marks of any language, of at least MIN_QUOTATION_WORDS words."""
    found = (next(group for group in match.groups() if group is not None) for match in _QUOTED.finditer(text))
    return tuple(q.strip(_MARKS) for q in found if len(q.split()) >= MIN_QUOTATION_WORDS)


def longest_verbatim_run(
    texts: Iterable[str], passages: Iterable[Passage], analysis: TextAnalysis, language: Language
) -> int:
    """The length, in words, of the longest run outside quotation marks that one of the texts shares with any of the
    passages."""
    parts = [_words(part, analysis, language) for text in texts for part in _unquoted(text)]
    sources = [_words(passage.text, analysis, language) for passage in passages]
    longest = 0
    # A run of n words contains one of n - 1: bisection finds the largest n for which some run is shared.
    most = min(max(map(len, parts), default=0), max(map(len, sources), default=0))
    while longest < most:
        length = (longest + most + 1) // 2
        if _share_a_run(parts, sources, length):
            longest = length
        else:
            most = length - 1
    return longest


def copied_share(
    texts: Iterable[str],
    passages: Iterable[Passage],
    analysis: TextAnalysis,
    language: Language,
    length: int = COPIED_RUN_WORDS,
) -> float:
    """The share, in 0..1, of the texts' runs of `length` words that stand word for word in a passage; 0 where there is
    no run. What is in quotation marks is left out."""
    parts = [_words(part, analysis, language) for text in texts for part in _unquoted(text)]
    ours = [run for part in parts for run in _runs(part, length)]
    theirs = {run for passage in passages for run in _runs(_words(passage.text, analysis, language), length)}
    return sum(run in theirs for run in ours) / len(ours) if ours else 0.0


def _unquoted(text: str) -> list[str]:
    parts, at = [], 0
    for match in _QUOTED.finditer(text):
        parts.append(text[at : match.start()])
        at = match.end()
    return [*parts, text[at:]]


def _words(text: str, analysis: TextAnalysis, language: Language) -> list[str]:
    return [token.text.casefold() for token in analysis.tokens(text, language)]


def _share_a_run(parts: list[list[str]], sources: list[list[str]], length: int) -> bool:
    ours = {run for part in parts for run in _runs(part, length)}
    return any(run in ours for source in sources for run in _runs(source, length))


def _runs(words: list[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[i : i + length]) for i in range(len(words) - length + 1))
