"""Notion's block objects, in requests that keep its limits.

Limits (developers.notion.com, "Request limits"): 2,000 characters a rich text, 100 entries an array, 1,000 blocks and
500 KB a request, blocks nested two levels below those of the request.

What degrades: lists nested deeper stand at the deepest level allowed; headings below the fourth level are of it;
a list that does not begin with 1 has its numbers written out; a table too large for a block is lines of text, and one
of more than 99 rows is several with the head repeated; a picture in a table is a link to it; a writing direction cannot
be given. `[n]` links to the source's own address, as blocks have no anchors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from attrs import evolve

from contentgen_adapters.publishing.bodies.notion_texts import HEAVIEST, MOST_TEXTS, code_language, rich_texts
from contentgen_adapters.shared.document.extended import DONE, TO_DO
from contentgen_adapters.shared.document.inline import Inlines, Picture, Span
from contentgen_adapters.shared.document.tree import (
    Block,
    Code,
    Heading,
    Items,
    Paragraph,
    Quote,
    Rule,
    Table,
    document,
    prefix_first,
    row_text,
    without_pictures,
)
from contentgen_core.model.publishing_target import Post

MOST_CHILDREN: Final = 100
MOST_BLOCKS: Final = 1_000
MOST_BYTES: Final = 400_000
"""Of a request's blocks; the rest of Notion's 500 KB is for a page's properties."""
DEEPEST: Final = 2
"""Levels of blocks below those of a request."""
_MOST_HOISTED_BYTES: Final = 200_000  # of one block with all below it

NotionBlock: TypeAlias = dict[str, Any]


def blocks(post: Post) -> list[list[NotionBlock]]:
    """Return the blocks of each request, in order: the first may be a new page's `children`, the others are appended to
    it. A post without text has one request without blocks.
    """
    requests: list[list[NotionBlock]] = [[]]
    count = weight = 0
    for block in _blocks(document(post.markdown, post.sources, post.language), 0):
        blocks_in_it, bytes_of_it = _count(block), len(msgspec.json.encode(block)) + 1
        full = len(requests[-1]) == MOST_CHILDREN or count + blocks_in_it > MOST_BLOCKS
        if requests[-1] and (full or weight + bytes_of_it > MOST_BYTES):
            requests.append([])
            count = weight = 0
        requests[-1].append(block)
        count += blocks_in_it
        weight += bytes_of_it
    return requests


def _blocks(content: Iterable[Block], depth: int) -> Iterator[NotionBlock]:
    """Convert blocks to Notion's. `depth`: how many levels below the request's own blocks they are."""
    for block in content:
        match block:
            case Paragraph():
                yield from _paragraphs(block.content)
            case Heading():
                yield from _with_text(f"heading_{min(block.level, 4)}", block.content, depth, ())
            case Quote():
                yield from _with_children("quote", block.blocks, depth)
            case Items():
                yield from _items(block, depth)
            case Code():
                yield from _code(block)
            case Table():
                yield from _table(block, depth)
            case Rule():
                yield _block("divider", {})


def _items(items: Items, depth: int) -> Iterator[NotionBlock]:
    for at, item in enumerate(items.items):
        if items.start is None and (task := _task(item)) is not None:
            yield from _to_do(*task, depth)
        elif items.start in (None, 1):
            kind = "bulleted_list_item" if items.start is None else "numbered_list_item"
            yield from _with_children(kind, item, depth)
        else:
            number = tuple(prefix_first(item, f"{(items.start or 0) + at}. "))
            yield from _with_children("paragraph", number, depth)


def _task(item: Sequence[Block]) -> tuple[bool, Sequence[Block]] | None:
    """Whether a task is done, and the item without its box; None for another item."""
    if not item or not isinstance(item[0], Paragraph) or not item[0].content:
        return None
    first, *rest = item[0].content
    if not isinstance(first, Span) or not first.text.startswith((TO_DO, DONE)):
        return None
    text = evolve(first, text=first.text[len(TO_DO) :])
    return first.text.startswith(DONE), (Paragraph((text, *rest)), *item[1:])


def _to_do(done: bool, item: Sequence[Block], depth: int) -> Iterator[NotionBlock]:
    first, *rest = _with_children("to_do", item, depth)
    first["to_do"]["checked"] = done
    yield first
    yield from rest


def _with_children(kind: str, content: Sequence[Block], depth: int) -> Iterator[NotionBlock]:
    """Build a block whose own text is the first paragraph, and whose children are the other blocks."""
    if content and isinstance(content[0], Paragraph):
        yield from _with_text(kind, content[0].content, depth, content[1:])
    else:
        yield from _with_text(kind, (), depth, content)


