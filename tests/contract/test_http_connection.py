"""What the server itself bounds: header, body, and the time in which they arrive; over real connections."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_grounded.settings import Settings
from contentgen_http.console.refused import refused_page
from contentgen_http.processes.api_process import server_config
from contentgen_http.server import connection
from tests.support.served import served

SOON_SECONDS = 10.0


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the body's length; at /refuse without having read any of it."""
    length = 0
    while scope["path"] != "/refuse":
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length += len(message["body"])
        if not message["more_body"]:
            break
    body = b"%d" % length
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, *parts: bytes) -> None:
        with suppress(ConnectionError):  # whoever is refused may still be sending
            for part in parts:
                self.writer.write(part)
                await self.writer.drain()

    async def answer(self) -> tuple[int, bytes]:
        """Status and body of the next answer."""
        async with asyncio.timeout(SOON_SECONDS):
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
            return int(head[9:12]), await self.reader.readexactly(length)

    async def refusal(self) -> tuple[int, str]:
        """Status and code of the last answer."""
        status, body = await self.answer()
        problem = json.loads(body)
        assert problem["status"] == status
        assert problem["requestId"]
        assert await self.rest() == b""
        return status, problem["code"]

    async def rest(self) -> bytes:
        """What comes until the server has ended the connection."""
        async with asyncio.timeout(SOON_SECONDS):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""


@asynccontextmanager
async def connected(app: Any = echo, **bounds: Any) -> AsyncIterator[Client]:
    async with served(app, **bounds) as port, to(port) as client:
        yield client


@asynccontextmanager
async def to(port: int) -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()


