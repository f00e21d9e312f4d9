"""Jobs with leases. A job that has ended is forgotten: nothing asks for it again."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.model.ids import JobId, TenantId
from contentgen_core.model.job import Job, JobKind, JobState


class MemoryJobs:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def enqueue(self, job: Job) -> None:
        await self._session.writing()
        self._session.jobs.put(job.id, job)

    async def cancel(self, job_id: JobId) -> None:
        await self._session.writing()
        self._session.jobs.drop(job_id)

    async def cancel_subject(self, tenant_id: TenantId, subject_id: str, kind: JobKind) -> None:
        await self._session.writing()
        for job in list(self._session.jobs.rows()):
            if (job.tenant_id, job.subject_id, job.kind) == (tenant_id, subject_id, kind):
                self._session.jobs.drop(job.id)

    async def claim(
        self, worker: str, kinds: frozenset[JobKind], now: datetime, leased_until: datetime, limit: int
    ) -> list[Job]:
        await self._session.writing()
        free = [job for job in self._session.jobs.rows() if job.kind in kinds and _claimable(job, now)]
        free.sort(key=lambda job: (job.run_at, job.id))
        claimed = [
            evolve(job, state=JobState.RUNNING, attempts=job.attempts + 1, worker=worker, leased_until=leased_until)
            for job in free[:limit]
        ]
        for job in claimed:
            self._session.jobs.put(job.id, job)
        return claimed

    async def renew(self, worker: str, leased_until: datetime) -> None:
        await self._session.writing()
        for job in self._running(worker):
            self._session.jobs.put(job.id, evolve(job, leased_until=leased_until))

    async def hold(self, job: Job) -> bool:
        await self._session.writing()
        return self._held(job) is not None

    async def finish(self, job: Job) -> None:
        await self._end(job)

    async def fail(self, job: Job, error: str) -> None:
        await self._end(job)

    async def retry(self, job: Job, run_at: datetime, error: str) -> None:
        await self._session.writing()
        held = self._held(job)
        if held is not None:
            self._session.jobs.put(job.id, evolve(_queued(held, run_at), last_error=error))

    async def postpone(self, job: Job, run_at: datetime) -> None:
        await self._session.writing()
        held = self._held(job)
        if held is not None:
            self._session.jobs.put(job.id, evolve(_queued(held, run_at), attempts=held.attempts - 1))

    async def release(self, worker: str, now: datetime) -> None:
        await self._session.writing()
        for job in self._running(worker):
            self._session.jobs.put(job.id, evolve(_queued(job, now), attempts=job.attempts - 1))

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        due = [job.run_at for job in self._session.jobs.rows() if job.state is JobState.QUEUED and job.run_at <= now]
        return len(due), min(due, default=None)

    async def _end(self, job: Job) -> None:
        await self._session.writing()
        if self._held(job) is not None:
            self._session.jobs.drop(job.id)

    def _held(self, job: Job) -> Job | None:
        """The stored job while it is still this worker's at this attempt: a late worker changes nothing."""
        stored = self._session.jobs.get(job.id)
        if stored is None or stored.state is not JobState.RUNNING:
            return None
        return stored if (stored.worker, stored.attempts) == (job.worker, job.attempts) else None

    def _running(self, worker: str) -> list[Job]:
        return [j for j in self._session.jobs.rows() if j.state is JobState.RUNNING and j.worker == worker]


def _claimable(job: Job, now: datetime) -> bool:
    if job.state is JobState.RUNNING:
        return job.leased_until is None or job.leased_until <= now
    return job.state is JobState.QUEUED and job.run_at <= now


def _queued(job: Job, run_at: datetime) -> Job:
    return evolve(job, state=JobState.QUEUED, run_at=run_at, worker=None, leased_until=None)
