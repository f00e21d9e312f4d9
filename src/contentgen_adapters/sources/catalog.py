"""The reader of each kind of source."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from attrs import frozen

from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.http import RequestHook
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.sources.folder import FolderReader
from contentgen_adapters.sources.pages import PagesReader
from contentgen_adapters.sources.provider import SourceProvider, Surroundings
from contentgen_adapters.sources.providers import confluence, git, google_drive, notion, s3
from contentgen_adapters.sources.site import SiteReader
from contentgen_core.model.synced_source import LeftOut, ListedItem, SourceKind, SourceKindInfo, SyncedSource
from contentgen_core.ports.documents import SourceText, UploadReader
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.source_reading import ItemText, OpenSource, SourceUnavailable

READ_TIMEOUT: Final = 10.0
"""Seconds without a byte."""
PROVIDERS: Final = (s3.PROVIDER, git.PROVIDER, notion.PROVIDER, google_drive.PROVIDER, confluence.PROVIDER)
_UNKNOWN: Final = "sources of this kind cannot be followed here"
_PLAIN: Final = (
    SourceKindInfo(SourceKind.PAGES, "Pages", "Addresses of web pages, one a line."),
    SourceKindInfo(SourceKind.SITEMAP, "Site", "The address of a site, or of its sitemap."),
    SourceKindInfo(SourceKind.FEED, "Feed", "The address of an RSS or Atom feed."),
    SourceKindInfo(
        SourceKind.FOLDER, "Folder", "The absolute path of a folder on the server, below one that its operator allows."
    ),
)


class PlainReader(Protocol):
    """Read sources of a kind without settings; for its methods see `SourceReader` and `OpenSource`."""

    def fault_of(self, source: SyncedSource) -> str | None: ...

    def items(self, source: SyncedSource) -> AsyncIterator[Sequence[ListedItem | LeftOut]]: ...

    async def read(self, source: SyncedSource, key: str, known: str | None = None) -> ItemText: ...

    async def moved_to(self, source: SyncedSource, key: str) -> str | None: ...

    async def error_page(self, source: SyncedSource, key: str) -> SourceText | None: ...


@frozen
class _PlainSource:
    reader: PlainReader
    source: SyncedSource

    def items(self) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        return self.reader.items(self.source)

    async def read(self, key: str, known: str | None = None) -> ItemText:
        return await self.reader.read(self.source, key, known)

    async def moved_to(self, key: str) -> str | None:
        return await self.reader.moved_to(self.source, key)

    async def error_page(self, key: str) -> SourceText | None:
        return await self.reader.error_page(self.source, key)


@frozen
class SourceReaders:
    """Reads sources by their kind. `around`: None where services cannot be called."""

    plain: Mapping[SourceKind, PlainReader]
    providers: Mapping[SourceKind, SourceProvider]
    around: Surroundings | None = None

    def kinds(self) -> Sequence[SourceKindInfo]:
        plain = [info for info in _PLAIN if info.kind in self.plain]
        return plain + [provider.info for provider in self.providers.values()]

    def fault_of(self, source: SyncedSource) -> str | None:
        if source.kind in self.plain:
            return self.plain[source.kind].fault_of(source)
        if source.kind in self.providers and self.around is not None:
            return self.providers[source.kind].fault_of(source, self.around.guard)
        return _UNKNOWN

    def open(self, source: SyncedSource, secrets: Mapping[str, Any]) -> AbstractAsyncContextManager[OpenSource]:
        if source.kind in self.providers and self.around is not None:
            return self.providers[source.kind].connect(source, secrets, self.around)
        return self._open_plain(source)

    @asynccontextmanager
    async def _open_plain(self, source: SyncedSource) -> AsyncIterator[OpenSource]:
        reader = self.plain.get(source.kind)
        if reader is None:  # another process can, which created it
            raise SourceUnavailable(f"{_UNKNOWN.capitalize()}.")
        yield _PlainSource(reader, source)


def source_readers(
    folders: Sequence[Path],
    uploads: UploadReader,
    pages: PageReader,
    site: SiteReader | None = None,
    around: Surroundings | None = None,
    providers: Iterable[SourceProvider] = PROVIDERS,
) -> SourceReaders:
    """Return the readers of sources. `folders`: below which folders may be followed. `site`: reader of sitemaps and
    feeds; `around`: what services are read with; None: there is no web.
    """
    plain: dict[SourceKind, PlainReader] = {
        SourceKind.FOLDER: FolderReader(tuple(folders), uploads),
        SourceKind.PAGES: PagesReader(pages),
    }
    if site is not None:
        plain |= {SourceKind.SITEMAP: site, SourceKind.FEED: site}
    offered = {provider.info.kind: provider for provider in providers} if around is not None else {}
    return SourceReaders(plain, offered, around)


@asynccontextmanager
async def open_site_reader(
    guard: AddressGuard, pool: ProcessPool, pages: PageReader, user_agent: str, request_hook: RequestHook | None = None
) -> AsyncIterator[SiteReader]:
    """A reader for one event loop; its connections end with the block."""
    open_client = partial(guarded_client, guard, read=READ_TIMEOUT, request_hook=request_hook, discreet=True)
    reader = SiteReader(open_client, pool, PagesReader(pages), user_agent)
    try:
        yield reader
    finally:
        await reader.aclose()


@asynccontextmanager
async def open_surroundings(
    guard: AddressGuard,
    pool: ProcessPool,
    uploads: UploadReader,
    clock: Clock,
    request_hook: RequestHook | None = None,
) -> AsyncIterator[Surroundings]:
    """Open the connections and pools for reading sources, for one event loop; they end with the block."""
    async with guarded_client(guard, read=READ_TIMEOUT * 3, request_hook=request_hook, discreet=True) as client:
        yield Surroundings(client, guard, pool, uploads, clock.now)
