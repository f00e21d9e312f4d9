"""Read files, detect their language, and split them into passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbDocument, Passage
from contentgen_core.model.vocabulary import Language


@frozen(kw_only=True)
class FileType:
    """A type of file that can be read, as people and programs are told of it.

    `label`: its name in English; `labels`: in other languages, by their codes, where it differs. `suffixes`: of file
    names, lower case with the dot, the usual one first. `media_type`: of an upload of this type. `max_bytes`: of a
    file, checked before it is read. `contents`: what is read of it; `limits`: further ones (both for the reference).
    """

    label: str
    labels: Mapping[str, str] = field(factory=dict)
    suffixes: tuple[str, ...]
    media_type: str
    max_bytes: int
    contents: str
    limits: str = ""

    def label_in(self, language: str) -> str:
        """Return its name in a language, by its code; in English where it has none of its own."""
        return self.labels.get(language, self.label)


@frozen
class SourceText:
    """A source as read: Markdown text with its headings. `source_key`: stable between two reads of the same file.
    `published`: the date that the source states; `fetched_at`: when a web page was read; `author`: who wrote it;
    what is no name is left out where it is stored."""

    source_key: str
    title: str
    text: str
    url: str | None = None
    language: Language | None = None
    published: date | None = None
    fetched_at: datetime | None = None
    author: str | None = None


@frozen
class Chunk:
    """A part of a source: plain text of whole sentences. `heading`: the nearest headings above it (`Chapter ›
    Section`)."""

    heading: str
    text: str


class DocumentReader(Protocol):
    """Reads files from disk. Blocking."""

    def discover(self, path: Path) -> Iterator[Path]:
        """The readable files at or below a path, in a stable order. Raises UnreadableFile when there is none."""
        ...

    def read(self, path: Path) -> Iterator[SourceText]:
        """The sources of one file (one, or one per line for JSONL), lazily. Raises UnreadableFile."""
        ...


class UploadReader(Protocol):
    """Reads uploaded files by their content, whatever their name says. The event loop goes on meanwhile."""

    async def media_type(self, content: bytes, file_name: str) -> str:
        """The media type, told from the first bytes. Raises UnreadableFile for an unsupported type, an empty or a
        protected file."""
        ...

    async def read(self, content: bytes, file_name: str, tenant_id: TenantId) -> SourceText:
        """The whole text. `tenant_id`: on whose behalf, so that no tenant's files keep those of others waiting.

        Raises UnreadableFile, also for too many pages, an archive that unpacks to too much, and a file that takes too
        much time or memory; Unavailable while too many files wait."""
        ...


class Chunker(Protocol):
    """Splits texts for the index."""

    def chunks(self, text: str, language: Language) -> tuple[Chunk, ...]:
        """Split Markdown by headings and sentences. Every chunk is within the chunker's maximum size; no text is
        lost."""
        ...


class DocumentSplitter(Protocol):
    """Splits the text of a document that came from outside into passages, as `ChunkDocument` does."""

    async def passages(self, document: KbDocument, text: str, tenant_id: TenantId) -> list[Passage]:
        """`tenant_id`: whose document it is. Raises UnreadableFile for a text that takes too long or too much memory,
        Unavailable while too many wait."""
        ...


@frozen
class Unsplit:
    """A document whose text is still to be split."""

    document: KbDocument
    text: str


class SourceSplitter(Protocol):
    """Splits the texts of many documents of somebody who is trusted, as `ChunkDocument` does, in other processes."""

    @property
    def at_once(self) -> int:
        """The number of calls that run at the same time."""
        ...

    async def passages(self, sources: Sequence[Unsplit]) -> list[list[Passage]]:
        """The passages of each document, in the same order. Without sources a process starts, or is found at work.
        Raises Unavailable when no process gives an answer."""
        ...


class LanguageDetector(Protocol):
    def detect(self, text: str) -> Language:
        """The most likely of the 28 languages, for any text."""
        ...
