"""Whether HTML is too intricate to be parsed where time matters, and its text where it is."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Final

MAX_WORK: Final = 2_000_000
"""Elements that a parser may visit: their number times how deep they may stand within each other."""
_TAG: Final = re.compile(
    r"""<(?:(?P<opened>[A-Za-z][A-Za-z0-9]*)(?>\s+|/|[^\s"'=<>/]+(?>\s*=\s*(?>"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?)*+>"""
    r"|/(?P<closed>[A-Za-z][A-Za-z0-9]*)\s*+>|(?=[A-Za-z/!?]))"
)
_ANY_TAG: Final = re.compile(r"<[A-Za-z/!?][^<>]*+>?")
_UNSEEN: Final = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_ALONE: Final = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
})  # fmt: skip
_ENDED_BY_THE_NEXT: Final = frozenset({"p", "li", "td", "th", "tr", "dt", "dd", "thead", "tbody", "option"})
# What stands in these is text, also where it looks like a tag.
_OF_TEXT: Final = frozenset({
    "iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp",
})  # fmt: skip


def too_intricate(html: str) -> bool:
    """Whether a parser may need more than MAX_WORK steps. Takes time that grows only with the length.

    Elements are counted as a parser might see them at worst: markup other than plain tags (comments, attributes with
    angle brackets, elements that hold text) may hide the end of an element, and an element that is closed by another's
    end may be opened again in each that follows.
    """
    open_elements: list[str] = []
    deepest = doubtful = 0
    for elements, tag in enumerate(_TAG.finditer(html), start=1):
        opened, closed = tag.groups()
        if opened:
            name = opened.lower()
            if name in _OF_TEXT:
                doubtful += 1
            elif name in _ENDED_BY_THE_NEXT and open_elements[-1:] == [name]:
                pass
            elif name not in _ALONE:
                open_elements.append(name)
        elif closed:
            doubtful += _close(open_elements, closed.lower())
        else:
            doubtful += 1
        if len(open_elements) > deepest:
            deepest = len(open_elements)
        if (deepest + doubtful) * elements > MAX_WORK:
            return True
    return False


def _close(open_elements: list[str], name: str) -> int:
    """Close an element if it is among the last open ones; return how many within it were not closed."""
    for within, opened in enumerate(reversed(open_elements[-100:])):
        if opened == name:
            del open_elements[len(open_elements) - within - 1 :]
            return within
    return 0


def text_between_tags(html: str) -> str:
    """The text outside tags, scripts and styles, a line where a tag was. Takes time that grows with the length
    alone."""
    return unescape(_ANY_TAG.sub("\n", _UNSEEN.sub("\n", html)))


def to_paragraphs(html: str) -> str:
    """Return harmless HTML of the text alone: a paragraph for each of its lines."""
    lines = (line.strip() for line in text_between_tags(html).splitlines())
    return "".join(f"<p>{escape(line)}</p>\n" for line in lines if line)
