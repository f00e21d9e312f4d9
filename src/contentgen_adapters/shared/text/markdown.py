"""Markdown as blocks of plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from html import unescape
from typing import Final

import nh3
from attrs import frozen
from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from contentgen_adapters.shared.text.tag_soup import text_between_tags, too_intricate
from contentgen_core.policies.text.storable import NUL

_DEEPEST: Final = 30  # nesting of blocks or links: markdown-it drops what is deeper, and its time grows with the limit
MAX_LOOKS: Final = 200_000
"""Tokens looked at to find the end of links and pictures; 10,000 links take some 50,000."""
_LOOKS: Final = "looks"  # in the environment of a parse
_WIDE: Final = re.compile(r"[\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef]")  # scripts without spaces; Hangul has them
_BREAK_TAG: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_CELL_END: Final = re.compile(r"(?<!\\)\|")


# What makes more of a text than paragraphs and headings that follow each other: fences, HTML and definitions reach over
# empty lines.
_REACHING: Final = ("```", "~~~", "<", "]:", "\r", "\0")
_EMPTY_LINES: Final = re.compile(r"\n(?:[ \t]*\n)+")
_TEXT: Final = r"[^\s\\`*_\[\]<>&~|#](?:[^\n\\`*_\[\]<>&~|#]*[^\s\\`*_\[\]<>&~|#])?"
_PLAIN_LINE: Final = rf"(?:#{{1,6}} +{_TEXT}|(?![-+=:>]|\d{{1,9}}[.)]){_TEXT})"
_PLAIN: Final = re.compile(rf"{_PLAIN_LINE}(?:\n{_PLAIN_LINE})*")


class BlockKind(Enum):
    HEADING = "heading"
    PROSE = "prose"
    ROWS = "rows"
    CODE = "code"


@frozen
class Block:
    """A block of text.

    `kind`: PROSE consists of sentences, ROWS (a table) and CODE of independent lines. `level`: of a heading, 1 to 6,
    else 0. `item`: whether it is in a list.
    """

    kind: BlockKind
    text: str
    level: int = 0
    item: bool = False


class _BoundedInline(ParserInline):
    """Looks ahead for the end of links and pictures in bounded steps, counted over the whole text; beyond them a
    bracket is a bracket. Without that, each of a run of brackets is looked at as often as links may nest: half a minute
    for 490 KB."""

    def skipToken(self, state: StateInline) -> None:
        looks = state.env[_LOOKS] = state.env.get(_LOOKS, 0) + 1
        if looks > MAX_LOOKS:
            state.pos = state.posMax  # the end of what is looked for is not found
        else:
            super().skipToken(state)


def parser() -> MarkdownIt:
    """A parser for CommonMark with tables and strikethrough, whose time grows with a text's length and no faster."""
    made = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    inline = _BoundedInline()
    inline.ruler.enableOnly(made.inline.ruler.get_active_rules())
    inline.ruler2.enableOnly(made.inline.ruler2.get_active_rules())
    made.inline = inline
    return made.enable(["table", "strikethrough"])


@cache
def _reader() -> MarkdownIt:
    """A parser shared by all threads: parsing only fills the cache of its rules."""
    reader = parser()
    reader.parse("a")
    return reader


def nested_too_deep(tokens: Sequence[Token]) -> bool:
    """Whether the parser dropped text because of its nesting."""
    return any(token.level >= _DEEPEST - 2 for token in tokens)


def encodable(text: str) -> str:
    """The text with `?` for lone surrogates, which cannot be encoded in UTF-8."""
    return text.encode("utf-8", "replace").decode()


def storable(text: str, nul: str = "") -> str:
    """The text as every store takes it: encodable, with `nul` in place of each NUL."""
    return encodable(text).replace(NUL, nul)


def plain_blocks(markdown: str) -> Iterator[Block]:
    """The blocks of a Markdown text without its syntax: links as their text, images as their alternative text, tables
    with one line per row. No visible text is lost; text nested too deeply to parse becomes lines."""
    markdown = encodable(markdown)
    reader, environment = _reader(), dict[str, object]()
    parts = [(part, None if plain else reader.parse(part, environment)) for plain, part in _parts(markdown)]
    if any(tokens and nested_too_deep(tokens) for _, tokens in parts):
        yield Block(BlockKind.CODE, markdown)
        return
    blocks = _Blocks(reader)
    for part, tokens in parts:
        for block in blocks.plain(part) if tokens is None else blocks.read(tokens, part):
            if block.text.strip():
                yield block


def _parts(markdown: str) -> Iterator[tuple[bool, str]]:
    """Split a text into parts that can be read one after the other. Parts of plain paragraphs and headings need no
    parser, which takes most of the time; the parts between them are parsed.
    """
    if any(mark in markdown for mark in _REACHING):
        yield False, markdown
        return
    markdown = markdown.strip("\n")
    start = end = 0  # of what is not plain
    for begin, limit in _between(_EMPTY_LINES, markdown):
        if _PLAIN.fullmatch(markdown, begin, limit):
            if end > start:
                yield False, markdown[start:end]
            yield True, markdown[begin:limit]
            start = end = limit
        else:
            end = limit
    if end > start:
        yield False, markdown[start:end]


