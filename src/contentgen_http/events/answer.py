"""A stream as text/event-stream (WHATWG HTML, "Server-sent events")."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec
import structlog
from litestar import Response
from litestar.types import ASGIApp, Receive, Scope, Send

from contentgen_core.errors import ContentgenError
from contentgen_http.events.stream import Ended, EventStream, Item, Lost
from contentgen_http.trace import trace_of
from contentgen_http.wire.agent_events import AgentEvent, EventsLost

KEEP_ALIVE_SECONDS: Final = 15.0
RETRY_MILLISECONDS: Final = 2_000
GOODBYE_SECONDS: Final = 0.3  # for a reader that takes nothing any more
LOST: Final = "events.lost"

_KEEP_ALIVE: Final = b": keep-alive\n\n"
_HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),  # nginx would hold events back
)

log = structlog.get_logger("contentgen.events")


class EventAnswer(Response[Any]):
    """Sends a stream until it ends, then calls `closed`."""

    def __init__(self, stream: EventStream, closed: Callable[[], None]) -> None:
        self._stream, self._closed = stream, closed

    def to_asgi_response(self, *_args: object, **_kwargs: object) -> ASGIApp:  # type: ignore[override]
        return self._send

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        stream, trace = self._stream, trace_of(scope)
        trace.streams = True
        reader = asyncio.create_task(_until_gone(receive, stream))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            async with stream.until_end():
                await _write(send, _opening(stream.position))
                while True:
                    items = await stream.next(KEEP_ALIVE_SECONDS)
                    await _write(send, encoded(items) or _KEEP_ALIVE)
        except ContentgenError:
            stream.end(Ended.AWAY)
        finally:
            reader.cancel()
            stream.close()
            self._closed()
        if stream.ended is not Ended.GONE:
            if stream.ended is not Ended.STOPPING:
                log.info(
                    "event stream ended", requestId=trace.request_id, tenantId=trace.tenant_id, reason=stream.ended
                )
            await _say_goodbye(send, f": {stream.ended}\n\n".encode())


def encoded(items: Iterable[Item]) -> bytes:
    """As the protocol has them. JSON holds no line break, so each event's data is one line."""
    return b"".join(map(_encoded, items))


def _encoded(item: Item) -> bytes:
    if isinstance(item, Lost):
        return _block(item.position, LOST, EventsLost(after=item.after, resumes_after=item.position))
    return _block(item.position, item.kind, AgentEvent.from_model(item))


def _block(id: int, name: str, data: msgspec.Struct) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (id, name.encode(), msgspec.json.encode(data))


def _opening(position: int) -> bytes:
    """A block without data is no event, but its id is remembered: whoever is cut off early goes on here."""
    return b"retry: %d\nid: %d\n\n" % (RETRY_MILLISECONDS, position)


async def _until_gone(receive: Receive, stream: EventStream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end(Ended.GONE)


async def _write(send: Send, body: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def _say_goodbye(send: Send, comment: bytes) -> None:
    try:
        async with asyncio.timeout(GOODBYE_SECONDS):
            await _write(send, comment, more=False)
    except TimeoutError:
        pass  # it does not read: the connection is closed without a word