def _with_text(kind: str, text: Inlines, depth: int, content: Sequence[Block]) -> Iterator[NotionBlock]:
    """Build a block with its text. Content beyond one block, pictures included, becomes its children where blocks may
    have some, and else follows it.
    """
    first, *rest = [*rich_texts(each for each in text if isinstance(each, Span))] or [[]]
    block = _block(kind, {"rich_text": first})
    more = [_block("paragraph", {"rich_text": portion}) for portion in rest]
    more += [_image(each) for each in text if isinstance(each, Picture)]
    if depth < DEEPEST and not kind.startswith("heading"):
        children, beyond = _children([*more, *_blocks(content, depth + 1)])
        if children:
            block[kind]["children"] = children
        yield block
        yield from beyond
    else:
        yield block
        yield from more
        yield from _blocks(content, depth)


def _children(made: list[NotionBlock]) -> tuple[list[NotionBlock], list[NotionBlock]]:
    """Return the children that one block may have, and those that follow it instead because the request would get too
    large.
    """
    count = weight = 0
    for at, child in enumerate(made):
        count += _count(child)
        weight += len(msgspec.json.encode(child)) + 1
        if at and (at == MOST_CHILDREN or count >= MOST_BLOCKS or weight > _MOST_HOISTED_BYTES):
            return made[:at], made[at:]
    return made, []


def _paragraphs(content: Inlines) -> Iterator[NotionBlock]:
    """Pictures are blocks of their own between the text before and behind them."""
    run: list[Span] = []
    for each in (*content, None):
        if isinstance(each, Span):
            run.append(each)
            continue
        if "".join(span.text for span in run).strip():
            yield from (_block("paragraph", {"rich_text": portion}) for portion in rich_texts(_trim(run)))
        run = []
        if each is not None:
            yield _image(each)


def _trim(run: Sequence[Span]) -> Iterator[Span]:
    """Remove the line breaks at both ends that a picture between lines leaves."""
    for at, span in enumerate(run):
        text = span.text.lstrip("\n") if at == 0 else span.text
        yield Span(text.rstrip("\n") if at == len(run) - 1 else text, span.marks, span.href)


def _image(picture: Picture) -> NotionBlock:
    caption = next(rich_texts((Span(picture.alt, href=picture.href),)), [])
    return _block("image", {"type": "external", "external": {"url": picture.src}, "caption": caption})


def _code(code: Code) -> Iterator[NotionBlock]:
    language = code_language(code.language)
    for portion in [*rich_texts((Span(code.text),))] or [[]]:
        yield _block("code", {"rich_text": portion, "language": language})


def _table(table: Table, depth: int) -> Iterator[NotionBlock]:
    """Rows count as a level of blocks."""
    rows = [[[*rich_texts(without_pictures(cell))] for cell in row] for row in table.rows]
    width = max(map(len, rows), default=0)
    fits = depth < DEEPEST and 0 < width <= MOST_TEXTS and all(len(cell) < 2 for row in rows for cell in row)
    made = [_block("table_row", {"cells": [cell[0] if cell else [] for cell in row]}) for row in rows] if fits else []
    if not fits or max(len(msgspec.json.encode(row)) for row in made) > HEAVIEST:
        for at, row in enumerate(table.rows):
            yield from _paragraphs(row_text(row, head=at == 0))
        return
    yield from _tables(made, width)


def _tables(rows: list[NotionBlock], width: int) -> Iterator[NotionBlock]:
    head, part = rows[0], [rows[0]]
    weight = len(msgspec.json.encode(head))
    for row in rows[1:]:
        heavy = len(msgspec.json.encode(row))
        if len(part) == MOST_CHILDREN or (len(part) > 1 and weight + heavy > _MOST_HOISTED_BYTES):
            yield _table_block(part, width)
            part, weight = [head], len(msgspec.json.encode(head))
        part.append(row)
        weight += heavy
    yield _table_block(part, width)


def _table_block(rows: list[NotionBlock], width: int) -> NotionBlock:
    settings = {"table_width": width, "has_column_header": True, "has_row_header": False, "children": rows}
    return _block("table", settings)


def _block(kind: str, content: dict[str, Any]) -> NotionBlock:
    return {"object": "block", "type": kind, kind: content}


def _count(block: NotionBlock) -> int:
    """Count the blocks with all their children."""
    return 1 + sum(_count(child) for child in block[block["type"]].get("children", ()))
