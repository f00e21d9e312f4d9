"""A feed's bytes to its entries, in a process of its own that ends when it takes too long or too much memory: a thread
could not be ended, and strangers write what is read here. It reads a request from its standard input and answers on
its standard output."""

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
"""Characters of a field that are handed on, markup included."""
MAX_MEMORY: Final = 512 * 1024 * 1024
_MAX_COUNT: Final = 10_000_000
# What reads strangers' bytes does not get to see the keys in our environment.
_INHERITED: Final = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")


class Unparsable(Exception):
    """No feed, or one that takes too long or too much to read; the text says which."""


class Raw(msgspec.Struct, frozen=True):
    """A feed as it was fetched."""

    data: bytes
    url: str
    content_type: str = ""


class Entry(msgspec.Struct, frozen=True):
    """Texts as the feed has them, markup and all. `published`: seconds since 1970. `comments`: as the feed counts
    them."""

    link: str
    title: str
    summary: str = ""
    published: float | None = None
    comments: int | None = None


class Parsed(msgspec.Struct, frozen=True):
    """`language`: as the feed tells it, `en-gb`."""

    entries: list[Entry]
    language: str | None = None


async def parsed(raw: Raw, seconds: float) -> Parsed:
    """The entries of a feed, at most MAX_ENTRIES, in its own order. Raises Unparsable."""
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
        raise Unparsable(f"not read within {seconds:g} s") from exc
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    try:
        found: Parsed | None = msgspec.msgpack.decode(answer, type=Parsed | None)
    except msgspec.DecodeError as exc:
        raise Unparsable("it broke the process that read it") from exc
    if found is None:
        raise Unparsable("neither RSS nor Atom")
    return found


def parse(raw: Raw) -> Parsed | None:
    """None for what is no feed, not even a broken one."""
    import feedparser  # type: ignore[import-untyped]

    read = feedparser.parse(
        io.BytesIO(raw.data),
        response_headers={"content-type": raw.content_type, "content-location": raw.url},
        sanitize_html=False,  # markup goes altogether, later
        resolve_relative_uris=False,
    )
    if not read.version:
        return None
    language = read.feed.get("language")
    return Parsed(list(_entries(read.entries[:MAX_ENTRIES])), _text(language)[:20] or None)


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
    seconds = int(float(sys.argv[1])) + 1  # in case nobody is left to end this process
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is no answer
    raw = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Raw)
    answers.write(msgspec.msgpack.encode(parse(raw)))
    answers.flush()


if __name__ == "__main__":
    _main()
