"""An answer's head and body in one write. uvicorn writes them apart, which takes the kernel and the client twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle


class HeadWithBody:
    """The transport of one request, as its cycle uses it. A head that says how long its body is waits for the body's
    first part; others go at once, since what follows them may take its time."""

    __slots__ = ("_close", "_cycle", "_head", "_headed", "_transport")

    def __init__(self, cycle: RequestResponseCycle, close: Callable[[], None]) -> None:
        """`close`: ends the connection."""
        self._cycle, self._close = cycle, close
        self._transport: asyncio.Transport = cycle.transport
        self._headed, self._head = False, b""

    def write(self, part: bytes) -> None:
        if self._headed:
            head, self._head = self._head, b""
            self._transport.write(head + part if head else part)
        elif not self._cycle.response_started:
            self._transport.write(part)  # 100 Continue
        else:
            self._headed = True
            if self._cycle.expected_content_length and self._cycle.scope["method"] != "HEAD":
                self._head = part
            else:
                self._transport.write(part)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        """Sends the head that waits, of an answer that breaks off."""
        if self._head:
            self._transport.write(self._head)
        self._close()
