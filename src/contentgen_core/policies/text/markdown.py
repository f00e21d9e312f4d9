"""Escaping: any text as Markdown that shows exactly that text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

# A citation is the only text in square brackets in an article: all others are escaped.
CITATION: Final = re.compile(r"(?<!\\)\[(\d+)\]")

_ALWAYS: Final = re.compile(r"[\\`*\[\]]")
_OPENING_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")
_UNDERSCORE: Final = re.compile(r"(?<!\w)_|_(?!\w)")
_TILDES: Final = re.compile(r"~(?=~)|(?<=~)~")
# An address that renderers would make a link of.
_BARE_LINK: Final = re.compile(r"(?<=[A-Za-z]):(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)", re.IGNORECASE)
_BLOCK_START: Final = re.compile(
    r"^(?:(?P<mark>#{1,6}(?=\s|$)|[>=]|[-+](?=\s|$|-))|(?P<number>\d{1,9})(?P<dot>[.)](?=\s|$)))"
)
_CLOSING_HASHES: Final = re.compile(r"#+$")
# The end of a sentence, with the quotation marks and brackets that close after it.
_STOPS: Final = ".!?…。！？।؟"
_CLOSING: Final = '"”»’)]'
# No-break spaces are kept: they belong to the typography of some languages.
_INVISIBLE: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
# What most sentences do not have, so that nothing in them has to be folded, or escaped.
_TO_FOLD: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]|\x20\x20")
_TO_ESCAPE: Final = re.compile(r"[\\`*\[\]<&_~:@]|www\.", re.IGNORECASE)
_MERMAID_SPECIAL: Final = re.compile(r"[\"'#&<>%{}\[\]|\\;`]")


def one_line(text: str) -> str:
    """White space and control characters folded into single spaces."""
    return (_INVISIBLE.sub(" ", text) if _TO_FOLD.search(text) else text).strip()


def escape(text: str) -> str:
    """Escape the text for the middle of a line: it makes no emphasis, code, link, image, HTML, entity or citation."""
    text = one_line(text)
    if not _TO_ESCAPE.search(text):
        return text
    text = _ALWAYS.sub(r"\\\g<0>", text)
    for pattern in (_OPENING_TAG, _ENTITY, _UNDERSCORE, _TILDES, _BARE_LINK):
        text = pattern.sub(r"\\\g<0>", text)
    return text


def escaped_start(line: str) -> str:
    """An escaped line, escaped for the start of a block: it makes no heading, list, quotation or rule."""
    match = _BLOCK_START.match(line)
    if match is None:
        return line
    if match["mark"]:
        return "\\" + line
    return f"{match['number']}\\{line[match.start('dot') :]}"


def heading(level: int, text: str) -> str:
    """An ATX heading that shows this text."""
    return f"{'#' * level} " + _CLOSING_HASHES.sub(lambda m: "\\#" * len(m[0]), escaped_start(escape(text)))


def split_final(text: str) -> tuple[str, str]:
    """A sentence without its final punctuation, and that punctuation. A citation goes between the two."""
    stopped = text.rstrip(_CLOSING)
    words = stopped.rstrip(_STOPS)
    at = len(words.rstrip())
    return (text[:at], text[at:]) if len(words) < len(stopped) and at else (text, "")


def flow_chart(boxes: Sequence[str], arrows: Sequence[tuple[int, str, int]]) -> str:
    """A Mermaid flow chart of boxes and of labelled arrows between them, by their places. Labels are quoted, and
    characters with a meaning in Mermaid are written as character codes, so that any text parses."""
    lines = [f'    n{place}["{_label(box)}"]' for place, box in enumerate(boxes)]
    lines += [f'    n{one} -->|"{_label(text)}"| n{other}' for one, text, other in arrows]
    return "\n".join(["```mermaid", "flowchart LR", *lines, "```"])


def _label(text: str) -> str:
    return _MERMAID_SPECIAL.sub(lambda m: f"#{ord(m[0])};", one_line(text))
