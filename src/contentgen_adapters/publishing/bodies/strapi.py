"""Strapi's blocks (the `blocks` field type; its validator in strapi/strapi says what may hold what).

What degrades: a table is a block of code whose columns are aligned, the addresses of its links behind them; a rule is
`* * *`; pictures are blocks where they were uploaded and stand between paragraphs, and else links to them; a quotation
holds text alone, other blocks in it follow it; a list whose items hold more than text and lists, or
that does not begin with 1, is paragraphs with the bullets and numbers written out; a writing direction cannot be given.
`[n]` links to the source's own address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from contentgen_adapters.publishing.bodies.diagrams import with_lists
from contentgen_adapters.shared.document.citations import CITATION
from contentgen_adapters.shared.document.inline import (
    Inline,
    Inlines,
    Mark,
    Picture,
    Span,
    merge_alike,
    text_of,
    without_scripts,
)
from contentgen_adapters.shared.document.tree import (
    CELL,
    RULE,
    Block,
    Code,
    Heading,
    Items,
    Paragraph,
    Quote,
    Rule,
    Table,
    document,
    number_items,
    without_pictures,
)
from contentgen_core.model.publishing_target import Post

StrapiBlock: TypeAlias = dict[str, Any]
Files: TypeAlias = Mapping[str, Mapping[str, Any]]

_WIDEST: Final = 40
"""Characters of a column that others are brought in line with."""

_MARKS: Final = {Mark.BOLD: "bold", Mark.ITALIC: "italic", Mark.STRIKE: "strikethrough", Mark.CODE: "code"}


def blocks(post: Post, files: Files | None = None) -> list[StrapiBlock]:
    """Return the value of a `blocks` field; never empty, as a required field would refuse that. `files`: Strapi's
    records of the pictures that were uploaded, by their address in the text.
    """
    post = with_lists(post)
    made = _blocks(document(post.markdown, post.sources, post.language), files or {})
    return [*made] or [_block("paragraph", _children(()))]


def _blocks(content: Iterable[Block], files: Files) -> Iterator[StrapiBlock]:
    for block in content:
        match block:
            case Paragraph():
                yield from _paragraphs(block.content, files)
            case Heading():
                yield _block("heading", _children(block.content), level=block.level)
            case Quote():
                yield from _quote(block.blocks, files)
            case Items() if _is_plain(block):
                yield _list(block)
            case Items():
                yield from _blocks(number_items(block), files)
            case Code():
                language = {"language": block.language} if block.language else {}
                yield _block("code", [_text(Span(block.text))], **language)
            case Table():
                yield _block("code", [_text(Span(_columns(block)))])
            case Rule():
                yield _block("paragraph", [_text(Span(RULE))])


def _paragraphs(content: Inlines, files: Files) -> Iterator[StrapiBlock]:
    """Uploaded pictures are blocks of their own between the text before and behind them."""
    run: list[Inline] = []
    for each in content:
        if isinstance(each, Picture) and each.src in files:
            if text_of(run).strip():
                yield _block("paragraph", _children(run))
            run = []
            yield _block("image", [_text(Span(""))], image={**files[each.src], "alternativeText": each.alt})
        else:
            run.append(each)
    if run or not content:
        yield _block("paragraph", _children(run))


def _columns(table: Table) -> str:
    """The rows as lines, with a line below the head."""
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    widths = [min(max(len(row[at]) for row in rows), _WIDEST) for at in range(len(rows[0]))] if rows else []
    lines = [CELL.join(_pad(*each) for each in zip(row, widths, table.alignments, strict=False)) for row in rows]
    rule = "-+-".join("-" * width for width in widths)
    return "\n".join(line.rstrip() for line in (*lines[:1], rule, *lines[1:]))


def _cell(content: Inlines) -> str:
    spans = (
        f"{span.text} ({span.href})" if span.href not in (None, span.text) and not CITATION.fullmatch(span.text)
        else span.text
        for span in map(without_scripts, without_pictures(content))
    )  # fmt: skip
    return " ".join("".join(spans).split())


def _pad(text: str, width: int, alignment: str | None) -> str:
    match alignment:
        case "right":
            return text.rjust(width)
        case "center":
            return text.center(width)
        case _:
            return text.ljust(width)


def _quote(content: Sequence[Block], files: Files) -> Iterator[StrapiBlock]:
    """Return the paragraphs as one quotation, or several where another block stands between them."""
    run: list[Block] = []
    for block in content:
        if isinstance(block, Paragraph):
            run.append(block)
            continue
        if run:
            yield _block("quote", _children(_texts(run)))
            run = []
        yield from _blocks((block,), files)
    if run or not content:
        yield _block("quote", _children(_texts(run)))


def _is_plain(items: Items) -> bool:
    """Whether the items hold only text, optionally followed by lists of the same kind."""
    return items.start in (None, 1) and all(
        isinstance(block, Paragraph) or (isinstance(block, Items) and _is_plain(block))
        for item in items.items
        for block in item
    )


def _list(items: Items) -> StrapiBlock:
    nodes: list[StrapiBlock] = []
    for item in items.items:
        nodes.append(_block("list-item", _children(_texts(item))))
        nodes += (_list(block) for block in item if isinstance(block, Items))
    return _block("list", nodes, format="unordered" if items.start is None else "ordered")


def _texts(content: Iterable[Block]) -> list[Inline]:
    """Return the texts of paragraphs, a line each."""
    texts: list[Inline] = []
    for block in content:
        if isinstance(block, Paragraph):
            texts += (Span("\n"), *block.content) if texts else block.content
    return [*merge_alike(texts)]


def _children(content: Iterable[Inline]) -> list[StrapiBlock]:
    children = []
    for span in merge_alike(map(without_scripts, without_pictures(content))):
        assert isinstance(span, Span)
        text = _text(span)
        children.append({"type": "link", "url": span.href, "children": [text]} if span.href else text)
    return children or [_text(Span(""))]


def _text(span: Span) -> StrapiBlock:
    return {"type": "text", "text": span.text, **{_MARKS[mark]: True for mark in sorted(span.marks)}}


def _block(kind: str, children: list[StrapiBlock], **more: Any) -> StrapiBlock:
    return {"type": kind, **more, "children": children}
