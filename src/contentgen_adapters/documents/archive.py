"""ZIP archives of XML that office programs and e-books use: opened within bounds, without document types."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from html import unescape
from pathlib import Path
from re import Pattern
from typing import IO, Any, Final
from xml.parsers import expat

from contentgen_adapters.shared.parsing.format import unreadable

MAX_UNPACKED_BYTES: Final = 300_000_000
UNPACKED_LIMIT: Final = f"{MAX_UNPACKED_BYTES // 1_000_000} MB unpacked"
MAX_XML_BYTES: Final = 60_000_000
MAX_PARTS: Final = 10_000
ZIP: Final = b"PK\x03\x04"
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".mp4", ".mp3", ".tif", ".tiff", ".webp", ".bin")
_CHUNK: Final = 65_536


class _TypeFound(Exception):
    """The part declares a document type."""


class _ElementFound(Exception):
    """The part's first element begins: no document type can follow."""


def check_archive(
    path: Path, archive: zipfile.ZipFile, body: str, what: str, parsed: Callable[[str], bool] = lambda name: True
) -> None:
    """Raises UnreadableFile for an archive without the part `body`, with a password, or that exceeds a limit when
    decompressed (zipfile never returns more than the declared sizes), and for one whose `parsed` parts, by name,
    declare a document type.

    `what`: what it should be, as errors name it."""
    parts = archive.infolist()
    if body not in {part.filename for part in parts}:
        raise unreadable(path, f"a ZIP archive that is no {what} ({path.suffix.lower()}).")
    if any(part.flag_bits & 1 for part in parts):
        raise unreadable(path, f"the {what} is password-protected. Save it without a password.")
    unpacked = sum(part.file_size for part in parts)
    largest = max(p.file_size for p in parts if not p.filename.lower().endswith(_PICTURES))
    if unpacked > MAX_UNPACKED_BYTES or largest > MAX_XML_BYTES or len(parts) > MAX_PARTS:
        raise unreadable(path, f"unpacked it would take {unpacked:,} bytes; at most {MAX_UNPACKED_BYTES:,} are read.")
    for part in parts:
        if not parsed(part.filename):
            continue
        with archive.open(part) as opened:
            if _declares_type(opened):
                raise unreadable(path, f"the {what} declares a document type, which is not read.")


def parse(data: bytes) -> Any:
    """The root element of an XML part. Entities are not resolved, nothing is fetched. Raises XMLSyntaxError."""
    from lxml import etree  # type: ignore[import-untyped]

    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))


def first_match(pattern: Pattern[str], properties: str) -> str | None:
    """Return the first group of a pattern in a part of properties, unescaped."""
    found = pattern.search(properties)
    return unescape(found[1]) if found else None


def text_part(archive: zipfile.ZipFile, name: str) -> str:
    """Return a part as text; "" if it does not exist."""
    return archive.read(name).decode("utf-8", "replace") if name in archive.namelist() else ""


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
        parser.Parse(b"", True)  # newer expats keep what follows a long comment until more comes
    except _TypeFound:
        return True
    except (_ElementFound, expat.ExpatError, ValueError, LookupError):
        return False  # ValueError, LookupError: an encoding that Python does not have, or not for this
    return False


def _found_type(name: str, system: str | None, public: str | None, internal: bool) -> None:
    raise _TypeFound


def _found_element(name: str, attributes: dict[str, str]) -> None:
    raise _ElementFound
