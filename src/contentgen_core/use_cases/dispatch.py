"""The relay between the jobs' table, which is the outbox, and the queue that workers listen to."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from attrs import frozen

from contentgen_core.model.job import JobKind
from contentgen_core.ports.job_queue import JobQueue
from contentgen_core.ports.repositories.jobs import ALL_KINDS
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork

BATCH: Final = 100
MOST_WAITING: Final = 2_000
"""Messages in the queue at most; a longer backlog stays in the table, where nothing is lost and nothing repeated."""
LOST_AFTER: Final = timedelta(seconds=5)
LOST_IN_THE_CROWD_AFTER: Final = timedelta(minutes=10)


@frozen
class DispatchJobs:
    """Any number of these may run: they never take the same job at the same time.

    A batch is sent inside the transaction that marks it as sent. Whoever dies in between leaves no mark, so at worst a
    job is told of twice, which does no harm: the second one to take it finds it taken. The rows are held for as long as
    sending takes; a worker that is quicker than the commit waits for it."""

    unit_of_work: UnitOfWork
    queue: JobQueue
    clock: Clock
    kinds: frozenset[JobKind] = ALL_KINDS

    async def __call__(self) -> int:
        """Send one batch at most; how many it was. Raises QueueAway, Unavailable."""
        room = MOST_WAITING - await self.queue.waiting()
        if room <= 0:
            return 0
        async with self.unit_of_work() as tx:
            ids = await tx.jobs.dispatch(self.clock.now(), min(BATCH, room), self.kinds)
            if ids:
                await self.queue.send(ids)
        return len(ids)

    async def find_lost(self) -> None:
        """Have messages sent again that were lost with the queue. Where nothing waits any more, whatever was sent some
        seconds ago and not taken is lost; else it may be in the queue still. Raises QueueAway, Unavailable."""
        patience = LOST_IN_THE_CROWD_AFTER if await self.queue.waiting() else LOST_AFTER
        async with self.unit_of_work() as tx:
            await tx.jobs.reset_dispatched(self.clock.now(), patience)
