"""From an answer with citations to single statements, each with the pages it is cited from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from attrs import frozen

from contentgen_adapters.shared.text.markdown import plain_blocks
from contentgen_adapters.shared.web_results import plain_text

MAX_STATEMENT: Final = 1_000
_IS_A_MARK: Final = re.compile(r"\s*[(\[【]")
_LEFT_BY_THE_LAST: Final = " \t.,;:!?…)]】}。，、；：！？"
_OPENED_FOR_THE_NEXT: Final = " \t([【{"


@frozen
class Citation:
    """A place in a text, in characters (end exclusive), and the page cited there. It is either the mark of the citation
    (`([example.org](https://example.org/))`, or nothing at all) behind the words it belongs to, or these words."""

    start: int
    end: int
    url: str


def cited_statements(text: str, citations: Iterable[Citation]) -> list[tuple[str, list[str]]]:
    """The statements of a Markdown text with the pages cited for each. A citation speaks for its own paragraph, from
    the citation before it on; what no citation follows is no statement. A place outside the text is passed over."""
    made: list[tuple[str, list[str]]] = []
    done = 0
    for citation in sorted(citations, key=lambda c: (c.start, c.end)):
        if not 0 <= citation.start <= citation.end <= len(text):
            continue
        stop = citation.start if _is_mark(text[citation.start : citation.end]) else citation.end
        between = text[done:stop]
        said = _last_paragraph(between)
        if said:
            made.append((said, [citation.url]))
        elif made and "\n\n" not in between:  # one more page for the same words
            made[-1][1].append(citation.url)
        done = max(done, citation.end)
    return made


def _is_mark(cited: str) -> bool:
    return not cited.strip() or bool(_IS_A_MARK.match(cited))


def _last_paragraph(markdown: str) -> str:
    """The last block as plain text; empty where it holds no word."""
    blocks = list(plain_blocks(markdown.lstrip(_LEFT_BY_THE_LAST).rstrip(_OPENED_FOR_THE_NEXT)))
    if not blocks:
        return ""
    line = blocks[-1].text.strip().splitlines()[-1].rstrip(_OPENED_FOR_THE_NEXT)
    return plain_text(line, MAX_STATEMENT) if any(c.isalnum() for c in line) else ""
