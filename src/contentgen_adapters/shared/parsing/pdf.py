"""PDF files with a text layer, by pypdf."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from contentgen_adapters.shared.parsing.format import FileFormat, Storage, one_line, source, unreadable
from contentgen_adapters.shared.parsing.pdf_text import running_text
from contentgen_adapters.shared.processes import forking
from contentgen_core.errors import UnreadableFile
from contentgen_core.policies.text.file_titles import real_title
from contentgen_core.ports.documents import SourceText

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MAX_PAGES: Final = 2_000
MAX_TEXT_CHARACTERS: Final = 10_000_000
_SCANNED_SHARE: Final = 0.8  # of the pages: with so many pictures of pages it is a scan
_STAMP: Final = 40  # letters and digits of a page number, or of the program that scanned
_LONGEST_FIRST_LINE: Final = 120  # characters; a longer one is no title


def _read(path: Path, key: str) -> Iterator[SourceText]:
    with path.open("rb") as file:
        text = read_pdf(file, path, key)
    yield text


def read_pdf(file: BinaryIO, path: Path, key: str) -> SourceText:
    """Return the text of an open PDF.

    `path`: its name in messages and, by default, its title. `key`: of the source. CPU-bound; a hostile file can make it
    run for hours. Raises UnreadableFile.
    """
    from pypdf import PdfReader

    try:
        reader = PdfReader(file)
        _unlock(reader, path)
        title, language, author = _properties(reader)
        pages = _pages(reader, path)
        text = running_text(pages)
    except UnreadableFile:
        raise
    except Exception as exc:  # pypdf raises anything for a damaged file, RecursionError included
        raise unreadable(path, "the PDF is damaged. Open it in a viewer and print or save it as PDF again.") from exc
    if not any(c.isalnum() for c in text):
        raise _scan(path, "the PDF holds no text")
    if _pictures(reader, pages) >= _SCANNED_SHARE * len(pages):
        raise _scan(path, "nearly all pages of the PDF hold no text")
    return source(key, text, path.name, title=title or _first_line(text), language=language, authors=(author,))


def _scan(path: Path, what: str) -> UnreadableFile:
    return UnreadableFile(f"{path}: {what}, only images (a scan?). Run OCR on it first.", is_scan=True)


def _pictures(reader: PdfReader, texts: list[str]) -> int:
    """Count the pages that show an image, and have no more text than a page number or a stamp."""
    bare = [page for page, text in zip(reader.pages, texts, strict=True) if sum(map(str.isalnum, text)) < _STAMP]
    return sum(_has_image(page) for page in bare)


def _has_image(page: PageObject) -> bool:
    try:
        resources = page["/Resources"]["/XObject"].get_object().values()  # type: ignore[index]
        return any(each.get_object().get("/Subtype") == "/Image" for each in resources)
    except Exception:  # damaged, or without any
        return False


def _unlock(reader: PdfReader, path: Path) -> None:
    """Decrypts a PDF with an empty user password, as viewers do."""
    from pypdf.errors import DependencyError

    if not reader.is_encrypted:
        return
    try:
        opened = bool(reader.decrypt(""))
    except DependencyError:
        opened = False
    if not opened:
        raise unreadable(path, "the PDF is password-protected. Save it without a password.")


def _properties(reader: PdfReader) -> tuple[str | None, str | None, str | None]:
    """Title, language and author, where the file states them. Titles left by the program that printed it are
    dropped."""
    title = one_line(str(reader.metadata.title or "")) if reader.metadata else ""
    author = str(reader.metadata.author or "") if reader.metadata else None
    language = reader.root_object.get("/Lang")
    return real_title(title) or None, str(language) if language else None, author


def _pages(reader: PdfReader, path: Path) -> list[str]:
    if len(reader.pages) > MAX_PAGES:
        raise unreadable(path, f"the PDF has {len(reader.pages):,} pages; at most {MAX_PAGES:,} are read. Split it.")
    pages: list[str] = []
    size = 0
    for text in forking.texts(
        lambda page: reader.pages[page].extract_text(), len(reader.pages), MAX_TEXT_CHARACTERS, lambda: _reopen(reader)
    ):
        pages.append(text)
        size += len(text)
        if size > MAX_TEXT_CHARACTERS:
            raise unreadable(path, f"the PDF holds more than {MAX_TEXT_CHARACTERS:,} characters of text. Split it.")
    return pages


def _reopen(reader: PdfReader) -> None:
    """Gives a forked process a file of its own: two that share an open one move its position for each other."""
    if isinstance(reader.stream, BufferedReader):
        reader.stream = Path(reader.stream.name).open("rb")  # noqa: SIM115 - closed with the process


def _first_line(text: str) -> str | None:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= _LONGEST_FIRST_LINE else None


FORMAT = FileFormat(
    label="PDF",
    suffixes=(".pdf",),
    media_type="application/pdf",
    storage=Storage.BINARY,
    sniff=lambda head: b"%PDF-" in head[:1024],
    read=_read,
    contents="the text layer, title and author; a scan needs OCR first",
    limits=f"{MAX_PAGES:,} pages, {MAX_TEXT_CHARACTERS:,} characters",
)
