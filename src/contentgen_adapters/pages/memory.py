"""A page reader over a web that is held in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from attrs import frozen

from contentgen_adapters.pages.addresses import address_of_page
from contentgen_adapters.pages.content import ExtractionJob, ExtractionRefused, extract
from contentgen_adapters.pages.reader import MAX_REDIRECTS
from contentgen_adapters.pages.robots import Rules, parse
from contentgen_adapters.shared.outgoing.errors import AddressRefused
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.text.tracking import strip_tracking
from contentgen_core.model.ids import TenantId
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.ports.page_reader import PageUnchanged, WebPage
from contentgen_core.ports.runtime import Clock


@frozen
class MemoryPage:
    """The answer of an address: a body with its content type and entity tag, or a redirect (absolute or relative);
    `is_moved` says whether the redirect is permanent.
    """

    body: bytes = b""
    content_type: str = "text/html"
    redirect: str | None = None
    etag: str | None = None
    is_moved: bool = False


class MemoryPageReader:
    """The page reader port over a mapping, with the rules of the reader over HTTP.

    Resolves no host names, never waits, and extracts pages in this process: they must come from a trusted test.

    `web`: pages by address without fragment, `…/robots.txt` among them; looked up anew at each read. An address that
    is missing is a page that is gone. `clock`: states when a page was fetched. `guard`: refuses addresses.
    """

    def __init__(self, web: Mapping[str, MemoryPage], clock: Clock, guard: AddressGuard | None = None) -> None:
        self._web, self._clock, self._guard = web, clock, guard or AddressGuard()

    def fault_of(self, url: str) -> str | None:
        try:
            self._check_address(url, url)
        except PageUnreadable as exc:
            return str(exc).removeprefix(f"{url}: ")
        return None

    async def read(self, url: str, tenant_id: TenantId | None = None, known: str | None = None) -> WebPage:
        """Raises PageUnchanged, PageUnreadable."""
        found, page = self._follow(url)
        version = f"{found} {page.etag}" if page.etag else None
        if version is not None and version == known:
            raise PageUnchanged
        read = await asyncio.to_thread(extract, ExtractionJob(page.body, found, page.content_type))
        if isinstance(read, ExtractionRefused):
            raise PageUnreadable(url, read.reason, read.message)
        now = self._clock.now()
        published = read.published if read.published and read.published <= now.date() else None
        address = address_of_page(found, web_address(read.canonical))
        size = len(page.body)
        return WebPage(address, read.title, read.text, now, published, read.author, version, size)

    async def moved_to(self, url: str) -> str | None:
        """Raises PageUnreadable."""
        start = at = self._check_page(url, url)
        for _ in range(MAX_REDIRECTS):
            page = self._web.get(at)
            if page is None or page.redirect is None or not page.is_moved:
                break
            at = self._check_page(url, urljoin(at, page.redirect))
        return None if at == start else strip_tracking(at)

    def _follow(self, url: str) -> tuple[str, MemoryPage]:
        at = url
        for _ in range(MAX_REDIRECTS + 1):
            at = self._check_page(url, at)
            page = self._web.get(at)
            if page is None:
                raise PageUnreadable(url, PageFault.GONE, "there is no such page")
            if page.redirect is None:
                return at, page
            at = urljoin(at, page.redirect)
        raise PageUnreadable(url, PageFault.FAILED, f"more than {MAX_REDIRECTS} redirects")

    def _check_address(self, url: str, at: str) -> str:
        address = web_address(at)
        if address is None:
            raise PageUnreadable(url, PageFault.ADDRESS, "not a valid http(s) address")
        address = address.partition("#")[0]
        try:
            self._guard.check(address)
        except AddressRefused as exc:
            raise PageUnreadable(url, PageFault.ADDRESS, str(exc)) from exc
        return address

    def _check_page(self, url: str, at: str) -> str:
        address = self._check_address(url, at)
        parts = urlsplit(address)
        robots = self._web.get(f"{parts.scheme}://{parts.netloc}/robots.txt")
        if robots is not None and not Rules(parse(robots.body)).allow(address):
            raise PageUnreadable(url, PageFault.ROBOTS, "the site's robots.txt asks not to read this page")
        return address
