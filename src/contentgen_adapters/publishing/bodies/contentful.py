"""Contentful's rich text document.

What may hold what is Contentful's own rule (`@contentful/rich-text-types`, schema constraints): a list's item holds any
block but a table, a quotation and a table's cell hold paragraphs, a link holds text alone.

What degrades: code blocks are paragraphs in the code mark, their language is lost; pictures
are assets between the text before and behind them where one was made, and else links to them, as they always are within
tables and quotations; marks that the field's owner has not switched on are left out; a list that does
not begin with 1 has its numbers written out; lists, headings and code within a quotation are paragraphs; tables within
lists and quotations are lines of text, and columns are not aligned; a writing direction cannot be given. `[n]` links to
the source's own address.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from contentgen_adapters.publishing.bodies.diagrams import with_lists
from contentgen_adapters.shared.document.inline import Inline, Inlines, Mark, Picture, Span, without_scripts
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
    number_items,
    row_text,
    without_pictures,
)
from contentgen_core.model.publishing_target import Post

Node: TypeAlias = dict[str, Any]

_MARKS: Final = {
    Mark.BOLD: "bold", Mark.ITALIC: "italic", Mark.CODE: "code", Mark.STRIKE: "strikethrough",
    Mark.SUPERSCRIPT: "superscript", Mark.SUBSCRIPT: "subscript",
}  # fmt: skip


def rich_text(post: Post, marks: Collection[str] | None = None, assets: Mapping[str, str] | None = None) -> Node:
    """The value of a RichText field in one locale. `marks`: those that the field takes; None: all. `assets`: the ids of
    the assets of pictures, by their address in the text."""
    post = with_lists(post)
    blocks = document(post.markdown, post.sources, post.language)
    content = [node for block in blocks for node in _nodes(block, assets or {}, tables=True)]
    if marks is not None:
        for node in content:
            _restrict(node, marks)
    return _node("document", content or [_node("paragraph", [_text(Span(""))])])


def _restrict(node: Node, marks: Collection[str]) -> None:
    """Calls itself for nodes within nodes, which the parser bounds."""
    for child in node["content"]:
        if child["nodeType"] != "text":
            _restrict(child, marks)
            continue
        left_out = frozenset(Mark(mark["type"]) for mark in child["marks"] if mark["type"] not in marks)
        child["value"] = without_scripts(Span(child["value"], left_out)).text
        child["marks"] = [mark for mark in child["marks"] if mark["type"] in marks]


def _nodes(block: Block, assets: Mapping[str, str], *, tables: bool) -> Iterator[Node]:
    match block:
        case Paragraph():
            yield from _paragraphs(block.content, assets)
        case Heading():
            yield _node(f"heading-{block.level}", _inlines(block.content))
        case Quote():
            yield _node("blockquote", [*map(_paragraph, _flat(block.blocks))] or [_paragraph(())])
        case Items(start=start) if start in (None, 1):
            items = [_node("list-item", _item(item, assets)) for item in block.items]
            yield _node("unordered-list" if start is None else "ordered-list", items)
        case Items():
            for each in number_items(block):
                yield from _nodes(each, assets, tables=tables)
        case Code():
            yield _paragraph((Span(block.text, frozenset({Mark.CODE})),))
        case Table() if tables:
            yield _table(block)
        case Table():
            yield from map(_paragraph, _rows(block))
        case Rule():
            yield _node("hr", [])


def _item(blocks: Iterable[Block], assets: Mapping[str, str]) -> list[Node]:
    return [node for block in blocks for node in _nodes(block, assets, tables=False)] or [_paragraph(())]


def _paragraphs(content: Inlines, assets: Mapping[str, str]) -> Iterator[Node]:
    """Pictures with an asset are blocks of their own between the text before and behind them."""
    run: list[Inline] = []
    for each in content:
        if isinstance(each, Picture) and each.src in assets:
            if _says(run):
                yield _paragraph(run)
            run = []
            target = {"sys": {"type": "Link", "linkType": "Asset", "id": assets[each.src]}}
            yield {"nodeType": "embedded-asset-block", "data": {"target": target}, "content": []}
        else:
            run.append(each)
    if _says(run) or not content:
        yield _paragraph(run)


def _says(run: Iterable[Inline]) -> bool:
    return any(isinstance(each, Picture) or each.text.strip() for each in run)


def _flat(blocks: Iterable[Block]) -> Iterator[Iterable[Inline]]:
    """The paragraphs that stand for blocks where only paragraphs may be."""
    for block in blocks:
        match block:
            case Paragraph():
                yield block.content
            case Heading():
                yield tuple(Span(s.text, s.marks | {Mark.BOLD}, s.href) for s in without_pictures(block.content))
            case Quote():
                yield from _flat(block.blocks)
            case Items():
                yield from _flat(number_items(block))
            case Code():
                yield (Span(block.text, frozenset({Mark.CODE})),)
            case Table():
                yield from _rows(block)
            case Rule():
                yield (Span(RULE),)


def _rows(table: Table) -> Iterator[Iterable[Inline]]:
    for at, row in enumerate(table.rows):
        yield row_text(row, head=at == 0)


def _table(table: Table) -> Node:
    rows = []
    for at, row in enumerate(table.rows):
        kind = "table-cell" if at else "table-header-cell"
        rows.append(_node("table-row", [_node(kind, [_paragraph(cell)]) for cell in row]))
    return _node("table", rows)


def _paragraph(content: Iterable[Inline]) -> Node:
    return _node("paragraph", _inlines(content))


def _inlines(content: Iterable[Inline]) -> list[Node]:
    nodes = []
    for span in without_pictures(content):
        text = _text(span)
        nodes.append({**_node("hyperlink", [text]), "data": {"uri": span.href}} if span.href else text)
    return nodes or [_text(Span(""))]


def _text(span: Span) -> Node:
    marks = [{"type": _MARKS[mark]} for mark in sorted(span.marks)]
    return {"nodeType": "text", "value": span.text, "marks": marks, "data": {}}


def _node(kind: str, content: list[Node]) -> Node:
    return {"nodeType": kind, "data": {}, "content": content}
