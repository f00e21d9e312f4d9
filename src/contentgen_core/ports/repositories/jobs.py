"""The jobs table, which is also the outbox of the queue."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final, Protocol

from contentgen_core.model.ids import JobId, TenantId
from contentgen_core.model.job import Claimable, Job, JobKind, TenantBacklog, TenantJobs, Turn

ALL_CLAIMABLE: Final = frozenset(Claimable)
ALL_KINDS: Final = frozenset(JobKind)
ANY_TURN: Final = Turn()


class Jobs(Protocol):
    """Jobs are enqueued in the transaction that causes them. A claimed job belongs to its worker until its lease ends.
    `finish`, `fail`, `retry`, `postpone`, `wait` and `progressed` do nothing to a job for which `fence` would return
    False."""

    async def enqueue(self, job: Job) -> None: ...

    async def cancel(self, job_id: JobId) -> None:
        """Cancel a job; its worker finds out at its next `fence`. Unknown and ended jobs are ignored."""
        ...

    async def cancel_subject(self, tenant_id: TenantId, subject_id: str, kind: JobKind) -> None:
        """Cancel every job of a kind on a subject that has not ended."""
        ...

    async def claim(
        self,
        worker: str,
        kinds: frozenset[JobKind],
        now: datetime,
        leased_until: datetime,
        limit: int,
        among: frozenset[Claimable] = ALL_CLAIMABLE,
        turn: Turn = ANY_TURN,
    ) -> list[Job]:
        """Claim jobs that are due or whose lease ran out: RUNNING, one more attempt. `among`: only these.

        A tenant gets no more than makes `turn.share` jobs of these kinds at work. First comes who has the fewest at
        work, of several the next after `turn.after`; of a tenant's jobs the longest due.

        A job whose lease ran out was at work in a process that died: this is recorded for all of that process's jobs
        at once, and counts (`Job.crashes`). If the process lives, and only does not know of the job, it does not count.
        With `among` DOUBTFUL alone, whatever the turn: at most half of the jobs that were suspected together, of the
        smallest such group, so that claiming again and again finds the one that kills."""
        ...

    async def claim_one(self, worker: str, job_id: JobId, now: datetime, leased_until: datetime) -> Job | None:
        """Claim this job. None when it is not WAITING: done, cancelled, not due, or claimed. Waits for a transaction
        that is dispatching it."""
        ...

    async def dispatch(
        self, now: datetime, limit: int, kinds: frozenset[JobKind] = ALL_KINDS, turn: Turn = ANY_TURN
    ) -> list[Job]:
        """Mark jobs as dispatched to the queue and return them: WAITING and not dispatched yet, in the order of
        `claim`; those that were dispatched before count as at work. The mark holds if this transaction commits.
        Concurrent callers get different ones."""
        ...

    async def reset_dispatched(self, now: datetime, older_than: timedelta) -> None:
        """Remove the mark of jobs that are WAITING although they were dispatched longer than `older_than` ago (or in
        the future: the clock was set back), so that they are dispatched again."""
        ...

    async def renew(self, worker: str, leased_until: datetime, only: Collection[JobId] | None = None) -> None:
        """Renew the leases of a worker: all, or those of the jobs in `only`, which are those that it works on. (It may
        have claimed another when the connection broke before the answer; that one's lease has to run out.)"""
        ...

    async def held(self, worker: str, ids: Collection[JobId]) -> Mapping[JobId, int]:
        """Return those of these jobs that the worker still holds, with the numbers of their claims: one that is missing
        has ended, was cancelled or deleted, or is another worker's."""
        ...

    async def fence(self, job: Job) -> bool:
        """Lock the job for this transaction, if it is still claimed by this worker in this claim. False when it was
        cancelled, or its lease ran out and another worker claimed it: the caller then discards its work."""
        ...

    async def finish(self, job: Job) -> None:
        """DONE."""
        ...

    async def fail(self, job: Job, error: str) -> None:
        """FAILED, finally."""
        ...

    async def retry(self, job: Job, run_at: datetime, error: str) -> None:
        """QUEUED again for later; the attempt counts, and the job is under no suspicion any more."""
        ...

    async def postpone(self, job: Job, run_at: datetime) -> None:
        """QUEUED again for later; the attempt does not count: the job waits for something and has not failed."""
        ...

    async def wait(self, job: Job, provider: str, since: datetime, run_at: datetime, error: str) -> None:
        """QUEUED again for later, since `provider` is away: the attempt does not count, and the job is under no
        suspicion any more. `since`: when it began to wait."""
        ...

    async def waiting_since(self, job: Job) -> datetime | None:
        """Return when the job began to wait for a provider; None when it does not, or made progress since."""
        ...

    async def progressed(self, job: Job) -> None:
        """Forget that the job waited: it has a result that it had not before."""
        ...

    async def resume(self, provider: str, now: datetime) -> None:
        """Make all queued jobs due that wait for this provider: it answers again."""
        ...

    async def release(self, worker: str, now: datetime) -> None:
        """Release all jobs of a worker that is shutting down: QUEUED, due now; the attempt does not count."""
        ...

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        """The number of jobs that are due and unclaimed, and since when the oldest is due."""
        ...

    async def backlog_of(self, tenant_id: TenantId, now: datetime) -> TenantBacklog:
        """What a tenant waits for."""
        ...

    async def by_tenant(self, kinds: frozenset[JobKind], now: datetime) -> dict[TenantId, TenantJobs]:
        """Count the jobs of these kinds that each tenant has at work and waiting. Suspects do not wait."""
        ...

    async def due_by_kind(self, now: datetime) -> dict[JobKind, tuple[int, datetime]]:
        """The backlog of each kind that has one."""
        ...
