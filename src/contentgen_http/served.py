"""What `contentgen serve` does once its address is bound: the database is started, and processes answer on it."""

from __future__ import annotations

import asyncio
import socket

import structlog
import uvloop

from contentgen.bootstrap.database import Database, database
from contentgen.bootstrap.shared_embedding import embedding_process
from contentgen.cores import Processes, usable_cores
from contentgen.settings import Settings
from contentgen_http.alive import alive
from contentgen_http.database_watch import keep_database_running, supervise
from contentgen_http.programs import ANSWER, DO_JOBS, Answering, program
from contentgen_http.shared_file import shared_file
from contentgen_http.stopping import SHUTDOWN_SECONDS, longest_stop_seconds
from contentgen_http.supervision import Group, Lifetime, Supervisor
from contentgen_http.telemetry.logs import configure_logging
from contentgen_http.unknown_settings import warn_of_unknown_settings

NICENESS = 5
"""Of processes that do jobs: when all cores are busy, those that answer requests go first."""

log = structlog.get_logger("contentgen.serve")


def serve_on(listening: socket.socket, processes: Processes, settings: Settings, *, demo: bool) -> None:
    """Serves on a bound socket until SIGINT or SIGTERM. Raises what opening the database raises."""
    configure_logging(settings.log_level)
    warn_of_unknown_settings()
    if settings.redis_url is not None and processes.job == 0:
        log.warning("jobs are left to the processes of `contentgen worker`, since a Redis is set")
    with alive(listening) as waiting, database(settings) as db:
        db.migrate()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
            if processes.alone:
                loop.run(_serve(settings, db, listening, waiting, demo=demo))
            else:
                loop.run(_supervise(processes, settings, db, listening, waiting, demo=demo))


async def _serve(
    settings: Settings, db: Database, listening: socket.socket, waiting: socket.socket, *, demo: bool
) -> None:
    """Does everything in this process."""
    does_jobs, beside = settings.redis_url is None, (keep_database_running(db),)
    task = Answering(listening=listening, demo=demo, does_jobs=does_jobs, waiting=waiting, beside=beside)
    await program(ANSWER)(settings, db.conninfo, task, Lifetime())


async def _supervise(
    processes: Processes,
    settings: Settings,
    db: Database,
    listening: socket.socket,
    waiting: socket.socket,
    *,
    demo: bool,
) -> None:
    """Starts the processes and keeps them running."""
    does_jobs = settings.redis_url is None and processes.job == 0
    async with embedding_process(usable_cores()) as askers:
        with shared_file() as counted_in:
            task = Answering(
                listening=listening,
                demo=demo,
                does_jobs=does_jobs,
                counted_in=counted_in,
                askers=askers,
                waiting=waiting,
            )
            groups = (
                Group("serve", processes.api, ANSWER, (db.conninfo, task)),
                Group("jobs", processes.job, DO_JOBS, (db.conninfo, askers), NICENESS),
            )
            end_seconds = max(SHUTDOWN_SECONDS + 1, longest_stop_seconds(settings)) + 1
            await supervise(Supervisor(groups, end_seconds, settings), db)
