"""The Model Context Protocol over standard input and output. Importing this module imports the SDK."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from itertools import chain
from threading import Thread
from typing import Final, cast

import anyio
import msgspec
from attrs import define, field
from mcp.server.stdio import stdio_server

from contentgen_grounded.version import VERSION
from contentgen_http.mcp.server import make_server
from contentgen_http.mcp.toolbox import OVER_STDIO
from contentgen_http.services import Services

MAX_LINE: Final = 1024 * 1024
"""Bytes of one message; none of these tools needs a longer one."""
WAITING: Final = 100
"""Messages buffered from the input."""
PENDING_SECONDS: Final = 10.0
"""How long to wait for pending answers after the input ended."""
_CHUNK: Final = 65_536


class _Message(msgspec.Struct):
    id: str | int | float | msgspec.UnsetType | None = msgspec.UNSET
    method: str | msgspec.UnsetType = msgspec.UNSET


async def serve_stdio(services: Services) -> None:
    """Answers messages until standard input ends, or SIGTERM or SIGINT arrives."""
    speaking = asyncio.create_task(_serve(services))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, speaking.cancel)
    await asyncio.wait((speaking,))
    if not speaking.cancelled():
        speaking.result()


async def _serve(services: Services) -> None:
    server = make_server(services, OVER_STDIO, VERSION)
    with redirected_stdout() as output:
        open_ones = PendingRequests()
        lines, answers = LineReader(sys.stdin.fileno(), open_ones), LineWriter(output, open_ones)
        async with stdio_server(cast("anyio.AsyncFile[str]", lines), cast("anyio.AsyncFile[str]", answers)) as (
            reading,
            writing,
        ):
            await server.run(reading, writing, server.create_initialization_options())


@contextmanager
def redirected_stdout() -> Iterator[int]:
    """A descriptor of standard output for the protocol; other output of the process goes to standard error."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield kept
    finally:
        os.dup2(kept, 1)
        os.close(kept)


@define(eq=False)
class PendingRequests:
    """Requests without an answer yet. The SDK would drop them when the input ends, but a client may write its requests,
    close its end and wait for the answers."""

    _ids: list[str | int | float] = field(factory=list, init=False)
    _none: asyncio.Event = field(factory=asyncio.Event, init=False)

    def read(self, text: str) -> None:
        message = _parse(text)
        if message is not None and message.method is not msgspec.UNSET and isinstance(message.id, str | int | float):
            self._ids.append(message.id)

    def answered(self, text: str) -> None:
        message = _parse(text)
        if message is not None and message.method is msgspec.UNSET and message.id in self._ids:
            self._ids.remove(message.id)
            if not self._ids:
                self._none.set()

    async def wait_until_answered(self) -> None:
        """Wait until all requests are answered, at most PENDING_SECONDS: cancelled requests never are."""
        self._none.clear()
        if self._ids:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._none.wait(), PENDING_SECONDS)


def _parse(text: str) -> _Message | None:
    try:
        return msgspec.json.decode(text, type=_Message)
    except (msgspec.DecodeError, RecursionError):
        return None


@define(eq=False)
class LineReader:
    """The lines of a file, read by a daemon thread: a thread that waits for input cannot be cancelled, and would keep
    the process from ending."""

    descriptor: int
    pending: PendingRequests
    _lines: asyncio.Queue[str | None] = field(factory=lambda: asyncio.Queue(WAITING), init=False)

    def __aiter__(self) -> AsyncIterator[str]:
        return self._read()

    async def _read(self) -> AsyncIterator[str]:
        loop = asyncio.get_running_loop()
        Thread(target=self._fill, args=(loop,), name="standard input", daemon=True).start()
        while (line := await self._lines.get()) is not None:
            self.pending.read(line)
            yield line
        await self.pending.wait_until_answered()

    def _fill(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError, CancelledError):  # the loop was closed meanwhile
            for line in chain(self._split_lines(), (None,)):
                asyncio.run_coroutine_threadsafe(self._lines.put(line), loop).result()

    def _split_lines(self) -> Iterator[str]:
        """Yield each complete line, and the rest behind the last line break."""
        begun = b""
        while chunk := os.read(self.descriptor, _CHUNK):
            *whole, begun = (begun + chunk).split(b"\n")
            yield from map(_text, whole)
            begun = begun[: MAX_LINE + 1]
        if begun.strip():
            yield _text(begun)


def _text(line: bytes) -> str:
    """The text of a line; invalid JSON in place of one that is too long."""
    return "…" if len(line) > MAX_LINE else line.decode("utf-8", "replace")


@define(eq=False)
class LineWriter:
    """Writes answers to a descriptor, one per line."""

    descriptor: int
    pending: PendingRequests

    async def write(self, text: str) -> None:
        await asyncio.to_thread(self._write, text.encode())
        self.pending.answered(text)

    async def flush(self) -> None:
        """Do nothing: writes are not buffered."""

    def _write(self, content: bytes) -> None:
        with suppress(BrokenPipeError):  # the client is gone; the input ends as well
            while content:
                content = content[os.write(self.descriptor, content) :]
