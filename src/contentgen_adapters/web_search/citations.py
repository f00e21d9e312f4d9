"""Splits a model's answer with citations into statements, each with the pages cited for it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from attrs import frozen

from contentgen_adapters.shared.text.markdown import plain_blocks
from contentgen_adapters.shared.web_results import plain_text

MAX_STATEMENT: Final = 1_000
_MARK_START: Final = re.compile(r"\s*[(\[【]")
_TRAILING_MARKS: Final = " \t.,;:!?…)]】}。，、；：！？"
_OPENING_MARKS: Final = " \t([【{"


@frozen
class Citation:
    """A page cited at [start, end) of a text, in characters.

    The span is either the citation mark behind the words it supports (`([example.org](https://example.org/))`, or
    empty), or these words themselves.
    """

    start: int
    end: int
    url: str


def cited_statements(text: str, citations: Iterable[Citation]) -> list[tuple[str, list[str]]]:
    """The statements of a Markdown text, each with the addresses cited for it.

    A statement reaches from the citation before it, or the start of its paragraph, to its own citation; text without
    one is dropped. Citations with a span outside the text are ignored.
    """
    made: list[tuple[str, list[str]]] = []
    done = 0
    for citation in sorted(citations, key=lambda c: (c.start, c.end)):
        if not 0 <= citation.start <= citation.end <= len(text):
            continue
        stop = citation.start if _is_mark(text[citation.start : citation.end]) else citation.end
        between = text[done:stop]
        statement = _last_paragraph(between)
        if statement:
            made.append((statement, [citation.url]))
        elif made and "\n\n" not in between:  # another citation for the same statement
            made[-1][1].append(citation.url)
        done = max(done, citation.end)
    return made


def _is_mark(cited: str) -> bool:
    return not cited.strip() or bool(_MARK_START.match(cited))


def _last_paragraph(markdown: str) -> str:
    """Return the last line of the last block as plain text; empty when it has no word."""
    blocks = list(plain_blocks(markdown.lstrip(_TRAILING_MARKS).rstrip(_OPENING_MARKS)))
    if not blocks:
        return ""
    line = blocks[-1].text.strip().splitlines()[-1].rstrip(_OPENING_MARKS)
    return plain_text(line, MAX_STATEMENT) if any(c.isalnum() for c in line) else ""
