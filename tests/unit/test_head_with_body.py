"""An answer goes out as uvicorn writes it, its head with the first part of its body where that is sure to follow."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from contentgen_http.server.head_with_body import HeadWithBody


class Written:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.closed = False

    def write(self, part: bytes) -> None:
        if part:  # as asyncio's own do
            self.parts.append(part)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


def cycle_to(transport: Written, method: str = "GET", *, keep_alive: bool = True, waits: bool = False) -> Any:
    nothing: Any = None
    to_it: Any = transport
    flow: Any = SimpleNamespace(write_paused=False, resume_reading=lambda: None)
    return RequestResponseCycle(
        scope={"method": method},  # type: ignore[typeddict-item]
        transport=to_it,
        flow=flow,
        logger=nothing,
        access_logger=nothing,
        access_log=False,
        default_headers=[(b"date", b"now")],
        message_event=asyncio.Event(),
        expect_100_continue=waits,
        keep_alive=keep_alive,
        on_response=lambda: None,
    )


async def sent(cycle: Any, status: int, parts: list[bytes], *, known: bool) -> None:
    headers = [(b"content-length", b"%d" % len(b"".join(parts)))] if known else []
    await cycle.send({"type": "http.response.start", "status": status, "headers": headers})
    for n, part in enumerate(parts, 1):
        await cycle.send({"type": "http.response.body", "body": part, "more_body": n < len(parts)})


@given(
    st.lists(st.binary(max_size=9), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["GET", "HEAD"]),
)
@example([b"", b"late"], True, True, "GET")
@example([b""], True, False, "HEAD")
def test_an_answer_is_what_uvicorn_writes(parts: list[bytes], known: bool, keep_alive: bool, method: str) -> None:
    theirs, ours = Written(), Written()
    for transport in (theirs, ours):
        cycle = cycle_to(transport, method, keep_alive=keep_alive)
        if transport is ours:
            cycle.transport = HeadWithBody(cycle, cycle.transport.close)
        asyncio.run(sent(cycle, 200, parts, known=known))
    assert b"".join(ours.parts) == b"".join(theirs.parts)
    assert ours.closed is theirs.closed is not keep_alive


async def test_a_whole_answer_is_one_write() -> None:
    written = Written()
    cycle = cycle_to(written)
    cycle.transport = HeadWithBody(cycle, cycle.transport.close)
    await sent(cycle, 200, [b"body"], known=True)
    [answer] = written.parts
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"\r\n\r\nbody")


async def test_a_head_whose_body_may_take_its_time_goes_at_once() -> None:
    written = Written()
    cycle = cycle_to(written)
    cycle.transport = HeadWithBody(cycle, cycle.transport.close)
    await cycle.send({"type": "http.response.start", "status": 200, "headers": []})
    assert b"".join(written.parts).endswith(b"transfer-encoding: chunked\r\n\r\n")


async def test_an_answer_that_breaks_off_has_its_head() -> None:
    written = Written()
    cycle = cycle_to(written)
    cycle.transport = HeadWithBody(cycle, cycle.transport.close)
    await cycle.send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    assert written.parts == []
    cycle.transport.close()
    assert b"".join(written.parts).endswith(b"content-length: 4\r\n\r\n")
    assert written.closed


async def test_whoever_asks_first_is_told_to_go_on_before_the_answer() -> None:
    written = Written()
    cycle = cycle_to(written, "POST", waits=True)
    cycle.transport = HeadWithBody(cycle, cycle.transport.close)
    cycle.message_event.set()
    await cycle.receive()
    assert written.parts == [b"HTTP/1.1 100 Continue\r\n\r\n"]
    await sent(cycle, 200, [b"body"], known=True)
    assert len(written.parts) == 2
