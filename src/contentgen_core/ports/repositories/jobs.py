"""Work that is to be done later, and who is doing it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, Protocol

from contentgen_core.model.ids import JobId, TenantId
from contentgen_core.model.job import Claimable, Job, JobKind

ALL_CLAIMABLE: Final = frozenset(Claimable)
ALL_KINDS: Final = frozenset(JobKind)


class Jobs(Protocol):
    """Enqueued inside the transaction that causes them. A claimed job is held by its worker until its lease ends.
    `finish`, `fail`, `retry` and `postpone` do nothing to a job that `hold` would refuse."""

    async def enqueue(self, job: Job) -> None: ...

    async def cancel(self, job_id: JobId) -> None:
        """Whoever works on it finds out at its next `hold`. Unknown or ended jobs are fine."""
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
    ) -> list[Job]:
        """Take jobs that are due, or whose lease ran out, the longest due first: RUNNING, one more attempt."""
        ...

    async def take(self, worker: str, job_id: JobId, now: datetime, leased_until: datetime) -> Job | None:
        """Claim this very job. None when it is not WAITING: done, cancelled, not due, or another's. Waits for a
        transaction that is about to dispatch it."""
        ...

    async def dispatch(self, now: datetime, limit: int, kinds: frozenset[JobKind] = ALL_KINDS) -> list[JobId]:
        """Jobs that are WAITING and of which workers have not been told since, the longest due first. They count as
        told from now on, if this transaction commits. Callers at the same time get different ones."""
        ...

    async def forget_dispatched(self, now: datetime, patience: timedelta) -> None:
        """Jobs that are WAITING although workers were told of them longer than `patience` ago (or longer in the future:
        a clock was put back) are to be told of again."""
        ...

    async def renew(self, worker: str, leased_until: datetime, only: Collection[JobId] | None = None) -> None:
        """Prolong the leases of a worker: all, or those of the jobs that it knows of. (It may have claimed one without
        knowing, when the connection broke before the answer; nobody works on that.)"""
        ...

    async def hold(self, job: Job) -> bool:
        """Lock the job for this transaction. False when it is no longer this worker's at this attempt (cancelled,
        or its lease ran out and another took it): the caller then discards what it has."""
        ...

    async def finish(self, job: Job) -> None:
        """DONE."""
        ...

    async def fail(self, job: Job, error: str) -> None:
        """FAILED, for good."""
        ...

    async def retry(self, job: Job, run_at: datetime, error: str) -> None:
        """QUEUED again for later; the attempt stays counted."""
        ...

    async def postpone(self, job: Job, run_at: datetime) -> None:
        """QUEUED again for later, the attempt not counted: the job waits for something and has not failed."""
        ...

    async def release(self, worker: str, now: datetime) -> None:
        """Hand back all jobs of a worker that is shutting down: QUEUED, due now, the attempt not counted."""
        ...

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        """How many jobs are due and unclaimed, and since when the oldest is."""
        ...

    async def due_by_kind(self, now: datetime) -> dict[JobKind, tuple[int, datetime]]:
        """The backlog of each kind that has one."""
        ...
