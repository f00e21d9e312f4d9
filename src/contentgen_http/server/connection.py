"""A connection of the server whose requests are bounded: how large a header and a body are, and how long they take.

A proxy in front may have limits of its own, or be missing: these hold without one. A client that goes ends its request.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import msgspec
import structlog
from attrs import frozen
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from contentgen_http.server.errors import PROBLEM_JSON, refusal

MOST_FIELDS: Final = 100
MOST_WAITING: Final = 16  # requests that a client has sent before it was answered
LEAST_BYTES_A_SECOND: Final = 8 * 1024  # of a body, on average over `body_seconds`
LINGER_SECONDS: Final = 1.0  # for a client that still sends when it is refused
_PART: Final = 16 * 1024

RefusalPage: TypeAlias = Callable[[HTTPStatus, str, Sequence[tuple[bytes, bytes]], str], str | None]
"""From a status, the path and the headers of a request, and its id to the page that tells of it; None for none."""

log = structlog.get_logger("contentgen.http")


@frozen(kw_only=True)
class Bounds:
    """What a request may take.

    `header_bytes`: of the request line and all fields. `header_seconds`: from the connection, or the first byte of a
    further request, to the last field. `body_bytes`: the most that any operation takes. `body_seconds`: in which
    LEAST_BYTES_A_SECOND have to arrive, again and again until the body is whole.
    """

    header_bytes: int = 32 * 1024
    header_seconds: float = 10.0
    body_bytes: int
    body_seconds: float = 30.0


@frozen(kw_only=True)
class _RequestTransport:
    """The connection's transport as one request uses it; the connection decides how `close` ends it."""

    write: Callable[[bytes], None]
    is_closing: Callable[[], bool]
    close: Callable[[], None]


