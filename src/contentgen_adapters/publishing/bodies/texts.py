"""Plain text of a post: excerpts, tags as targets spell them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from slugify import slugify

from contentgen_adapters.publishing.bodies.lengths import fitting, units, whole
from contentgen_adapters.shared.document.inline import text_of
from contentgen_adapters.shared.document.tree import Block, Items, Paragraph, Quote, text_blocks
from contentgen_adapters.shared.text.markdown import encodable
from contentgen_core.model.publishing_target import Post
from contentgen_core.policies.text.truncation import truncate_at_space

# Looked for from where white space begins, which may be long, and not again from each place in it.
_CITATIONS: Final = re.compile(r"(?<![^\S\n])(?:[^\S\n]*\[\d{1,3}\])+")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def prose(post: Post) -> Iterator[str]:
    """The paragraphs of the text in their order, each on one line, without citations, headings, code and tables."""
    return (text for text in map(one_line, _prose(text_blocks(post.markdown, post.sources))) if text)


def _prose(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Paragraph():
                yield _CITATIONS.sub("", text_of(block.content))
            case Quote():
                yield from _prose(block.blocks)
            case Items():
                for item in block.items:
                    yield from _prose(item)


def excerpt(post: Post, limit: int) -> str:
    """Return the post's own excerpt, else the beginning of its text: plain text on one line of at most `limit` (2 or
    more) UTF-16 units, cut behind a word and marked with an ellipsis.
    """
    own = one_line(post.excerpt or "")
    if own:
        return shorten(own, limit)
    paragraphs: list[str] = []
    length = 0
    for paragraph in prose(post):
        paragraphs.append(paragraph)
        length += len(paragraph) + 1
        if length > limit + 1:
            break
    return shorten(" ".join(paragraphs), limit)


def shorten(text: str, limit: int) -> str:
    """Cut a text as `excerpt` does; scripts without spaces are cut between characters."""
    if units(text) <= limit:
        return text
    end = fitting(text, limit - 1)
    return truncate_at_space(text, whole(text, end), range(end // 2 + 1, end + 1))


def one_line(text: str) -> str:
    return " ".join(_CONTROLS.sub("", encodable(text)).split())


def tag_slugs(tags: Iterable[str], *, most: int, longest: int = 100, separator: str = "") -> tuple[str, ...]:
    """Return tags in small ASCII letters and digits, other scripts transliterated, words joined by `separator`; without
    duplicates, at most `most` of them, each of at most `longest` characters. Tags that become empty are left out.
    """
    slugs = (slugify(one_line(tag), separator=separator)[:longest].strip(separator or None) for tag in tags)
    return tuple(dict.fromkeys(slug for slug in slugs if slug))[:most]


def hashtag(tag: str) -> str:
    """Letters, accents and digits of any script, words run together with capitals: `heat pumps` is `HeatPumps`.
    Empty where there are accents alone."""
    words = "".join(c if _counts(c) else " " for c in unicodedata.normalize("NFC", encodable(tag))).split()
    written = "".join(word[:1].upper() + word[1:] for word in words)
    return written if any(map(str.isalnum, written)) else ""


def _counts(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN"