def _between(separator: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for match in separator.finditer(text):
        yield begin, match.start()
        begin = match.end()
    yield begin, len(text)


def inline_text(tokens: Sequence[Token]) -> str:
    """The text of inline tokens. A line break becomes a space, or nothing in scripts without spaces."""
    parts: list[str] = []
    for i, token in enumerate(tokens):
        match token.type:
            case "softbreak":
                parts.append(soft_break(parts, tokens, i))
            case "hardbreak":
                parts.append("\n")
            case "image":
                parts.append(inline_text(token.children or ()))
            case "html_inline":
                parts.append("\n" if _BREAK_TAG.fullmatch(token.content) else "")
            case _:
                parts.append(token.content)
    return "".join(parts)


def strip_tags(html: str) -> str:
    """Return the text of an HTML fragment, without scripts and styles."""
    if too_intricate(html):
        return text_between_tags(html)
    return unescape(nh3.clean(_BREAK_TAG.sub("\n", encodable(html)), tags=set()))


def soft_break(parts: Sequence[str], tokens: Sequence[Token], at: int) -> str:
    """The text for the line break `tokens[at]`: a space, or nothing between characters of scripts without spaces.

    `parts`: the texts before it.
    """
    before = next((part for part in reversed(parts) if part), "")
    after = next((tokens[i].content for i in range(at + 1, len(tokens)) if tokens[i].content), "")
    return _gap(before, after)


def _gap(before: str, after: str) -> str:
    """Return the separator that replaces a line break between two texts."""
    return "" if _WIDE.match(before[-1:]) and _WIDE.match(after) else " "


class _Blocks:
    """Converts markdown-it's flat token lists into blocks. For one text."""

    def __init__(self, reader: MarkdownIt) -> None:
        self._reader = reader
        self._source: list[str] = []
        self._lists: list[int | None] = []  # the last number in each open list; None for bullets
        self._marker = ""
        self._heading = 0
        self._rows: list[str] = []
        self._cells: list[str] | None = None
        self._line: int | None = None
        self._surplus_looks: dict[str, int] = {}

    def plain(self, part: str) -> Iterator[Block]:
        """The blocks of a part without any syntax."""
        text = ""
        for line in part.split("\n"):
            if line[0] != "#":
                text += f"{_gap(text, line) if text else ''}{line}"
                continue
            if text:
                yield from self._inline(text)
            level = len(line) - len(line.lstrip("#"))
            yield Block(BlockKind.HEADING, " ".join(line[level:].split()), level)
            text = ""
        if text:
            yield from self._inline(text)

    def read(self, tokens: Sequence[Token], part: str) -> Iterator[Block]:
        """The blocks of a part by its tokens."""
        self._source = re.split("\r\n|\n|\r", part)
        for token in tokens:
            match token.type:
                case "heading_open":
                    self._heading = int(token.tag[1])
                case "heading_close":
                    self._heading = 0
                case "inline":
                    yield from self._inline(inline_text(token.children or ()))
                case "fence" | "code_block":
                    yield Block(BlockKind.CODE, token.content, item=bool(self._lists))
                case "html_block":
                    yield Block(BlockKind.PROSE, strip_tags(token.content), item=bool(self._lists))
                case "tr_open" | "tr_close" | "table_close":
                    yield from self._table(token)
                case _:
                    self._list(token)

    def _inline(self, text: str) -> Iterator[Block]:
        if self._cells is not None:
            self._cells.append(text.replace("\n", " "))
        elif self._heading:
            yield Block(BlockKind.HEADING, " ".join(text.split()), self._heading)
        else:
            yield Block(BlockKind.PROSE, self._marker + text, item=bool(self._lists))
            self._marker = ""

    def _table(self, token: Token) -> Iterator[Block]:
        if token.type == "tr_open":
            self._cells, self._line = [], token.map[0] if token.map else None
        elif token.type == "tr_close":
            cells = self._cells or []
            self._rows.append(" | ".join([*cells, *self._surplus(len(cells))]))
            self._cells = None
        else:
            yield Block(BlockKind.ROWS, "\n".join(self._rows), item=bool(self._lists))
            self._rows = []

    def _surplus(self, columns: int) -> Iterator[str]:
        """A row's cells beyond the header's columns, which markdown-it drops; a source must not lose them."""
        if self._line is not None:
            row = self._source[self._line].strip().removeprefix("|").removesuffix("|")
            for cell in _CELL_END.split(row)[columns:]:
                for token in self._reader.parseInline(cell.strip(), self._surplus_looks):
                    yield inline_text(token.children or ())

    def _list(self, token: Token) -> None:
        match token.type:
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1) - 1)
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_close" | "bullet_list_close":
                self._lists.pop()
            case "list_item_open" if self._lists[-1] is not None:
                self._lists[-1] += 1
                self._marker = f"{self._lists[-1]}. "
