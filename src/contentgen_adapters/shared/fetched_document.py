"""One conditional HTTP request for a feed or a sitemap, with limits on time and size; every redirect passes the address
guard."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import urljoin

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.shared.content_coding import (
    ACCEPT_ENCODING,
    CorruptBody,
    UnsupportedContentCoding,
    decode,
)
from contentgen_adapters.shared.outgoing.errors import AddressRefused, NotReached, UnknownHost
from contentgen_adapters.shared.text.addresses import web_address

MAX_REDIRECTS: Final = 5
_ACCEPT: Final = "application/atom+xml,application/rss+xml,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


class NotFetched(Exception):
    """A document could not be fetched; the text gives the reason, for an operator."""


class RawDocument(msgspec.Struct, frozen=True):
    """A document as fetched: `data` decoded, `url` where it was found, `content_type` with its parameters."""

    data: bytes
    url: str
    content_type: str = ""


@frozen
class Validators:
    """The validators of a response, as the server sent them (RFC 9110, 8.8): `modified` is Last-Modified."""

    etag: str | None = None
    modified: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of a request for a newer version (RFC 9110, 13.1)."""
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in named.items() if value}


@frozen
class Fetched:
    """The result of a request. `raw`: None when the document has not changed."""

    raw: RawDocument | None
    validators: Validators


async def fetch(
    client: httpx.AsyncClient, url: str, user_agent: str, known: Validators, *, max_bytes: int, seconds: float
) -> Fetched:
    """Return the document at an address, redirects followed.

    `known`: validators of the version at hand. `max_bytes`: of the decoded body. `seconds`: for all requests together.
    Raises NotFetched.
    """
    headers = {"User-Agent": user_agent, "Accept": _ACCEPT, "Accept-Encoding": ACCEPT_ENCODING, **known.headers}
    try:
        async with asyncio.timeout(seconds):
            for _ in range(MAX_REDIRECTS + 1):
                found = await _get(client, url, headers, known, max_bytes)
                if isinstance(found, Fetched):
                    return found
                url = found
    except TimeoutError as exc:
        raise NotFetched(f"no complete answer within {seconds:g} s") from exc
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnsupportedContentCoding, CorruptBody) as exc:
        raise NotFetched(_reason(exc)) from exc
    raise NotFetched(f"more than {MAX_REDIRECTS} redirects")


async def _get(
    client: httpx.AsyncClient, url: str, headers: dict[str, str], known: Validators, max_bytes: int
) -> Fetched | str:
    """Return the document at this very address, or the address it redirects to."""
    response = await client.send(client.build_request("GET", url, headers=headers), stream=True)
    try:
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return Fetched(None, known)
        if response.status_code in _REDIRECTS and "location" in response.headers:
            return _next(url, response.headers["location"])
        if response.status_code != httpx.codes.OK:
            raise NotFetched(f"HTTP {response.status_code}")
        body = bytearray()
        async for piece in decode(response):
            body += piece
            if len(body) > max_bytes:
                raise NotFetched(f"larger than {max_bytes:,} bytes")
        raw = RawDocument(bytes(body), url, response.headers.get("content-type", "")[:200])
        return Fetched(raw, validators_of(response))
    finally:
        await response.aclose()


def _next(url: str, location: str) -> str:
    try:
        address = web_address(urljoin(url, location))
    except ValueError:
        address = None
    if address is None:
        raise NotFetched("it redirects to what is no web address")
    return address


def validators_of(response: httpx.Response) -> Validators:
    """Return the validators of a response that can be sent back."""
    return Validators(_validator(response, "etag"), _validator(response, "last-modified"))


def _validator(response: httpx.Response, name: str) -> str | None:
    value = response.headers.get(name, "")
    return value if 0 < len(value) <= 500 and value.isascii() and value.isprintable() else None


def _reason(error: Exception) -> str:
    match error:
        case AddressRefused() | UnknownHost() | NotReached() | httpx.InvalidURL():
            return str(error)
        case httpx.TimeoutException():
            return f"no answer in time ({type(error).__name__})"
        case UnsupportedContentCoding() | CorruptBody():
            return f"its body cannot be decoded ({error})"
        case _:
            return f"the connection failed ({type(error).__name__})"
