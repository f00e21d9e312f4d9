"""Public responses, cached as bytes (representations in the sense of RFC 9110) and revalidated by ETag.

An entry is at most LIFETIME seconds old here and MAX_AGE in other caches: a change of an article is visible after their
sum. One that is ready is sent before routing, to whoever asks for it in the same words as somebody did before."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable
from contextlib import suppress
from typing import Any, Final

from attrs import define, field, frozen
from litestar import Request, Response
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from contentgen_core.errors import RateLimited, TooManyAtOnce
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.concurrency_limit import RequestLimits
from contentgen_http.server.rate_limit import Limits
from contentgen_http.telemetry.context import trace_of

LIFETIME: Final = 2.0
MAX_AGE: Final = 2
STALE: Final = 30
"""Seconds of stale-while-revalidate, for content that never becomes private."""
MADE_PER_MINUTE: Final = 600
"""Cache misses per address. Hits are not limited: a refusal would take as long as the response."""
MAX_BYTES: Final = 64 * 1024 * 1024
MAX_ANSWERS: Final = 4_096
MAX_TARGETS: Final = 4_096
MAX_TARGET: Final = 1_000
"""Bytes of an address and the headers that count, as far as they are remembered."""
_PER_HEADER: Final = 100  # in memory, beside its value

_ANY_ORIGIN: Final = ((b"access-control-allow-origin", b"*"),)
# A 404 without this is cacheable by default (RFC 9110, 15.1).
_NO_STORE: Final = (*_ANY_ORIGIN, (b"cache-control", b"no-store"))

AnyRequest = Request[Any, Any, Any]
Headers = tuple[tuple[bytes, bytes], ...]

_COUNTS: Final = frozenset({b"accept", b"host"})
"""What an answer may depend on beside the address: Accept, and Host for whether it is one."""


@frozen
class Representation:
    """A response with its validator.

    `headers`: of a 200. `not_modified_headers`: of a 304. `embeddable`: whether other sites may show it in a frame.
    """

    body: bytes
    headers: Headers
    not_modified_headers: Headers
    etag: bytes
    embeddable: bool = False

    @classmethod
    def of(
        cls,
        body: bytes | str,
        media: str,
        *,
        stale: int = 0,
        vary: str | None = None,
        policy: str | None = None,
        embeddable: bool = False,
    ) -> Representation:
        """The representation of a body.

        `media`: its content type. `stale`: seconds of stale-while-revalidate. `vary`: the Vary header. `policy`: the
        Content-Security-Policy.
        """
        content = body.encode("utf-8", "replace") if isinstance(body, str) else body
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'.encode()
        cache_control = f"public, max-age={MAX_AGE}" + (f", stale-while-revalidate={stale}" if stale else "")
        shared: list[tuple[bytes, bytes]] = [(b"etag", etag), (b"cache-control", cache_control.encode())]
        if vary:
            shared.append((b"vary", vary.encode()))
        own = [*shared, (b"content-type", media.encode()), (b"content-length", b"%d" % len(content))]
        if policy:
            own.append((b"content-security-policy", policy.encode()))
        return cls(content, tuple(own), tuple(shared), etag, embeddable)


class RepresentationResponse(Response[Any]):
    """The response of a handler with a representation."""

    def __init__(self, representation: Representation, *, not_modified: bool) -> None:
        """`not_modified`: whether to send a 304, since the client has this representation."""
        self._representation, self._is_not_modified = representation, not_modified

    def to_asgi_response(self, *_args: object, **_kwargs: object) -> ASGIApp:  # type: ignore[override]
        return _sender(self._representation, not_modified=self._is_not_modified)


def _sender(representation: Representation, *, not_modified: bool) -> ASGIApp:
    return _respond_not_modified(representation) if not_modified else _ok(representation)


def _ok(representation: Representation) -> ASGIApp:
    async def send_response(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": representation.headers})
        await send({"type": "http.response.body", "body": representation.body, "more_body": False})

    return send_response


def _respond_not_modified(representation: Representation) -> ASGIApp:
    async def send_response(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 304, "headers": representation.not_modified_headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return send_response


@frozen
class _Entry:
    representation: Representation
    expires_at: float


@define
class RepresentationCache:
    """A cache of representations by key, least recently used first out. Concurrent requests for one key share its
    creation.

    `lifetime`: seconds. `max_bytes`: of all bodies.
    """

    limits: Limits
    addresses: ClientAddresses
    requests: RequestLimits
    lifetime: float = LIFETIME
    max_bytes: int = MAX_BYTES
    monotonic: Callable[[], float] = time.monotonic
    _entries: OrderedDict[Hashable, _Entry] = field(factory=OrderedDict, init=False)
    _bytes: int = field(default=0, init=False)
    _targets: dict[Hashable, tuple[Hashable, str]] = field(factory=dict, init=False)
    """The key and the route's template of what was asked for before."""
    _pending: dict[Hashable, asyncio.Task[Representation]] = field(factory=dict, init=False)

    async def answer(
        self, request: AnyRequest, key: Hashable, make: Callable[[], Awaitable[Representation]]
    ) -> RepresentationResponse:
        """The cached or a new representation.

        `key`: everything that the response depends on. `make`: creates it. Raises what `make` raises, RateLimited and
        TooManyAtOnce.
        """
        scope = request.scope
        trace = trace_of(scope)
        trace.headers = _NO_STORE
        representation = self._fresh(key)
        if representation is None:
            representation = await self._make_once(request, key, make)
        trace.headers, trace.embeddable = _ANY_ORIGIN, representation.embeddable
        self._remember(scope, key)
        return RepresentationResponse(representation, not_modified=_matches(scope["headers"], representation.etag))

    def ready(self, scope: HTTPScope) -> ASGIApp | None:
        """Return the cached answer to a request that is not routed yet; None if the request must be routed. The cache
        knows it if an earlier request had the same relevant parts.
        """
        if scope["method"] != "GET":
            return None
        known = self._targets.get(_target(scope))
        if known is None or (representation := self._fresh(known[0])) is None:
            return None
        scope["path_template"] = known[1]
        trace = trace_of(scope)
        trace.headers, trace.embeddable = _ANY_ORIGIN, representation.embeddable
        return _sender(representation, not_modified=_matches(scope["headers"], representation.etag))

    def _fresh(self, key: Hashable) -> Representation | None:
        entry = self._entries.get(key)
        if entry is None or entry.expires_at <= self.monotonic():
            return None
        self._entries.move_to_end(key)
        return entry.representation

    def _remember(self, scope: HTTPScope, key: Hashable) -> None:
        """Record the request's relevant parts, so that `ready` recognises the same request."""
        target = _target(scope)
        if target in self._targets or _length(target) > MAX_TARGET:
            return
        self._targets[target] = key, scope["path_template"]
        if len(self._targets) > MAX_TARGETS:
            del self._targets[next(iter(self._targets))]

    async def _make_once(
        self, request: AnyRequest, key: Hashable, make: Callable[[], Awaitable[Representation]]
    ) -> Representation:
        while True:
            making, own = self._pending.get(key), False
            if making is None:
                own, making = True, asyncio.create_task(self._make(request, key, make))
                self._pending[key] = making
                making.add_done_callback(lambda _: self._pending.pop(key, None))
            try:
                return await asyncio.shield(making)
            except (RateLimited, TooManyAtOnce):  # the other client's limit; this one may have requests left
                if own:
                    raise

    async def _make(
        self, request: AnyRequest, key: Hashable, make: Callable[[], Awaitable[Representation]]
    ) -> Representation:
        begun = self.monotonic()
        address = self.addresses.network_of(request.scope)
        allowance = await self.limits.count_public("public", address, MADE_PER_MINUTE)
        if not allowance.allowed:
            raise self.limits.refusal(allowance)
        permit = await self.requests.ordinary.acquire(f"address:{address}")
        try:
            representation = await make()
        finally:
            permit.release()
        self._store(key, _Entry(representation, begun + self.lifetime))
        return representation

    def _store(self, key: Hashable, entry: _Entry) -> None:
        self._remove(key)
        if len(entry.representation.body) > self.max_bytes:
            return
        self._entries[key] = entry
        self._bytes += len(entry.representation.body)
        while self._bytes > self.max_bytes or len(self._entries) > MAX_ANSWERS:
            self._remove(next(iter(self._entries)))

    def _remove(self, key: Hashable) -> None:
        with suppress(KeyError):
            self._bytes -= len(self._entries.pop(key).representation.body)


def _target(scope: HTTPScope) -> tuple[bytes, bytes, Headers]:
    """The words that a request asks in, as far as an answer may depend on them."""
    headers = tuple([header for header in scope["headers"] if header[0] in _COUNTS])
    return scope["raw_path"], scope["query_string"], headers


def _length(target: tuple[bytes, bytes, Headers]) -> int:
    path, query, headers = target
    return len(path) + len(query) + sum(len(value) + _PER_HEADER for _, value in headers)


def _matches(headers: Iterable[tuple[bytes, bytes]], etag: bytes) -> bool:
    """Whether If-None-Match (RFC 9110, 13.1.2) matches the ETag."""
    for name, value in headers:
        if name == b"if-none-match":
            tags = (part.strip().removeprefix(b"W/") for part in value.split(b","))
            if any(tag in (etag, b"*") for tag in tags):
                return True
    return False
