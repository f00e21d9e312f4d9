"""`contentgen serve`: processes that answer requests and processes that do jobs, or one that does both."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from attrs import frozen

from contentgen_core.errors import ContentgenError
from contentgen_grounded.bootstrap.checking import check_settings
from contentgen_grounded.bootstrap.shared_embedding import embedding_process
from contentgen_grounded.cores import api_processes, job_processes, usable_cores
from contentgen_grounded.settings import Settings
from contentgen_http.jobs.stop_seconds import longest_stop_seconds
from contentgen_http.mcp.hosts import AllowedHosts
from contentgen_http.processes.database_watch import keep_database_running, supervise
from contentgen_http.processes.process_deaths import EMBEDDING, ProcessDeaths
from contentgen_http.processes.programs import ANSWER, DO_JOBS, SHUTDOWN_SECONDS, Answering, program
from contentgen_http.processes.shared_file import shared_file
from contentgen_http.processes.sigterm_while_starting import SigtermWhileStarting
from contentgen_http.processes.supervision import Group, Lifetime, Supervisor, preload
from contentgen_http.server.client_addresses import networks
from contentgen_http.server.health_while_starting import alive
from contentgen_http.telemetry.logs import configure_logging
from contentgen_http.telemetry.shared_metrics import shared_metrics

if TYPE_CHECKING:
    from contentgen_grounded.bootstrap.database import Database

SEND_TIMEOUT_SECONDS = 60  # until a client that does not acknowledge data is disconnected (TCP_USER_TIMEOUT)
NICENESS = 5
"""Of processes that do jobs: when all cores are busy, those that answer requests go first."""

log = structlog.get_logger("contentgen.serve")


class CannotServe(ContentgenError):
    """The service cannot start; the text says what to do."""

    code = "cannot_serve"


@frozen
class Processes:
    """How many there are of each kind. `job`: 0 where those that answer requests do the jobs, too, or where
    `contentgen worker` does them."""

    api: int
    job: int

    @classmethod
    def chosen(cls, api: int | None, job: int | None, *, queue: bool) -> Processes:
        """As asked for, or else as many as the cores are worth. `queue`: whether workers get the jobs from a Redis."""
        cores = usable_cores()
        return cls(
            api_processes(cores) if api is None else api,
            (0 if queue else job_processes(cores)) if job is None else job,
        )

    @property
    def alone(self) -> bool:
        """Whether one process does all."""
        return self.api == 1 and self.job == 0


def serve(
    settings: Settings,
    *,
    demo: bool,
    workers: int | None = None,
    job_workers: int | None = None,
    no_jobs: bool = False,
) -> None:
    """Serves until SIGINT or SIGTERM.

    `demo`: whether to create the demo tenant. `workers`: processes that answer requests. `job_workers`: processes that
    do jobs; 0: the former do them. Without a number, as many as this machine has cores for. `no_jobs`: nobody does any
    here. Raises CannotServe, and what opening the database raises.
    """
    starting = SigtermWhileStarting()
    configure_logging(settings.log_level)
    _check(settings)
    if no_jobs and job_workers:
        raise CannotServe("--no-jobs and --job-workers exclude each other.")
    processes = Processes.chosen(workers, 0 if no_jobs else job_workers, queue=settings.redis_url is not None)
    if settings.redis_url is not None and processes.job == 0 and not no_jobs:
        log.warning("jobs are left to the processes of `contentgen worker`, since a Redis is set")
    with _listen(settings.host, settings.port) as listening, alive(listening) as waiting, ExitStack() as stack:
        make_data_directory(settings.data_dir)
        if not processes.alone:
            stack.enter_context(shared_metrics())
            preload()
        from contentgen_grounded.bootstrap.database import (
            database,  # beside what is preloaded, and not before /health answers
        )

        starting.check()
        db = stack.enter_context(database(settings))
        db.migrate()
        if processes.alone:
            starting.run(_serve(settings, db, listening, waiting, demo=demo, no_jobs=no_jobs))
        else:
            starting.run(_supervise(processes, settings, db, listening, waiting, demo=demo, no_jobs=no_jobs))


def _check(settings: Settings) -> None:
    """What can be wrong with the settings, before anything starts. Raises CannotServe, BadSetting."""
    check_settings(settings)
    try:
        networks(settings.trusted_proxies)
    except ValueError as error:
        raise CannotServe(f"CONTENTGEN_TRUSTED_PROXIES: {error}.") from error
    try:
        AllowedHosts.of(settings.public_url, settings.mcp_allowed_hosts)
    except ValueError as error:
        raise CannotServe(f"CONTENTGEN_MCP_ALLOWED_HOSTS: {error}.") from error


def make_data_directory(folder: Path) -> None:
    """Make the folder, unless it is there. Raises CannotServe where it cannot be made, or written to."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotServe(f"The data directory {folder} cannot be made: {error.strerror or error}.") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CannotServe(f"The data directory {folder} cannot be written to by this user.")


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
                f"Port {port} on {host} is in use. Stop the other program, or choose another port with --port "
                "(make run: PORT=…)."
            ) from error
        raise CannotServe(f"Cannot listen on {host}:{port}: {error.strerror or error}.") from error
    return listening


async def _serve(
    settings: Settings, db: Database, listening: socket.socket, waiting: socket.socket, *, demo: bool, no_jobs: bool
) -> None:
    """Does everything in this process."""
    task = Answering(
        listening=listening,
        demo=demo,
        does_jobs=settings.redis_url is None and not no_jobs,
        no_jobs=no_jobs,
        waiting=waiting,
        beside=(keep_database_running(db),),
    )
    await program(ANSWER)(settings, db.conninfo, task, Lifetime())


async def _supervise(
    processes: Processes,
    settings: Settings,
    db: Database,
    listening: socket.socket,
    waiting: socket.socket,
    *,
    demo: bool,
    no_jobs: bool,
) -> None:
    """Starts the processes and keeps them running."""
    does_jobs = settings.redis_url is None and processes.job == 0 and not no_jobs
    with shared_file() as counted_in, shared_file() as died:
        deaths = ProcessDeaths(died)
        async with embedding_process(usable_cores(), partial(deaths.record, EMBEDDING)) as askers:
            task = Answering(
                listening=listening,
                demo=demo,
                does_jobs=does_jobs,
                no_jobs=no_jobs,
                pollers=processes.api,
                counted_in=counted_in,
                deaths=deaths,
                askers=askers,
                waiting=waiting,
            )
            groups = (
                Group("serve", processes.api, ANSWER, (db.conninfo, task)),
                Group("jobs", processes.job, DO_JOBS, (db.conninfo, askers, processes.job), NICENESS),
            )
            end_seconds = max(SHUTDOWN_SECONDS + 1, longest_stop_seconds(settings)) + 1
            await supervise(Supervisor(groups, end_seconds, settings, deaths), db)
