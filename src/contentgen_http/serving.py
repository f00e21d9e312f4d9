"""`contentgen serve`: one process with API, job runner and database checks, or a supervisor of several."""

from __future__ import annotations

import asyncio
import errno
import socket
from contextlib import suppress
from functools import partial

import structlog
import uvloop

from contentgen.bootstrap.database import Database, database
from contentgen.bootstrap.providers import check_redis_url
from contentgen.settings import Settings
from contentgen_core.errors import ContentgenError
from contentgen_http.api_process import SHUTDOWN_SECONDS, answer, supervised
from contentgen_http.demonstration import Demo, ensure_demo, tour
from contentgen_http.mcp.hosts import AllowedHosts
from contentgen_http.opening import open_services, warn_of_unknown_settings
from contentgen_http.rate_limit import networks
from contentgen_http.runner import longest_stop_seconds
from contentgen_http.services import Services
from contentgen_http.supervision import Lifetime, Supervisor
from contentgen_http.telemetry.exposition import shared_metrics
from contentgen_http.telemetry.logs import configure_logging

DATABASE_CHECK_SECONDS = 2.0
SEND_TIMEOUT_SECONDS = 60  # until a client that does not acknowledge data is disconnected (TCP_USER_TIMEOUT)

log = structlog.get_logger("contentgen.serve")


class CannotServe(ContentgenError):
    """The service cannot start; the text says what to do."""

    code = "cannot_serve"


def serve(settings: Settings, *, demo: bool, workers: int = 1) -> None:
    """Serves until SIGINT or SIGTERM.

    `demo`: whether to create the demo tenant. `workers`: processes that answer requests; 1 for this one. Raises
    CannotServe, and what opening the database raises.
    """
    configure_logging(settings.log_level)
    warn_of_unknown_settings()
    try:
        networks(settings.trusted_proxies)
    except ValueError as error:
        raise CannotServe(f"CONTENTGEN_TRUSTED_PROXIES: {error}.") from error
    try:
        AllowedHosts.of(settings.public_url, settings.mcp_allowed_hosts)
    except ValueError as error:
        raise CannotServe(f"CONTENTGEN_MCP_ALLOWED_HOSTS: {error}.") from error
    check_redis_url(settings)
    listening = _listen(settings.host, settings.port)
    with listening, database(settings) as db:
        db.migrate()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
            if workers == 1:
                loop.run(_serve(settings, db, listening, demo=demo))
            else:
                loop.run(_serve_with(workers, settings, db, listening, demo=demo))


def _listen(host: str, port: int) -> socket.socket:
    """Binds the socket before anything else starts: a port in use is the most common reason for a failed start."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; accepted connections inherit it
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SEND_TIMEOUT_SECONDS * 1000)
        listening.listen(2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(
                f"Port {port} on {host} is in use. Stop the other program, or choose another port with --port."
            ) from error
        raise CannotServe(f"Cannot listen on {host}:{port}: {error.strerror or error}.") from error
    return listening


async def _serve(settings: Settings, db: Database, listening: socket.socket, *, demo: bool) -> None:
    """Answers requests in this process."""
    async with open_services(settings, db.conninfo) as services:
        prepared = await _prepare(services, settings, demo=demo)
        announce = partial(_announce, listening, prepared)
        await answer(services, settings, listening, Lifetime(), announce, [keep_database_running(db)])


async def _serve_with(workers: int, settings: Settings, db: Database, listening: socket.socket, *, demo: bool) -> None:
    """Supervises processes that answer requests, and does what has to be done once."""
    async with open_services(settings, db.conninfo) as services:
        prepared = await _prepare(services, settings, demo=demo)
    end_seconds = max(SHUTDOWN_SECONDS + 1, longest_stop_seconds(settings)) + 1
    supervisor = Supervisor("serve", workers, end_seconds, supervised, settings, db.conninfo, listening)
    helpers = [
        asyncio.create_task(keep_database_running(db)),
        asyncio.create_task(_announce_first(supervisor, listening, prepared)),
    ]
    try:
        with shared_metrics():
            await supervisor.run()
    finally:
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)


async def _prepare(services: Services, settings: Settings, *, demo: bool) -> Demo | None:
    """Stores what has to exist before the first request; returns the demo tenant."""
    await services.upkeep.catalogue()
    if settings.redis_url is not None:
        log.warning("jobs are left to the processes of `contentgen worker`, since a Redis is set")
    return await ensure_demo(services, settings.data_dir) if demo else None


async def _announce_first(supervisor: Supervisor, listening: socket.socket, demo: Demo | None) -> None:
    await supervisor.ready.wait()
    _announce(listening, demo)


async def keep_database_running(db: Database) -> None:
    """Restarts a private database that ended, checking every DATABASE_CHECK_SECONDS."""
    while True:
        await asyncio.sleep(DATABASE_CHECK_SECONDS)
        try:
            if await asyncio.to_thread(db.ensure_running):
                log.warning("the private database was gone and has been started again")
        except ContentgenError as error:
            log.error("the private database cannot be started", reason=error.log_text)


def _announce(listening: socket.socket, demo: Demo | None) -> None:
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    lines = ["", f"Contentgen is at {address}", f"Console: {address}/console", f"API reference: {address}/docs"]
    if demo is not None:
        if demo.sign_in:
            lines.append(f"Sign in to the console as the demo's owner (once): {address}{demo.sign_in}")
        lines += [f"Demo tenant's API key: {demo.key}", "", "The recommended flow:", tour(address, demo.key)]
    with suppress(BrokenPipeError):
        print("\n".join(lines), flush=True)  # noqa: T201 - for the person who starts it