def post(body: bytes, path: str = "/", **fields: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


GET = b"GET / HTTP/1.1\r\nHost: x\r\n"


async def test_what_is_within_bounds_is_answered_again_and_again() -> None:
    async with connected(header_bytes=2_000, body_bytes=300_000) as client:
        for size in (0, 1, 70_000, 300_000):
            await client.send(post(b"x" * size, x_long="y" * 1_000))
            assert await client.answer() == (200, b"%d" % size)


@pytest.mark.parametrize(
    "request_of",
    [
        pytest.param(lambda: [GET, b"X-Long: ", *[b"y" * 65_536] * 64], id="one field without an end"),
        pytest.param(lambda: [GET, *[b"X-%d: y\r\n" % n for n in range(10_000)]], id="fields without an end"),
        pytest.param(lambda: [GET, *[b"X-%d: y\r\n" % n for n in range(101)], b"\r\n"], id="too many fields"),
        pytest.param(lambda: [GET, b"X-Long: ", b"y" * 40_000, b"\r\n\r\n"], id="one field too large"),
        pytest.param(lambda: [b"GET /", *[b"y" * 65_536] * 64], id="an address without an end"),
        pytest.param(lambda: [b"GET / HTTP/1.1\r\n", b"X" * 200_000], id="a name without an end"),
        pytest.param(lambda: [b"\r\n" * 100_000], id="nothing but ends of lines"),
    ],
)
async def test_a_header_that_is_too_large_is_refused_before_it_is_held(request_of: Any) -> None:
    async with connected() as client:
        sending = asyncio.create_task(client.send(*request_of()))
        assert await client.refusal() == (431, "header_too_large")
        await sending


@pytest.mark.parametrize(
    "sent", [b"no HTTP\r\n\r\n", b"CONNECT a:1 HTTP/1.1\r\n\r\n", GET + b"Content-Length: x\r\n\r\n"]
)
async def test_what_is_no_request_is_a_problem(sent: bytes) -> None:
    async with connected() as client:
        await client.send(sent)
        assert await client.refusal() == (400, "invalid_input")


async def test_a_body_announced_too_large_is_refused_before_it_comes() -> None:
    async with connected(body_bytes=1_000) as client:
        await client.send(post(b"")[:-4].replace(b": 0", b": 1001") + b"\r\n\r\n")
        assert await client.refusal() == (413, "too_large")


async def test_a_browser_is_shown_a_page_once_it_has_sent_a_form_that_is_too_large() -> None:
    form = post(b"x" * 600_000, "/console/knowledge/add/files", Accept="text/html", Accept_Language="fr")
    async with served(echo, refused_page, body_bytes=1_000) as port, to(port) as client:
        await client.send(form[:300_000])
        await asyncio.sleep(1.5 * connection.LINGER_SECONDS)
        await client.send(form[300_000:])
        await asyncio.sleep(0.2)
        assert not client.writer.is_closing(), "a browser shows nothing where its form is cut off"
        status, page = await client.answer()
    assert status == 413
    assert "moins de 10 Mo" in page.decode()


async def test_an_answer_reaches_a_client_that_keeps_no_connection_and_still_sends() -> None:
    upload = post(b"x" * 2_000_000, "/refuse", Connection="close")
    async with connected(body_bytes=3_000_000) as client:
        await client.send(upload[:1_000_000])
        await asyncio.sleep(0.2)  # the answer is on its way
        await client.send(upload[1_000_000:])
        assert not client.writer.is_closing(), "the rest was refused"
        await asyncio.sleep(0.2)
        assert await client.answer() == (200, b"0")
        assert await client.rest() == b""


async def test_a_client_that_is_answered_and_never_stops_sending_is_ended() -> None:
    async with connected(body_bytes=10**9, body_seconds=0.5) as client:
        await client.send(post(b"", "/refuse", Connection="close").replace(b"Length: 0", b"Length: 100000000"))
        assert await client.answer() == (200, b"0")
        async with asyncio.timeout(SOON_SECONDS):
            with suppress(ConnectionError):
                while True:
                    client.writer.write(b"x" * 1_000)
                    await client.writer.drain()
                    await asyncio.sleep(0.05)


async def test_a_program_is_told_by_a_problem_also_where_the_console_is() -> None:
    async with served(echo, refused_page, body_bytes=1_000) as port, to(port) as client:
        await client.send(post(b"x" * 1_001, "/console/knowledge/add/files", Accept="application/json"))
        assert await client.refusal() == (413, "too_large")


def chunks(parts: Iterable[bytes]) -> list[bytes]:
    return [b"%x\r\n%b\r\n" % (len(part), part) for part in parts]


CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


async def test_a_body_that_announces_nothing_is_refused_once_it_is_too_large() -> None:
    async with connected(body_bytes=200_000) as client:
        sending = asyncio.create_task(client.send(CHUNKED, *chunks([b"x" * 10_000] * 100)))
        assert await client.refusal() == (413, "too_large")
        await sending


async def test_a_trailer_counts_as_header() -> None:
    async with connected() as client:
        sending = asyncio.create_task(client.send(CHUNKED, *chunks([b"x"]), b"0\r\nX-Long: ", *[b"y" * 65_536] * 64))
        assert await client.refusal() == (431, "header_too_large")
        await sending


async def test_a_body_that_nobody_reads_goes_on_for_no_longer_than_one_that_is_read() -> None:
    async with connected(body_bytes=200_000) as client:
        sending = asyncio.create_task(
            client.send(CHUNKED.replace(b"/ ", b"/refuse ", 1), *chunks([b"x" * 10_000] * 100))
        )
        assert await client.answer() == (200, b"0")
        assert await client.rest() == b""
        await sending


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", None),
        (b"GET / HT", 408),
        (GET, 408),
        (GET + b"X-Long: y", 408),
        (post(b"x" * 100)[:-1], 408),
        (post(b"x" * 100, path="/refuse")[:-1], 200),
        (CHUNKED + b"5\r\nabc", 408),
        (CHUNKED + b"3\r\nabc\r\n", 408),
    ],
)
async def test_what_does_not_arrive_in_time_is_ended(sent: bytes, answer: int | None) -> None:
    async with connected(header_seconds=0.1, body_seconds=0.1) as client:
        await client.send(sent)
        if answer is not None:
            assert (await client.answer())[0] == answer
        assert await client.rest() == b""


async def test_a_hundred_half_sent_requests_are_all_ended() -> None:
    async with served(echo, header_seconds=0.2, body_seconds=0.2) as port:
        halves = [GET, GET + b"X-Slow: ", post(b"x" * 9)[:-1], CHUNKED, b""] * 20

        async def half(sent: bytes) -> None:
            async with to(port) as client:
                await client.send(sent)
                await client.rest()

        async with asyncio.timeout(SOON_SECONDS):
            await asyncio.gather(*map(half, halves))


