"""Plain text files in any encoding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.format import FileFormat, source, without_tags
from contentgen_core.ports.documents import SourceText


def _read(path: Path, key: str) -> Iterator[SourceText]:
    yield source(key, without_tags(decode(path.read_bytes())), path.name)


FORMAT = FileFormat("text", frozenset({".txt", ".text"}), _read)
