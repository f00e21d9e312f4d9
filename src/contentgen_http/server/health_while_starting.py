"""GET /health while the service starts: that the process is alive is all that it says. Whatever else is asked for waits
for the application, unread."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.utils import formatdate
from threading import Thread
from time import perf_counter
from typing import Final

import httptools
import structlog

from contentgen_http.server.answer_headers import headers_of, request_id_of
from contentgen_http.telemetry.context import Trace

_ADDRESS: Final = b"/health"
_BODY: Final = b'{"status":"ok"}'
_MOST_BYTES: Final = 8 * 1024
_END: Final = b"\r\n\r\n"
_CLOSE: Final = (b"connection", b"close")

log = structlog.get_logger("contentgen.access")


@contextmanager
def alive(listening: socket.socket) -> Iterator[socket.socket]:
    """Answers GET /health on a bound socket, in a thread, until the application does, or the block ends.

    Gives a socket for the application: over it come the connections that wait for it (`arrived`), and over it the
    application says, with any byte, that it accepts connections itself.
    """
    ours, theirs = socket.socketpair()
    listening.setblocking(False)
    thread = Thread(target=_answer, args=(listening, ours), name="alive", daemon=True)
    thread.start()
    try:
        with theirs:
            yield theirs
    finally:
        with suppress(OSError):  # ended already; else this wakes it, whatever it waits for
            ours.shutdown(socket.SHUT_RDWR)
        thread.join()


def arrived(waiting: socket.socket) -> list[socket.socket] | None:
    """The connections that have come over it by now; None once no more will. Blocks where none has."""
    said, descriptors, _, _ = socket.recv_fds(waiting, 16, 16)
    connections = [socket.socket(fileno=descriptor) for descriptor in descriptors]
    for connection in connections:
        connection.setblocking(False)
    return connections if said else None


def _answer(listening: socket.socket, application: socket.socket) -> None:
    quiet: set[socket.socket] = set()
    with selectors.DefaultSelector() as selector, application:
        for waited_for in (listening, application):
            selector.register(waited_for, selectors.EVENT_READ)
        while True:
            ready = {key.fd for key, _ in selector.select()}
            if application.fileno() in ready:
                with suppress(OSError):
                    application.recv(1)  # else closing it would look like a failure
                break
            for connection in [each for each in quiet if each.fileno() in ready]:
                if not _answered(connection):
                    selector.unregister(connection)
                    quiet.remove(connection)
                    _hand_over(connection, application)
            if listening.fileno() in ready:
                with suppress(OSError):  # it is gone, or the application has it
                    connection, _ = listening.accept()
                    quiet.add(connection)
                    selector.register(connection, selectors.EVENT_READ)
        for connection in quiet:
            _hand_over(connection, application)


def _hand_over(connection: socket.socket, application: socket.socket) -> None:
    with connection, suppress(OSError):  # there will be no application
        socket.send_fds(application, [b"."], [connection.fileno()])


def _answered(connection: socket.socket) -> bool:
    """Whether all that was sent is one request for GET /health, which is answered. Nothing else is read."""
    with suppress(OSError):
        sent = connection.recv(_MOST_BYTES, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        request = _Request(sent)
        if request.asks_for_health:
            connection.recv(len(sent))
            connection.sendall(request.answer())
            if not request.stays_open:
                connection.shutdown(socket.SHUT_WR)
            return True
    return False


class _Request:
    """What a client sent, as `httptools` reads it."""

    def __init__(self, sent: bytes) -> None:
        self._began = perf_counter()
        self._address = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._whole = self.stays_open = False
        self._parser = httptools.HttpRequestParser(self)
        with suppress(httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._parser.feed_data(sent)
        self._alone = sent.count(_END) == 1 and sent.endswith(_END)

    def on_url(self, url: bytes) -> None:
        self._address += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        self.stays_open = bool(self._parser.should_keep_alive())

    def on_message_complete(self) -> None:
        self._whole = True

    @property
    def asks_for_health(self) -> bool:
        return self._whole and self._alone and self._address == _ADDRESS and self._parser.get_method() == b"GET"

    def answer(self) -> bytes:
        """As the application has it."""
        trace = Trace(request_id_of(self._headers))
        headers = (
            (b"date", formatdate(usegmt=True).encode()),
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(_BODY)),
            *headers_of(trace),
            *(header for header in self._headers if header == _CLOSE),
        )
        milliseconds = round((perf_counter() - self._began) * 1000, 2)
        log.info(
            "request",
            requestId=trace.request_id,
            tenantId=None,
            method="GET",
            route=_ADDRESS.decode(),
            status=200,
            durationMs=milliseconds,
        )
        fields = b"".join(b"%b: %b\r\n" % header for header in headers)
        return b"HTTP/1.1 200 OK\r\n%b\r\n%b" % (fields, _BODY)
