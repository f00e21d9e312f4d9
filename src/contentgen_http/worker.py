"""`contentgen worker`: processes that do jobs and answer nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import structlog
import uvloop

from contentgen.bootstrap.database import Database, check_keys, database
from contentgen.bootstrap.providers import check_redis_url, job_queue
from contentgen.settings import Settings
from contentgen_core.errors import ContentgenError
from contentgen_http.garbage_collection import freeze_loaded_objects
from contentgen_http.opening import open_services, warn_of_unknown_settings
from contentgen_http.runner import JobRunner, longest_stop_seconds
from contentgen_http.serving import keep_database_running
from contentgen_http.supervision import Lifetime, Supervisor
from contentgen_http.telemetry.exposition import shared_metrics
from contentgen_http.telemetry.logs import configure_logging
from contentgen_http.telemetry.scraped import scraped

log = structlog.get_logger("contentgen.worker")


class CannotWork(ContentgenError):
    """The worker cannot start; the text says what to do."""

    code = "cannot_work"


def work(settings: Settings, *, processes: int) -> None:
    """Runs jobs in so many processes until SIGINT or SIGTERM. Raises CannotWork, BadSetting, NotConfigured, and what
    opening the database raises."""
    configure_logging(settings.log_level)
    warn_of_unknown_settings()
    if settings.database_url is None and not (settings.data_dir / "postgres").is_dir():
        raise CannotWork(
            f"There is no database in {settings.data_dir}. Set CONTENTGEN_DATABASE_URL to the database of the service,"
            " or --data-dir to its data directory."
        )
    check_redis_url(settings)
    with database(settings) as db:
        db.migrate()
        asyncio.run(check_keys(settings, db.conninfo))
        with (
            shared_metrics() as figures,
            _scraped(settings, figures),
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop,
        ):
            loop.run(_supervise(settings, db, processes))


@contextmanager
def _scraped(settings: Settings, figures: Path) -> Iterator[None]:
    """Serves the metrics of all processes during the block, if a port is set. Raises CannotWork."""
    if settings.metrics_port is None:
        yield
        return
    with ExitStack() as stack:
        try:
            port = stack.enter_context(scraped(settings.host, settings.metrics_port, None, str(figures)))
        except OSError as error:
            at = f"{settings.host}:{settings.metrics_port}"
            raise CannotWork(f"Metrics cannot be answered at {at}: {error.strerror or error}.") from error
        log.info("answering /metrics and /health", host=settings.host, port=port)
        yield


async def _supervise(settings: Settings, db: Database, processes: int) -> None:
    supervisor = Supervisor("worker", processes, longest_stop_seconds(settings) + 1, do_jobs, settings, db.conninfo)
    helpers = [asyncio.create_task(keep_database_running(db)), asyncio.create_task(_announce(supervisor, processes))]
    try:
        await supervisor.run()
    finally:
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)


async def _announce(supervisor: Supervisor, processes: int) -> None:
    await supervisor.ready.wait()
    log.info("working", processes=processes)


async def do_jobs(settings: Settings, conninfo: str, lifetime: Lifetime) -> None:
    """The program of one worker process."""
    async with open_services(settings, conninfo, jobs_alone=True) as services:
        with job_queue(settings) as queue:
            runner = JobRunner(
                services, settings.generations, queue=queue, drain_seconds=settings.drain_seconds, posts=settings.posts
            )
            sparing = asyncio.create_task(freeze_loaded_objects(services.ports.index))
            lifetime.begin(lambda at_once: runner.stop(at_once=at_once))
            lifetime.ready()
            try:
                await runner.run()
            finally:
                sparing.cancel()
                await asyncio.gather(sparing, return_exceptions=True)
