"""Care for the private database while programs run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from contentgen_core.errors import ContentgenError
from contentgen_http.processes.supervision import Supervisor

if TYPE_CHECKING:
    from contentgen_grounded.bootstrap.database import Database

DATABASE_CHECK_SECONDS: Final = 2.0

log = structlog.get_logger("contentgen.serve")


async def keep_database_running(db: Database) -> None:
    """Restarts a private database that ended, checking every DATABASE_CHECK_SECONDS."""
    while True:
        await asyncio.sleep(DATABASE_CHECK_SECONDS)
        try:
            if await asyncio.to_thread(db.ensure_running):
                log.warning("the private database was gone and has been started again")
        except ContentgenError as error:
            log.error("the private database cannot be started", reason=error.log_text)


async def supervise(supervisor: Supervisor, db: Database) -> None:
    """Runs the processes, and their database, until they end. Raises ProcessFailed."""
    watch = asyncio.create_task(keep_database_running(db))
    try:
        await supervisor.run()
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
