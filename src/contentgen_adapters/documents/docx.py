"""Word documents (.docx), by mammoth, as Markdown with their headings."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import IO, Final
from xml.parsers import expat

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
_CREATOR: Final = re.compile(r"<dc:creator>([^<]{1,2000})</dc:creator>")
_CHUNK: Final = 65_536


class _TypeFound(Exception):
    """The part declares a document type."""


class _ElementFound(Exception):
    """The part's first element begins: no document type can follow."""


def _read(path: Path, key: str) -> Iterator[SourceText]:
    try:
        title, author = _inspect(path)
        text = _markdown(path)
    except UnreadableFile:
        raise
    except (zipfile.BadZipFile, NotImplementedError) as exc:
        raise unreadable(path, "the Word document is damaged or packed in an unknown way.") from exc
    except Exception as exc:  # mammoth and the XML parser below it raise anything for a damaged part
        raise unreadable(path, "the Word document is damaged. Open and save it again.") from exc
    if not text:
        raise unreadable(path, "the Word document holds no text.")
    yield source(key, text, path.name, title=title, authors=(author,))


def _inspect(path: Path) -> tuple[str | None, str | None]:
    """Title and author from the document's properties. Raises UnreadableFile for a file that is not a Word document or
    exceeds a size limit when decompressed (zipfile never returns more than the declared sizes)."""
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
            with archive.open(part) as opened:
                if _declares_type(opened):
                    raise unreadable(path, "the Word document declares a document type, which is not read.")
        stated = archive.read(_PROPERTIES).decode("utf-8", "replace") if _PROPERTIES in names else ""
    return _property(_TITLE, stated), _property(_CREATOR, stated)


def _property(pattern: re.Pattern[str], stated: str) -> str | None:
    found = pattern.search(stated)
    return unescape(found[1]) if found else None


def _declares_type(part: IO[bytes]) -> bool:
    """Whether a part of the archive is XML with a document type. Office never writes one; its only use here would be an
    entity expansion attack.

    The parser that also reads the document looks for it, so that neither an encoding nor a comment hides one. It stands
    before the first element, behind which the part is not read.
    """
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _found_type
    parser.StartElementHandler = _found_element
    try:
        while data := part.read(_CHUNK):
            parser.Parse(data)
    except _TypeFound:
        return True
    except (_ElementFound, expat.ExpatError, ValueError, LookupError):
        return False  # ValueError, LookupError: an encoding that Python does not have, or not for this
    return False


def _found_type(name: str, system: str | None, public: str | None, internal: bool) -> None:
    raise _TypeFound


def _found_element(name: str, attributes: dict[str, str]) -> None:
    raise _ElementFound


def _markdown(path: Path) -> str:
    import mammoth

    with path.open("rb") as file:
        # Images would be inlined as base64; to_markdown keeps only their alternative text.
        converted = mammoth.convert_to_html(file, convert_image=mammoth.images.img_element(lambda image: {"src": ""}))
    return to_markdown(converted.value)


FORMAT = FileFormat("DOCX", frozenset({".docx"}), _read, sniff=lambda head: head.startswith(b"PK\x03\x04"))
