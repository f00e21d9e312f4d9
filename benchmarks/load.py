"""A load generator: `python -m benchmarks.load` reads a job as JSON on standard input and prints what happened.

Prepared requests over kept-open connections of this machine's loopback, each connection with one request under way.
A general HTTP client would take several times the CPU of the server that it measures."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import cycle
from typing import Final, cast

import uvloop
from attrs import frozen

CONNECTIONS: Final = 32
MAX_REQUESTS: Final = 200_000
LIMIT_SECONDS: Final = 120.0

_LENGTH: Final = b"content-length: "


@frozen
class Load:
    """The result of a run: answers, the seconds it took, and the bytes of their bodies."""

    answers: int
    seconds: float
    body_bytes: int


def request(path: str, **headers: str) -> str:
    """A GET request's text."""
    lines = [f"GET {path} HTTP/1.1", "host: 127.0.0.1", *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items())]
    return "\r\n".join(lines) + "\r\n\r\n"


def generate(port: int, requests: Sequence[str], count: int) -> Load:
    """Send `count` requests, taken in turn, from another process. Raises RuntimeError for any answer but 200."""
    if not 0 < count <= MAX_REQUESTS:
        raise ValueError(f"between 1 and {MAX_REQUESTS} requests")
    job = json.dumps({"port": port, "requests": list(requests), "count": count})
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"], input=job, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the load failed: {done.stderr[-2000:]}")
    return Load(**json.loads(done.stdout))


class _Work:
    def __init__(self, requests: Sequence[str], count: int) -> None:
        self._requests = cycle([text.encode("ascii") for text in requests])
        self._to_send, self._open = count, count
        self.bytes = 0
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def next(self) -> bytes | None:
        if not self._to_send:
            return None
        self._to_send -= 1
        return next(self._requests)

    def answered(self, size: int) -> None:
        self.bytes += size
        self._open -= 1
        if not self._open:
            self.finished.set_result(None)

    def fail(self, why: str) -> None:
        if not self.finished.done():
            self.finished.set_exception(RuntimeError(why))


class _Connection(asyncio.Protocol):
    """One request after another; an answer's end is known by its content-length."""

    def __init__(self, work: _Work) -> None:
        self._work = work
        self._head = b""
        self._missing = 0
        self._size = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is none by inheritance
        self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        self._work.fail(f"a connection was closed: {exc}")

    def data_received(self, data: bytes) -> None:
        if not self._missing:
            head, found, data = (self._head + data).partition(b"\r\n\r\n")
            if not found:
                self._head = head
                return
            self._head = b""
            if not head.startswith(b"HTTP/1.1 200 "):
                self._work.fail((head + b"\n" + data)[:500].decode("utf-8", "replace"))
                return
            self._size = self._missing = _content_length(head)
        self._missing -= len(data)
        if self._missing == 0:
            self._work.answered(self._size)
            self._send()

    def _send(self) -> None:
        message = self._work.next()
        if message is not None:
            self._transport.write(message)


def _content_length(head: bytes) -> int:
    lowered = head.lower()
    start = lowered.index(_LENGTH) + len(_LENGTH)
    end = lowered.find(b"\r\n", start)
    return int(lowered[start:] if end < 0 else lowered[start:end])


async def _run(port: int, requests: Sequence[str], count: int) -> dict[str, float]:
    loop = asyncio.get_running_loop()
    work = _Work(requests, count)
    begun = time.perf_counter()
    async with asyncio.timeout(LIMIT_SECONDS):
        for _ in range(min(CONNECTIONS, count)):
            await loop.create_connection(lambda: _Connection(work), "127.0.0.1", port)
        await work.finished
    return {"answers": count, "seconds": time.perf_counter() - begun, "body_bytes": work.bytes}


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(json.dumps(runner.run(_run(**json.load(sys.stdin)))))
