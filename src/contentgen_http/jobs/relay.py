"""Sends the ids of due jobs to the queue, if there is one. Light jobs and syncs are not sent: workers claim them when
PostgreSQL notifies them, so that they and the others never wait behind each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import structlog

from contentgen_core.errors import ContentgenError
from contentgen_core.model.job import LIGHT, SYNCS, JobKind, Turn
from contentgen_core.ports.job_queue import JobQueue, QueueUnavailable
from contentgen_core.ports.repositories.jobs import ANY_TURN
from contentgen_core.use_cases.dispatch import BATCH, DispatchJobs
from contentgen_http.services import Services

POLL_SECONDS = 1.0
GATHER_SECONDS = 0.02
"""What is enqueued within this time of a wake-up goes with it."""

log = structlog.get_logger("contentgen.relay")


class Relay:
    """The loop from the database to the queue.

    `away`: whether the queue failed at the last call. `on_away`: called when it fails first. `pollers`: relays that
    poll the database, this one among them. `turn`: whose jobs come first, and how many a tenant may have in the queue
    and at work.
    """

    def __init__(
        self, services: Services, queue: JobQueue, on_away: Callable[[], None], pollers: int = 1, turn: Turn = ANY_TURN
    ) -> None:
        self.away = False
        self._dispatch = DispatchJobs(
            services.ports.unit_of_work, queue, services.ports.clock, frozenset(JobKind) - LIGHT - SYNCS
        )
        self._on_away = on_away
        self._turn = turn
        self._poll_seconds = POLL_SECONDS * pollers
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """Look for due jobs now instead of at the next poll."""
        self._wake.set()

    async def run(self) -> None:
        """Sends due jobs until cancelled; failures are logged."""
        polled = -self._poll_seconds
        now = asyncio.get_running_loop().time
        while True:
            try:
                if now() - polled >= self._poll_seconds:
                    await self._dispatch.reset_lost()
                    polled = now()
                jobs = await self._dispatch(self._turn)
                self._turn = self._turn.passed_on(job.tenant_id for job in jobs)
                sent = len(jobs)
                self._answered()
            except QueueUnavailable as error:
                self._silent(error)
                sent = 0
            except ContentgenError as error:
                log.warning("dispatching failed", reason=error.log_text)
                sent = 0
            except Exception:
                log.exception("dispatching failed unexpectedly")
                sent = 0
            if sent < BATCH:
                await self._rest()

    async def _rest(self) -> None:
        # Not wait_for: before Python 3.12 it loses a cancellation that coincides with the event.
        with suppress(TimeoutError):
            async with asyncio.timeout(self._poll_seconds):
                await self._wake.wait()
        await asyncio.sleep(GATHER_SECONDS)
        self._wake.clear()

    def _answered(self) -> None:
        if self.away:
            self.away = False
            log.warning("the queue of jobs is back")

    def _silent(self, error: QueueUnavailable) -> None:
        if not self.away:
            self.away = True
            log.warning("the queue of jobs is away; jobs are taken from the database meanwhile", reason=error.log_text)
            self._on_away()