async def test_a_slow_body_that_keeps_coming_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LEAST_BYTES_A_SECOND", 1_000)
    async with connected(body_seconds=0.1) as client:
        await client.send(post(b"x" * 3_000)[:-3_000])
        for _ in range(30):
            await client.send(b"x" * 100)
            await asyncio.sleep(0.01)
        assert await client.answer() == (200, b"3000")


async def test_a_body_whose_reader_is_busy_is_not_late() -> None:
    let_go = asyncio.Event()

    async def busy(scope: Any, receive: Any, send: Any) -> None:
        await let_go.wait()
        await echo(scope, receive, send)

    async with connected(busy, body_seconds=0.05) as client:
        sending = asyncio.create_task(client.send(post(b"x" * 900_000)))
        await asyncio.sleep(0.3)
        let_go.set()
        assert await client.answer() == (200, b"900000")
        await sending


async def test_a_client_that_does_not_wait_for_its_answers_has_few_requests_waiting() -> None:
    started = 0

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        nonlocal started
        started += 1
        await asyncio.sleep(0.001)
        await echo(scope, receive, send)

    async with connected(slow) as client:
        await client.send((GET + b"\r\n") * 5)
        assert [await client.answer() for _ in range(5)] == [(200, b"0")] * 5
        await client.send((GET + b"\r\n") * 5_000)
        await client.rest()
    assert started < 5 + 5_000


async def test_a_connection_is_kept_for_as_long_as_is_set_and_no_longer() -> None:
    async with connected(idle_seconds=1) as client:
        for _ in range(3):
            await asyncio.sleep(0.5)
            await client.send(GET + b"\r\n")
            assert await client.answer() == (200, b"0")
        begun = asyncio.get_running_loop().time()
        assert await client.rest() == b""
        assert asyncio.get_running_loop().time() - begun >= 0.9


@given(cuts=st.lists(st.integers(0, 400), max_size=8), body=st.binary(max_size=200), times=st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_however_a_request_is_cut_the_answer_is_the_same(cuts: list[int], body: bytes, times: int) -> None:
    async def ask() -> None:
        whole = (CHUNKED + b"".join(chunks([body] if body else [])) + b"0\r\n\r\n" + post(body)) * times
        edges = [0, *sorted(min(cut * times, len(whole)) for cut in cuts), len(whole)]
        async with connected() as client:
            for start, end in pairwise(edges):
                await client.send(whole[start:end])
                await asyncio.sleep(0)
            assert [await client.answer() for _ in range(2 * times)] == [(200, b"%d" % len(body))] * 2 * times

    asyncio.run(ask())


def test_the_service_keeps_the_bounds_that_are_set() -> None:
    set_ones = Settings(header_bytes=2_000, header_seconds=3, body_seconds=4)
    made: Any = server_config(echo, set_ones).http
    assert made.func is connection.BoundedConnection
    assert server_config(echo, Settings(idle_seconds=9)).timeout_keep_alive == 9
    upload = 25 * 1024 * 1024 + 64 * 1024
    assert made.keywords["bounds"] == connection.Bounds(
        header_bytes=2_000, header_seconds=3, body_bytes=upload, body_seconds=4
    )


@pytest.mark.parametrize("sent", [post(b"x" * 9), post(b"x" * 9)[:-1], GET + b"\r\n", (GET + b"\r\n") * 3])
async def test_a_client_that_goes_ends_its_work_without_a_word(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        begun.set()
        try:
            await receive()
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with served(slow) as port:
        async with to(port) as client:
            await client.send(sent)
            async with asyncio.timeout(SOON_SECONDS):
                await begun.wait()
        async with asyncio.timeout(SOON_SECONDS):
            await ended.wait()
    assert [record.message for record in caplog.records] == []


async def test_a_request_that_breaks_is_still_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise asyncio.CancelledError

    async with connected(broken) as client:
        await client.send(GET + b"\r\n")
        assert (await client.answer())[0] == 500
    assert "Exception in ASGI application" in caplog.text
