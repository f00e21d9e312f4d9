"""One process that answers requests, from its opening to its graceful end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import structlog
import uvicorn

from contentgen.settings import Settings
from contentgen_http.app import create_app, end_streams
from contentgen_http.collector import spare_the_loaded
from contentgen_http.open_files import allow_open_files
from contentgen_http.opening import open_services
from contentgen_http.runner import JobRunner, end_seconds_of
from contentgen_http.services import Services
from contentgen_http.supervision import Lifetime

SHUTDOWN_SECONDS = 2

log = structlog.get_logger("contentgen.serve")


class _Server(uvicorn.Server):
    """Leaves signals to us. uvicorn raises them again after its shutdown; a SIGTERM would then end the process before
    jobs are handed back and the database is stopped."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        """`ending` is called when the server begins to end, for whatever reason: before it waits for what is open."""
        super().__init__(config)
        self._ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(sockets)

    def stop(self) -> None:
        """Finish what is under way; asked twice, do not wait for it."""
        self.force_exit = self.should_exit
        self.should_exit = True


async def supervised(settings: Settings, conninfo: str, listening: socket.socket, lifetime: Lifetime) -> None:
    """The program of one of several processes on one socket."""
    async with open_services(settings, conninfo) as services:
        await answer(services, settings, listening, lifetime, lifetime.ready)


async def answer(
    services: Services,
    settings: Settings,
    listening: socket.socket,
    lifetime: Lifetime,
    on_ready: Callable[[], None],
    beside: Sequence[Coroutine[None, None, None]] = (),
) -> None:
    """Answer requests, and do jobs where no workers do them, until the lifetime is over. `beside` runs meanwhile; when
    a part of it breaks, the process ends."""
    allow_open_files(settings.event_streams)
    app = create_app(
        services,
        trusted_proxies=settings.trusted_proxies,
        event_streams=settings.event_streams,
        event_streams_of_tenant=settings.event_streams_of_tenant,
        mcp_allowed_hosts=settings.mcp_allowed_hosts,
    )
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="on",
            server_header=False,
            proxy_headers=False,  # whom to believe is a setting of ours
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        ),
        partial(end_streams, app),
    )
    helpers = [
        asyncio.create_task(part)
        for part in (*beside, spare_the_loaded(services.ports.index), _announce(server, on_ready))
    ]
    runner, working = None, None
    if settings.redis_url is None:
        runner = JobRunner(services, settings.generations, drain_seconds=settings.drain_seconds, posts=settings.posts)
        working = asyncio.create_task(runner.run())
        helpers.append(working)

    def stop(at_once: bool) -> None:
        server.stop()
        if runner is not None:
            runner.stop(at_once=at_once)

    lifetime.begin(stop)
    for helper in helpers:
        helper.add_done_callback(lambda ended: _stop_if_broken(server, ended))
    try:
        await server.serve(sockets=[listening])
        if runner is not None and working is not None:
            if not runner.stopping:
                runner.stop()
            await asyncio.wait((working,), timeout=end_seconds_of(settings))
    finally:
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)


def _stop_if_broken(server: uvicorn.Server, helper: asyncio.Task[None]) -> None:
    """A service that answers but no longer works is worse than one that stops and is started again."""
    if not helper.cancelled() and (error := helper.exception()) is not None:
        log.critical("stopping: a part of the service broke", exc_info=error)
        server.should_exit = True


async def _announce(server: uvicorn.Server, on_ready: Callable[[], None]) -> None:
    while not server.started:  # noqa: ASYNC110 - uvicorn offers no event for it
        await asyncio.sleep(0.02)
    on_ready()
