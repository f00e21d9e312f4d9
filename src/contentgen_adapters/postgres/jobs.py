"""Jobs with leases."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from datetime import datetime
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.ids import JobId, TenantId
from contentgen_core.model.job import Job, JobKind, JobState

CHANNEL: Final = "contentgen_jobs"

_JOB: Final = "id, kind, tenant_id, subject_id, run_at, state, attempts, worker, leased_until, last_error"
_UNENDED: Final = "state IN ('queued', 'running')"  # word for word as in the partial indexes
_HELD: Final = "id = %(id)s AND state = 'running' AND worker = %(worker)s AND attempts = %(attempts)s"

# Ended jobs are kept for a week; each new one clears up after a few others.
_ENQUEUE: Final = (
    "WITH swept AS (DELETE FROM jobs WHERE ctid IN (SELECT ctid FROM jobs WHERE ended_at < now() - interval '7 days'"
    " LIMIT 10 FOR UPDATE SKIP LOCKED))"
    f" INSERT INTO jobs ({_JOB}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING pg_notify('{CHANNEL}', '')"
)
# SKIP LOCKED: runners that claim at the same moment take different jobs, and one held by a transaction is left alone.
_CLAIM: Final = (
    f"WITH due AS MATERIALIZED (SELECT id FROM jobs WHERE {_UNENDED} AND kind = ANY(%(kinds)s)"
    " AND ((state = 'queued' AND run_at <= %(now)s)"
    " OR (state = 'running' AND (leased_until IS NULL OR leased_until <= %(now)s)))"
    " ORDER BY run_at, id LIMIT %(limit)s FOR UPDATE SKIP LOCKED)"
    " UPDATE jobs SET state = 'running', attempts = attempts + 1, worker = %(worker)s, leased_until = %(leased_until)s"
    f" FROM due WHERE jobs.id = due.id RETURNING {_JOB.replace('id,', 'jobs.id,', 1)}"
)


def _job(row: Row) -> Job:
    id, kind, tenant_id, subject_id, run_at, state, *rest = row
    return Job(id, JobKind(kind), tenant_id, subject_id, run_at, JobState(state), *rest)


def _fence(job: Job) -> dict[str, object]:
    return {"id": findable(job.id), "worker": job.worker, "attempts": job.attempts}


class PostgresJobs:
    """A worker that is late (its lease ran out and another took the job, or the job was cancelled) changes nothing:
    the worker's name and the attempt fence every step."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def enqueue(self, job: Job) -> None:
        await self._session.write(
            _ENQUEUE,
            (
                job.id,
                job.kind.value,
                job.tenant_id,
                job.subject_id,
                job.run_at,
                job.state.value,
                job.attempts,
                job.worker,
                job.leased_until,
                job.last_error,
            ),
        )

    async def cancel(self, job_id: JobId) -> None:
        await self._session.change(
            f"UPDATE jobs SET state = 'cancelled', ended_at = now() WHERE id = %s AND {_UNENDED}", (findable(job_id),)
        )

    async def cancel_subject(self, tenant_id: TenantId, subject_id: str, kind: JobKind) -> None:
        await self._session.change(
            "UPDATE jobs SET state = 'cancelled', ended_at = now()"
            f" WHERE tenant_id = %s AND subject_id = %s AND kind = %s AND {_UNENDED}",
            (findable(tenant_id), findable(subject_id), kind.value),
        )

    async def claim(
        self, worker: str, kinds: frozenset[JobKind], now: datetime, leased_until: datetime, limit: int
    ) -> list[Job]:
        rows = await self._session.write(
            _CLAIM,
            {
                "worker": worker,
                "kinds": sorted(kind.value for kind in kinds),
                "now": now,
                "leased_until": leased_until,
                "limit": limit,
            },
        )
        return sorted(map(_job, rows), key=lambda job: (job.run_at, job.id))

    async def renew(self, worker: str, leased_until: datetime) -> None:
        await self._session.change(
            "UPDATE jobs SET leased_until = %s WHERE worker = %s AND state = 'running'", (leased_until, worker)
        )

    async def hold(self, job: Job) -> bool:
        return bool(await self._session.write(f"SELECT 1 FROM jobs WHERE {_HELD} FOR UPDATE", _fence(job)))

    async def finish(self, job: Job) -> None:
        await self._session.change(
            f"UPDATE jobs SET state = 'done', leased_until = NULL, ended_at = now() WHERE {_HELD}", _fence(job)
        )

    async def fail(self, job: Job, error: str) -> None:
        await self._session.change(
            "UPDATE jobs SET state = 'failed', leased_until = NULL, last_error = %(error)s, ended_at = now()"
            f" WHERE {_HELD}",
            {**_fence(job), "error": error},
        )

    async def retry(self, job: Job, run_at: datetime, error: str) -> None:
        await self._session.change(
            "UPDATE jobs SET state = 'queued', run_at = %(run_at)s, worker = NULL, leased_until = NULL,"
            f" last_error = %(error)s WHERE {_HELD}",
            {**_fence(job), "run_at": run_at, "error": error},
        )

    async def postpone(self, job: Job, run_at: datetime) -> None:
        await self._session.change(
            "UPDATE jobs SET state = 'queued', run_at = %(run_at)s, attempts = attempts - 1, worker = NULL,"
            f" leased_until = NULL WHERE {_HELD}",
            {**_fence(job), "run_at": run_at},
        )

    async def release(self, worker: str, now: datetime) -> None:
        await self._session.write(
            "UPDATE jobs SET state = 'queued', run_at = %s, attempts = attempts - 1, worker = NULL, leased_until = NULL"
            f" WHERE worker = %s AND state = 'running' RETURNING pg_notify('{CHANNEL}', '')",
            (now, worker),
        )

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        rows = await self._session.read(
            f"SELECT count(*), min(run_at) FROM jobs WHERE {_UNENDED} AND state = 'queued' AND run_at <= %s", (now,)
        )
        count, oldest = rows[0]
        return count, oldest
