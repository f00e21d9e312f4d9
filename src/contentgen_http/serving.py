"""`contentgen serve`: processes that answer requests and processes that do jobs, or one that does both.

This module imports little: what it begins is under way while the rest is imported."""

from __future__ import annotations

import errno
import socket
from contextlib import ExitStack

from contentgen.cores import Processes
from contentgen.extras import from_extra
from contentgen.settings import Settings
from contentgen_core.errors import ContentgenError
from contentgen_http.client_addresses import networks
from contentgen_http.fork_server import preload
from contentgen_http.mcp.hosts import AllowedHosts
from contentgen_http.stopping import end_at_sigterm
from contentgen_http.telemetry.shared_figures import shared_figures

SEND_TIMEOUT_SECONDS = 60  # until a client that does not acknowledge data is disconnected (TCP_USER_TIMEOUT)


class CannotServe(ContentgenError):
    """The service cannot start; the text says what to do."""

    code = "cannot_serve"


def serve(settings: Settings, *, demo: bool, workers: int | None = None, job_workers: int | None = None) -> None:
    """Serves until SIGINT or SIGTERM.

    `demo`: whether to create the demo tenant. `workers`: processes that answer requests. `job_workers`: processes that
    do jobs; 0: the former do them. Without a number, as many as this machine has cores for. Raises CannotServe,
    MissingExtra, and what opening the database raises.
    """
    end_at_sigterm()
    _check(settings)
    processes = Processes.chosen(workers, job_workers, queue=settings.redis_url is not None)
    with _listen(settings.host, settings.port) as listening, ExitStack() as stack:
        if not processes.alone:
            stack.enter_context(shared_figures())
            preload()
        with from_extra("server"):
            from contentgen_http.served import serve_on  # now, since what it imports takes a third of a second
        serve_on(listening, processes, settings, demo=demo)


def _check(settings: Settings) -> None:
    """What can be wrong with the settings, before anything starts. Raises CannotServe, BadSetting."""
    try:
        networks(settings.trusted_proxies)
    except ValueError as error:
        raise CannotServe(f"CONTENTGEN_TRUSTED_PROXIES: {error}.") from error
    try:
        AllowedHosts.of(settings.public_url, settings.mcp_allowed_hosts)
    except ValueError as error:
        raise CannotServe(f"CONTENTGEN_MCP_ALLOWED_HOSTS: {error}.") from error
    if settings.redis_url is not None:
        from contentgen.bootstrap.queue import check_redis_url

        check_redis_url(settings)


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
