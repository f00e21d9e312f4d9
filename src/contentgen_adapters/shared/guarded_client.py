"""The client for addresses that a user entered or a search found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final

import httpcore
import httpx

from contentgen_adapters.shared.http import CONNECT, RequestHook, make_client, tls
from contentgen_adapters.shared.outgoing.errors import AddressRefused, NotReached
from contentgen_adapters.shared.outgoing.guard import AddressGuard, HostPort

CONNECTIONS: Final = 50
MAX_ATTEMPTS: Final = 4
"""Addresses of one host that are tried."""

_TRANSLATED: Final[dict[type[Exception], type[httpx.TransportError]]] = {
    httpcore.ConnectTimeout: httpx.ConnectTimeout,
    httpcore.ReadTimeout: httpx.ReadTimeout,
    httpcore.WriteTimeout: httpx.WriteTimeout,
    httpcore.PoolTimeout: httpx.PoolTimeout,
    httpcore.ConnectError: httpx.ConnectError,
    httpcore.ReadError: httpx.ReadError,
    httpcore.WriteError: httpx.WriteError,
    httpcore.UnsupportedProtocol: httpx.UnsupportedProtocol,
    httpcore.LocalProtocolError: httpx.LocalProtocolError,
    httpcore.RemoteProtocolError: httpx.RemoteProtocolError,
}


def guarded_client(
    guard: AddressGuard,
    *,
    transport: httpx.AsyncBaseTransport | None = None,
    connect: float = CONNECT,
    read: float = 60.0,
    request_hook: RequestHook | None = None,
    connections: int = CONNECTIONS,
    discreet: bool = False,
) -> httpx.AsyncClient:
    """Return a client like `http.make_client`, for addresses that are not the operator's own: each request passes the
    guard, and nothing of one request reaches the next (no cookies) or comes from the environment (no proxy: it would
    resolve names on its own). `transport`: replaces the network in tests. `connections`: how many there may be; a
    request that finds all of them in use waits as long as for a connection. `discreet`: every failure to connect is
    NotReached, for errors that are shown to the person who chose the address.
    """
    inner = transport or GuardedTransport(guard, connections=connections)
    inner = DiscreetTransport(inner) if discreet else inner
    client = make_client(transport=inner, connect=connect, read=read, request_hook=request_hook)
    client.cookies = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    return client


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Resolves a host through the guard, once, and connects to the addresses that the guard looked at. TLS above it
    verifies the certificate against the host's name, not the address."""

    def __init__(self, guard: AddressGuard, network: httpcore.AsyncNetworkBackend | None = None) -> None:
        self._guard = guard
        self._network = network or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the interface is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raises AddressRefused, UnknownHost, and httpcore's own ConnectError and ConnectTimeout."""
        try:
            async with asyncio.timeout(timeout):
                addresses = (await self._guard.addresses(HostPort(host, port)))[:MAX_ATTEMPTS]
                each = None if timeout is None else timeout / len(addresses)  # a dead one leaves time for the next
                return await self._connect(addresses, port, each, local_address, socket_options)
        except TimeoutError as exc:
            raise httpcore.ConnectTimeout(f"no connection within {timeout} s") from exc
        except OSError as exc:
            raise httpcore.ConnectError(str(exc)) from exc

    async def _connect(
        self,
        addresses: list[str],
        port: int,
        each: float | None,
        local_address: str | None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None,
    ) -> httpcore.AsyncNetworkStream:
        failure: Exception | None = None
        for address in addresses:
            try:
                return await self._network.connect_tcp(address, port, each, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as exc:
                failure = exc
        assert failure is not None, "the guard gives one address at least"
        raise failure

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("no socket of this machine is called")

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


class GuardedTransport(httpx.AsyncBaseTransport):
    """Connections behind the guard. Uses httpcore's public interface: httpx's own transport accepts no network backend,
    and one set in its private fields might one day be silently ignored.
    """

    def __init__(
        self,
        guard: AddressGuard,
        network: httpcore.AsyncNetworkBackend | None = None,
        connections: int = CONNECTIONS,
    ) -> None:
        """`network`: makes the connection in the end; None: TCP."""
        self._guard = guard
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls(),
            max_connections=connections,
            max_keepalive_connections=connections,  # fewer, and a burst opens what the one before it closed
            keepalive_expiry=30.0,
            network_backend=GuardedNetwork(guard, network),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        target = self._guard.check(request.url)
        assert isinstance(request.stream, httpx.AsyncByteStream)
        sent = httpcore.Request(
            method=request.method,
            # The host as it was checked: the name server is asked for nothing else.
            url=httpcore.URL(
                scheme=request.url.raw_scheme,
                host=target.host.encode("ascii"),
                port=target.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _translate_errors():
            response = await self._pool.handle_async_request(sent)
        return httpx.Response(
            response.status, headers=response.headers, stream=_Body(response), extensions=response.extensions
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class DiscreetTransport(httpx.AsyncBaseTransport):
    """Raises the same error whatever the reason for which there is no connection."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await self._inner.handle_async_request(request)
        except (AddressRefused, httpx.ConnectError, httpx.ConnectTimeout) as exc:
            raise NotReached from exc

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _translate_errors():
            async for piece in self._response.aiter_stream():
                yield piece

    async def aclose(self) -> None:
        with _translate_errors():
            await self._response.aclose()


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except tuple(_TRANSLATED) as exc:
        kind = next(httpx_kind for kind, httpx_kind in _TRANSLATED.items() if isinstance(exc, kind))
        raise kind(str(exc)) from exc
