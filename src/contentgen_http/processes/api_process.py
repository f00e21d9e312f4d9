"""A process that answers requests, from its start to its graceful shutdown."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import structlog
import uvicorn
from litestar.types import ASGIApp

from contentgen_grounded.settings import Settings
from contentgen_http.app import LARGEST_BODY, create_app, end_streams
from contentgen_http.console.refused import refused_page
from contentgen_http.demo.tenant import Demo, ensure_demo, tour
from contentgen_http.jobs.runner import JobRunner
from contentgen_http.jobs.stop_seconds import longest_stop_seconds
from contentgen_http.processes.garbage_collection import freeze_loaded_objects
from contentgen_http.processes.programs import SHUTDOWN_SECONDS, Answering
from contentgen_http.processes.supervision import Lifetime
from contentgen_http.server.connection import BoundedConnection, Bounds
from contentgen_http.server.fair_threads import SWITCH_SECONDS, THREADS, THREADS_OF_HOUSE, THREADS_OF_ONE, FairThreads
from contentgen_http.server.health_while_starting import arrived
from contentgen_http.server.open_file_limit import raise_file_limit
from contentgen_http.services import Services
from contentgen_http.services.open_services import open_services

log = structlog.get_logger("contentgen.serve")


class _Server(uvicorn.Server):
    """A server without signal handlers. uvicorn raises signals again after its shutdown: a SIGTERM would end the
    process before jobs are requeued and the database is stopped."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def __init__(
        self,
        config: uvicorn.Config,
        on_ready: Callable[[], None],
        ending: Callable[[], None],
        waiting: socket.socket | None,
    ) -> None:
        """`on_ready`: called once requests are accepted. `ending`: called when the shutdown begins, before the server
        waits for open connections. `waiting`: over it earlier ones come (`alive`)."""
        super().__init__(config)
        self._on_ready, self._ending, self._waiting = on_ready, ending, waiting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._waiting is not None:
            asyncio.get_running_loop().add_reader(self._waiting, self._take_up, self._waiting)
            with suppress(OSError):  # for a process that was started again
                self._waiting.send(b".")
        if self.started:
            self._on_ready()

    def _take_up(self, waiting: socket.socket) -> None:
        loop, connections = asyncio.get_running_loop(), arrived(waiting)
        if connections is None:
            loop.remove_reader(waiting)
        for connection in connections or ():
            taken = loop.create_task(loop.connect_accepted_socket(self._protocol, connection))
            self.server_state.tasks.add(taken)  # type: ignore[arg-type]  # waited for like those of requests
            taken.add_done_callback(self.server_state.tasks.discard)

    def _protocol(self) -> asyncio.Protocol:
        """As uvicorn makes it for a connection that it accepts."""
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(sockets)

    def stop(self) -> None:
        """Shut down gracefully; at the second call, without waiting for requests under way."""
        self.force_exit = self.should_exit
        self.should_exit = True


async def answer_requests(settings: Settings, conninfo: str, task: Answering, lifetime: Lifetime) -> None:
    """The program of such a process. `conninfo`: of the database, as psycopg takes it. Raises BadSetting,
    NotConfigured, Unavailable."""
    counted_in = None if task.counted_in is None else task.counted_in.descriptor
    async with open_services(
        settings, conninfo, counted_in=counted_in, askers=task.askers, sends_nothing=task.no_jobs
    ) as services:
        demo = None
        if lifetime.first:
            await services.upkeep.catalogue()
            demo = await ensure_demo(services, settings.data_dir) if task.demo else None

        def on_ready() -> None:
            lifetime.ready()
            if lifetime.first:
                announce(task.listening, demo, no_jobs=task.no_jobs)

        await _answer(services, settings, task, lifetime, on_ready)


async def _answer(
    services: Services, settings: Settings, task: Answering, lifetime: Lifetime, on_ready: Callable[[], None]
) -> None:
    """Answers until the lifetime ends. `on_ready`: called once requests are accepted."""
    raise_file_limit(settings.event_streams)
    asyncio.get_running_loop().set_default_executor(
        FairThreads(THREADS, THREADS_OF_ONE, "at-work", of_house=THREADS_OF_HOUSE)
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    app = create_app(
        services,
        trusted_proxies=settings.trusted_proxies,
        event_streams=settings.event_streams,
        event_streams_of_tenant=settings.event_streams_of_tenant,
        slow_requests_of_tenant=settings.slow_requests_of_tenant,
        mcp_allowed_hosts=settings.mcp_allowed_hosts,
        metrics_key=settings.metrics_key,
        no_jobs=task.no_jobs,
        process_fault=None if task.deaths is None else task.deaths.fault,
    )
    waiting = task.waiting if lifetime.first else None
    server = _Server(server_config(app, settings), on_ready, partial(end_streams, app), waiting)
    helpers = [asyncio.create_task(part) for part in (*task.beside, freeze_loaded_objects(services.ports.index))]
    runner, working = None, None
    if task.does_jobs:
        runner = JobRunner(
            services,
            settings.generations,
            drain_seconds=settings.drain_seconds,
            posts=settings.posts,
            syncs=settings.syncs,
            pollers=task.pollers,
            tenant_share=settings.tenant_share,
        )
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
        await server.serve(sockets=[task.listening])
        if runner is not None and working is not None:
            if not runner.stopping:
                runner.stop()
            await asyncio.wait((working,), timeout=longest_stop_seconds(settings))
    finally:
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)


def server_config(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How the server of `app` is set up, with bounds for what clients send."""
    bounds = Bounds(
        header_bytes=settings.header_bytes,
        header_seconds=settings.header_seconds,
        body_bytes=LARGEST_BODY,
        body_seconds=settings.body_seconds,
    )
    return uvicorn.Config(
        app,
        http=partial(BoundedConnection, bounds=bounds, page=refused_page),  # type: ignore[arg-type]  # called, never a base
        ws="none",
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        proxy_headers=False,  # trusted proxies are a setting of our own
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def _stop_if_broken(server: uvicorn.Server, helper: asyncio.Task[None]) -> None:
    """Stops the server when a background task fails: a restart is better than a service that works in part."""
    if not helper.cancelled() and (error := helper.exception()) is not None:
        log.critical("stopping: a part of the service broke", exc_info=error)
        server.should_exit = True


def announce(listening: socket.socket, demo: Demo | None, *, no_jobs: bool = False) -> None:
    """Print where the service is, and how to try the demo."""
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    lines = ["", f"Contentgen is at {address}", f"Console: {address}/console", f"API reference: {address}/docs"]
    if no_jobs:
        lines.append(
            "It does no jobs: nothing is written, published, mailed, synced or scheduled from here (--no-jobs)."
        )
    if demo is not None:
        if demo.sign_in:
            lines.append(f"Sign in to the console as the demo's owner (once): {address}{demo.sign_in}")
        lines += [f"Demo tenant's API key: {demo.key}", "", "The recommended flow:", tour(address, demo.key)]
    with suppress(BrokenPipeError):
        print("\n".join(lines), flush=True)  # noqa: T201 - for the person who starts it
