"""An article's text as blocks: what the formats other than HTML and Markdown are made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from attrs import frozen
from markdown_it.token import Token

from contentgen_adapters.shared.document import normalised
from contentgen_adapters.shared.document.extended import document_tokens
from contentgen_adapters.shared.document.from_html import from_html
from contentgen_adapters.shared.document.inline import (
    Inline,
    Inlines,
    Mark,
    Picture,
    Span,
    inlines,
    merge_alike,
    web_page,
)
from contentgen_adapters.shared.document.normalised import LONGEST_KEPT, normalised_markdown
from contentgen_adapters.shared.document.sources import NumberedSource, author_and_title, shown_date, sources_heading
from contentgen_adapters.shared.text.markdown import encodable, nested_too_deep, strip_tags
from contentgen_core.model.vocabulary import Language


@frozen
class Paragraph:
    content: Inlines


@frozen
class Heading:
    level: int
    content: Inlines


@frozen
class Quote:
    blocks: tuple[Block, ...]


@frozen
class Items:
    """A list. `start`: the first item's number; None: bullets."""

    start: int | None
    items: tuple[tuple[Block, ...], ...]


@frozen
class Code:
    """A block of code. `language`: as the fence names it, in lower case, or empty."""

    text: str
    language: str = ""


@frozen
class Table:
    """A table. `rows`: the first one is the head; all have the same number of cells. `alignments`: of the columns:
    left, center, right, or None.
    """

    rows: tuple[tuple[Inlines, ...], ...]
    alignments: tuple[str | None, ...] = ()


@frozen
class Rule:
    pass


Block: TypeAlias = Paragraph | Heading | Quote | Items | Code | Table | Rule

BULLET: Final = "• "
CELL: Final = " | "
RULE: Final = "* * *"


def document(markdown: str, sources: Sequence[NumberedSource], language: Language | None = None) -> tuple[Block, ...]:
    """Return the text, and its sources under their heading, as blocks. Where blocks are nested too deep to be read
    (about 30) the Markdown itself is returned as code.

    `markdown`: as a client sends it or an article has it; citations are `[n]`. `sources`: cited in the text, in the
    order in which they are listed. `language`: of the heading; None: English.
    """
    return (*text_blocks(markdown, sources), *_source_blocks(sources, language))


def text_blocks(markdown: str, sources: Sequence[NumberedSource]) -> tuple[Block, ...]:
    """Return the blocks of `document` without the list of sources."""
    addresses = tuple((source.number, web_page(source.url)) for source in sources)
    return (_kept if len(markdown) <= LONGEST_KEPT else _read)(markdown, addresses)


def _read(content: str, addresses: tuple[tuple[int, str | None], ...]) -> tuple[Block, ...]:
    markdown = normalised_markdown(content)
    if nested_too_deep(markdown.tokens):
        return (Code(markdown.text, "markdown"),)
    return tuple(_Reader(iter(markdown.tokens), dict(addresses)).blocks(None))


_kept = lru_cache(maxsize=8)(_read)


def forget() -> None:
    """Clear the cache of the last texts, for measurements."""
    _kept.cache_clear()
    normalised.forget()


