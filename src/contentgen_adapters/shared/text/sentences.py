"""Sentence segmentation: ICU's boundaries, corrected where they split a sentence or miss its end."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from contentgen_adapters.shared.text import segments
from contentgen_adapters.shared.text.abbreviations import ORDINAL_POINT, after_figures, before_figures, before_words
from contentgen_adapters.shared.text.stop_words import stop_words
from contentgen_core.model.text import Span
from contentgen_core.model.vocabulary import Language

_LINE_BREAK: Final = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CITATION: Final = r"\[\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,20}\]"
_CITATIONS: Final = re.compile(rf"(?:{_CITATION}[^\S\n]*)+")
_NEXT: Final = r"(?=[^\W\d_a-zß-öø-ÿ]|[«“„\"¿¡])"  # what begins a sentence: a letter that is not small, a quotation
_CITED_END: Final = re.compile(rf"[.!?…][\"”’»)]*(?:{_CITATION})+[^\S\n]+{_NEXT}")
_QUOTED_END: Final = re.compile(rf"[.!?…][^\S\n]{{1,2}}[»”][^\S\n]+{_NEXT}")
# On one line and of at most 600 characters, so that an unclosed quotation does not include a whole page.
_QUOTATION: Final = re.compile(
    r"«[^«»\n]{0,600}»|“[^“”\n]{0,600}”|„[^„“”\n]{0,600}[“”]|「[^「」\n]{0,600}」|『[^『』\n]{0,600}』"
    r'|(?<![^\s(\[])"(?=\S)[^"\n]{0,600}(?<=\S)"'
)
_QUOTED: Final = re.compile('[«“„「『"]')
_CLOSING: Final = "\"'”’»)]」』）】"
_OPENING: Final = "\"'“‘„«([¿¡"
_TERMINATORS: Final = "。！？｡．…।॥؟۔"  # end a sentence without a space after them
_WORD: Final = re.compile(r"[\"'“‘„«(\[¿¡\s]*(\w+)")
_ORDINAL: Final = re.compile(r"(?:\d{1,2}|[ivxlc]+)\.")
_LIST_MARKER: Final = re.compile(r"\(?(?:\d{1,3}|[^\W\d_])\.")
_DOTTED: Final = re.compile(r"(?:[^\W\d_]\.){2,}")  # U.S.
_THAI_CLAUSE: Final = re.compile(r"(?<=[\u0e00-\u0e7f])[^\S\n]+(?=[\u0e00-\u0e7f])")
_THAI_SENTENCE: Final = 80  # characters; Thai has no full stop: a space after so many counts as one


def sentence_spans(text: str, language: Language) -> tuple[Span, ...]:
    """See `TextAnalysis.sentences`. A line break ends a sentence, a quotation is never split, and a citation `[1]`
    belongs to the sentence before it."""
    spans: list[Span] = []
    for start, end in _pieces(segments.readable(text), language):
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start == end:
            continue
        if spans and _is_trailing(text, spans[-1].end, start, end):
            spans[-1] = Span(spans[-1].start, end)
        else:
            spans.append(Span(start, end))
    return tuple(spans)


def _is_trailing(text: str, before: int, start: int, end: int) -> bool:
    """Whether a piece has no word and is on the line of the sentence before it (a closing mark, an emoji)."""
    return not _LINE_BREAK.search(text, before, start) and not any(c.isalnum() for c in text[start:end])


def _pieces(text: str, language: Language) -> Iterator[tuple[int, int]]:
    quotations = [match.span() for match in _QUOTATION.finditer(text)] if _QUOTED.search(text) else []
    quoted_from = [start for start, _ in quotations]
    start = 0
    for candidate in _candidates(text, language):
        if candidate <= start:
            continue
        boundary = _behind_citations(text, _before_opening(text, start, candidate))
        quotation = bisect_left(quoted_from, boundary) - 1
        if quotation >= 0 and boundary < quotations[quotation][1]:
            continue
        if boundary < len(text) and _ends_sentence(text, start, boundary, language):
            yield start, boundary
            start = boundary
    yield start, len(text)


def _candidates(text: str, language: Language) -> list[int]:
    found = {start for start, _ in segments.sentences(text, language)}
    if "]" in text:
        found.update(match.end() for match in _CITED_END.finditer(text))
    if "»" in text or "”" in text:
        found.update(match.end() for match in _QUOTED_END.finditer(text))
    if language is Language.TH:
        found.update(_thai_boundaries(text))
    return sorted(found)


def _thai_boundaries(text: str) -> Iterator[int]:
    start = 0
    for space in _THAI_CLAUSE.finditer(text):
        if space.start() - start >= _THAI_SENTENCE:
            start = space.end()
            yield start


def _before_opening(text: str, start: int, boundary: int) -> int:
    """Moves a boundary before an opening quotation mark, which ICU counts to the sentence that ended."""
    while boundary - 1 > start and text[boundary - 1] in "“„«「『":
        boundary -= 1
    return boundary


def _behind_citations(text: str, boundary: int) -> int:
    """Moves a boundary behind a citation (`… is so. [1] Next …`), unless the citation begins a sentence."""
    cited = _CITATIONS.match(text, boundary)
    if not cited or _LINE_BREAK.search(text, max(0, boundary - 2), boundary):
        return boundary
    follows = text[cited.end() : cited.end() + 1]
    return boundary if follows.islower() else cited.end()


def _ends_sentence(text: str, start: int, boundary: int, language: Language) -> bool:
    end = boundary
    while end > start and text[end - 1].isspace():
        end -= 1
    if _LINE_BREAK.search(text, end, boundary):
        return True
    if end == boundary:
        return _needs_no_space(text, start, boundary)
    if text[end - 1] != ".":
        return True
    return not _is_abbreviation(text, start, end, boundary, language)


def _needs_no_space(text: str, start: int, boundary: int) -> bool:
    """Whether a boundary without white space is valid: only after the terminators of scripts without spaces, else it is
    inside an address, a file name or a number. Not before text that attributes a quotation (「…。」と言った)."""
    last = boundary - 1
    if text[last] in "」』”":
        return False
    while last > start and text[last] in _CLOSING:
        last -= 1
    return text[last] in _TERMINATORS or text[boundary] >= "\u2e80"


def _is_abbreviation(text: str, start: int, end: int, boundary: int, language: Language) -> bool:
    """Whether the full stop before `end` abbreviates the word it follows."""
    *before, last = text[max(start, end - 40) : end].split()
    written = last.lstrip(_OPENING)
    word = written.casefold()
    follows = text[boundary]
    if not before and _LIST_MARKER.fullmatch(last) and _is_line_start(text, start):
        return True
    if follows.isdecimal():
        return word[:-1] in before_figures()
    known = before_words(language)
    if word[:-1] in known or (before and (before[-1].lstrip(_OPENING) + written).casefold()[:-1] in known):
        return True
    if len(word) == 2 and word[0].isalpha() and text[boundary + 1 : boundary + 2] == ".":
        return True  # z. B., J. R. R.
    after_figure = bool(before) and before[-1][-1].isdecimal()
    is_initial = len(written) == 2 and written[0].isupper() and not after_figure  # „20 K.“ is a unit
    is_ordinal = language in ORDINAL_POINT and _ORDINAL.fullmatch(word)
    is_number = after_figure and word[:-1] in after_figures()
    if is_initial or is_ordinal or is_number or _DOTTED.fullmatch(word):
        # An initial is followed by a name, „30 Mio.“ by a noun: a stop word („The“, „Il“) begins a sentence.
        following = _WORD.match(text, boundary)
        return following is not None and following[1].casefold() not in stop_words(language)
    return False


def _is_line_start(text: str, start: int) -> bool:
    return start == 0 or _LINE_BREAK.match(text, start - 1) is not None
