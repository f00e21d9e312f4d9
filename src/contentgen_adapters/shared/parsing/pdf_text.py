"""Joins the lines of PDF pages into paragraphs, without hyphenation, page headers and page numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from contentgen_adapters.shared.parsing.format import without_tags

_REPEATED_SHARE: Final = 0.5  # of the pages: a first or last line on so many is a header or footer
_MIN_PAGES: Final = 4
_FULL_LINE: Final = 0.75  # of the usual length: a shorter line ends its paragraph
_FULL_SENTENCE: Final = 0.95  # the same for a line that ends with a sentence
_NARROW_COLUMN: Final = 45  # characters; a document of titles and tables may have no longer line
_FIGURES: Final = re.compile(r"\d+")
_HYPHENATED: Final = re.compile(r"[^\W\d_]{2}[-\u00ad\u2010]$")
_SENTENCE_END: Final = re.compile(r"[.!?…:;。！？؟।][\"'”’»)\]]*$")
_LIST_ITEM: Final = re.compile(r"(?:[•●▪◦‣·–—*-]|\(?\d{1,3}[.)]|[a-z]\))\s")
_WIDE_END: Final = re.compile(r"[\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef]$")
_TAIL: Final = 32  # last characters that are matched, since a text may have thousands
_MARKDOWN: Final = re.compile(r"^(\s{0,3})(#{1,6}\s|>|```|~~~|(?:=+|-+)\s*$)", re.MULTILINE)


def running_text(pages: list[str]) -> str:
    """The text as paragraphs separated by blank lines. A paragraph continues on the next page if its sentence does.

    `pages`: the text of each page, line by line.
    """
    paragraphs: list[str] = []
    kept = _without_furniture([page.splitlines() for page in pages])
    usual = _usual_length(kept)
    for lines in kept:
        for i, paragraph in enumerate(_paragraphs(lines, usual)):
            if i == 0 and paragraphs and not _ends(_SENTENCE_END, paragraphs[-1]) and paragraph[:1].islower():
                paragraphs[-1] = _join(paragraphs[-1], paragraph)
            else:
                paragraphs.append(paragraph)
    # Text that looks like Markdown syntax in a PDF is escaped.
    return _MARKDOWN.sub(r"\1\\\2", without_tags("\n\n".join(paragraphs)))


def _without_furniture(pages: list[list[str]]) -> list[list[str]]:
    """Drops first and last lines that most pages share, digits aside."""
    trimmed = [_strip_blank(page) for page in pages]
    if len(trimmed) < _MIN_PAGES:
        return trimmed
    for at in (0, -1):
        seen = Counter(_mask_digits(page[at]) for page in trimmed if page)
        repeated = {line for line, count in seen.items() if count >= len(trimmed) * _REPEATED_SHARE}
        trimmed = [
            _strip_blank(page[1:] if at == 0 else page[:-1]) if page and _mask_digits(page[at]) in repeated else page
            for page in trimmed
        ]
    return trimmed


def _strip_blank(lines: list[str]) -> list[str]:
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _mask_digits(line: str) -> str:
    return _FIGURES.sub("#", line.strip())


def _usual_length(pages: list[list[str]]) -> int:
    """The length of a full line: the 80th percentile."""
    lines = [line for page in pages for line in page if line.strip()]
    usual = sorted(map(len, lines))[len(lines) * 4 // 5] if lines else 0
    is_wide = sum(_WIDE_END.search(line) is not None for line in lines) * 2 > len(lines)
    return usual if is_wide else max(usual, _NARROW_COLUMN)


def _paragraphs(lines: list[str], usual: int) -> Iterator[str]:
    current = ""
    length = 0  # of the line before
    for line in (" ".join(raw.split()) for raw in lines):
        if current and (not line or _starts_paragraph(line, current, length / usual)):
            yield current
            current = ""
        if line:
            current = _join(current, line) if current else line
        length = len(line)
    if current:
        yield current


def _starts_paragraph(line: str, before: str, share: float) -> bool:
    """Whether `line` starts a paragraph. `share`: the length of the line before, relative to the usual length."""
    if _ends(_HYPHENATED, before) or line[0].islower():
        return False
    full = _FULL_SENTENCE if _ends(_SENTENCE_END, before) else _FULL_LINE
    return share < full or _LIST_ITEM.match(line) is not None


def _join(before: str, line: str) -> str:
    """Joins two lines of a paragraph. A hyphen before a lower-case letter is removed; before others it is kept."""
    if _ends(_HYPHENATED, before):
        return before[:-1] + line if line[:1].islower() or before.endswith("\u00ad") else before + line
    return before + ("" if _ends(_WIDE_END, before) else " ") + line


def _ends(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the pattern matches at the end of a text."""
    return pattern.search(text, max(0, len(text) - _TAIL)) is not None
