"""E-books (.epub): their chapters in reading order, with title, author, language and date of the book."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from contentgen_adapters.documents.archive import UNPACKED_LIMIT, check_archive, parse
from contentgen_adapters.shared.parsing.format import FileFormat, Storage, source, stated_date, unreadable
from contentgen_adapters.shared.parsing.html import to_markdown
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.documents import SourceText

MEDIA_TYPE: Final = b"mimetypeapplication/epub+zip"
MAX_CHAPTERS: Final = 5_000
_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_PAGES: Final = frozenset({"application/xhtml+xml", "text/html"})
_DC: Final = "{http://purl.org/dc/elements/1.1/}"


def _read(path: Path, key: str) -> Iterator[SourceText]:
    try:
        with zipfile.ZipFile(path) as archive:
            check_archive(path, archive, _CONTAINER, "e-book", _is_xml)
            package_name = _package_name(archive)
            package = parse(archive.read(package_name))
            chapters = _chapters(package, posixpath.dirname(package_name))[:MAX_CHAPTERS]
            _check_protection(path, archive, chapters)
            texts = [_text(archive, name) for name in chapters]
    except UnreadableFile:
        raise
    except Exception as exc:  # the XML parser and zipfile raise anything for a damaged part
        raise unreadable(path, "the e-book is damaged.") from exc
    text = "\n\n".join(filter(None, texts))
    if not text:
        raise unreadable(path, "the e-book holds no text. Pages that are pictures need OCR first.")
    yield source(
        key,
        text,
        path.name,
        title=_metadata_text(package, "title"),
        language=_metadata_text(package, "language"),
        published=stated_date(_metadata_text(package, "date")),
        authors=(_metadata_text(package, "creator"),),
    )


def _is_xml(name: str) -> bool:
    """Whether it is parsed as XML: chapters are read as HTML, whose document types mean nothing."""
    return name in (_CONTAINER, _ENCRYPTION) or name.lower().endswith(".opf")


def _package_name(archive: zipfile.ZipFile) -> str:
    container = parse(archive.read(_CONTAINER))
    return next(str(element.get("full-path")) for element in container.iter("{*}rootfile"))


def _chapters(package: Any, folder: str) -> list[str]:
    """The names of the parts that are read, in their order."""
    items = {item.get("id"): item for item in package.iter("{*}item")}
    spine = (items.get(reference.get("idref")) for reference in package.iter("{*}itemref"))
    pages = (item for item in spine if item is not None and item.get("media-type") in _PAGES)
    names = (posixpath.normpath(posixpath.join(folder, unquote(page.get("href", "")))) for page in pages)
    return list(dict.fromkeys(names))


def _check_protection(path: Path, archive: zipfile.ZipFile, chapters: list[str]) -> None:
    """Fonts may be obscured; chapters that are encrypted cannot be read. Raises UnreadableFile."""
    if _ENCRYPTION in archive.namelist():
        protected = {unquote(e.get("URI", "")) for e in parse(archive.read(_ENCRYPTION)).iter("{*}CipherReference")}
        if protected & set(chapters):
            raise unreadable(path, "the e-book is copy-protected.")


def _text(archive: zipfile.ZipFile, name: str) -> str:
    from lxml import html  # type: ignore[import-untyped]

    data = archive.read(name)
    if not data.strip():
        return ""
    tree = html.document_fromstring(data, parser=html.HTMLParser(encoding=_encoding(data)))
    body = tree.find("body")
    return "" if body is None else to_markdown(html.tostring(body, encoding="unicode"))


def _encoding(data: bytes) -> str:
    """An e-book's pages are UTF-8 or UTF-16 with a mark."""
    return "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"


def _metadata_text(package: Any, name: str) -> str | None:
    return next((text for e in package.iter(f"{_DC}{name}") if (text := (e.text or "").strip())), None)


FORMAT = FileFormat(
    label="EPUB",
    suffixes=(".epub",),
    media_type="application/epub+zip",
    storage=Storage.ZIP,
    sniff=lambda head: MEDIA_TYPE in head[:200],
    read=_read,
    contents="chapters in reading order; title, author, language, date; none that is copy-protected",
    limits=f"{UNPACKED_LIMIT}, {MAX_CHAPTERS:,} chapters",
)