class _Reader:
    """Calls itself for blocks within blocks, which the parser bounds."""

    def __init__(self, tokens: Iterator[Token], addresses: Mapping[int, str | None], html: bool = True) -> None:
        self._tokens, self._addresses, self._html = tokens, addresses, html

    def blocks(self, until: str | None) -> Iterator[Block]:
        for token in self._tokens:
            if token.type == until:
                return
            match token.type:
                case "inline":
                    yield Paragraph(self._inlines(token))
                case "heading_open":
                    yield Heading(int(token.tag[1]), self._inlines(next(self._tokens)))
                case "blockquote_open":
                    yield Quote(tuple(self.blocks("blockquote_close")))
                case "bullet_list_open":
                    yield Items(None, tuple(self._items("bullet_list_close")))
                case "ordered_list_open":
                    start = token.attrGet("start")
                    yield Items(1 if start is None else int(start), tuple(self._items("ordered_list_close")))
                case "fence" | "code_block":
                    yield Code(token.content.removesuffix("\n"), fence_language(token))
                case "table_open":
                    yield self._table()
                case "hr":
                    yield Rule()
                case "html_block":
                    yield from self._read_html(token.content)

    def _inlines(self, token: Token) -> Inlines:
        return inlines(token.children or (), self._addresses)

    def _items(self, until: str) -> Iterator[tuple[Block, ...]]:
        for token in self._tokens:
            if token.type == until:
                return
            yield tuple(self.blocks("list_item_close"))

    def _table(self) -> Table:
        rows: list[tuple[Inlines, ...]] = []
        cells: list[Inlines] = []
        alignments: list[str | None] = []
        for token in self._tokens:
            match token.type:
                case "tr_open":
                    cells = []
                case "th_open":
                    found = token.attrGet("align")
                    alignments.append(None if found is None else str(found))
                case "inline":
                    cells.append(self._inlines(token))
                case "tr_close":
                    rows.append(tuple(cells))
                case "table_close":
                    break
        return Table(tuple(rows), tuple(alignments))

    def _read_html(self, html: str) -> Iterator[Block]:
        """Read HTML within lists and quotations; elsewhere it has become Markdown before."""
        tokens = document_tokens(from_html(html))
        if self._html and not nested_too_deep(tokens):
            yield from _Reader(iter(tokens), self._addresses, html=False).blocks(None)
        elif text := strip_tags(html).strip():
            yield Paragraph((Span(text),))


def fence_language(token: Token) -> str:
    """Return the language that a fence names, in lower case."""
    return token.info.split()[0].lower() if token.info.strip() else ""


def source_line(source: NumberedSource) -> Inlines:
    """Return `[n] Author. Title, date`, and the address as a link on a line of its own."""
    address = web_page(source.url)
    title = " ".join(encodable(author_and_title(source)).split())
    spans: list[Inline] = [Span(f"[{source.number}] {title}{shown_date(source)}")]
    if address:
        spans += [Span("\n"), Span(address, href=address)]
    return tuple(spans)


def _source_blocks(sources: Sequence[NumberedSource], language: Language | None) -> Iterator[Block]:
    if sources:
        yield Heading(2, (Span(sources_heading(language)),))
        yield from (Paragraph(source_line(source)) for source in sources)


def without_pictures(content: Iterable[Inline]) -> tuple[Span, ...]:
    """Replace a picture by a link to it with its alternative text; the picture's own link follows in brackets."""
    return tuple(span for each in content for span in (_to_link(each) if isinstance(each, Picture) else (each,)))


def _to_link(picture: Picture) -> Iterator[Span]:
    yield Span(picture.alt.strip() or picture.src, href=picture.src)
    if picture.href and picture.href != picture.src:
        yield from (Span(" ("), Span(picture.href, href=picture.href), Span(")"))


def number_items(items: Items) -> Iterator[Block]:
    """Return a list's blocks one after the other, with the bullets and numbers written out."""
    for at, item in enumerate(items.items):
        yield from prefix_first(item, BULLET if items.start is None else f"{items.start + at}. ")


def prefix_first(blocks: Sequence[Block], prefix: str) -> Iterator[Block]:
    """Put `prefix` before the first block's text, or in a paragraph of its own."""
    if blocks and isinstance(blocks[0], Paragraph):
        yield Paragraph(tuple(merge_alike((Span(prefix), *blocks[0].content))))
        yield from blocks[1:]
    else:
        yield Paragraph((Span(prefix.rstrip()),))
        yield from blocks


def row_text(cells: Sequence[Inlines], *, head: bool = False) -> Inlines:
    """A table's row as a line of text, the head in bold."""
    spans: list[Span] = []
    for at, cell in enumerate(cells):
        spans += [Span(CELL)] if at else []
        spans += without_pictures(cell)
    return tuple(merge_alike(Span(s.text, s.marks | {Mark.BOLD} if head else s.marks, s.href) for s in spans))
