"""`contentgen serve`: one process that is the API, the job runner and the keeper of its database; or the keeper of
several that are the API."""

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
from contentgen_http.demonstration import ensure_demo, tour
from contentgen_http.mcp.hosts import Hosts
from contentgen_http.opening import open_services
from contentgen_http.rate_limit import networks
from contentgen_http.runner import end_seconds_of
from contentgen_http.services import Services
from contentgen_http.supervision import Lifetime, Supervisor
from contentgen_http.telemetry.exposition import shared_metrics
from contentgen_http.telemetry.logs import configure_logging

LOOK_AFTER_DATABASE_SECONDS = 2.0
UNREAD_SECONDS = 60  # after which a client that takes nothing of what it is sent, or that vanished, is cut off

log = structlog.get_logger("contentgen.serve")


class CannotServe(ContentgenError):
    """The service cannot start; the text says what to do."""

    code = "cannot_serve"


def serve(settings: Settings, *, demo: bool, workers: int = 1) -> None:
    """Serve until SIGINT or SIGTERM, from this process or from `workers` of it. Raises CannotServe, and what opening
    the database raises."""
    configure_logging(settings.log_level)
    try:
        networks(settings.trusted_proxies)
    except ValueError as error:
        raise CannotServe(f"CONTENTGEN_TRUSTED_PROXIES: {error}.") from error
    try:
        Hosts.of(settings.public_url, settings.mcp_allowed_hosts)
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


async def _serve(settings: Settings, db: Database, listening: socket.socket, *, demo: bool) -> None:
    """This process answers."""
    async with open_services(settings, db.conninfo) as services:
        key = await _prepare(services, settings, demo=demo)
        announce = partial(_announce, listening, key)
        await answer(services, settings, listening, Lifetime(), announce, [look_after(db)])


async def _serve_with(workers: int, settings: Settings, db: Database, listening: socket.socket, *, demo: bool) -> None:
    """Processes of this one answer; what there is to do once, it does."""
    async with open_services(settings, db.conninfo) as services:
        key = await _prepare(services, settings, demo=demo)
    end_seconds = max(SHUTDOWN_SECONDS + 1, end_seconds_of(settings)) + 1
    supervisor = Supervisor("serve", workers, end_seconds, supervised, settings, db.conninfo, listening)
    helpers = [asyncio.create_task(look_after(db)), asyncio.create_task(_announce_first(supervisor, listening, key))]
    try:
        with shared_metrics():
            await supervisor.run()
    finally:
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)


async def _prepare(services: Services, settings: Settings, *, demo: bool) -> str | None:
    """What is stored before the first request; the demo tenant's key."""
    await services.upkeep.catalogue()
    if settings.redis_url is not None:
        log.warning("jobs are left to the processes of `contentgen worker`, since a Redis is set")
    return (await ensure_demo(services, settings.data_dir)).key if demo else None


async def _announce_first(supervisor: Supervisor, listening: socket.socket, key: str | None) -> None:
    await supervisor.ready.wait()
    _announce(listening, key)


async def look_after(db: Database) -> None:
    """Bring a private database back that went away with the command that had started it."""
    while True:
        await asyncio.sleep(LOOK_AFTER_DATABASE_SECONDS)
        try:
            if await asyncio.to_thread(db.ensure_running):
                log.warning("the private database was gone and has been started again")
        except ContentgenError as error:
            log.error("the private database cannot be started", reason=error.log_text)


def _announce(listening: socket.socket, key: str | None) -> None:
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    lines = ["", f"Contentgen is at {address}", f"API reference: {address}/docs"]
    if key is not None:
        lines += [f"Demo tenant's API key: {key}", "", "The recommended flow:", tour(address, key)]
    with suppress(BrokenPipeError):
        print("\n".join(lines), flush=True)  # noqa: T201 - what a person who starts the service reads
