"""Parses feeds in a process of its own, which is killed when it exceeds its time or memory: feeds are untrusted, and a
thread could not be killed. The process reads a RawFeed from standard input and writes a ParsedFeed to standard output,
in msgpack."""

from __future__ import annotations

import asyncio
import calendar
import io
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import msgspec

MAX_ENTRIES: Final = 100
MAX_TEXT: Final = 5_000
"""Characters kept of a field, markup included."""
MAX_MEMORY: Final = 512 * 1024 * 1024
_MAX_COUNT: Final = 10_000_000
# A process that parses untrusted bytes must not see the secrets in our environment.
_INHERITED: Final = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")


class FeedNotParsed(Exception):
    """Not a feed, or one that exceeds the time or memory; the text says which."""


class RawFeed(msgspec.Struct, frozen=True):
    """A feed as fetched: `data` decoded, `url` where it was found, `content_type` with its parameters."""

    data: bytes
    url: str
    content_type: str = ""


class Entry(msgspec.Struct, frozen=True):
    """An entry; texts as in the feed, markup included. `published`: seconds since 1970. `comments`: their number, as
    the feed states it."""

    link: str
    title: str
    summary: str = ""
    published: float | None = None
    comments: int | None = None


class ParsedFeed(msgspec.Struct, frozen=True):
    """`language`: as declared by the feed, such as `en-gb`."""

    entries: list[Entry]
    language: str | None = None


async def parse_apart(raw: RawFeed, seconds: float) -> ParsedFeed:
    """Parses a feed in a process of its own, within so many seconds. Raises FeedNotParsed."""
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__, str(seconds)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment,
    )
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(msgspec.msgpack.encode(raw))
    except TimeoutError as exc:
        raise FeedNotParsed(f"not read within {seconds:g} s") from exc
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    try:
        found: ParsedFeed | None = msgspec.msgpack.decode(answer, type=ParsedFeed | None)
    except msgspec.DecodeError as exc:
        raise FeedNotParsed("it broke the process that read it") from exc
    if found is None:
        raise FeedNotParsed("neither RSS nor Atom")
    return found


def parse(raw: RawFeed) -> ParsedFeed | None:
    """The first MAX_ENTRIES entries in the feed's order; None when this is not a feed. CPU-bound."""
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


def _main() -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY if hard < 0 else min(MAX_MEMORY, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds = int(float(sys.argv[1])) + 1  # in case the service died and cannot kill this process
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a library's prints must not end up in the answer
    raw = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=RawFeed)
    answers.write(msgspec.msgpack.encode(parse(raw)))
    answers.flush()


if __name__ == "__main__":
    _main()
