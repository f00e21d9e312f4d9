"""Parses feeds. Runs in a process of its own: see `shared.processes`."""

from __future__ import annotations

import calendar
import io
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from contentgen_adapters.shared.fetched_document import RawDocument
from contentgen_adapters.shared.processes.pool import Parser

MAX_ENTRIES: Final = 100
MAX_TEXT: Final = 5_000
"""Characters kept of a field, markup included."""
MAX_MEMORY: Final = 512 * 1024 * 1024
_MAX_COUNT: Final = 10_000_000


class FeedNotParsed(Exception):
    """The document is not a feed, or exceeds the time or memory; the text says which."""


class Entry(msgspec.Struct, frozen=True):
    """An entry; texts as in the feed, markup included. `published`: seconds since 1970. `comments`: their number, as
    the feed states it."""

    link: str
    title: str
    summary: str = ""
    published: float | None = None
    comments: int | None = None


class ParsedFeed(msgspec.Struct, frozen=True):
    """A parsed feed. `language`: as declared by the feed, such as `en-gb`."""

    entries: list[Entry]
    language: str | None = None


def parse(raw: RawDocument) -> ParsedFeed | None:
    """Return the first MAX_ENTRIES entries in the feed's order; None for a document that is not a feed. CPU-bound."""
    import feedparser  # type: ignore[import-untyped]

    read = feedparser.parse(
        io.BytesIO(raw.data),
        response_headers={"content-type": raw.content_type, "content-location": raw.url},
        sanitize_html=False,  # all markup is removed later
        resolve_relative_uris=False,
    )
    if not read.version:
        return None
    language = read.feed.get("language")
    return ParsedFeed(list(_entries(read.entries[:MAX_ENTRIES])), _text(language)[:20] or None)


def _entries(found: list[Any]) -> Iterator[Entry]:
    for entry in found:
        link, title = _text(entry.get("link")), _text(entry.get("title"))
        if link and title:
            yield Entry(link, title, _text(entry.get("summary")), _time(entry), _count(entry.get("slash_comments")))


def _text(value: object) -> str:
    text = value if isinstance(value, str) else ""
    return text[:MAX_TEXT].encode("utf-8", "replace").decode()


def _time(entry: Any) -> float | None:
    found = entry.get("published_parsed") or entry.get("updated_parsed")
    try:
        return float(calendar.timegm(found)) if found else None
    except (ValueError, OverflowError, TypeError):
        return None


def _count(value: object) -> int | None:
    text = value.strip() if isinstance(value, str) else ""
    return min(int(text), _MAX_COUNT) if text.isascii() and text.isdigit() and len(text) < 20 else None


PARSING: Final[Parser[RawDocument, ParsedFeed | None]] = Parser(
    parse, msgspec.msgpack.Decoder(ParsedFeed | None), RawDocument(b"<rss version='2.0'/>", "https://a.example/")
)