class BoundedConnection(HttpToolsProtocol):
    """uvicorn's connection, which on its own takes headers and bodies of any size, waits for them for ever, and lets an
    operation go on for a client that has gone."""

    def __init__(self, *, bounds: Bounds, page: RefusalPage | None = None, **of_the_server: Any) -> None:
        """`page`: what browsers are shown of a request that is refused."""
        super().__init__(**of_the_server)
        self._bounds, self._page = bounds, page
        self._ended = False  # the last answer is written: what still arrives is thrown away
        self._timer: asyncio.TimerHandle | None = None
        self._timed: str | None = None
        # What arrives: "header" or "body" of a request, None between two.
        self._arriving: str | None = None
        self._header_bytes = 0
        self._announced_bytes = self._body_bytes = self._body_mark = 0
        # Bytes since the parser last had a field or a part of a body: it keeps them until it has the whole.
        self._unread = 0
        self._read = False
        self._paused = False
        self._running: tuple[RequestResponseCycle, asyncio.Task[None]] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)
        self._end_request()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        async def unless_gone(scope: Any, receive: Any, send: Any) -> None:
            try:
                await app(scope, receive, send)
            except asyncio.CancelledError:
                if not cycle.disconnected:
                    raise

        def close() -> None:
            if cycle.response_complete and cycle.more_body and not self.transport.is_closing():
                self._end(self._bounds.body_seconds)
            else:
                self.transport.close()

        own = _RequestTransport(write=self.transport.write, is_closing=self.transport.is_closing, close=close)
        cycle.transport = own  # type: ignore[assignment]  # what a cycle uses of one
        task = self.loop.create_task(cycle.run_asgi(unless_gone))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)
        self._running = cycle, task

    def _end_request(self) -> None:
        """Ends the operation under way: nobody awaits its answer. Its transaction is rolled back."""
        if self._running is not None and not self._running[0].response_complete:
            cycle, task = self._running
            cycle.disconnected = True
            task.cancel()

    def data_received(self, data: bytes) -> None:
        view = memoryview(data)
        for start in range(0, len(view), _PART):
            if self._ended or self.transport.is_closing():
                return
            part = view[start : start + _PART]
            self._read = False
            super().data_received(part)  # type: ignore[arg-type]
            self._unread = 0 if self._read else self._unread + len(part)
            if self._header_bytes + self._unread > self._bounds.header_bytes:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if not self._ended:
            self._watch()

    def send_400_response(self, msg: str) -> None:
        self._refuse(HTTPStatus.BAD_REQUEST)

    def on_message_begin(self) -> None:
        self._arriving = "header"
        self._header_bytes = self._announced_bytes = self._body_bytes = self._body_mark = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._read = True
        self._header_bytes += len(url)
        if self._header_bytes <= self._bounds.header_bytes:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Fields of a trailer, too, which follows the parts of a body."""
        self._read = True
        self._header_bytes += len(name) + len(value) + 4
        if self._arriving != "header" or not self._header_fits():
            return
        super().on_header(name, value)
        if name.lower() == b"content-length" and value.isdigit():
            self._announced_bytes = int(value[:20])

    def on_headers_complete(self) -> None:
        self._read = True
        if self._ended:
            return
        if not self._header_fits():
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._announced_bytes > self._bounds.body_bytes:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        elif len(self.pipeline) >= MOST_WAITING:
            self._refuse(HTTPStatus.BAD_REQUEST)
        else:
            self._paused = False
            super().on_headers_complete()  # raises for what is no address
            self._arriving = "body"

    def on_chunk_header(self) -> None:
        self._read = True

    def on_body(self, body: bytes) -> None:
        self._read = True
        if self._ended:
            return
        self._body_bytes += len(body)
        if self._body_bytes > self._bounds.body_bytes:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        super().on_body(body)
        self._paused = self._paused or self.flow.read_paused

    def on_message_complete(self) -> None:
        self._read = True
        if self._ended:
            return
        self._arriving = None
        self._header_bytes = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.pipeline:  # else a client that sends and sends fills the memory with what waits
            self.flow.pause_reading()

    def _header_fits(self) -> bool:
        return self._header_bytes <= self._bounds.header_bytes and len(self.headers) <= MOST_FIELDS

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _watch(self) -> None:
        """Sets the timer for what has to arrive next; none while only an answer is awaited."""
        awaited = self._arriving or (None if self._answering else "header")
        if awaited == self._timed:
            return
        self._stop_timer()
        if awaited is not None:
            seconds = self._bounds.header_seconds if awaited == "header" else self._bounds.body_seconds
            self._timed, self._timer = awaited, self.loop.call_later(seconds, self._late)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._timed = None

    def _late(self) -> None:
        timed, self._timer, self._timed = self._timed, None, None
        if self.transport.is_closing():
            return
        if timed == "header" and self._arriving is None and not self._answering:
            self.transport.close()  # nothing was asked, so nothing is answered
        elif timed == "header" and self._answering:
            self._watch()
        elif timed == "body" and self._keeps_up():
            self._body_mark, self._paused = self._body_bytes, self.flow.read_paused
            self._watch()
        elif self._arriving is not None:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _keeps_up(self) -> bool:
        """Whether enough of a body has arrived, or could not, since the operation has not read what was there."""
        least = LEAST_BYTES_A_SECOND * self._bounds.body_seconds
        return self._paused or self._body_bytes - self._body_mark >= least

    def _refuse(self, status: HTTPStatus) -> None:
        """Answers, where the answer cannot be taken for another request's, and ends the connection."""
        if self._ended or self.transport.is_closing():
            return
        self._ended = True
        self._unset_keepalive_if_required()
        if self._arriving == "body":
            answers = self._answering and not self.pipeline and not self.cycle.response_started
        else:
            answers = not self._answering
        self.pipeline.clear()
        self._end_request()
        log.info("request refused", status=status.value, answered=answers)
        if not answers:
            self.transport.close()
            return
        request_id = secrets.token_hex(12)
        page = self._shown(status, request_id)
        if page is None:
            answer = _answer(status, request_id, PROBLEM_JSON, msgspec.json.encode(refusal(status, request_id)))
        else:
            answer = _answer(status, request_id, "text/html; charset=utf-8", page.encode())
        self.transport.write(answer)
        # A browser shows no answer before it has sent all of its form, which is read and thrown away.
        self._end(LINGER_SECONDS if page is None else self._bounds.body_seconds)

    def _end(self, seconds: float) -> None:
        """Ends the connection behind its last answer: when the client does, or after so many seconds. One that still
        sends would lose the answer to a reset."""
        self._ended = True
        self._stop_timer()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self._timer = self.loop.call_later(seconds, self.transport.close)

    def _shown(self, status: HTTPStatus, request_id: str) -> str | None:
        if self._page is None or self._arriving is None:
            return None
        address = self.url.partition(b"?")[0].decode("latin-1")
        return self._page(status, address, self.headers, request_id)


def _answer(status: HTTPStatus, request_id: str, media_type: str, body: bytes) -> bytes:
    lines = (
        f"content-type: {media_type}",
        f"content-length: {len(body)}",
        f"x-request-id: {request_id}",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "connection: close",
    )
    return STATUS_LINE[status.value] + "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body
