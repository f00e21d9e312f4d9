"""`contentgen serve`: one process that is the API, the job runner and the keeper of its database."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import structlog
import uvicorn
import uvloop

from contentgen_core.errors import ContentgenError
from contentgen_http.app import create_app, end_streams
from contentgen_http.bootstrap import Database, database, open_services
from contentgen_http.collector import spare_the_loaded
from contentgen_http.demonstration import ensure_demo, tour
from contentgen_http.observability import configure_logging
from contentgen_http.open_files import allow_open_files
from contentgen_http.rate_limit import networks
from contentgen_http.runner import JobRunner
from contentgen_http.settings import Settings

SHUTDOWN_SECONDS = 2
LOOK_AFTER_DATABASE_SECONDS = 2.0
UNREAD_SECONDS = 60  # after which a client that takes nothing of what it is sent, or that vanished, is cut off

log = structlog.get_logger("contentgen.serve")


class CannotServe(ContentgenError):
    """The service cannot start; the text says what to do."""

    code = "cannot_serve"


def serve(settings: Settings, *, demo: bool) -> None:
    """Serve until SIGINT or SIGTERM. Raises CannotServe, and what opening the database raises."""
    configure_logging(settings.log_level)
    try:
        networks(settings.trusted_proxies)
    except ValueError as error:
        raise CannotServe(f"CONTENTGEN_TRUSTED_PROXIES: {error}.") from error
    listening = _listen(settings.host, settings.port)
    with listening, database(settings) as db:
        db.migrate()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
            loop.run(_serve(settings, db, listening, demo=demo))


def _listen(host: str, port: int) -> socket.socket:
    """Bind before anything else is started: a port in use is the most frequent reason not to start."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # of Linux; the connections that are accepted inherit it
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
        listening.listen(2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(
                f"Port {port} on {host} is in use. Stop the other program, or choose another port with --port."
            ) from error
        raise CannotServe(f"Cannot listen on {host}:{port}: {error.strerror or error}.") from error
    return listening


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


async def _serve(settings: Settings, db: Database, listening: socket.socket, *, demo: bool) -> None:
    allow_open_files(settings.event_streams)
    async with open_services(settings, db.conninfo) as services:
        await services.catalogue()
        key = (await ensure_demo(services, settings.data_dir)).key if demo else None
        app = create_app(
            services,
            trusted_proxies=settings.trusted_proxies,
            event_streams=settings.event_streams,
            event_streams_of_tenant=settings.event_streams_of_tenant,
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
            asyncio.create_task(JobRunner(services, settings.generations).run()),
            asyncio.create_task(spare_the_loaded(services.index)),
            asyncio.create_task(_look_after(db)),
            asyncio.create_task(_announce(server, listening, key)),
        ]
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(signal_number, server.stop)
        for helper in helpers:
            helper.add_done_callback(lambda ended: _stop_if_broken(server, ended))
        try:
            await server.serve(sockets=[listening])
        finally:
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)


def _stop_if_broken(server: uvicorn.Server, helper: asyncio.Task[None]) -> None:
    """A service that answers but no longer works is worse than one that stops and is started again."""
    if not helper.cancelled() and (error := helper.exception()) is not None:
        log.critical("stopping: a part of the service broke", exc_info=error)
        server.should_exit = True


async def _look_after(db: Database) -> None:
    """Bring a private database back that went away with the command that had started it."""
    while True:
        await asyncio.sleep(LOOK_AFTER_DATABASE_SECONDS)
        try:
            if await asyncio.to_thread(db.ensure_running):
                log.warning("the private database was gone and has been started again")
        except ContentgenError as error:
            log.error("the private database cannot be started", reason=error.detail)


async def _announce(server: uvicorn.Server, listening: socket.socket, key: str | None) -> None:
    while not server.started:  # noqa: ASYNC110 - uvicorn offers no event for it
        await asyncio.sleep(0.02)
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    lines = ["", f"Contentgen is at {address}", f"API reference: {address}/docs"]
    if key is not None:
        lines += [f"Demo tenant's API key: {key}", "", "The recommended flow:", tour(address, key)]
    with suppress(BrokenPipeError):
        print("\n".join(lines), flush=True)  # noqa: T201 - what a person who starts the service reads
