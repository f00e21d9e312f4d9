"""The port `UploadReader` over the readers of files."""

from __future__ import annotations

import os.path
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from contentgen_adapters.documents.catalog import FileReader, format_of
from contentgen_core.errors import UnreadableFile
from contentgen_core.ports.documents import SourceText

MAX_CHARACTERS: Final = 5_000_000
_MEDIA_TYPES: Final = {
    "PDF": "application/pdf",
    "DOCX": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "HTML": "text/html",
    "Markdown": "text/markdown",
    "CSV": "text/csv",
    "JSONL": "application/jsonl",
    "text": "text/plain",
}
_LONGEST_SUFFIX: Final = 12


class FileUploadReader:
    """Reads uploads with the readers of files: each is written to a temporary folder, under a fixed name, for that."""

    def __init__(self) -> None:
        self._reader = FileReader()

    def media_type(self, content: bytes, file_name: str) -> str:
        with TemporaryDirectory(prefix="contentgen-") as folder:
            path = _write_upload(Path(folder), content, file_name)
            try:
                return _MEDIA_TYPES[format_of(path).name]
            except UnreadableFile as error:
                raise _with_file_name(error, path, file_name) from error

    def read(self, content: bytes, file_name: str) -> SourceText:
        with TemporaryDirectory(prefix="contentgen-") as folder:
            path = _write_upload(Path(folder), content, file_name)
            try:
                sources = list(self._reader.read(path))
            except UnreadableFile as error:
                raise _with_file_name(error, path, file_name) from error
        if sum(len(source.text) for source in sources) > MAX_CHARACTERS:
            raise UnreadableFile(f"{file_name}: more than {MAX_CHARACTERS:,} characters of text. Split it.")
        if len(sources) == 1:
            return sources[0]
        texts = (f"# {source.title}\n\n{source.text}" for source in sources)
        return SourceText(file_name, file_name, "\n\n".join(texts))


def _write_upload(folder: Path, content: bytes, file_name: str) -> Path:
    suffix = os.path.splitext(file_name)[1].lower()
    known = suffix if len(suffix) <= _LONGEST_SUFFIX and suffix[1:].isalnum() else ""
    path = folder / f"upload{known}"
    path.write_bytes(content)
    return path


def _with_file_name(error: UnreadableFile, path: Path, file_name: str) -> UnreadableFile:
    """The error with the caller's file name in place of the temporary path."""
    return UnreadableFile(str(error).replace(str(path), file_name))
