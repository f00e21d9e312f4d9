"""What stands between the product and a real server and spoils one call: the answer is cut off, the request is, both
are late, or there is nobody but a broken gateway."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from attrs import define, field

from tests.live.small_http import Request, respond, serving

LATE_SECONDS: Final = 36.0
"""Longer than the product waits for an answer, which is 30 s."""
MADE_AGAIN_SECONDS: Final = 10.0
"""From giving up waiting to the post that is made again."""


class Fault(StrEnum):
    ANSWER_CUT = "the answer is cut after the work was done"
    REQUEST_CUT = "the request is cut before it arrives"
    ANSWER_LATE = "the answer comes when nobody waits for it any more"
    REQUEST_LATE = "the request arrives when the product has asked for the post and made it again"
    BROKEN = "a gateway answers 503 itself"


@define
class Spoiling:
    """The faults of requests that are still to come."""

    fault: Fault
    which: Callable[[Request], bool]
    times: int = 1
    spoilt: int = 0


@define
class FaultyProxy:
    """`upstream`: the address of the real server, known once it runs. `seen`: what came in, in its order."""

    address: str
    upstream: str = ""
    spoiling: list[Spoiling] = field(factory=list)
    seen: list[Request] = field(factory=list)

    def spoil(self, fault: Fault, which: Callable[[Request], bool], times: int = 1) -> Spoiling:
        self.spoiling.append(made := Spoiling(fault, which, times))
        return made

    async def handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self.seen.append(request)
        fault = self._fault_of(request)
        if fault is Fault.REQUEST_CUT or not self.upstream:
            return
        if fault is Fault.BROKEN:
            respond(writer, 503, b"<html>Service Unavailable</html>", "text/html")
            return
        if fault is Fault.REQUEST_LATE:
            await asyncio.sleep(LATE_SECONDS + MADE_AGAIN_SECONDS)
        answer = await self._forwarded(request)
        if fault is Fault.ANSWER_CUT:
            return
        if fault is Fault.ANSWER_LATE:
            await asyncio.sleep(LATE_SECONDS)
        writer.write(answer)

    def _fault_of(self, request: Request) -> Fault | None:
        for spoiling in self.spoiling:
            if spoiling.spoilt < spoiling.times and spoiling.which(request):
                spoiling.spoilt += 1
                return spoiling.fault
        return None

    async def _forwarded(self, request: Request) -> bytes:
        """The whole answer, as it comes."""
        parts = urlsplit(self.upstream)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            lines = [line for line in request.head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
            writer.write(b"\r\n".join([*lines, b"Connection: close", b"", b""]) + request.body)
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()


@asynccontextmanager
async def faulty_proxy() -> AsyncIterator[FaultyProxy]:
    proxy = FaultyProxy("")
    async with serving(proxy.handle) as port:
        proxy.address = f"http://127.0.0.1:{port}"
        yield proxy
