"""Jobs under way in this process: how they are begun, kept, ended and handed back, however they came here."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

import structlog

from contentgen_core.errors import ContentgenError, Unavailable
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import DOUBTFUL_ATTEMPTS, LEASE_SECONDS, Claimable, Job, JobKind
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_http.services import Services

HAND_BACK_SECONDS = 1.0
RELEASE_SECONDS = 1.0
# Longer than any work of a job takes. An attempt that stands still would be prolonged for ever, and nobody else could
# take the job up; its next attempt goes on from its checkpoint.
LONGEST_ATTEMPT_SECONDS = 3_600.0

log = structlog.get_logger("contentgen.runner")


class JobExecution:
    """Up to `places` jobs at a time, under one worker's name. `on_ended` is called when a place becomes free."""

    def __init__(
        self,
        services: Services,
        places: int,
        handlers: Mapping[JobKind, Callable[[Job], Awaitable[None]]],
        on_ended: Callable[[], None],
    ) -> None:
        self.worker = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._services = services
        self._places = places
        self._handlers = handlers
        self._on_ended = on_ended
        self._running: dict[asyncio.Task[None], Job] = {}

    @property
    def free(self) -> int:
        return max(0, self._places - len(self._running))

    @property
    def in_doubt(self) -> bool:
        """Whether a job is under way that may be what kills its workers."""
        return any(job.attempts > DOUBTFUL_ATTEMPTS for job in self._running.values())

    async def claim(self, among: Collection[Claimable], kinds: Collection[JobKind], limit: int | None = None) -> int:
        """Begin what may be claimed of these kinds, as far as there are places; how many. Raises what the database
        raises."""
        limit = self.free if limit is None else min(limit, self.free)
        kinds = self._handlers.keys() & frozenset(kinds)
        if limit <= 0 or not among or not kinds:
            return 0
        now, until = self._lease()
        async with self._services.ports.unit_of_work() as tx:
            jobs = await tx.jobs.claim(self.worker, frozenset(kinds), now, until, limit, frozenset(among))
        for job in jobs:
            self._begin(job)
        return len(jobs)

    async def carry_out(self, job_id: JobId) -> None:
        """Do this job and return when it ended here, if it is not somebody else's by now. While the database is away
        the job waits here."""
        while True:
            try:
                now, until = self._lease()
                async with self._services.ports.unit_of_work() as tx:
                    job = await tx.jobs.claim_one(self.worker, job_id, now, until)
                break
            except ContentgenError as error:
                log.warning("taking a job failed", jobId=job_id, reason=error.log_text)
                await asyncio.sleep(HAND_BACK_SECONDS)
        if job is not None:
            await asyncio.wait([self._begin(job)])

    async def renew(self) -> None:
        """Prolong the leases of what is under way."""
        if not self._running:
            return
        _, until = self._lease()
        known = [job.id for job in self._running.values()]
        async with self._services.ports.unit_of_work() as tx:
            await tx.jobs.renew(self.worker, until, known)

    async def end_within(self, seconds: float) -> None:
        """Let what is under way end by itself, for so long."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)

    async def cancel(self) -> None:
        """Stop what is under way. Its last checkpoint stays, and it stays this worker's until the release."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def release(self) -> None:
        """Hand all of this worker's jobs back, uncounted. Without a database, their leases run out instead."""
        with suppress(ContentgenError, TimeoutError):
            async with asyncio.timeout(RELEASE_SECONDS), self._services.ports.unit_of_work() as tx:
                await tx.jobs.release(self.worker, self._services.ports.clock.now())

    def _lease(self) -> tuple[datetime, datetime]:
        now = self._services.ports.clock.now()
        return now, now + timedelta(seconds=LEASE_SECONDS)

    def _begin(self, job: Job) -> asyncio.Task[None]:
        task = asyncio.create_task(self._work(job), name=f"job {job.id}")
        self._running[task] = job
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        self._on_ended()

    async def _work(self, job: Job) -> None:
        bound = log.bind(jobId=job.id, kind=job.kind, tenantId=job.tenant_id, attempt=job.attempts)
        bound.info("job started")
        try:
            async with asyncio.timeout(LONGEST_ATTEMPT_SECONDS):
                await self._handlers[job.kind](job)
        except Unavailable as error:
            bound.warning("job interrupted", reason=error.log_text)
            await self._hand_back(job, lambda tx, now: tx.jobs.postpone(job, now))  # no fault of the job: uncounted
        except Exception:
            bound.exception("job failed unexpectedly")
            await self._hand_back(job, lambda tx, now: tx.jobs.retry(job, now, "internal error"))
        else:
            bound.info("job ended")

    async def _hand_back(self, job: Job, put_back: Callable[[Transaction, datetime], Awaitable[None]]) -> None:
        """Queue a job again that its handler left running: until the database takes it, nobody else should."""
        while True:
            await asyncio.sleep(HAND_BACK_SECONDS)
            with suppress(ContentgenError):
                async with self._services.ports.unit_of_work() as tx:
                    if await tx.jobs.fence(job):
                        await put_back(tx, self._services.ports.clock.now())
                return
