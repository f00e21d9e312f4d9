"""The reader of each kind of source."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.http import RequestHook
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.sources.folder import FolderReader
from contentgen_adapters.sources.pages import PagesReader
from contentgen_adapters.sources.site import SiteReader
from contentgen_core.model.synced_source import ListedItem, SourceKind, SyncedSource
from contentgen_core.ports.documents import UploadReader
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.source_reading import ItemText, SourceReader, SourceUnavailable

READ_TIMEOUT: Final = 10.0
"""Seconds without a byte."""
_UNKNOWN: Final = "sources of this kind cannot be followed here"


@frozen
class SourceReaders:
    """Reads sources by their kind."""

    readers: Mapping[SourceKind, SourceReader]

    def fault_of(self, source: SyncedSource) -> str | None:
        reader = self.readers.get(source.kind)
        return _UNKNOWN if reader is None else reader.fault_of(source)

    def items(self, source: SyncedSource) -> AsyncIterator[Sequence[ListedItem]]:
        return self._reader(source).items(source)

    async def read(self, source: SyncedSource, key: str, known: str | None = None) -> ItemText:
        return await self._reader(source).read(source, key, known)

    def _reader(self, source: SyncedSource) -> SourceReader:
        """Raises SourceUnavailable for a kind that another process follows, and this one cannot."""
        reader = self.readers.get(source.kind)
        if reader is None:
            raise SourceUnavailable(f"{_UNKNOWN.capitalize()}.")
        return reader


def source_readers(
    folders: Sequence[Path], uploads: UploadReader, pages: PageReader, site: SiteReader | None = None
) -> SourceReaders:
    """`folders`: below which folders may be followed. `site`: of sitemaps and feeds; None: there is no web."""
    readers: dict[SourceKind, SourceReader] = {
        SourceKind.FOLDER: FolderReader(tuple(folders), uploads),
        SourceKind.PAGES: PagesReader(pages),
    }
    if site is not None:
        readers |= {SourceKind.SITEMAP: site, SourceKind.FEED: site}
    return SourceReaders(readers)


@asynccontextmanager
async def open_site_reader(
    guard: AddressGuard, pool: ProcessPool, pages: PageReader, user_agent: str, request_hook: RequestHook | None = None
) -> AsyncIterator[SiteReader]:
    """A reader for one event loop; its connections end with the block."""
    open_client = partial(guarded_client, guard, read=READ_TIMEOUT, request_hook=request_hook)
    reader = SiteReader(open_client, pool, PagesReader(pages), user_agent)
    try:
        yield reader
    finally:
        await reader.aclose()
