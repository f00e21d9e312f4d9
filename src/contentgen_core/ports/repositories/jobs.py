"""Work that is to be done later, and who is doing it."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from contentgen_core.model.ids import JobId, TenantId
from contentgen_core.model.job import Job, JobKind


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
        self, worker: str, kinds: frozenset[JobKind], now: datetime, leased_until: datetime, limit: int
    ) -> list[Job]:
        """Take jobs that are due, or whose lease ran out, the longest due first: RUNNING, one more attempt."""
        ...

    async def renew(self, worker: str, leased_until: datetime) -> None:
        """Prolong all leases of a worker."""
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
