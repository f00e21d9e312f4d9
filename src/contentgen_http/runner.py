"""The claim loop: takes jobs, keeps their leases, hands them back on shutdown; and keeps the search index in step."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import structlog

from contentgen_core.errors import ContentgenError, Unavailable
from contentgen_core.model.job import LEASE_SECONDS, Job, JobKind
from contentgen_http.services import Services

POLL_SECONDS = 1.0
OPTIMIZE_EVERY_SECONDS = 120.0
HAND_BACK_SECONDS = 1.0

log = structlog.get_logger("contentgen.runner")


class JobRunner:
    """Runs up to `generations` jobs of some kinds at a time in the present event loop until cancelled."""

    def __init__(self, services: Services, generations: int, kinds: Collection[JobKind] = tuple(JobKind)) -> None:
        self.services = services
        self.worker = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._free = generations
        self._wake = asyncio.Event()
        self._index_seen = False
        self._running: set[asyncio.Task[None]] = set()
        self._handlers = {kind: handler for kind, handler in services.handlers.items() if kind in kinds}

    def wake(self) -> None:
        """Look for work now instead of at the next poll."""
        self._wake.set()

    async def run(self) -> None:
        """Work until cancelled; then stop what is under way and hand it back, uncounted."""
        loops: list[Coroutine[None, None, None]] = [
            self._claim_loop(),
            self._forever(self._renew, LEASE_SECONDS / 3),
            self._forever(self.services.fire_schedules.fire_due, POLL_SECONDS),
            self._forever(self._follow_index, POLL_SECONDS),
            self._forever(self._keep_index_fit, OPTIMIZE_EVERY_SECONDS),
        ]
        if self.services.wake_ups is not None:
            loops.append(self._listen(self.services.wake_ups()))
        try:
            async with asyncio.TaskGroup() as group:
                for loop in loops:
                    group.create_task(loop)
        finally:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)
            with suppress(ContentgenError):
                async with asyncio.timeout(1.0), self.services.unit_of_work() as tx:
                    await tx.jobs.release(self.worker, self.services.clock.now())

    async def _claim_loop(self) -> None:
        while True:
            claimed = await self._claim()
            if not claimed:
                # Not wait_for: before Python 3.12 it swallows a cancellation that meets the event being set.
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._wake.wait()
                self._wake.clear()

    async def _listen(self, wake_ups: AsyncIterator[None]) -> None:
        """Polling finds every job; being told of one only finds it sooner."""
        try:
            async for _ in wake_ups:
                self.wake()
        except Exception:
            log.exception("no longer told of new jobs; they are found by polling")

    async def _claim(self) -> int:
        if self._free <= 0:
            return 0
        now = self.services.clock.now()
        until = now + timedelta(seconds=LEASE_SECONDS)
        try:
            async with self.services.unit_of_work() as tx:
                jobs = await tx.jobs.claim(self.worker, frozenset(self._handlers), now, until, self._free)
        except ContentgenError as error:
            log.warning("claiming failed", reason=error.detail)
            return 0
        except Exception:  # a fault here must not end the only loop that works
            log.exception("claiming failed unexpectedly")
            return 0
        for job in jobs:
            self._free -= 1
            task = asyncio.create_task(self._work(job), name=f"job {job.id}")
            self._running.add(task)
            task.add_done_callback(self._ended)
        return len(jobs)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._free += 1
        self.wake()

    async def _work(self, job: Job) -> None:
        bound = log.bind(job_id=job.id, kind=job.kind, tenant_id=job.tenant_id, attempt=job.attempts)
        bound.info("job started")
        try:
            await self._handlers[job.kind](job)
        except Unavailable as error:
            bound.warning("job interrupted", reason=error.detail)
            await self._hand_back(job, error.detail)
        except Exception:
            bound.exception("job failed unexpectedly")
            await self._hand_back(job, "internal error")
        else:
            bound.info("job ended")

    async def _hand_back(self, job: Job, reason: str) -> None:
        """Queue a job again that its handler left running: until the database takes it, nobody else should."""
        while True:
            await asyncio.sleep(HAND_BACK_SECONDS)
            with suppress(ContentgenError):
                async with self.services.unit_of_work() as tx:
                    if await tx.jobs.hold(job):
                        await tx.jobs.retry(job, self.services.clock.now(), reason)
                return

    async def _renew(self) -> None:
        until = self.services.clock.now() + timedelta(seconds=LEASE_SECONDS)
        async with self.services.unit_of_work() as tx:
            await tx.jobs.renew(self.worker, until)

    async def _follow_index(self) -> None:
        await self.services.apply_index_changes.drain(self.worker)

    async def _keep_index_fit(self) -> None:
        if not self._index_seen:
            if mended := await self.services.rebuild_index.if_lost():
                log.warning("the search index was lost and has been rebuilt", documents=mended)
            self._index_seen = True
        await self.services.index.optimize()

    async def _forever(self, step: Callable[[], Awaitable[None]], every: float) -> None:
        """Repeat a step; its failures are logged and do not stop it."""
        name = getattr(step, "__name__", "step").strip("_")
        while True:
            try:
                await step()
            except ContentgenError as error:
                log.warning("upkeep failed", step=name, reason=error.detail)
            except Exception:
                log.exception("upkeep failed unexpectedly", step=name)
            await asyncio.sleep(every)


@asynccontextmanager
async def working(services: Services, kind: JobKind) -> AsyncIterator[None]:
    """Do jobs of a kind while the block runs: for a command that started one and may be alone with the database."""
    task = asyncio.create_task(JobRunner(services, 1, (kind,)).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
