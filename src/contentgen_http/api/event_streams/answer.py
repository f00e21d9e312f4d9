"""A stream as server-sent events, text/event-stream (WHATWG HTML, "Server-sent events")."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec
import structlog
from litestar import Response
from litestar.types import ASGIApp, Receive, Scope, Send

from contentgen_core.errors import ContentgenError
from contentgen_http.api.event_streams.stream import EndReason, EventStream, Item, Lost
from contentgen_http.telemetry.context import trace_of
from contentgen_http.wire.agent_events import AgentEvent, EventsLost

KEEP_ALIVE_SECONDS: Final = 15.0
RETRY_MILLISECONDS: Final = 2_000
CLOSE_SECONDS: Final = 0.3  # timeout of the last write, for a client that has stopped reading
LOST: Final = "events.lost"

_KEEP_ALIVE: Final = b": keep-alive\n\n"
_HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),  # nginx buffers events otherwise
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
                    await _write(send, encode(items) or _KEEP_ALIVE)
        except ContentgenError:
            stream.end(EndReason.AWAY)
        finally:
            reader.cancel()
            stream.close()
            self._closed()
        if stream.ended is not EndReason.GONE:
            if stream.ended is not EndReason.STOPPING:
                log.info(
                    "event stream ended", requestId=trace.request_id, tenantId=trace.tenant_id, reason=stream.ended
                )
            await _send_closing_comment(send, f": {stream.ended}\n\n".encode())


def encode(items: Iterable[Item]) -> bytes:
    """Encode items as event blocks. The data of an event is one line, since JSON has no line breaks."""
    return b"".join(map(_encode_item, items))


def _encode_item(item: Item) -> bytes:
    if isinstance(item, Lost):
        return _block(item.position, LOST, EventsLost(after=item.after, resumes_after=item.position))
    return _block(item.position, item.kind, AgentEvent.of(item))


def _block(id: int, name: str, data: msgspec.Struct) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (id, name.encode(), msgspec.json.encode(data))


def _opening(position: int) -> bytes:
    """A block without data: clients dispatch no event, but store its id, from which they resume after a disconnect."""
    return b"retry: %d\nid: %d\n\n" % (RETRY_MILLISECONDS, position)


async def _until_gone(receive: Receive, stream: EventStream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end(EndReason.GONE)


async def _write(send: Send, body: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def _send_closing_comment(send: Send, comment: bytes) -> None:
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await _write(send, comment, more=False)
    except TimeoutError:
        pass  # the client does not read: close the connection without the comment
