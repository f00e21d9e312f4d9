"""Which pictures a text shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from contentgen_adapters.shared.document.inline import Picture
from contentgen_adapters.shared.document.tree import Block, Code, Items, Quote, Rule, Table, text_blocks
from contentgen_core.model.publishing_target import Post


def picture_addresses(post: Post, own: str | None = None) -> dict[str, str]:
    """The alternative texts of the pictures in the text, by their addresses. `own`: a host whose pictures do not
    count. CPU-bound."""
    if "![" not in post.markdown and "<img" not in post.markdown.lower():
        return {}
    found = _pictures(text_blocks(post.markdown, post.sources))
    return {each.src: each.alt for each in found if own is None or urlsplit(each.src).hostname != own}


def _pictures(blocks: Iterable[Block]) -> Iterator[Picture]:
    for block in blocks:
        match block:
            case Quote():
                yield from _pictures(block.blocks)
            case Items():
                for item in block.items:
                    yield from _pictures(item)
            case Table():
                for row in block.rows:
                    for cell in row:
                        yield from (each for each in cell if isinstance(each, Picture))
            case Code() | Rule():
                pass
            case _:
                yield from (each for each in block.content if isinstance(each, Picture))
