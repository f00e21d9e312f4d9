"""What is answered on the socket of a service that starts, and what waits for its application."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import uvloop

from contentgen_http.server.health_while_starting import alive, arrived

HEALTH = b"GET /health HTTP/1.1\r\nHost: here\r\nX-Request-Id: mine\r\n\r\n"
OTHERS = (
    b"GET /ready HTTP/1.1\r\nHost: here\r\n\r\n",
    b"GET /health?deep=1 HTTP/1.1\r\nHost: here\r\n\r\n",
    b"HEAD /health HTTP/1.1\r\nHost: here\r\n\r\n",
    b"POST /health HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}",
    b"GET /hea",
    b"GET /health HTTP/1.1\r\nHost: here\r\n",
    HEALTH + b"GET /ready HTTP/1.1\r\nHost: here\r\n\r\n",
    b"GET /health HTTP/1.1\r\nHost: here\r\nX: \r\n\r\n\r\n\r\n",
    b"\x16\x03\x01 not HTTP at all \r\n\r\n",
)


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def connected(listening: socket.socket) -> socket.socket:
    return socket.create_connection(listening.getsockname(), timeout=10)


def answer(connection: socket.socket, sent: bytes = HEALTH) -> bytes:
    connection.sendall(sent)
    received = b""
    while not received.endswith(b'{"status":"ok"}'):
        part = connection.recv(4096)
        assert part, received
        received += part
    return received


def test_health_is_answered_as_often_as_it_is_asked_for(listening: socket.socket) -> None:
    with alive(listening), connected(listening) as one, connected(listening) as another:
        for connection in (one, another, one, one):
            head, _, body = answer(connection).partition(b"\r\n\r\n")
            assert body == b'{"status":"ok"}'
            status, date, *headers = head.split(b"\r\n")
            assert status == b"HTTP/1.1 200 OK"
            assert re.fullmatch(rb"date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", date)
            assert headers == [
                b"content-type: application/json",
                b"content-length: 15",
                b"x-request-id: mine",
                b"x-content-type-options: nosniff",
                b"referrer-policy: same-origin",
                b"x-frame-options: DENY",
            ]


def test_a_connection_that_is_to_be_closed_is_closed(listening: socket.socket) -> None:
    with alive(listening):
        for sent, said in (
            (b"GET /health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n", b"\r\nconnection: close\r\n\r\n"),
            (b"GET /health HTTP/1.0\r\n\r\n", b"\r\nx-frame-options: DENY\r\n\r\n"),
        ):
            with connected(listening) as client:
                assert said in answer(client, sent)
                assert client.recv(1) == b""


@pytest.mark.parametrize("sent", OTHERS)
def test_whatever_else_is_sent_reaches_the_application_whole(listening: socket.socket, sent: bytes) -> None:
    with alive(listening) as waiting, connected(listening) as client:
        client.sendall(sent)
        waiting.settimeout(10)
        [taken] = arrived(waiting) or []
        with taken:
            taken.settimeout(10)
            assert taken.recv(4096) == sent
            taken.sendall(b"from the application")
            assert client.recv(4096) == b"from the application"


def test_a_connection_goes_on_at_the_application_after_health_was_answered(listening: socket.socket) -> None:
    with alive(listening) as waiting, connected(listening) as client:
        answer(client)
        client.sendall(OTHERS[0])
        waiting.settimeout(10)
        [taken] = arrived(waiting) or []
        with taken:
            assert taken.getpeername() == client.getsockname()
            taken.settimeout(10)
            assert taken.recv(4096) == OTHERS[0]


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_the_application_gets_all_that_waits_and_then_the_end(
    listening: socket.socket, run: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    with ExitStack() as stack:
        waiting = stack.enter_context(alive(listening))
        asking = [stack.enter_context(connected(listening)) for _ in range(30)]
        quiet = [stack.enter_context(connected(listening)) for _ in range(20)]
        answer(quiet[-1])  # those before it were accepted as well
        for number, client in enumerate(asking):
            client.sendall(b"GET /%d HTTP/1.1\r\n\r\n" % number)
        found: list[socket.socket] = []

        async def application() -> None:
            loop, ended = asyncio.get_running_loop(), asyncio.Event()

            def take() -> None:
                connections = arrived(waiting)
                found.extend(stack.enter_context(connection) for connection in connections or ())
                if connections is None:
                    loop.remove_reader(waiting)
                    ended.set()

            loop.add_reader(waiting, take)
            waiting.send(b".")
            async with asyncio.timeout(20):
                await ended.wait()

        run(application())
        assert {each.getpeername() for each in found} == {each.getsockname() for each in (*asking, *quiet)}
        late = stack.enter_context(connected(listening))  # which nobody but the application accepts any more
        listening.settimeout(10)
        accepted = stack.enter_context(listening.accept()[0])
        assert accepted.getpeername() == late.getsockname()


def test_it_ends_though_connections_wait_for_an_application_that_never_comes(listening: socket.socket) -> None:
    before = threading.active_count()
    with ExitStack() as stack:
        with alive(listening):
            for _ in range(400):  # more than fit between the two
                client = stack.enter_context(connected(listening))
                client.sendall(OTHERS[0])
        assert threading.active_count() == before


def test_a_client_that_goes_disturbs_nobody(listening: socket.socket) -> None:
    with alive(listening), connected(listening) as staying:
        for _ in range(20):
            connected(listening).close()
        assert answer(staying)
