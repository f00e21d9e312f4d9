"""The Model Context Protocol over standard input and output. Importing this loads the SDK."""

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

from contentgen.version import VERSION
from contentgen_http.mcp.server import make_server
from contentgen_http.mcp.toolbox import OVER_STDIO
from contentgen_http.services import Services

MAX_LINE: Final = 1024 * 1024
"""Bytes of one message; a longer one is no message of these tools."""
WAITING: Final = 100
"""Messages that are read ahead."""
FAREWELL_SECONDS: Final = 10.0
"""How long answers may still come once the last message was read."""
_CHUNK: Final = 65_536


class _Message(msgspec.Struct):
    id: str | int | float | msgspec.UnsetType | None = msgspec.UNSET
    method: str | msgspec.UnsetType = msgspec.UNSET


async def speak(services: Services) -> None:
    """Until standard input ends, or SIGTERM or SIGINT comes."""
    speaking = asyncio.create_task(_speak(services))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, speaking.cancel)
    await asyncio.wait((speaking,))
    if not speaking.cancelled():
        speaking.result()


async def _speak(services: Services) -> None:
    server = make_server(services, OVER_STDIO, VERSION)
    with standard_output_kept() as output:
        open_ones = Unanswered()
        lines, answers = Lines(sys.stdin.fileno(), open_ones), Answers(output, open_ones)
        async with stdio_server(cast("anyio.AsyncFile[str]", lines), cast("anyio.AsyncFile[str]", answers)) as (
            reading,
            writing,
        ):
            await server.run(reading, writing, server.create_initialization_options())


@contextmanager
def standard_output_kept() -> Iterator[int]:
    """A descriptor for the protocol alone; whatever else the process prints meanwhile goes to standard error."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield kept
    finally:
        os.dup2(kept, 1)
        os.close(kept)


@define(eq=False)
class Unanswered:
    """Requests that were read and not answered yet. The SDK drops them when the input ends; a client that writes its
    requests and closes its end at once wants its answers."""

    _ids: list[str | int | float] = field(factory=list, init=False)
    _none: asyncio.Event = field(factory=asyncio.Event, init=False)

    def read(self, text: str) -> None:
        message = _understood(text)
        if message is not None and message.method is not msgspec.UNSET and isinstance(message.id, str | int | float):
            self._ids.append(message.id)

    def answered(self, text: str) -> None:
        message = _understood(text)
        if message is not None and message.method is msgspec.UNSET and message.id in self._ids:
            self._ids.remove(message.id)
            if not self._ids:
                self._none.set()

    async def all_answered(self) -> None:
        """Or FAREWELL_SECONDS are over: a cancelled request is never answered."""
        self._none.clear()
        if self._ids:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._none.wait(), FAREWELL_SECONDS)


def _understood(text: str) -> _Message | None:
    try:
        return msgspec.json.decode(text, type=_Message)
    except (msgspec.DecodeError, RecursionError):
        return None


@define(eq=False)
class Lines:
    """The lines of a file, read by a thread that nobody waits for: one that waits for input cannot be ended, and would
    hold the process."""

    descriptor: int
    unanswered: Unanswered
    _lines: asyncio.Queue[str | None] = field(factory=lambda: asyncio.Queue(WAITING), init=False)

    def __aiter__(self) -> AsyncIterator[str]:
        return self._read()

    async def _read(self) -> AsyncIterator[str]:
        loop = asyncio.get_running_loop()
        Thread(target=self._fill, args=(loop,), name="standard input", daemon=True).start()
        while (line := await self._lines.get()) is not None:
            self.unanswered.read(line)
            yield line
        await self.unanswered.all_answered()

    def _fill(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError, CancelledError):  # the loop was closed meanwhile
            for line in chain(self._split(), (None,)):
                asyncio.run_coroutine_threadsafe(self._lines.put(line), loop).result()

    def _split(self) -> Iterator[str]:
        """Each line once it is whole, and what stands behind the last line break."""
        begun = b""
        while chunk := os.read(self.descriptor, _CHUNK):
            *whole, begun = (begun + chunk).split(b"\n")
            yield from map(_text, whole)
            begun = begun[: MAX_LINE + 1]
        if begun.strip():
            yield _text(begun)


def _text(line: bytes) -> str:
    """What is too long is no JSON, and read as any other line that is none."""
    return "…" if len(line) > MAX_LINE else line.decode("utf-8", "replace")


@define(eq=False)
class Answers:
    """Where answers are written to, one a line."""

    descriptor: int
    unanswered: Unanswered

    async def write(self, text: str) -> None:
        await asyncio.to_thread(self._write, text.encode())
        self.unanswered.answered(text)

    async def flush(self) -> None:
        """Nothing is held back."""

    def _write(self, content: bytes) -> None:
        with suppress(BrokenPipeError):  # nobody reads any more; the input ends as well then
            while content:
                content = content[os.write(self.descriptor, content) :]
