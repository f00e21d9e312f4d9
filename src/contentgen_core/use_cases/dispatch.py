"""The relay: from the jobs table, which is the outbox, to the queue that workers consume."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from contentgen_core.model.job import Job, JobKind, Turn
from contentgen_core.ports.job_queue import JobQueue
from contentgen_core.ports.repositories.jobs import ALL_KINDS, ANY_TURN, Jobs
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 100
MAX_QUEUED: Final = 2_000
"""Messages in the queue at most; a longer backlog stays in the table, where nothing is lost or repeated."""
LOST_AFTER: Final = timedelta(seconds=5)
LOST_AFTER_IN_BUSY_QUEUE: Final = timedelta(minutes=10)


@use_case
class DispatchJobs:
    """Sends due jobs to the queue. Any number of dispatchers may run: they never dispatch the same job at the same
    time. A batch is sent in the transaction that marks it as sent. A process that dies in between leaves no mark, so a
    job may be sent twice, which does no harm: the second worker cannot claim it. The rows are locked while sending; a
    worker that claims before the commit waits for it."""

    unit_of_work: UnitOfWork
    queue: JobQueue
    clock: Clock
    kinds: frozenset[JobKind] = ALL_KINDS

    async def __call__(self, turn: Turn = ANY_TURN) -> list[Job]:
        """Dispatch one batch at most, and return it. Raises QueueUnavailable, Unavailable."""
        room = MAX_QUEUED - await self.queue.waiting()
        if room <= 0:
            return []
        async with self.unit_of_work() as tx:
            jobs = await tx[Jobs].dispatch(self.clock.now(), min(BATCH, room), self.kinds, turn)
            if jobs:
                await self.queue.send([job.id for job in jobs])
        return jobs

    async def reset_lost(self) -> None:
        """Have jobs dispatched again whose messages were lost with the queue. If the queue is empty, messages are lost
        that were sent some seconds ago and not claimed; else they may still be in it. Raises QueueUnavailable,
        Unavailable."""
        older_than = LOST_AFTER_IN_BUSY_QUEUE if await self.queue.waiting() else LOST_AFTER
        async with self.unit_of_work() as tx:
            await tx[Jobs].reset_dispatched(self.clock.now(), older_than)
