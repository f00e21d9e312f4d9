"""A site by its sitemap, and a feed: pages that a document of the web names."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence, Set
from typing import Final
from urllib.parse import urljoin, urlsplit

import httpx
from attrs import define, field

from contentgen_adapters.shared.fetched_document import NotFetched, Validators, fetch
from contentgen_adapters.shared.processes.pool import Limits, NotParsed, PoolBusy, ProcessPool
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.tracking import strip_tracking
from contentgen_adapters.sources.links import LINKS, MAX_LINKS, Links
from contentgen_adapters.sources.names import readable_name
from contentgen_adapters.sources.pages import PagesReader
from contentgen_core.model.synced_source import MAX_ITEMS, MAX_KEY, LeftOut, ListedItem, SourceKind, SyncedSource
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.source_reading import ItemText, SourceUnavailable

MAX_SITEMAPS: Final = 200
MAX_DEPTH: Final = 3
"""Indexes in indexes."""
MAX_BYTES: Final = 50 * 1024 * 1024
FETCHING: Final = 60.0
PARSING: Final = Limits(30.0, 512 * 1024 * 1024)
_SITEMAP: Final = "/sitemap.xml"


@define
class SiteReader:
    """Read the pages that a site's sitemap or feed names. `open_client`: makes a guarded client, at the first use;
    `pool`: parses what it fetched; `pages`: reads the pages, with robots.txt and one request at a time to each host.
    Close it with `aclose`.
    """

    open_client: Callable[[], httpx.AsyncClient]
    pool: ProcessPool
    pages: PagesReader
    user_agent: str
    _client: httpx.AsyncClient | None = field(default=None, init=False)

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    def fault_of(self, source: SyncedSource) -> str | None:
        if len(source.place.split()) != 1:
            return "needs one address"
        return self.pages.pages.fault_of(source.place)

    async def items(self, source: SyncedSource) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        start = _start(source)
        waiting, known, keys = deque([(start, 0)]), {start}, set[str]()
        hosts = {urlsplit(start).hostname}
        while waiting and len(keys) <= MAX_ITEMS:
            address, depth = waiting.popleft()
            links, found_at = await self._links(source, address)
            if address == start:
                hosts.add(urlsplit(found_at).hostname)  # a site that is at www. sends there
            items, left_out = _items(links, source, hosts)
            keys.update(item.key for item in items)
            if links.is_cut and len(keys) <= MAX_ITEMS:
                raise SourceUnavailable(f"{address} names more than {MAX_LINKS:,} addresses, most of other sites.")
            yield [*items, *left_out]  # though there may be none: whoever follows looks at the time and the fence
            for nested in links.sitemaps:
                found = _absolute_url(address, nested)
                if found in known:
                    continue
                if found is None or urlsplit(found).hostname not in hosts:
                    yield [LeftOut(readable_name(nested))]
                    continue
                if depth >= MAX_DEPTH or len(known) >= MAX_SITEMAPS:
                    raise SourceUnavailable(f"It has more than {MAX_SITEMAPS} sitemaps, or they are nested too deeply.")
                known.add(found)
                waiting.append((found, depth + 1))

    async def read(self, source: SyncedSource, key: str, known: str | None = None) -> ItemText:
        return await self.pages.read(source, key, known)

    async def moved_to(self, source: SyncedSource, key: str) -> str | None:
        return await self.pages.moved_to(source, key)

    async def error_page(self, source: SyncedSource, key: str) -> SourceText | None:
        return await self.pages.error_page(source, key)

    async def _links(self, source: SyncedSource, address: str) -> tuple[Links, str]:
        """Return the links that a document names, and the address where it was found."""
        self._client = self._client or self.open_client()
        try:
            found = await fetch(
                self._client, address, self.user_agent, Validators(), max_bytes=MAX_BYTES, seconds=FETCHING
            )
            assert found.raw is not None  # nothing was known that could be unchanged
            links = await self.pool.run(LINKS, found.raw, source.tenant_id, PARSING)
        except (NotFetched, NotParsed, PoolBusy) as error:
            raise SourceUnavailable(f"{address}: {error}.") from error
        if links is None:
            raise SourceUnavailable(f"{address} is no {'feed' if source.kind is SourceKind.FEED else 'sitemap'}.")
        return links, found.raw.url


def _start(source: SyncedSource) -> str:
    """Return the address to begin at: for the bare name of a site, the usual address of its sitemap."""
    bare = urlsplit(source.place).path in ("", "/")
    return urljoin(source.place, _SITEMAP) if bare and source.kind is SourceKind.SITEMAP else source.place


def _items(links: Links, source: SyncedSource, hosts: Set[str | None]) -> tuple[list[ListedItem], list[LeftOut]]:
    """Return the pages without duplicates, and how many are left out. Addresses are compared without tracking
    parameters, which feeds change while the page is the same. A sitemap may only name pages of its own host, as its
    protocol says.
    """
    items: dict[str, ListedItem] = {}
    left_out: list[str] = []
    for link in links.pages:
        found = _absolute_url(source.place, link.url)
        address = found and strip_tracking(found)
        usable = address is not None and len(address) <= MAX_KEY and is_storable(address)
        own = source.kind is not SourceKind.SITEMAP or urlsplit(address or "").hostname in hosts
        if address is not None and usable and own:
            items.setdefault(address, ListedItem(address, link.stamp))
        else:
            left_out.append(link.url)
    return list(items.values()), [LeftOut(readable_name(left_out[0]), len(left_out))] if left_out else []


def _absolute_url(base: str, url: str) -> str | None:
    try:
        address = web_address(urljoin(base, url))
    except ValueError:
        return None
    return None if address is None else address.partition("#")[0]
