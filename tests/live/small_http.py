"""As much of an HTTP server as the receiver and the faulty proxy need: one request a connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from attrs import frozen

_LARGEST: Final = 16 * 1024 * 1024


@frozen
class Request:
    """`head`: its first line and headers as they came, without the empty line. Names of headers in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    head: bytes
    body: bytes


Handle = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(handle: Handle) -> AsyncIterator[int]:
    """Give each request to `handle`, and close its connection after that; yields the port."""
    under_way: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        under_way.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await handle(await _read(reader), writer)
                await writer.drain()
        finally:
            under_way.discard(task)
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        port: int = server.sockets[0].getsockname()[1]
        yield port
    finally:
        server.close()
        for task in list(under_way):
            task.cancel()


async def _read(reader: asyncio.StreamReader) -> Request:
    begin = await reader.readexactly(1)
    if not begin.isalpha():
        raise ConnectionError("this is no HTTP")  # WordPress tries TLS too
    head = begin + (await reader.readuntil(b"\r\n\r\n")).removesuffix(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    length = int(headers.get("content-length", 0))
    assert length <= _LARGEST
    assert "transfer-encoding" not in headers, "this reads bodies of a stated length alone"
    return Request(method, path, headers, head, await reader.readexactly(length))


def respond(writer: asyncio.StreamWriter, status: int, body: bytes, type: str = "application/json") -> None:
    head = (
        f"HTTP/1.1 {status} As told\r\nContent-Type: {type}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    writer.write(head.encode() + body)
