"""Strapi's blocks (the `blocks` field type; its validator in strapi/strapi says what may hold what).

What degrades: tables are lines of text, a rule is `* * *`; pictures are links to them, as Strapi's own need an uploaded
file; a quotation holds text alone, other blocks in it follow it; a list whose items hold more than text and lists, or
that does not begin with 1, is paragraphs with the bullets and numbers written out; a writing direction cannot be given.
`[n]` links to the source's own address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from contentgen_adapters.shared.document.inline import Inline, Mark, Span, joined, on_the_line
from contentgen_adapters.shared.document.tree import (
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
    numbered,
    row_text,
    without_pictures,
)
from contentgen_core.model.publishing_target import Post

StrapiBlock: TypeAlias = dict[str, Any]

_MARKS: Final = {Mark.BOLD: "bold", Mark.ITALIC: "italic", Mark.STRIKE: "strikethrough", Mark.CODE: "code"}


def blocks(post: Post) -> list[StrapiBlock]:
    """The value of a `blocks` field; never empty, as a required field would refuse that."""
    return [*_blocks(document(post.markdown, post.sources, post.language))] or [_block("paragraph", _children(()))]


def _blocks(content: Iterable[Block]) -> Iterator[StrapiBlock]:
    for block in content:
        match block:
            case Paragraph():
                yield _block("paragraph", _children(block.content))
            case Heading():
                yield _block("heading", _children(block.content), level=block.level)
            case Quote():
                yield from _quote(block.blocks)
            case Items() if _is_plain(block):
                yield _list(block)
            case Items():
                yield from _blocks(numbered(block))
            case Code():
                language = {"language": block.language} if block.language else {}
                yield _block("code", [_text(Span(block.text))], **language)
            case Table():
                for at, row in enumerate(block.rows):
                    yield _block("paragraph", _children(row_text(row, head=at == 0)))
            case Rule():
                yield _block("paragraph", [_text(Span(RULE))])


def _quote(content: Sequence[Block]) -> Iterator[StrapiBlock]:
    """Its paragraphs as one quotation, or several where another block stands between them."""
    run: list[Block] = []
    for block in content:
        if isinstance(block, Paragraph):
            run.append(block)
            continue
        if run:
            yield _block("quote", _children(_texts(run)))
            run = []
        yield from _blocks((block,))
    if run or not content:
        yield _block("quote", _children(_texts(run)))


def _is_plain(items: Items) -> bool:
    """Do its items hold text and, behind that, such lists alone?"""
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
    """Of paragraphs, a line each."""
    texts: list[Inline] = []
    for block in content:
        if isinstance(block, Paragraph):
            texts += (Span("\n"), *block.content) if texts else block.content
    return [*joined(texts)]


def _children(content: Iterable[Inline]) -> list[StrapiBlock]:
    children = []
    for span in joined(map(on_the_line, without_pictures(content))):
        assert isinstance(span, Span)
        text = _text(span)
        children.append({"type": "link", "url": span.href, "children": [text]} if span.href else text)
    return children or [_text(Span(""))]


def _text(span: Span) -> StrapiBlock:
    return {"type": "text", "text": span.text, **{_MARKS[mark]: True for mark in sorted(span.marks)}}


def _block(kind: str, children: list[StrapiBlock], **more: Any) -> StrapiBlock:
    return {"type": kind, **more, "children": children}
