"""Word documents (.docx), by mammoth, as Markdown with their headings."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final

from contentgen_adapters.shared.parsing.format import FileFormat, source, unreadable
from contentgen_adapters.shared.parsing.html import to_markdown
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.documents import SourceText

MAX_UNPACKED_BYTES: Final = 300_000_000
MAX_XML_BYTES: Final = 60_000_000
MAX_PARTS: Final = 10_000
_BODY: Final = "word/document.xml"
_PROPERTIES: Final = "docProps/core.xml"
_TITLE: Final = re.compile(r"<dc:title>([^<]{1,1000})</dc:title>")


def _read(path: Path, key: str) -> Iterator[SourceText]:
    try:
        title = _inspect(path)
        text = _markdown(path)
    except UnreadableFile:
        raise
    except (zipfile.BadZipFile, NotImplementedError) as exc:
        raise unreadable(path, "the Word document is damaged or packed in an unknown way.") from exc
    except Exception as exc:  # mammoth and the XML parser below it raise anything for a damaged part
        raise unreadable(path, "the Word document is damaged. Open and save it again.") from exc
    if not text:
        raise unreadable(path, "the Word document holds no text.")
    yield source(key, text, path.stem, title=title)


def _inspect(path: Path) -> str | None:
    """The title from the document's properties. Raises UnreadableFile for a file that is not a Word document or exceeds
    a size limit when decompressed (zipfile never returns more than the declared sizes)."""
    with zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
        names = {part.filename for part in parts}
        if _BODY not in names:
            raise unreadable(path, "a ZIP archive that is no Word document (.docx).")
        if any(part.flag_bits & 1 for part in parts):
            raise unreadable(path, "the Word document is password-protected. Save it without a password.")
        unpacked = sum(part.file_size for part in parts)
        largest_xml = max(part.file_size for part in parts if not part.filename.startswith("word/media/"))
        if unpacked > MAX_UNPACKED_BYTES or largest_xml > MAX_XML_BYTES or len(parts) > MAX_PARTS:
            raise unreadable(
                path, f"unpacked it would take {unpacked:,} bytes; at most {MAX_UNPACKED_BYTES:,} are read."
            )
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                with archive.open(part) as xml:
                    # Office never writes a document type; its only use here would be an entity expansion attack.
                    if b"<!DOCTYPE" in xml.read(2048).upper():
                        raise unreadable(path, "the Word document declares a document type, which is not read.")
        found = _TITLE.search(archive.read(_PROPERTIES).decode("utf-8", "replace")) if _PROPERTIES in names else None
    return unescape(found[1]) if found else None


def _markdown(path: Path) -> str:
    import mammoth

    with path.open("rb") as file:
        # Images would be inlined as base64; to_markdown keeps only their alternative text.
        converted = mammoth.convert_to_html(file, convert_image=mammoth.images.img_element(lambda image: {"src": ""}))
    return to_markdown(converted.value)


FORMAT = FileFormat("DOCX", frozenset({".docx"}), _read, sniff=lambda head: head.startswith(b"PK\x03\x04"))
