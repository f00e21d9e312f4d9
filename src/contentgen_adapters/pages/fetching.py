"""Make one HTTP request for a page, with limits on time and size, and interpret its response."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final

import httpx
from attrs import field, frozen

from contentgen_adapters.pages.content import HTML_TYPES, TEXT_TYPES, UNSPECIFIC_TYPES, is_pdf
from contentgen_adapters.shared.content_coding import (
    ACCEPT_ENCODING,
    CorruptBody,
    UnsupportedContentCoding,
    decode,
)
from contentgen_adapters.shared.fetched_document import Validators, validators_of
from contentgen_adapters.shared.outgoing.errors import AddressRefused, UnknownHost
from contentgen_core.page_errors import PageFault

MAX_PAGE_BYTES: Final = 5_000_000
MAX_PDF_BYTES: Final = 20_000_000
_SNIFFED_BYTES: Final = 1_024  # bytes that show whether it is a PDF
_ACCEPT: Final = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,text/markdown;q=0.8"
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_REFUSED: Final = frozenset({401, 402, 403, 407, 429, 451})
_TRANSIENT: Final = frozenset({408, 425, 429})


class FetchFailed(Exception):
    """A request that gave no page.

    `reason`, `retryable`: as of PageUnreadable. The message completes "URL: …".
    """

    def __init__(self, reason: PageFault, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.reason, self.retryable = reason, retryable


@frozen
class Bounds:
    """The most bytes of a decoded body, for a web page and for a PDF."""

    page: int = MAX_PAGE_BYTES
    pdf: int = MAX_PDF_BYTES


@frozen
class Answer:
    """The response to one request.

    `body`: decoded; empty for a redirect. `content_type`: lower case, without parameters. `charset`: that parameter of
    the Content-Type. `redirect`: the Location header, absolute or relative. `validators`: of the body.
    """

    status: int
    body: bytes = b""
    content_type: str = ""
    charset: str | None = None
    redirect: str | None = None
    validators: Validators = field(factory=Validators)


class Budget:
    """A time limit that several steps share.

    `seconds`: for all steps together. `monotonic`: the clock, in seconds.
    """

    def __init__(self, seconds: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._left, self._monotonic = seconds, seconds, monotonic

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Deducts the time that its block takes. Raises FetchFailed (TOO_SLOW) when none is left."""
        begun = self._monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._left)):
                yield
        except TimeoutError as exc:
            message = f"no complete answer within {self._seconds:g} s"
            raise FetchFailed(PageFault.TOO_SLOW, message, retryable=True) from exc
        finally:
            self._left -= self._monotonic() - begun


async def get_page(
    client: httpx.AsyncClient, url: str, user_agent: str, bounds: Bounds, known: Validators | None = None
) -> Answer:
    """The page at an address, the redirect found there, or an answer with the status 304 for one that `known` is still
    valid for. Raises FetchFailed for every other outcome."""
    known = known or Validators()
    async with _answer(client, url, user_agent, _ACCEPT, known.headers) as response:
        if known.headers and response.status_code == httpx.codes.NOT_MODIFIED:
            return Answer(response.status_code)
        if redirect := _redirect(response):
            return Answer(response.status_code, redirect=redirect)
        _check_status(response.status_code)
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content_type not in HTML_TYPES | TEXT_TYPES | UNSPECIFIC_TYPES:
            raise FetchFailed(PageFault.TYPE, f"neither a page nor a PDF ({content_type[:80]})")
        body = await _read_body(response, bounds)
        validators = validators_of(response)
        return Answer(response.status_code, body, content_type, response.charset_encoding, validators=validators)


async def get_first_bytes(client: httpx.AsyncClient, url: str, user_agent: str, max_bytes: int) -> Answer:
    """Return a response of any status with the first `max_bytes` of its body; the rest is not read. Raises FetchFailed
    when there is no response.
    """
    async with _answer(client, url, user_agent, "text/plain,*/*;q=0.5") as response:
        if redirect := _redirect(response):
            return Answer(response.status_code, redirect=redirect)
        body = bytearray()
        if response.is_success:
            async for piece in decode(response):
                body += piece
                if len(body) >= max_bytes:
                    break
        return Answer(response.status_code, bytes(body[:max_bytes]))


@asynccontextmanager
async def _answer(
    client: httpx.AsyncClient, url: str, user_agent: str, accept: str, conditions: Mapping[str, str] | None = None
) -> AsyncIterator[httpx.Response]:
    headers = {"User-Agent": user_agent, "Accept": accept, "Accept-Encoding": ACCEPT_ENCODING, **(conditions or {})}
    try:
        response = await client.send(client.build_request("GET", url, headers=headers), stream=True)
        try:
            yield response
        finally:
            await response.aclose()
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnsupportedContentCoding, CorruptBody) as exc:
        raise _fetch_failed(exc) from exc


def _fetch_failed(error: Exception) -> FetchFailed:
    match error:
        case AddressRefused() | httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return FetchFailed(PageFault.ADDRESS, str(error))
        case UnknownHost():
            return FetchFailed(PageFault.ADDRESS, str(error))
        case httpx.TimeoutException():
            return FetchFailed(PageFault.TOO_SLOW, f"no answer in time ({type(error).__name__})", retryable=True)
        case UnsupportedContentCoding() | CorruptBody():
            return FetchFailed(PageFault.FAILED, f"its body cannot be decoded ({error})")
        case httpx.RemoteProtocolError():
            return FetchFailed(PageFault.FAILED, "its answer breaks HTTP", retryable=True)
        case _:
            return FetchFailed(PageFault.FAILED, f"the connection failed ({type(error).__name__})", retryable=True)


def _redirect(response: httpx.Response) -> str | None:
    return response.headers.get("location") if response.status_code in _REDIRECTS else None


def _check_status(status: int) -> None:
    if status in (200, 203):
        return
    if status in (204, 205):
        raise FetchFailed(PageFault.EMPTY, f"the page is empty (HTTP {status})")
    if status in (404, 410):
        raise FetchFailed(PageFault.GONE, f"there is no such page (HTTP {status})")
    if status in _REFUSED:
        raise FetchFailed(
            PageFault.REFUSED, f"the site does not give this page (HTTP {status})", retryable=status in _TRANSIENT
        )
    passing = status in _TRANSIENT or (status >= 500 and status not in (501, 505))
    name = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "unknown"
    raise FetchFailed(PageFault.FAILED, f"HTTP {status} ({name})", retryable=passing)


async def _read_body(response: httpx.Response, bounds: Bounds) -> bytes:
    """Read and decode the body. Raises FetchFailed (TOO_LARGE) as soon as it exceeds its limit."""
    body = bytearray()
    declared = int(response.headers.get("content-length", "0")) if not response.headers.get("content-encoding") else 0
    async for piece in decode(response):
        body += piece
        if len(body) < _SNIFFED_BYTES:
            continue
        limit = bounds.pdf if is_pdf(bytes(body[:_SNIFFED_BYTES])) else bounds.page
        if max(len(body), declared) > limit:
            raise FetchFailed(PageFault.TOO_LARGE, f"larger than {limit:,} bytes")
    return bytes(body)
