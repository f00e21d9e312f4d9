"""Rich Text Format (.rtf), by striprtf: its paragraphs, without marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from contentgen_adapters.shared.parsing.format import FileFormat, Storage, source, unreadable, without_tags
from contentgen_core.ports.documents import SourceText

MAX_BYTES: Final = 30_000_000
_TITLE: Final = re.compile(r"\{\\title ([^{}\\]{1,1000})\}")
_AUTHOR: Final = re.compile(r"\{\\author ([^{}\\]{1,1000})\}")


def _read(path: Path, key: str) -> Iterator[SourceText]:
    from striprtf.striprtf import rtf_to_text

    marked = path.read_bytes().decode("latin-1")
    try:
        plain = str(rtf_to_text(marked, errors="replace"))  # type: ignore[no-untyped-call]
    except Exception as exc:  # striprtf raises anything for what is no RTF
        raise unreadable(path, "the RTF file is damaged. Open and save it again.") from exc
    paragraphs = [" ".join(line.split()) for line in plain.splitlines()]
    text = "\n\n".join(filter(None, paragraphs))
    if not text:
        raise unreadable(path, "the RTF file holds no text.")
    title, author = _TITLE.search(marked), _AUTHOR.search(marked)
    yield source(
        key,
        without_tags(text),
        path.name,
        title=title[1] if title else None,
        authors=(author[1] if author else None,),
    )


FORMAT = FileFormat(
    label="RTF",
    suffixes=(".rtf",),
    media_type="application/rtf",
    storage=Storage.BINARY,
    sniff=lambda head: head.startswith(b"{\\rtf"),
    read=_read,
    max_bytes=MAX_BYTES,
    contents="paragraphs; title, author",
)
