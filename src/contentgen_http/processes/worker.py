"""`contentgen worker`: processes that do jobs and answer nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import structlog

from contentgen_core.errors import ContentgenError
from contentgen_grounded.bootstrap.checking import check_settings
from contentgen_grounded.bootstrap.database import Database, database
from contentgen_grounded.bootstrap.shared_embedding import embedding_process
from contentgen_grounded.cores import usable_cores
from contentgen_grounded.settings import Settings
from contentgen_http.jobs.stop_seconds import longest_stop_seconds
from contentgen_http.processes.database_watch import supervise
from contentgen_http.processes.process_deaths import EMBEDDING, ProcessDeaths
from contentgen_http.processes.programs import DO_JOBS_ALONE
from contentgen_http.processes.shared_file import shared_file
from contentgen_http.processes.sigterm_while_starting import SigtermWhileStarting
from contentgen_http.processes.supervision import Group, Supervisor, preload
from contentgen_http.telemetry.logs import configure_logging
from contentgen_http.telemetry.scraped import serve_metrics
from contentgen_http.telemetry.shared_metrics import shared_metrics

log = structlog.get_logger("contentgen.worker")


class CannotWork(ContentgenError):
    """The worker cannot start; the text says what to do."""

    code = "cannot_work"


def work(settings: Settings, *, processes: int) -> None:
    """Runs jobs in so many processes until SIGINT or SIGTERM. Raises CannotWork, BadSetting, NotConfigured, and what
    opening the database raises."""
    starting = SigtermWhileStarting()
    configure_logging(settings.log_level)
    if settings.database_url is None and not (settings.data_dir / "postgres").is_dir():
        raise CannotWork(
            f"There is no database in {settings.data_dir}. Set CONTENTGEN_DATABASE_URL to the database of the service,"
            " or --data-dir to its data directory."
        )
    check_settings(settings)
    with shared_metrics() as figures:
        preload()
        with database(settings) as db:
            db.migrate()
            starting.run(_supervise(settings, db, processes, figures))


@contextmanager
def _scraped(settings: Settings, figures: Path, deaths: ProcessDeaths) -> Iterator[None]:
    """Serves the metrics of all processes during the block, if a port is set. Raises CannotWork."""
    if settings.metrics_port is None:
        yield
        return
    with ExitStack() as stack:
        try:
            serving = serve_metrics(
                settings.host,
                settings.metrics_port,
                None,
                str(figures),
                key=settings.metrics_key,
                process_fault=deaths.fault,
            )
            port = stack.enter_context(serving)
        except OSError as error:
            at = f"{settings.host}:{settings.metrics_port}"
            raise CannotWork(f"Metrics cannot be answered at {at}: {error.strerror or error}.") from error
        log.info("answering /metrics and /health", host=settings.host, port=port)
        yield


async def _supervise(settings: Settings, db: Database, processes: int, figures: Path) -> None:
    with shared_file() as died:
        deaths = ProcessDeaths(died)
        async with embedding_process(usable_cores(), partial(deaths.record, EMBEDDING)) as askers:
            group = Group("worker", processes, DO_JOBS_ALONE, (db.conninfo, askers, processes))
            supervisor = Supervisor((group,), longest_stop_seconds(settings) + 1, settings, deaths)
            announcing = asyncio.create_task(_announce(supervisor, processes))
            try:
                # Not before: who has seen /health may end the worker, and it ends well once its supervisor takes
                # signals.
                with _scraped(settings, figures, deaths):
                    await supervise(supervisor, db)
            finally:
                announcing.cancel()
                await asyncio.gather(announcing, return_exceptions=True)


async def _announce(supervisor: Supervisor, processes: int) -> None:
    await supervisor.ready.wait()
    log.info("working", processes=processes)
