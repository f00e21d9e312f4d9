"""The page readers under their contract: over memory, and over HTTP with a site behind a transport."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from urllib.parse import urljoin

import httpx
import pytest
from attrs import frozen

from contentgen_adapters.pages.memory import MemoryPage, MemoryPageReader
from contentgen_adapters.pages.reader import FetchPolicy, HttpPageReader
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import A, J, Limits, Parser, ProcessPool
from contentgen_core.testing.page_reader import NOW, PageReaderContract

SITE = "https://www.example.com"


@frozen
class StandingClock:
    def now(self) -> datetime:
        return NOW


class InPlace(ProcessPool):
    """Reads where it is called: starting processes is not what this suite is about."""

    async def run(self, parser: Parser[J, A], job: J, key: str, limits: Limits) -> A:
        return parser.parse(job)


class MemorySite:
    """Pages by address, for either reader."""

    def __init__(self) -> None:
        self.pages: dict[str, MemoryPage] = {}

    def url(self, path: str) -> str:
        return urljoin(SITE, path)

    def put(self, path: str, body: bytes | str, content_type: str = "text/html", *, etag: str = "") -> str:
        data = body.encode() if isinstance(body, str) else body
        self.pages[self.url(path)] = MemoryPage(data, content_type, etag=etag or None)
        return self.url(path)

    def redirect(self, path: str, to: str, *, is_moved: bool = False) -> str:
        self.pages[self.url(path)] = MemoryPage(redirect=to, is_moved=is_moved)
        return self.url(path)

    def answer(self, request: httpx.Request) -> httpx.Response:
        page = self.pages.get(str(request.url))
        if page is None:
            return httpx.Response(404, text="not here")
        if page.redirect is not None:
            return httpx.Response(301 if page.is_moved else 302, headers={"Location": page.redirect})
        if page.etag is not None and request.headers.get("If-None-Match") == page.etag:
            return httpx.Response(304, headers={"ETag": page.etag})
        headers = {"Content-Type": page.content_type} | ({"ETag": page.etag} if page.etag else {})
        return httpx.Response(200, stream=httpx.ByteStream(page.body), headers=headers)


@pytest.fixture
def site() -> MemorySite:
    return MemorySite()


class TestMemoryPageReader(PageReaderContract):
    @pytest.fixture
    def reader(self, site: MemorySite) -> MemoryPageReader:
        return MemoryPageReader(site.pages, StandingClock())


class TestHttpPageReader(PageReaderContract):
    @pytest.fixture
    async def reader(self, site: MemorySite) -> AsyncIterator[HttpPageReader]:
        guard = AddressGuard()
        async with guarded_client(guard, transport=httpx.MockTransport(site.answer)) as client:
            yield HttpPageReader(client, guard, InPlace(), StandingClock(), FetchPolicy(pause=0))
