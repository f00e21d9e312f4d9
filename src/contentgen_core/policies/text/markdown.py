"""Plain text as Markdown that shows exactly that text: whatever a source or a model wrote stays text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

# A citation is the only thing in square brackets that an article contains: all others are escaped.
CITATION: Final = re.compile(r"(?<!\\)\[(\d+)\]")

_ALWAYS: Final = re.compile(r"[\\`*\[\]]")
_OPENING_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")
_UNDERSCORE: Final = re.compile(r"(?<!\w)_|_(?!\w)")
_TILDES: Final = re.compile(r"~(?=~)|(?<=~)~")
# An address that renderers would turn into a link of their own accord.
_BARE_LINK: Final = re.compile(r"(?<=[A-Za-z]):(?=//)|(?<=\bwww)\.|(?<=\w)@(?=\w)", re.IGNORECASE)
_BLOCK_START: Final = re.compile(
    r"^(?:(?P<mark>#{1,6}(?=\s|$)|[>=]|[-+](?=\s|$|-))|(?P<number>\d{1,9})(?P<dot>[.)](?=\s|$)))"
)
_CLOSING_HASHES: Final = re.compile(r"#+$")
# What ends a sentence, with the quotation marks and brackets that close behind it.
_FINAL: Final = re.compile(r"[\s\u00a0\u202f]*[.!?…。！？।؟]+[\"”»’)\]]*$")
# No-break spaces are left: they belong to the typography of some languages.
_INVISIBLE: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_MERMAID_SPECIAL: Final = re.compile(r"[\"'#&<>%{}\[\]|\\;`]")


def one_line(text: str) -> str:
    """White space and control characters folded into single spaces."""
    return _INVISIBLE.sub(" ", text).strip()


def escaped(text: str) -> str:
    """The text in the middle of a line: no emphasis, code, link, image, HTML, entity or citation comes of it."""
    text = _ALWAYS.sub(r"\\\g<0>", one_line(text))
    for pattern in (_OPENING_TAG, _ENTITY, _UNDERSCORE, _TILDES, _BARE_LINK):
        text = pattern.sub(r"\\\g<0>", text)
    return text


def escaped_start(line: str) -> str:
    """An escaped line that stands at the start of a block: no heading, list, quotation or rule comes of it."""
    match = _BLOCK_START.match(line)
    if match is None:
        return line
    if match["mark"]:
        return "\\" + line
    return f"{match['number']}\\{line[match.start('dot') :]}"


def heading(level: int, text: str) -> str:
    """An ATX heading that shows this text."""
    return f"{'#' * level} " + _CLOSING_HASHES.sub(lambda m: "\\#" * len(m[0]), escaped_start(escaped(text)))


def split_final(text: str) -> tuple[str, str]:
    """A sentence without its final punctuation, and that punctuation: a citation stands between the two."""
    match = _FINAL.search(text)
    return (text[: match.start()], match[0]) if match and match.start() > 0 else (text, "")


def flowchart(title: str, steps: Sequence[str]) -> str:
    """A Mermaid flowchart from the title to each step. Labels are quoted, and what has a meaning to Mermaid is written
    as a character code, so that any text parses."""
    lines = ["```mermaid", "flowchart TD", f'    n0["{_label(title)}"]']
    for i, step in enumerate(steps, start=1):
        lines += [f'    n{i}["{_label(step)}"]', f"    n0 --> n{i}"]
    return "\n".join([*lines, "```"])


def _label(text: str) -> str:
    return _MERMAID_SPECIAL.sub(lambda m: f"#{ord(m[0])};", one_line(text))
