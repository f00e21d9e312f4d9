"""A text as paragraphs of sentences, without the marks of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language

_FENCE: Final = re.compile(r"`{3,}|~{3,}")
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]")
_ITEM: Final = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_SKIPPED: Final = re.compile(r"^[ \t]*(?:\||-{3,}[ \t]*$|\*{3,}[ \t]*$|!\[)")
_MARKS: Final = (
    (re.compile(r"\[\d{1,3}\]"), ""),  # citations
    (re.compile(r"\[([^\[\]\n]{1,300})\]\([^()\n]{1,2000}\)"), r"\1"),
    (re.compile(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)"), ""),
)


@frozen
class Block:
    """A paragraph, an item of a list or a heading, with its sentences."""

    sentences: tuple[str, ...]
    item: bool = False
    heading: bool = False


def blocks(text: str, language: Language, analysis: TextAnalysis) -> tuple[Block, ...]:
    """Return the blocks of the text, in order; no code, tables or pictures."""
    found: list[Block] = []
    lines: list[str] = []

    def close(*, item: bool = False, heading: bool = False) -> None:
        plain = _plain(" ".join(lines))
        lines.clear()
        if spans := analysis.sentences(plain, language):
            found.append(Block(tuple(span.of(plain) for span in spans), item, heading))

    in_item = False
    for line in _without_code(text.replace("\r\n", "\n").split("\n")):
        if not line.strip() or _SKIPPED.match(line):
            close(item=in_item)
            in_item = False
        elif _HEADING.match(line):
            close(item=in_item)
            lines.append(line.strip().strip("#").strip())
            close(heading=True)
            in_item = False
        elif _ITEM.match(line):
            close(item=in_item)
            lines.append(_ITEM.sub("", line).strip())
            in_item = True
        else:
            lines.append(line.strip().removeprefix("> "))
    close(item=in_item)
    return tuple(found)


def _without_code(lines: Sequence[str]) -> Iterator[str]:
    """The lines, an empty one in the place of each block of code. It ends at the next fence of the same sign that is as
    long as the one it began with, or else as the longest that follows; without any, it is none."""
    fences = [found[0] if (found := _FENCE.match(line)) else "" for line in lines]
    longest: list[dict[str, int]] = []  # of each sign, behind each line
    behind: dict[str, int] = {}
    for fence in reversed(fences):
        longest.append(behind)
        if fence and len(fence) > behind.get(fence[0], 0):
            behind = {**behind, fence[0]: len(fence)}
    longest.reverse()
    at = 0
    while at < len(lines):
        fence = fences[at]
        most = longest[at].get(fence[0], 0) if fence else 0
        if not most:
            yield lines[at]
        else:
            end = fence[0] * min(len(fence), most)
            at = next(later for later in range(at + 1, len(lines)) if fences[later].startswith(end))
            yield ""
        at += 1


def _plain(text: str) -> str:
    for pattern, replacement in _MARKS:
        text = pattern.sub(replacement, text)
    return text.strip()
