"""JSON Lines: one source per line, streamed, so that memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from contentgen_adapters.shared.parsing.format import FileFormat, source, unreadable
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.documents import SourceText

MAX_LINE_BYTES: Final = 5_000_000
_MAX_FILE_BYTES: Final = 10_000_000_000


class _Line(msgspec.Struct):
    """One source; other fields are ignored."""

    text: str
    id: str | int | None = None
    title: str | None = None
    url: str | None = None
    language: str | None = None


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
        raise _invalid_line(path, number, f"not an object with a `text`: {exc}") from exc
    except UnicodeDecodeError as exc:
        raise _invalid_line(path, number, "not UTF-8") from exc
    if not line.text.strip():
        raise _invalid_line(path, number, "`text` is empty")
    own = str(line.id).strip() if line.id is not None else ""
    return source(
        own or f"{key}#{number}",
        line.text,
        f"{path.stem} {number}",
        title=line.title,
        url=line.url,
        language=line.language,
    )


def _invalid_line(path: Path, number: int, reason: str) -> UnreadableFile:
    return unreadable(path, f"line {number} is {reason}.")


FORMAT = FileFormat("JSONL", frozenset({".jsonl", ".ndjson"}), _read, max_bytes=_MAX_FILE_BYTES)
