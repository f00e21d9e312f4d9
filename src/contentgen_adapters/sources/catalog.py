"""The reader of each kind of source."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from contentgen_adapters.sources.folder import FolderReader
from contentgen_adapters.sources.pages import PagesReader
from contentgen_core.model.synced_source import ListedItem, SourceKind, SyncedSource
from contentgen_core.ports.documents import SourceText, UploadReader
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.source_reading import SourceReader


@frozen
class SourceReaders:
    """Reads sources by their kind."""

    readers: Mapping[SourceKind, SourceReader]

    def fault_of(self, source: SyncedSource) -> str | None:
        return self.readers[source.kind].fault_of(source)

    def items(self, source: SyncedSource) -> AsyncIterator[Sequence[ListedItem]]:
        return self.readers[source.kind].items(source)

    async def read(self, source: SyncedSource, key: str) -> SourceText:
        return await self.readers[source.kind].read(source, key)


def source_readers(folders: Sequence[Path], uploads: UploadReader, pages: PageReader) -> SourceReaders:
    """`folders`: below which folders may be followed."""
    return SourceReaders(
        {
            SourceKind.FOLDER: FolderReader(tuple(folders), uploads),
            SourceKind.PAGES: PagesReader(pages),
        }
    )
