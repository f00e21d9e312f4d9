"""Execution of jobs in this process: their start, leases, end and requeueing."""

from __future__ import annotations

import asyncio
import math
import os
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

import structlog

from contentgen_core.errors import ContentgenError, Unavailable
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import LEASE_SECONDS, SLICE_SECONDS, Claimable, Job, JobKind, Turn
from contentgen_core.ports.repositories.jobs import ANY_TURN, Jobs
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_http.jobs.slices import job_to_hand_back
from contentgen_http.jobs.stop_seconds import RELEASE_SECONDS
from contentgen_http.jobs.stuck_jobs import Standstills
from contentgen_http.services import Services

RETRY_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 15.0
# More than any job takes. A stuck attempt would otherwise keep its lease for ever; the next one resumes from the last
# checkpoint.
LONGEST_ATTEMPT_SECONDS = 3_600.0

log = structlog.get_logger("contentgen.runner")


class JobExecution:
    """Runs jobs as one worker.

    `places`: jobs at a time. `handlers`: by kind of job. `on_ended`: called when a place becomes free. `worker`: of
    another execution in this process, since they die together. `turn`: whose jobs come first, and how many a tenant may
    have at work in all processes.
    """

    def __init__(
        self,
        services: Services,
        places: int,
        handlers: Mapping[JobKind, Callable[[Job], Awaitable[None]]],
        on_ended: Callable[[], None],
        worker: str | None = None,
        turn: Turn = ANY_TURN,
    ) -> None:
        self.worker = worker or f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._services = services
        self._places = places
        self._handlers = handlers
        self._on_ended = on_ended
        self._turn = turn
        self._lost: set[asyncio.Task[None]] = set()
        self._running: dict[asyncio.Task[None], Job] = {}
        self._began: dict[asyncio.Task[None], float] = {}
        self._standstills = Standstills()

    @property
    def running(self) -> int:
        """How many jobs are under way."""
        return len(self._running)

    @property
    def free(self) -> int:
        """How many more jobs can be started."""
        return max(0, self._places - len(self._running))

    @property
    def in_doubt(self) -> bool:
        """Whether a job is running that may have killed its earlier workers."""
        return any(job.doubtful for job in self._running.values())

    async def claim(self, among: Collection[Claimable], kinds: Collection[JobKind], limit: int | None = None) -> int:
        """Claims and starts jobs; returns how many.

        `among`: which jobs to claim. `limit`: at most, besides the free places. Raises ContentgenError of the database.
        """
        limit = self.free if limit is None else min(limit, self.free)
        kinds = self._handlers.keys() & frozenset(kinds)
        if limit <= 0 or not among or not kinds:
            return 0
        now, until = self._lease()
        async with self._services.ports.unit_of_work() as tx:
            jobs = await tx[Jobs].claim(self.worker, frozenset(kinds), now, until, limit, frozenset(among), self._turn)
        self._turn = self._turn.passed_on(job.tenant_id for job in jobs)
        for job in jobs:
            self._begin(job)
        return len(jobs)

    async def handle(self, job_id: JobId) -> None:
        """Runs a job to its end, unless another worker has it by now. Waits while the database is away."""
        while True:
            try:
                now, until = self._lease()
                async with self._services.ports.unit_of_work() as tx:
                    job = await tx[Jobs].claim_one(self.worker, job_id, now, until)
                break
            except ContentgenError as error:
                log.warning("taking a job failed", jobId=job_id, reason=error.log_text)
                await asyncio.sleep(RETRY_SECONDS)
        if job is not None:
            await asyncio.wait([self._begin(job)])

    async def renew(self) -> None:
        """Extends the leases of the running jobs. Logs where one waits that has not moved for long."""
        for job, places in self._standstills.found(self._running, time.monotonic()):
            log.warning("job stands still", jobId=job.id, kind=job.kind, tenantId=job.tenant_id, waitsAt=places)
        if not self._running:
            return
        _, until = self._lease()
        known = [job.id for job in self._running.values()]
        async with self._services.ports.unit_of_work() as tx:
            await tx[Jobs].renew(self.worker, until, known)

    async def end_lost(self) -> None:
        """Ends the work on jobs that this worker has no more: cancelled, deleted with their article or tenant, or taken
        over. What they wait for, such as an answer of a model, is waited for no longer."""
        if not self._running:
            return
        known = [job.id for job in self._running.values()]
        async with self._services.ports.unit_of_work() as tx:
            held = await tx[Jobs].held(self.worker, known)
        self._cancel_lost(held)

    def _cancel_lost(self, held: Mapping[JobId, int]) -> None:
        """Cancels the work on jobs that were not held the last time either. Once is not enough: a job that has just
        ended is not held, and its handler may still be at what comes after its end."""
        lost = {task for task, job in self._running.items() if held.get(job.id) != job.claim_number}
        for task in lost & self._lost:
            job = self._running[task]
            log.info("job cancelled", jobId=job.id, kind=job.kind, tenantId=job.tenant_id)
            task.cancel()
        self._lost = lost

    async def hand_back(self, kinds: frozenset[JobKind]) -> None:
        """Ends the work on a job whose slice is over while another tenant waits with fewer at work, and requeues it;
        the attempt does not count. For when no place is free. `kinds`: that share these places."""
        now = time.monotonic()
        at_work = [(job, now - self._began[task]) for task, job in self._running.items()]
        if not any(seconds >= SLICE_SECONDS.get(job.kind, math.inf) for job, seconds in at_work):
            return
        clock = self._services.ports.clock
        async with self._services.ports.unit_of_work() as tx:
            tenants = await tx[Jobs].by_tenant(kinds, clock.now())
        job = job_to_hand_back(at_work, tenants)
        task = next((task for task, running in self._running.items() if running is job), None)
        if job is None or task is None:  # none, or it has just ended
            return
        log.info("job handed back", jobId=job.id, kind=job.kind, tenantId=job.tenant_id)
        task.cancel()
        await asyncio.wait([task])
        async with self._services.ports.unit_of_work() as tx:  # where it fails, the lease runs out
            if await tx[Jobs].fence(job):
                await tx[Jobs].postpone(job, clock.now())
        self._on_ended()

    async def end_within(self, seconds: float) -> None:
        """Waits for the running jobs to end, at most so many seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)

    async def cancel(self) -> None:
        """Cancels the running jobs. They keep their checkpoints, and belong to this worker until `release`."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def release(self) -> None:
        """Requeues all of this worker's jobs without counting an attempt. While the database is away their leases
        expire instead."""
        with suppress(ContentgenError, TimeoutError):
            async with asyncio.timeout(RELEASE_SECONDS), self._services.ports.unit_of_work() as tx:
                await tx[Jobs].release(self.worker, self._services.ports.clock.now())

    def _lease(self) -> tuple[datetime, datetime]:
        now = self._services.ports.clock.now()
        return now, now + timedelta(seconds=LEASE_SECONDS)

    def _begin(self, job: Job) -> asyncio.Task[None]:
        task = asyncio.create_task(self._work(job), name=f"job {job.id}")
        self._running[task] = job
        self._began[task] = time.monotonic()
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._running[task], self._began[task]
        self._on_ended()

    async def _work(self, job: Job) -> None:
        bound = log.bind(jobId=job.id, kind=job.kind, tenantId=job.tenant_id, attempt=job.attempts)
        bound.info("job started")
        try:
            async with asyncio.timeout(LONGEST_ATTEMPT_SECONDS):
                await self._handlers[job.kind](job)
        except Unavailable as error:
            # Not the job's fault: it does not count as an attempt, and comes back later each time but the first.
            interruptions = job.claim_number - job.attempts + 1
            seconds = min(2.0 ** min(interruptions, 10), LONGEST_PAUSE_SECONDS) if interruptions > 1 else 0.0
            pause = timedelta(seconds=seconds)
            bound.warning("job interrupted", reason=error.log_text, interruptions=interruptions)
            await self._requeue(job, lambda tx, now: tx[Jobs].postpone(job, now + pause))
        except Exception:
            bound.exception("job failed unexpectedly")
            await self._requeue(job, lambda tx, now: tx[Jobs].retry(job, now, "internal error"))
        else:
            bound.info("job ended")

    async def _requeue(self, job: Job, requeue: Callable[[Transaction, datetime], Awaitable[None]]) -> None:
        """Requeues a job that its handler left running; retries while the database is away, keeping the lease."""
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            with suppress(ContentgenError):
                async with self._services.ports.unit_of_work() as tx:
                    if await tx[Jobs].fence(job):
                        await requeue(tx, self._services.ports.clock.now())
                return
