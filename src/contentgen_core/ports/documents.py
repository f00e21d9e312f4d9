"""From a file to passages: readers, language, chunks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

from attrs import frozen

from contentgen_core.model.vocabulary import Language


@frozen
class SourceText:
    """A source as read: Markdown text with its headings. `source_key` is stable between two reads of the same file.
    `published`: the date that the source itself gives; `fetched_at`: when a page of the web was read."""

    source_key: str
    title: str
    text: str
    url: str | None = None
    language: Language | None = None
    published: date | None = None
    fetched_at: datetime | None = None


@frozen
class Chunk:
    """A cut of a source: plain text of whole sentences under its nearest headings (`Chapter › Section`)."""

    heading: str
    text: str


class DocumentReader(Protocol):
    def discover(self, path: Path) -> Iterator[Path]:
        """The readable files at or below a path, in a stable order. Raises UnreadableFile when there is none."""
        ...

    def read(self, path: Path) -> Iterator[SourceText]:
        """The sources of one file (one, or one a line for JSONL), lazily. Raises UnreadableFile."""
        ...


class UploadReader(Protocol):
    """Reads files that came over the wire: what a file is, its bytes say. Blocking."""

    def media_type(self, content: bytes, file_name: str) -> str:
        """Raises UnreadableFile for what can never be read: an unknown type, an empty or a protected file."""
        ...

    def read(self, content: bytes, file_name: str) -> SourceText:
        """The whole text. Raises UnreadableFile, also where it has too many pages or would unpack beyond all bounds."""
        ...


class Chunker(Protocol):
    def chunks(self, text: str, language: Language) -> tuple[Chunk, ...]:
        """Cut Markdown by heading and sentence. Every chunk is within the chunker's stated size; nothing is lost."""
        ...


class LanguageDetector(Protocol):
    def detect(self, text: str) -> Language:
        """The most likely of the 28 languages; any text gives an answer."""
        ...
