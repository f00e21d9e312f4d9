"""Renumber the citations in a Markdown text, which otherwise stays unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from markdown_it.token import Token

from contentgen_adapters.shared.document.citations import CITATION
from contentgen_adapters.shared.document.extended import document_tokens

_PRIVATE: Final = range(0xE000, 0xF900)
"""Characters without a meaning of their own, of which one tells a citation by its place."""
_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)?[^<>]*>?")
_NOT_CITED: Final = frozenset({"a", "code", "pre", "kbd", "samp", "tt", "script", "style"})
_GAP: Final = re.compile(r"[ \u00a0]*")


def renumber(markdown: str, numbers: Mapping[int, int]) -> str:
    """Replace the numbers of the text's citations; of equal citations side by side the first stays.

    `numbers`: the new number of each; others stay.
    """
    parts: list[str] = []
    at, end, run = 0, -1, set[int]()
    for found in _citations(markdown, numbers):
        gap = _GAP.match(markdown, end) if end >= 0 else None
        if gap is None or gap.end() != found.start():
            run = set()
        number = numbers[int(found[1])]
        if number in run:
            parts.append(markdown[at:end])
        else:
            parts += [markdown[at : found.start()], f"[{number}]"]
            run.add(number)
        at = end = found.end()
    return "".join((*parts, markdown[at:]))


def _citations(markdown: str, numbers: Mapping[int, int]) -> Iterator[re.Match[str]]:
    """Return the citations that readers see as such. The parser gives no positions, so each candidate's number is
    replaced by its position before the text is parsed.
    """
    candidates = [found for found in CITATION.finditer(markdown) if int(found[1]) in numbers]
    sign = next((chr(code) for code in _PRIVATE if chr(code) not in markdown), None)
    if not candidates or sign is None:
        return
    defined = _defined_numbers(markdown)
    candidates = [found for found in candidates if found[1] not in defined]
    parts, at = [], 0
    for place, found in enumerate(candidates):
        parts += [markdown[at : found.start()], f"[{sign}{place}]"]
        at = found.end()
    told = re.compile(rf"\[{sign}([0-9]{{1,6}})\]")
    tokens = document_tokens("".join((*parts, markdown[at:])))
    seen = {int(place[1]) for text in _texts(tokens) for place in told.finditer(text)}
    yield from (found for place, found in enumerate(candidates) if place in seen)


def _defined_numbers(markdown: str) -> frozenset[str]:
    """Return the numbers that the text itself defines as names of links."""
    if "]:" not in markdown:
        return frozenset()
    found: dict[str, Any] = {}
    document_tokens(markdown, found)
    return frozenset(found.get("references", {}))


def _texts(tokens: list[Token]) -> Iterator[str]:
    """Running text outside links and code."""
    for token in tokens:
        if token.type == "html_block":
            yield from _texts_of_html(token.content)
        in_link = 0
        for child in token.children or ():
            in_link += child.nesting if child.type in ("link_open", "link_close") else 0
            if child.type == "text" and not in_link:
                yield child.content


def _texts_of_html(html: str) -> Iterator[str]:
    within, at = 0, 0
    for tag in _TAG.finditer(html):
        if not within:
            yield html[at : tag.start()]
        if (tag[2] or "").lower() in _NOT_CITED:
            within = max(0, within - 1) if tag[1] else within + 1
        at = tag.end()
    if not within:
        yield html[at:]
