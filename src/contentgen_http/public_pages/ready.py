"""Answers that are the same for everybody: made once, kept as bytes for a moment, and asked for again by ETag.

What is made from the database is never older than LIFETIME here and MAX_AGE at whoever keeps it further: an article
that became public is there, and one that became private is gone, within their sum."""

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
from litestar.types import ASGIApp, Receive, Scope, Send

from contentgen_core.errors import RateLimited
from contentgen_http.rate_limit import ClientAddresses, Limits
from contentgen_http.trace import trace_of

LIFETIME: Final = 2.0
MAX_AGE: Final = 2
STALE: Final = 30
"""Seconds for which a cache may show what is not private by its nature while it asks for the next."""
MADE_PER_MINUTE: Final = 600
"""Answers that one address may have made. Those that are ready are not counted: to refuse one costs as much as it."""
MAX_BYTES: Final = 64 * 1024 * 1024
MAX_ANSWERS: Final = 4_096

_FOR_EVERYBODY: Final = ((b"access-control-allow-origin", b"*"),)
# A cache may keep a 404 for as long as it likes, unless it is told not to (RFC 9110, 15.1).
_NOT_KEPT: Final = (*_FOR_EVERYBODY, (b"cache-control", b"no-store"))

AnyRequest = Request[Any, Any, Any]
Headers = tuple[tuple[bytes, bytes], ...]


@frozen
class Ready:
    """An answer as it is sent. `embeddable`: other sites may show it in a frame."""

    body: bytes
    headers: Headers
    kept_headers: Headers
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
    ) -> Ready:
        """`stale`: seconds for which caches may go on showing it. `policy`: its Content-Security-Policy."""
        content = body.encode("utf-8", "replace") if isinstance(body, str) else body
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'.encode()
        lasts = f"public, max-age={MAX_AGE}" + (f", stale-while-revalidate={stale}" if stale else "")
        kept: list[tuple[bytes, bytes]] = [(b"etag", etag), (b"cache-control", lasts.encode())]
        if vary:
            kept.append((b"vary", vary.encode()))
        own = [*kept, (b"content-type", media.encode()), (b"content-length", b"%d" % len(content))]
        if policy:
            own.append((b"content-security-policy", policy.encode()))
        return cls(content, tuple(own), tuple(kept), etag, embeddable)


class ReadyAnswer(Response[Any]):
    """What a handler returns for one of them."""

    def __init__(self, ready: Ready, *, known: bool) -> None:
        """`known`: whoever asks has it already."""
        self._ready, self._known = ready, known

    def to_asgi_response(self, *_args: object, **_kwargs: object) -> ASGIApp:  # type: ignore[override]
        return _not_modified(self._ready) if self._known else _whole(self._ready)


def _whole(ready: Ready) -> ASGIApp:
    async def send_ready(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": ready.headers})
        await send({"type": "http.response.body", "body": ready.body, "more_body": False})

    return send_ready


def _not_modified(ready: Ready) -> ASGIApp:
    async def send_ready(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 304, "headers": ready.kept_headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return send_ready


@frozen
class _Kept:
    ready: Ready
    until: float


@define
class ReadyAnswers:
    """Ready answers by key, the least used forgotten first. Whoever comes while one is made waits for it."""

    limits: Limits
    addresses: ClientAddresses
    lifetime: float = LIFETIME
    max_bytes: int = MAX_BYTES
    monotonic: Callable[[], float] = time.monotonic
    _kept: OrderedDict[Hashable, _Kept] = field(factory=OrderedDict, init=False)
    _bytes: int = field(default=0, init=False)
    _under_way: dict[Hashable, asyncio.Task[Ready]] = field(factory=dict, init=False)

    async def answer(self, request: AnyRequest, key: Hashable, make: Callable[[], Awaitable[Ready]]) -> ReadyAnswer:
        """`key` names all that the answer depends on. Raises what `make` raises, and RateLimited."""
        trace = trace_of(request.scope)
        trace.headers = _NOT_KEPT
        kept = self._kept.get(key)
        if kept is not None and kept.until > self.monotonic():
            self._kept.move_to_end(key)
            ready = kept.ready
        else:
            ready = await self._made(request, key, make)
        trace.headers, trace.embeddable = _FOR_EVERYBODY, ready.embeddable
        return ReadyAnswer(ready, known=_knows(request.scope["headers"], ready.etag))

    async def _made(self, request: AnyRequest, key: Hashable, make: Callable[[], Awaitable[Ready]]) -> Ready:
        while True:
            making, own = self._under_way.get(key), False
            if making is None:
                own, making = True, asyncio.create_task(self._make(request, key, make))
                self._under_way[key] = making
                making.add_done_callback(lambda _: self._under_way.pop(key, None))
            try:
                return await asyncio.shield(making)
            except RateLimited:  # another's allowance is used up, and not necessarily ours
                if own:
                    raise

    async def _make(self, request: AnyRequest, key: Hashable, make: Callable[[], Awaitable[Ready]]) -> Ready:
        begun = self.monotonic()
        allowance = await self.limits.of_address("public", self.addresses.of(request.scope), MADE_PER_MINUTE)
        if not allowance.allowed:
            raise self.limits.refusal(allowance)
        ready = await make()
        self._keep(key, _Kept(ready, begun + self.lifetime))
        return ready

    def _keep(self, key: Hashable, kept: _Kept) -> None:
        self._forget(key)
        if len(kept.ready.body) > self.max_bytes:
            return
        self._kept[key] = kept
        self._bytes += len(kept.ready.body)
        while self._bytes > self.max_bytes or len(self._kept) > MAX_ANSWERS:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: Hashable) -> None:
        with suppress(KeyError):
            self._bytes -= len(self._kept.pop(key).ready.body)


def _knows(headers: Iterable[tuple[bytes, bytes]], etag: bytes) -> bool:
    """Whether If-None-Match (RFC 9110, 13.1.2) names this one."""
    for name, value in headers:
        if name == b"if-none-match":
            tags = (part.strip().removeprefix(b"W/") for part in value.split(b","))
            if any(tag in (etag, b"*") for tag in tags):
                return True
    return False
