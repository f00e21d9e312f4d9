"""One request for a page, within bounds of time and size, and what its answer means."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final

import httpx
from attrs import frozen

from contentgen_adapters.pages.content import HTML_TYPES, TEXT_TYPES, UNTOLD_TYPES, is_pdf
from contentgen_adapters.shared.outgoing.errors import AddressRefused, UnknownHost
from contentgen_adapters.shared.unpacking import ACCEPTED, Damaged, UnknownPacking, Unpacker
from contentgen_core.errors import PageFault

MAX_PAGE_BYTES: Final = 5_000_000
MAX_PDF_BYTES: Final = 20_000_000
_TELLING: Final = 1_024  # bytes that show whether it is a PDF
_ACCEPT: Final = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,text/markdown;q=0.8"
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_REFUSED: Final = frozenset({401, 402, 403, 407, 429, 451})
_PASSING: Final = frozenset({408, 425, 429})


class Unread(Exception):
    """A request that gave no page, in the terms of PageUnreadable."""

    def __init__(self, reason: PageFault, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.reason, self.retryable = reason, retryable


@frozen
class Bounds:
    """Bytes are those of the unpacked body."""

    page: int = MAX_PAGE_BYTES
    pdf: int = MAX_PDF_BYTES


@frozen
class Answer:
    """`redirect`: where it leads, absolute or not; then there is no body. `content_type` without parameters, in lower
    case."""

    status: int
    body: bytes = b""
    content_type: str = ""
    charset: str | None = None
    redirect: str | None = None


class Budget:
    """Seconds that several steps may take together."""

    def __init__(self, seconds: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._left, self._monotonic = seconds, seconds, monotonic

    @asynccontextmanager
    async def spent(self) -> AsyncIterator[None]:
        """Counts the time of its block. Raises Unread (TOO_SLOW) when it is used up."""
        begun = self._monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._left)):
                yield
        except TimeoutError as exc:
            message = f"no complete answer within {self._seconds:g} s"
            raise Unread(PageFault.TOO_SLOW, message, retryable=True) from exc
        finally:
            self._left -= self._monotonic() - begun


async def get_page(client: httpx.AsyncClient, url: str, user_agent: str, bounds: Bounds) -> Answer:
    """The page at an address, or the redirect there. Raises Unread for every other outcome."""
    async with _answer(client, url, user_agent, _ACCEPT) as response:
        if redirect := _redirect(response):
            return Answer(response.status_code, redirect=redirect)
        _check_status(response.status_code)
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content_type not in HTML_TYPES | TEXT_TYPES | UNTOLD_TYPES:
            raise Unread(PageFault.TYPE, f"neither a page nor a PDF ({content_type[:80]})")
        body = await _bounded(response, bounds)
        return Answer(response.status_code, body, content_type, response.charset_encoding)


async def get_beginning(client: httpx.AsyncClient, url: str, user_agent: str, max_bytes: int) -> Answer:
    """An answer of any status with at most so many bytes of its body; what follows is not read. Raises Unread when
    there is no answer."""
    async with _answer(client, url, user_agent, "text/plain,*/*;q=0.5") as response:
        if redirect := _redirect(response):
            return Answer(response.status_code, redirect=redirect)
        body = bytearray()
        if response.is_success:
            async for piece in _unpacked(response):
                body += piece
                if len(body) >= max_bytes:
                    break
        return Answer(response.status_code, bytes(body[:max_bytes]))


@asynccontextmanager
async def _answer(client: httpx.AsyncClient, url: str, user_agent: str, accept: str) -> AsyncIterator[httpx.Response]:
    headers = {"User-Agent": user_agent, "Accept": accept, "Accept-Encoding": ACCEPTED}
    try:
        response = await client.send(client.build_request("GET", url, headers=headers), stream=True)
        try:
            yield response
        finally:
            await response.aclose()
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnknownPacking, Damaged) as exc:
        raise _unread(exc) from exc


def _unread(error: Exception) -> Unread:
    match error:
        case AddressRefused() | httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return Unread(PageFault.ADDRESS, str(error))
        case UnknownHost():
            return Unread(PageFault.GONE, str(error))
        case httpx.TimeoutException():
            return Unread(PageFault.TOO_SLOW, f"no answer in time ({type(error).__name__})", retryable=True)
        case UnknownPacking() | Damaged():
            return Unread(PageFault.FAILED, f"its body cannot be unpacked ({error})")
        case httpx.RemoteProtocolError():
            return Unread(PageFault.FAILED, "its answer breaks HTTP", retryable=True)
        case _:
            return Unread(PageFault.FAILED, f"the connection failed ({type(error).__name__})", retryable=True)


def _redirect(response: httpx.Response) -> str | None:
    return response.headers.get("location") if response.status_code in _REDIRECTS else None


def _check_status(status: int) -> None:
    if status in (200, 203):
        return
    if status in (204, 205):
        raise Unread(PageFault.EMPTY, f"the page is empty (HTTP {status})")
    if status in (404, 410):
        raise Unread(PageFault.GONE, f"there is no such page (HTTP {status})")
    if status in _REFUSED:
        raise Unread(
            PageFault.REFUSED, f"the site does not give this page (HTTP {status})", retryable=status in _PASSING
        )
    passing = status in _PASSING or (status >= 500 and status not in (501, 505))
    name = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "unknown"
    raise Unread(PageFault.FAILED, f"HTTP {status} ({name})", retryable=passing)


async def _bounded(response: httpx.Response, bounds: Bounds) -> bytes:
    """The unpacked body. Raises Unread (TOO_LARGE) as soon as that is clear."""
    body = bytearray()
    declared = int(response.headers.get("content-length", "0")) if not response.headers.get("content-encoding") else 0
    async for piece in _unpacked(response):
        body += piece
        if len(body) < _TELLING:
            continue
        limit = bounds.pdf if is_pdf(bytes(body[:_TELLING])) else bounds.page
        if max(len(body), declared) > limit:
            raise Unread(PageFault.TOO_LARGE, f"larger than {limit:,} bytes")
    return bytes(body)


async def _unpacked(response: httpx.Response) -> AsyncIterator[bytes]:
    unpacker = Unpacker(response.headers.get("content-encoding", ""))
    async for packed in response.aiter_raw():
        for piece in unpacker.unpack(packed):
            yield piece
    unpacker.finish()
