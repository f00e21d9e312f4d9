"""One request for a feed: within bounds of time and size, through the guard at every redirect, and for nothing where it
has not changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import urljoin

import httpx
from attrs import frozen

from contentgen_adapters.feeds.parsing import Raw
from contentgen_adapters.shared.outgoing.errors import AddressRefused, UnknownHost
from contentgen_adapters.shared.text.addresses import web_address
from contentgen_adapters.shared.unpacking import ACCEPTED, Damaged, UnknownPacking, Unpacker

MAX_REDIRECTS: Final = 5
_ACCEPT: Final = "application/atom+xml,application/rss+xml,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


class Unfetched(Exception):
    """A feed that could not be fetched; the text says why, for an operator."""


@frozen
class Validators:
    """What a server told of the version it gave, in its own words (RFC 9110, 8.8)."""

    etag: str | None = None
    modified: str | None = None


@frozen
class Fetched:
    """`raw` is None where the feed is still the version of the validators."""

    raw: Raw | None
    validators: Validators


async def fetch(
    client: httpx.AsyncClient, url: str, user_agent: str, known: Validators, *, max_bytes: int, seconds: float
) -> Fetched:
    """The feed at an address, redirects followed. Raises Unfetched."""
    headers = {"User-Agent": user_agent, "Accept": _ACCEPT, "Accept-Encoding": ACCEPTED}
    if known.etag:
        headers["If-None-Match"] = known.etag
    if known.modified:
        headers["If-Modified-Since"] = known.modified
    try:
        async with asyncio.timeout(seconds):
            for _ in range(MAX_REDIRECTS + 1):
                found = await _asked(client, url, headers, known, max_bytes)
                if isinstance(found, Fetched):
                    return found
                url = found
    except TimeoutError as exc:
        raise Unfetched(f"no complete answer within {seconds:g} s") from exc
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnknownPacking, Damaged) as exc:
        raise Unfetched(_why(exc)) from exc
    raise Unfetched(f"more than {MAX_REDIRECTS} redirects")


async def _asked(
    client: httpx.AsyncClient, url: str, headers: dict[str, str], known: Validators, max_bytes: int
) -> Fetched | str:
    """What one address answers: the feed, or where it is now."""
    response = await client.send(client.build_request("GET", url, headers=headers), stream=True)
    try:
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return Fetched(None, known)
        if response.status_code in _REDIRECTS and "location" in response.headers:
            return _next(url, response.headers["location"])
        if response.status_code != httpx.codes.OK:
            raise Unfetched(f"HTTP {response.status_code}")
        body = bytearray()
        async for piece in _unpacked(response):
            body += piece
            if len(body) > max_bytes:
                raise Unfetched(f"larger than {max_bytes:,} bytes")
        raw = Raw(bytes(body), url, response.headers.get("content-type", "")[:200])
        return Fetched(raw, Validators(_kept(response, "etag"), _kept(response, "last-modified")))
    finally:
        await response.aclose()


def _next(url: str, location: str) -> str:
    try:
        address = web_address(urljoin(url, location))
    except ValueError:
        address = None
    if address is None:
        raise Unfetched("it redirects to what is no web address")
    return address


async def _unpacked(response: httpx.Response) -> AsyncIterator[bytes]:
    unpacker = Unpacker(response.headers.get("content-encoding", ""))
    async for packed in response.aiter_raw():
        for piece in unpacker.unpack(packed):
            yield piece
    unpacker.finish()


def _kept(response: httpx.Response, name: str) -> str | None:
    value = response.headers.get(name, "")
    return value if 0 < len(value) <= 500 and value.isascii() and value.isprintable() else None


def _why(error: Exception) -> str:
    match error:
        case AddressRefused() | UnknownHost() | httpx.InvalidURL():
            return str(error)
        case httpx.TimeoutException():
            return f"no answer in time ({type(error).__name__})"
        case UnknownPacking() | Damaged():
            return f"its body cannot be unpacked ({error})"
        case _:
            return f"the connection failed ({type(error).__name__})"
