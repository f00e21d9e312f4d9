"""Markdown split line by line into what is translated and what stays unchanged.

Not a parser of all of Markdown: it knows the blocks of an article. Anything else is text, whose markup is protected by
placeholders (`translation`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

_FENCE: Final = re.compile(r"(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_PREFIX: Final = re.compile(r"[ \t]*(?:>[ \t]?|[-+*][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)")
_HEADING: Final = re.compile(r"#{1,6}[ \t]+")
_DEEPEST: Final = 32
"""Marks of quotations and lists on one line; further ones are text."""
_RULE: Final = re.compile(r"(?:[-_*=][ \t]*){3,}|[-=]+[ \t]*")
_DEFINITION: Final = re.compile(r"\[[^\]]+\]:.*")
_DELIMITER: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_CELL_END: Final = re.compile(r"(?<!\\)\|")
# HTML blocks whose content is no text of the article.
_RAW_HTML: Final = re.compile(r"<(?:(?P<tag>script|style|pre|textarea|svg|math)\b|!--|[?!])", re.IGNORECASE)


@frozen
class Piece:
    """A piece of Markdown. `text`: as written; `translatable`: whether it is text; `cell`: text of a table's cell;
    `start`: text at the start of a block, after the marks of quotations and lists, where a mark would make another
    block of it."""

    text: str
    translatable: bool = False
    cell: bool = False
    start: bool = False


def blocks(markdown: str) -> Iterator[Piece]:
    """The pieces of a Markdown text, which join to that text."""
    lines = re.split(r"(?<=\n)", markdown)
    at, blank, in_list = 0, True, False
    while at < len(lines):
        line = lines[at]
        prefix, body = _marks(line)
        bare, end = _without_break(body)
        if not bare.strip():
            yield Piece(line)
            at, blank = at + 1, True
            continue
        in_list = bool(prefix.strip()) or (in_list and prefix != "")
        last = _verbatim(lines, at, body, indented=blank and not in_list and not prefix.strip())
        if last > at:
            yield Piece("".join(lines[at:last]))
            at, blank = last, True
            continue
        blank = False
        if _RULE.fullmatch(bare) or _DEFINITION.fullmatch(bare):
            yield Piece(line)
        elif heading := _HEADING.match(bare):
            text = _without_closing(bare[heading.end() :])
            yield Piece(prefix + heading[0])
            yield from _text(text)
            yield Piece(bare[heading.end() + len(text) :] + end)
        elif last := _table(lines, at, bare):
            for row in lines[at:last]:
                yield from _row(row)
            at = last
            continue
        else:
            last = _paragraph(lines, at, prefix)
            yield Piece(prefix)
            text, end = _without_break(body + "".join(lines[at + 1 : last]))
            yield from _text(text, start=True)
            yield Piece(end)
            at = last
            continue
        at += 1


def _marks(line: str) -> tuple[str, str]:
    """The marks of quotations and lists at the start of a line, and the rest of it."""
    at = 0
    for _ in range(_DEEPEST):
        match = _PREFIX.match(line, at)
        if match is None or _RULE.fullmatch(line[at:].strip()):
            break
        at = match.end()
    rest = line[at:]
    indent = len(rest) - len(rest.lstrip(" \t"))
    return line[: at + indent], rest[indent:]


def _without_closing(heading: str) -> str:
    """The text of a heading without the hashes that may close it."""
    bare = heading.rstrip(" \t")
    text = bare.rstrip("#")
    return text.rstrip(" \t") if text != bare and (not text or text[-1] in " \t") else bare


def _without_break(text: str) -> tuple[str, str]:
    bare = text.rstrip("\r\n")
    return bare, text[len(bare) :]


def _verbatim(lines: list[str], at: int, body: str, *, indented: bool) -> int:
    """The line after the code or the raw HTML that begins here; `at` where none does."""
    if fence := _FENCE.match(body):
        if fence["mark"][0] == "`" and "`" in fence["info"]:
            return at
        closing = re.compile(rf"{re.escape(fence['mark'][0])}{{{len(fence['mark'])},}}[ \t]*")
        for n in range(at + 1, len(lines)):
            if closing.fullmatch(_without_break(_marks(lines[n])[1])[0]):
                return n + 1
        return len(lines)
    if html := _RAW_HTML.match(body):
        ending = f"</{html['tag']}>".lower() if html["tag"] else "-->" if body.startswith("<!--") else ">"
        for n in range(at, len(lines)):
            if ending in lines[n].lower():
                return n + 1
        return len(lines)
    if indented and re.match(r"(?: {4}| {0,3}\t)", lines[at]):
        last = at
        while last < len(lines) and re.match(r"(?: {4}| {0,3}\t)", lines[last]):
            last += 1
        return last
    return at


def _table(lines: list[str], at: int, bare: str) -> int:
    """The line after the table that begins here; 0 where none does."""
    if at + 1 >= len(lines) or "|" not in bare:
        return 0
    below = _without_break(_marks(lines[at + 1])[1])[0]
    if "|" not in below or not _DELIMITER.fullmatch(below):
        return 0
    last = at + 2
    while last < len(lines) and "|" in lines[last]:
        last += 1
    return last


def _row(line: str) -> Iterator[Piece]:
    prefix, body = _marks(line)
    bare, end = _without_break(body)
    yield Piece(prefix)
    if _DELIMITER.fullmatch(bare):
        yield Piece(bare + end)
        return
    at = 0
    for match in _CELL_END.finditer(bare):
        yield from _text(bare[at : match.start()], cell=True)
        yield Piece("|")
        at = match.end()
    yield from _text(bare[at:], cell=True)
    yield Piece(end)


def _paragraph(lines: list[str], at: int, prefix: str) -> int:
    """The line after the paragraph that begins here: plain lines that continue it, in the same quotation."""
    last, quoted = at + 1, prefix.count(">")
    while last < len(lines):
        marks, body = _marks(lines[last])
        bare = _without_break(body)[0]
        listed = marks.replace(">", "").strip()
        if not bare.strip() or listed or marks.count(">") != quoted or _RULE.fullmatch(bare) or _HEADING.match(bare):
            return last
        if _FENCE.match(bare) or _RAW_HTML.match(bare) or _table(lines, last, bare):
            return last
        last += 1
    return last


def _text(text: str, *, cell: bool = False, start: bool = False) -> Iterator[Piece]:
    """Text, with its white space as separate pieces. Text without a letter or digit is not translatable."""
    bare = text.strip(" \t")
    before = text[: len(text) - len(text.lstrip(" \t"))] if bare else text
    yield Piece(before)
    if bare:
        yield Piece(bare, any(c.isalnum() for c in bare), cell, start)
        yield Piece(text[len(before) + len(bare) :])
