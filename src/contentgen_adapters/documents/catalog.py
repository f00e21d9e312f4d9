"""The document reader port over all file types: finds files, detects their type and checks their size."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from contentgen_adapters.documents import docx, epub, jsonl, markdown, odt, plain, pptx, rtf, table, xlsx
from contentgen_adapters.documents.archive import ZIP
from contentgen_adapters.shared.parsing import html, pdf
from contentgen_adapters.shared.parsing.decoding import looks_binary
from contentgen_adapters.shared.parsing.format import FileFormat, Storage, unreadable
from contentgen_core.ports.documents import SourceText

FORMATS: Final[tuple[FileFormat, ...]] = (
    pdf.FORMAT,
    epub.FORMAT,
    odt.FORMAT,
    docx.FORMAT,
    xlsx.FORMAT,
    pptx.FORMAT,
    rtf.FORMAT,
    html.FORMAT,
    jsonl.FORMAT,
    table.FORMAT,
    markdown.FORMAT,
    plain.FORMAT,
)
_BY_SUFFIX: Final = {suffix: format_ for format_ in FORMATS for suffix in format_.suffixes}
_USUAL_NAMES: Final = ", ".join(sorted(format_.suffixes[0] for format_ in FORMATS))
_READABLE: Final = f"What can be read: {_USUAL_NAMES}; pictures and scans need OCR first."
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .doc, and any .docx with a password
_HEAD_BYTES: Final = 4096


class FileReader:
    """The document reader port. A file's content takes precedence over its name in deciding its type.

    A source's key is its address, else its id (JSONL), else the file's path: relative to `root` where the file is
    below it, else absolute. Reading blocks: call it in a thread.
    """

    def __init__(self, root: Path | None = None) -> None:
        self._root = root.resolve() if root else None

    def discover(self, path: Path) -> Iterator[Path]:
        """Yield the file itself, or all files of a known type below a directory, by name, subdirectories last. Hidden
        files and symbolic links to directories are skipped. Raises UnreadableFile when there are no such files.
        """
        if not os.path.lexists(path):
            raise unreadable(path, "no such file or directory.")
        if not path.is_dir():
            yield path
            return
        found = False
        for file in _files_below(path):
            found = True
            yield file
        if not found:
            raise unreadable(path, f"no file in this directory can be read. {_READABLE}")

    def read(self, path: Path) -> Iterator[SourceText]:
        """Yield the sources of a file. Raises UnreadableFile; for a JSONL file possibly after its first sources."""
        try:
            format_ = format_of(path)
            yield from format_.read(path, self._key(path))
        except OSError as exc:
            raise unreadable(path, f"cannot be read: {exc.strerror or exc}.") from exc
        except ModuleNotFoundError as exc:
            raise unreadable(
                path, f"reading it needs the Python package {exc.name}. Install contentgen-grounded[files]."
            ) from exc

    def _key(self, path: Path) -> str:
        absolute = path.resolve()
        if self._root and absolute.is_relative_to(self._root):
            return absolute.relative_to(self._root).as_posix()
        return absolute.as_posix()


def _files_below(directory: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder, name)
            if not name.startswith(".") and file.is_file() and _is_known(file):
                yield file


def _is_known(file: Path) -> bool:
    """Whether the file's type is known by its name, or by its content if the name has no suffix."""
    if file.suffix:
        return file.suffix.lower() in _BY_SUFFIX
    try:
        head = _head(file)
    except OSError:
        return False
    return any(format_.sniff(head) for format_ in FORMATS)


def format_of(path: Path) -> FileFormat:
    """The type of a file. Raises UnreadableFile for an unknown type or a file that is too large, and OSError."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise unreadable(path, "not a regular file.")
    _check_size(path, status.st_size, _BY_SUFFIX.get(path.suffix.lower(), plain.FORMAT))
    return _format_of(path, status.st_size, _head(path))


def format_of_bytes(name: str, content: bytes) -> FileFormat:
    """Return the type of a file that is held in memory, judged by its name and its first 4 KiB. Raises
    UnreadableFile.
    """
    return _format_of(Path(name), len(content), content[:_HEAD_BYTES])


def _format_of(path: Path, size: int, head: bytes) -> FileFormat:
    if not size:
        raise unreadable(path, "the file is empty.")
    format_ = _format_by_content(path, head)
    _check_size(path, size, format_)
    return format_


def _check_size(path: Path, size: int, format_: FileFormat) -> None:
    if size > format_.max_bytes:
        raise unreadable(
            path, f"{size:,} bytes; at most {format_.max_bytes:,} are read of a {format_.label} file. Split it."
        )


def _format_by_content(path: Path, head: bytes) -> FileFormat:
    named = _BY_SUFFIX.get(path.suffix.lower())
    if head.startswith(_OLE):
        why = "a password-protected or old Office document. Save it as .docx, .xlsx or .pptx without a password."
        raise unreadable(path, why)
    for format_ in FORMATS:
        if format_ is docx.FORMAT and named and named.storage is Storage.ZIP and head.startswith(ZIP):
            return named  # its reader looks whether it is one
        # A Markdown or JSONL file may begin with HTML: here the name decides.
        if format_.sniff(head) and (format_ is not html.FORMAT or named in (None, plain.FORMAT, html.FORMAT)):
            return format_
    if looks_binary(head):
        raise unreadable(path, f"not a text. {_READABLE}")
    if named and named.storage is not Storage.TEXT:
        raise unreadable(path, f"not a {named.label} file, though it is named so, or a damaged one.")
    return named or plain.FORMAT


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES)
