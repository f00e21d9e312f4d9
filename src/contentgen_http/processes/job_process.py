"""A process that does jobs and answers nobody."""

from __future__ import annotations

import asyncio
from socket import socket

from contentgen_grounded.bootstrap.keys import check_keys
from contentgen_grounded.bootstrap.queue import job_queue
from contentgen_grounded.settings import Settings
from contentgen_http.jobs.runner import JobRunner
from contentgen_http.processes.garbage_collection import freeze_loaded_objects
from contentgen_http.processes.supervision import Lifetime
from contentgen_http.services.open_services import open_services


async def do_jobs(settings: Settings, conninfo: str, askers: socket | None, pollers: int, lifetime: Lifetime) -> None:
    """The program of such a process. `conninfo`: of the database, as psycopg takes it. `askers`: of the process that
    embeds for all like this one; without, it starts its own. `pollers`: such processes, this one among them. Raises
    BadSetting, NotConfigured, Unavailable."""
    async with open_services(settings, conninfo, jobs_alone=True, askers=askers) as services:
        with job_queue(settings) as queue:
            runner = JobRunner(
                services,
                settings.generations,
                queue=queue,
                drain_seconds=settings.drain_seconds,
                posts=settings.posts,
                syncs=settings.syncs,
                pollers=pollers,
                tenant_share=settings.tenant_share,
            )
            sparing = asyncio.create_task(freeze_loaded_objects(services.ports.index))
            lifetime.begin(lambda at_once: runner.stop(at_once=at_once))
            lifetime.ready()
            try:
                await runner.run()
            finally:
                sparing.cancel()
                await asyncio.gather(sparing, return_exceptions=True)


async def do_jobs_with_right_keys(
    settings: Settings, conninfo: str, askers: socket | None, pollers: int, lifetime: Lifetime
) -> None:
    """The same for a worker on its own, which does not begin without the installation's keys. Raises likewise."""
    await check_keys(settings, conninfo)
    await do_jobs(settings, conninfo, askers, pollers, lifetime)
