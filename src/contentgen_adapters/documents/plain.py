"""Plain text files in any encoding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.format import FileFormat, source, without_tags
from contentgen_core.ports.documents import SourceText


def _read(path: Path, key: str) -> Iterator[SourceText]:
    yield source(key, without_tags(decode(path.read_bytes())), path.name)


FORMAT = FileFormat(
    label="text",
    labels={"fr": "texte"},
    suffixes=(".txt", ".text"),
    media_type="text/plain",
    read=_read,
    contents="UTF-8, UTF-16, else guessed; also any text file whose name no other type has",
)
