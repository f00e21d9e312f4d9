"""PDF files with a text layer, by pypdf."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from contentgen_adapters.shared.parsing.format import FileFormat, one_line, source, unreadable
from contentgen_adapters.shared.parsing.pdf_text import running_text
from contentgen_core.errors import UnreadableFile
from contentgen_core.policies.text.file_titles import real_title
from contentgen_core.ports.documents import SourceText

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_PAGES: Final = 2_000
MAX_TEXT_CHARACTERS: Final = 10_000_000
_LONGEST_FIRST_LINE: Final = 120  # characters; a longer one is no title


def _read(path: Path, key: str) -> Iterator[SourceText]:
    with path.open("rb") as file:
        text = read_pdf(file, path, key)
    yield text


def read_pdf(file: BinaryIO, path: Path, key: str) -> SourceText:
    """The text of an open PDF.

    `path`: its name in messages and, by default, its title. `key`: of the source. CPU-bound; a hostile file can make it
    run for hours. Raises UnreadableFile.
    """
    from pypdf import PdfReader

    try:
        reader = PdfReader(file)
        _unlock(reader, path)
        title, language, author = _properties(reader)
        text = running_text(_pages(reader, path))
    except UnreadableFile:
        raise
    except Exception as exc:  # pypdf raises anything for a damaged file, RecursionError included
        raise unreadable(path, "the PDF is damaged. Open it in a viewer and print or save it as PDF again.") from exc
    if not any(c.isalnum() for c in text):
        raise unreadable(path, "the PDF holds no text, only images (a scan?). Run OCR on it first.")
    return source(key, text, path.name, title=title or _first_line(text), language=language, authors=(author,))


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
    for page in reader.pages:
        pages.append(page.extract_text())
        size += len(pages[-1])
        if size > MAX_TEXT_CHARACTERS:
            raise unreadable(path, f"the PDF holds more than {MAX_TEXT_CHARACTERS:,} characters of text. Split it.")
    return pages


def _first_line(text: str) -> str | None:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= _LONGEST_FIRST_LINE else None


FORMAT = FileFormat("PDF", frozenset({".pdf"}), _read, sniff=lambda head: b"%PDF-" in head[:1024])
