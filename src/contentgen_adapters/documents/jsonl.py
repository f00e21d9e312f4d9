"""JSON Lines: one source per line, streamed, so that memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from contentgen_adapters.shared.parsing.format import (
    FileFormat,
    one_line,
    source,
    stated_date,
    stated_names,
    unreadable,
    without_tags,
)
from contentgen_core.errors import UnreadableFile
from contentgen_core.policies.text.file_titles import real_title
from contentgen_core.ports.documents import SourceText

MAX_LINE_BYTES: Final = 5_000_000
_MAX_FILE_BYTES: Final = 10_000_000_000


class _Line(msgspec.Struct):
    """One source; other fields are ignored. Its title is the first of `title`, `headline` and `name`; if there is no
    text, the title becomes the text. `author`, `authors`: a name, an object with a `name`, or a list of these.
    """

    text: str | None = None
    id: str | int | None = None
    title: str | None = None
    headline: str | None = None
    name: str | None = None
    url: str | None = None
    language: str | None = None
    published: str | None = None
    date: str | None = None
    author: object = None
    authors: object = None


def _read(path: Path, key: str) -> Iterator[SourceText]:
    decoder = msgspec.json.Decoder(_Line)
    with path.open("rb") as lines:
        number = 0
        while raw := lines.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(raw) > MAX_LINE_BYTES:
                raise _invalid_line(path, number, f"longer than {MAX_LINE_BYTES:,} bytes")
            stripped = raw.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else raw.strip()
            if stripped:
                yield _source(decoder, stripped, path, key, number)


def _source(decoder: msgspec.json.Decoder[_Line], raw: bytes, path: Path, key: str, number: int) -> SourceText:
    try:
        line = decoder.decode(raw)
    except (msgspec.MsgspecError, RecursionError) as exc:
        raise _invalid_line(path, number, f"not an object with a `text` or a `title`: {exc}") from exc
    except UnicodeDecodeError as exc:
        raise _invalid_line(path, number, "not UTF-8") from exc
    titles = (one_line(each) for each in (line.title, line.headline, line.name))
    title = next((each for each in titles if real_title(each)), None)
    text = (line.text or "").strip() or without_tags(title or one_line(line.title))
    if not text:
        raise _invalid_line(path, number, "without a `text` and a `title`")
    own = str(line.id).strip() if line.id is not None else ""
    return source(
        own or f"{key}#{number}",
        text,
        f"{path.stem} {number}",
        title=title,
        published=stated_date(line.published or line.date),
        url=line.url,
        language=line.language,
        authors=stated_names(line.author, line.authors),
    )


def _invalid_line(path: Path, number: int, reason: str) -> UnreadableFile:
    return unreadable(path, f"line {number} is {reason}.")


FORMAT = FileFormat(
    label="JSON Lines",
    suffixes=(".jsonl", ".ndjson"),
    media_type="application/jsonl",
    read=_read,
    max_bytes=_MAX_FILE_BYTES,
    contents="one source a line, streamed",
    limits=f"{MAX_LINE_BYTES // 1_000_000} MB a line",
)
