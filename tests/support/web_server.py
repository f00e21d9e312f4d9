"""A web server on a real port for tests: pages good, slow, huge, broken, redirecting and hostile, written byte by byte,
and a record of who asked for what and how many did so at the same time."""

from __future__ import annotations

import gzip
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

from attrs import define, field

Write = Callable[[bytes], None]
Page = Callable[[Write, "WebServer"], None]
"""Writes the bytes of an answer, head included. It ends when the server does: a write fails then."""
Taker = Callable[[bytes], bytes]
"""From the body of a request to the bytes of its answer, head included."""


@define
class Visit:
    """One request. Times in seconds of the monotonic clock; `ended` is None while under way. `is_unchanged`: the answer
    was that the page is as it was."""

    path: str
    headers: dict[str, str]
    is_unchanged: bool = False
    began: float = field(factory=time.monotonic)
    ended: float | None = None


@define
class WebServer:
    """Use it as a context manager, from any event loop. What was not put is 404, robots.txt included. `all_status`: a
    status that every request gets, whatever was put."""

    visits: list[Visit] = field(factory=list)
    most_at_once: int = 0
    all_status: int | None = None
    _pages: dict[str, Page] = field(factory=dict)
    _takers: dict[str, Taker] = field(factory=dict)
    _versions: dict[str, dict[str, str]] = field(factory=dict)
    _open: int = 0
    _lock: Any = field(factory=threading.Lock)
    _released: threading.Event = field(factory=threading.Event)
    _tcp: socketserver.ThreadingTCPServer | None = None

    def __enter__(self) -> Self:
        self._open_at(0)
        return self

    def __exit__(self, *exc: object) -> None:
        self._released.set()
        self._close()

    def _open_at(self, port: int) -> None:
        self._tcp = _Server(("127.0.0.1", port), _handler(self))
        threading.Thread(target=self._tcp.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def _close(self) -> None:
        assert self._tcp is not None
        self._tcp.shutdown()
        self._tcp.server_close()

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Nobody listens at its port during the block."""
        port = int(self.host.rpartition(":")[2])
        self._close()
        try:
            yield
        finally:
            self._open_at(port)

    @property
    def host(self) -> str:
        """`127.0.0.1:port`, as CONTENTGEN_ALLOWED_PRIVATE_HOSTS takes it."""
        assert self._tcp is not None
        return f"127.0.0.1:{self._tcp.server_address[1]}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"

    def serve(self, path: str, page: Page) -> str:
        """Answer a path by a page of one's own; its address."""
        self._pages[path] = page
        return self.url(path)

    def put(self, path: str, body: bytes | str, content_type: str = "text/html", **headers: str) -> str:
        """Publish a body; header names with `_` for `-`. Who has the one with this `etag` or `last_modified` is told
        so."""
        data = body.encode() if isinstance(body, str) else body
        asked_by = {"if-none-match": headers.get("etag"), "if-modified-since": headers.get("last_modified")}
        self._versions[path] = {name: value for name, value in asked_by.items() if value is not None}
        return self.serve(path, lambda write, _: write(answer(data, content_type=content_type, **headers)))

    def redirect(self, path: str, to: str, status: int = 302, *, is_moved: bool = False) -> str:
        status = 301 if is_moved else status
        return self.serve(path, lambda write, _: write(answer(b"", status, location=to)))

    def status(self, path: str, status: int, **headers: str) -> str:
        self._versions.pop(path, None)
        return self.serve(path, lambda write, _: write(answer(b"no", status, **headers)))

    def take(self, path: str, taker: Taker) -> str:
        """Answer a path by what is sent to it."""
        self._takers[path] = taker
        return self.url(path)

    def asked(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(visit.path == path for visit in list(self.visits))

    def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end of the server."""
        self._released.wait(seconds)
        if self._released.is_set():
            raise ConnectionAbortedError

    def _respond(self, path: str, headers: dict[str, str], body: bytes, write: Write) -> None:
        visit = Visit(path, headers)
        with self._lock:
            self.visits.append(visit)
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
        try:
            versions = self._versions.get(path, {})
            if self.all_status is not None:
                write(answer(b"no", self.all_status))
            elif path in self._takers:
                write(self._takers[path](body))
            elif any(headers.get(name) == value for name, value in versions.items()):
                visit.is_unchanged = True
                write(answer(b"", 304))
            else:
                self._pages.get(path, lambda send, _: send(answer(b"not here", 404)))(write, self)
        finally:
            visit.ended = time.monotonic()
            with self._lock:
                self._open -= 1


def answer(body: bytes, status: int = 200, **headers: str) -> bytes:
    """An answer that ends its connection."""
    lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def slowly(body: bytes, delay: float) -> Page:
    """An honest page that takes its time before it answers."""

    def page(write: Write, server: WebServer) -> None:
        server.pause(delay)
        write(answer(body, content_type="text/html"))

    return page


def dripping(gap: float) -> Page:
    """A head at once, then a byte every `gap` seconds, for ever."""

    def page(write: Write, server: WebServer) -> None:
        write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>")
        while True:
            write(b".")
            server.pause(gap)

    return page


def dripping_head(gap: float) -> Page:
    """A head that never ends, a byte at a time."""

    def page(write: Write, server: WebServer) -> None:
        write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            write(b"a")
            server.pause(gap)

    return page


def silent(write: Write, server: WebServer) -> None:
    """Takes the request and says nothing."""
    server.pause(3_600)


def endless(write: Write, server: WebServer) -> None:
    """A body that never ends, as fast as it is taken."""
    write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>")
    while True:
        write(b"<p>more and more</p>" * 3_000)


def huge_head(write: Write, server: WebServer) -> None:
    """Header after header, without end."""
    write(b"HTTP/1.1 200 OK\r\n")
    while True:
        write(b"X-Filler: " + b"a" * 8_000 + b"\r\n")


def endless_hints(write: Write, server: WebServer) -> None:
    """One interim answer after the other (RFC 9110, 15.2), and never the real one."""
    while True:
        write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)
        server.pause(0.001)


def broken_off(write: Write, server: WebServer) -> None:
    """Promises more than it sends."""
    write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n<html><body><p>begun")


def no_http(write: Write, server: WebServer) -> None:
    write(b"SSH-2.0-OpenSSH_9.9\r\n\x00\x01\x02")


def bomb(layers: int = 1, size: int = 200_000_000) -> bytes:
    """A page of spaces, packed so often: a few hundred KB, or bytes, that unpack to `size`."""
    body = b"".join(_packed(size))
    for _ in range(layers - 1):
        body = gzip.compress(body)
    return body


def _packed(size: int) -> Iterator[bytes]:
    import zlib

    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b" " * 1_000_000
    for _ in range(size // len(piece)):
        yield packer.compress(piece)
    yield packer.flush()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 128


def _handler(server: WebServer) -> type[socketserver.StreamRequestHandler]:
    class Handler(socketserver.StreamRequestHandler):
        disable_nagle_algorithm = True

        def handle(self) -> None:
            with suppress(ConnectionError, TimeoutError):
                line = self.rfile.readline(65_536).decode("latin-1").split(" ")
                headers = {}
                while (header := self.rfile.readline(65_536)) not in (b"\r\n", b""):
                    name, _, value = header.decode("latin-1").partition(":")
                    headers[name.strip().lower()] = value.strip()
                body = self.rfile.read(int(headers.get("content-length", "0")))
                if len(line) == 3:
                    server._respond(line[1], headers, body, self._write)

        def _write(self, data: bytes) -> None:
            self.request.sendall(data)

    return Handler
