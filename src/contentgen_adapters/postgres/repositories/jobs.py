"""Jobs with leases."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Final

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.ids import JobId, TenantId
from contentgen_core.model.job import (
    DOUBTFUL_CRASHES,
    ORPHAN_SECONDS,
    Claimable,
    Job,
    JobKind,
    JobState,
    TenantBacklog,
    TenantJobs,
    Turn,
)
from contentgen_core.ports.repositories.jobs import ALL_CLAIMABLE, ALL_KINDS, ANY_TURN, Jobs

CHANNEL: Final = "contentgen_jobs"

_NEW: Final = "id, kind, tenant_id, subject_id, run_at, state, attempts, worker, leased_until, last_error"
_JOB: Final = f"{_NEW}, claim_number, crashes, crashes_alone, suspects, waiting_for, waiting_since"
_UNENDED: Final = "state IN ('queued', 'running')"  # word for word as in the partial indexes
HELD: Final = "id = %(id)s AND state = 'running' AND worker = %(worker)s AND claim_number = %(claim_number)s"

# Ended jobs are kept for a week; each new one clears up after a few others.
_ENQUEUE: Final = (
    "WITH swept AS (DELETE FROM jobs WHERE ctid IN (SELECT ctid FROM jobs WHERE ended_at < now() - interval '7 days'"
    " LIMIT 10 FOR UPDATE SKIP LOCKED))"
    f" INSERT INTO jobs ({_NEW}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING pg_notify('{CHANNEL}', '')"
)
# SKIP LOCKED: runners that claim at the same moment take different jobs, and one held by a transaction is left alone.
_DUE: Final = "state = 'queued' AND run_at <= %(now)s"
_WAITING: Final = f"{_DUE} AND suspects = 0"
_CLAIMABLE: Final = {
    Claimable.WAITING: _WAITING,
    Claimable.LAPSED: f"{_DUE} AND suspects > 0 AND crashes < {DOUBTFUL_CRASHES}",
    Claimable.DOUBTFUL: f"{_DUE} AND suspects > 0 AND crashes >= {DOUBTFUL_CRASHES}",
}
# The jobs of a process are leased at different moments. They are put back together, when the last lease is over, so
# that it is known how many were at work; one whose worker lives was not.
_LAPSE: Final = f"""
    WITH over AS MATERIALIZED (
        SELECT id FROM jobs WHERE {_UNENDED} AND state = 'running'
        AND (leased_until IS NULL OR leased_until <= %(now)s)
        AND (leased_until <= %(orphaned)s OR NOT EXISTS (SELECT 1 FROM jobs AS held
            WHERE held.worker = jobs.worker AND held.state = 'running' AND held.leased_until > %(now)s))
        FOR UPDATE SKIP LOCKED),
    died AS (
        SELECT worker, count(*)::integer AS jobs, bool_or(coalesce(leased_until > %(now)s, false)) AS lives,
        (count(*) FILTER (WHERE suspects > 0 AND crashes >= {DOUBTFUL_CRASHES}))::integer AS doubtful
        FROM jobs WHERE state = 'running' AND worker IN (SELECT worker FROM jobs JOIN over USING (id)) GROUP BY worker),
    counted AS (
        SELECT id, lives, CASE WHEN suspects > 0 AND crashes >= {DOUBTFUL_CRASHES} THEN died.doubtful ELSE died.jobs END
        AS together FROM jobs JOIN over USING (id) JOIN died USING (worker))
    UPDATE jobs SET state = 'queued', worker = NULL, leased_until = NULL, dispatched_at = NULL,
        attempts = attempts - CASE WHEN lives THEN 1 ELSE 0 END,
        crashes = crashes + CASE WHEN lives THEN 0 ELSE 1 END,
        crashes_alone = crashes_alone + CASE WHEN lives OR together > 1 THEN 0 ELSE 1 END,
        suspects = CASE WHEN lives THEN suspects ELSE together END
    FROM counted WHERE jobs.id = counted.id"""
_HALF: Final = (
    f"SELECT greatest(1, min(suspects) / 2) FROM jobs WHERE {_UNENDED} AND kind = ANY(%(kinds)s)"
    f" AND {_CLAIMABLE[Claimable.DOUBTFUL]}"
)
_CLAIMING: Final = (
    "UPDATE jobs SET state = 'running', attempts = attempts + 1, claim_number = claim_number + 1, worker = %(worker)s,"
    " leased_until = %(leased_until)s, dispatched_at = NULL"
)
_RETURNED: Final = _JOB.replace("id,", "jobs.id,", 1)
_TAKE: Final = f"{_CLAIMING} WHERE id = %(id)s AND {_WAITING} RETURNING {_RETURNED}"
# Whose turn it is. The tenants that have something queued are found by walking an index from one to the next, so that a
# tenant's backlog costs the others nothing. A tenant's candidates are chosen before any row is locked: callers at the
# same moment choose the same ones, and together take no more than its share.
_RUNNING: Final = "SELECT tenant_id FROM jobs WHERE state = 'running' AND kind = ANY(%(kinds)s)"
_SENT: Final = (
    "SELECT tenant_id FROM jobs WHERE state = 'queued' AND dispatched_at IS NOT NULL AND kind = ANY(%(kinds)s)"
)
_LOOKED_AT: Final = 64
"""Candidates of a tenant and kind for each job that is asked for: others may have locked the first ones."""


def _in_turn(why: str, at_work: str) -> str:
    """The rows to take, as the CTE `due`. `why`: which jobs may be; `at_work`: the tenants of those that count as
    begun."""
    return f"""
    at_work AS MATERIALIZED (SELECT tenant_id, count(*) AS jobs FROM ({at_work}) AS begun GROUP BY tenant_id),
    queues AS (
        SELECT named.kind, walk.tenant_id FROM unnest(%(kinds)s::text[]) AS named (kind) CROSS JOIN LATERAL (
            WITH RECURSIVE walk AS (
                (SELECT jobs.tenant_id FROM jobs WHERE state = 'queued' AND jobs.kind = named.kind
                 AND (SELECT run_at FROM jobs WHERE {_UNENDED} AND {why} AND kind = ANY(%(kinds)s)
                      ORDER BY run_at, id LIMIT 1) IS NOT NULL
                 ORDER BY jobs.tenant_id LIMIT 1)
                UNION ALL
                SELECT (SELECT jobs.tenant_id FROM jobs WHERE state = 'queued' AND jobs.kind = named.kind
                        AND jobs.tenant_id > walk.tenant_id ORDER BY jobs.tenant_id LIMIT 1)
                FROM walk WHERE walk.tenant_id IS NOT NULL)
            SELECT walk.tenant_id FROM walk WHERE walk.tenant_id IS NOT NULL) AS walk),
    heads AS (
        SELECT head.id, head.run_at, queues.tenant_id, coalesce(at_work.jobs, 0) AS at_work
        FROM queues LEFT JOIN at_work USING (tenant_id) CROSS JOIN LATERAL (
            SELECT jobs.id, jobs.run_at FROM jobs WHERE state = 'queued' AND jobs.kind = queues.kind
            AND jobs.tenant_id = queues.tenant_id AND ({why}) ORDER BY jobs.run_at, jobs.id
            LIMIT greatest(0, least(%(share)s - coalesce(at_work.jobs, 0), %(limit)s * {_LOOKED_AT}))) AS head),
    places AS (
        SELECT id, tenant_id, at_work + row_number() OVER (PARTITION BY tenant_id ORDER BY run_at, id) AS place
        FROM heads),
    ordered AS MATERIALIZED (
        SELECT id FROM places WHERE place <= %(share)s ORDER BY place, tenant_id <= %(after)s, tenant_id),
    due AS MATERIALIZED (
        SELECT locked.id FROM ordered CROSS JOIN LATERAL (
            SELECT jobs.id FROM jobs WHERE jobs.id = ordered.id AND ({why}) FOR UPDATE SKIP LOCKED) AS locked
        LIMIT %(limit)s)"""


_DISPATCH: Final = (
    f"WITH {_in_turn(f'{_WAITING} AND dispatched_at IS NULL', f'{_RUNNING} UNION ALL {_SENT}')}"
    f" UPDATE jobs SET dispatched_at = %(now)s FROM due WHERE jobs.id = due.id RETURNING {_RETURNED}"
)


@cache
def _claim(among: frozenset[Claimable]) -> str:
    """A statement of its own for each choice, so that the planner sees which of the partial indexes will do."""
    if among == {Claimable.DOUBTFUL}:
        due = (
            f"due AS MATERIALIZED (SELECT id FROM jobs WHERE {_UNENDED} AND kind = ANY(%(kinds)s)"
            f" AND {_CLAIMABLE[Claimable.DOUBTFUL]} ORDER BY suspects, run_at, id"
            f" LIMIT least(%(limit)s, ({_HALF})) FOR UPDATE SKIP LOCKED)"
        )
    else:
        why = " OR ".join(f"({_CLAIMABLE[reason]})" for reason in sorted(among)) or "false"
        due = _in_turn(f"({why})", _RUNNING)
    return f"WITH {due} {_CLAIMING} FROM due WHERE jobs.id = due.id RETURNING {_RETURNED}"


def _job(row: Row) -> Job:
    id, kind, tenant_id, subject_id, run_at, state, *rest = row
    return Job(id, JobKind(kind), tenant_id, subject_id, run_at, JobState(state), *rest)


def held_by(job: Job) -> dict[str, object]:
    return {"id": findable(job.id), "worker": job.worker, "claim_number": job.claim_number}


@repository(Jobs)
class PostgresJobs:
    """A worker that is late (its lease ran out and another took the job, or the job was cancelled) changes nothing:
    the worker's name and the number of its claim fence every step."""

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
        self,
        worker: str,
        kinds: frozenset[JobKind],
        now: datetime,
        leased_until: datetime,
        limit: int,
        among: frozenset[Claimable] = ALL_CLAIMABLE,
        turn: Turn = ANY_TURN,
    ) -> list[Job]:
        if among & {Claimable.LAPSED, Claimable.DOUBTFUL}:
            orphaned = now - timedelta(seconds=ORPHAN_SECONDS)
            await self._session.change(_LAPSE, {"now": now, "orphaned": orphaned})
        rows = await self._session.write(
            _claim(among),
            {
                "worker": worker,
                "kinds": sorted(kind.value for kind in kinds),
                "now": now,
                "leased_until": leased_until,
                "limit": limit,
                "share": turn.share,
                "after": turn.after,
            },
        )
        return sorted(map(_job, rows), key=lambda job: (job.run_at, job.id))

    async def claim_one(self, worker: str, job_id: JobId, now: datetime, leased_until: datetime) -> Job | None:
        rows = await self._session.write(
            _TAKE, {"worker": worker, "id": findable(job_id), "now": now, "leased_until": leased_until}
        )
        return _job(rows[0]) if rows else None

    async def dispatch(
        self, now: datetime, limit: int, kinds: frozenset[JobKind] = ALL_KINDS, turn: Turn = ANY_TURN
    ) -> list[Job]:
        named = sorted(kind.value for kind in kinds)
        rows = await self._session.write(
            _DISPATCH, {"now": now, "limit": limit, "kinds": named, "share": turn.share, "after": turn.after}
        )
        return sorted(map(_job, rows), key=lambda job: (job.run_at, job.id))

    async def reset_dispatched(self, now: datetime, older_than: timedelta) -> None:
        await self._session.change(
            f"UPDATE jobs SET dispatched_at = NULL WHERE {_WAITING}"
            " AND dispatched_at NOT BETWEEN %(since)s AND %(until)s",
            {"now": now, "since": now - older_than, "until": now + older_than},
        )

    async def renew(self, worker: str, leased_until: datetime, only: Collection[JobId] | None = None) -> None:
        ids = None if only is None else [findable(id) for id in only]
        await self._session.change(
            "UPDATE jobs SET leased_until = %s WHERE worker = %s AND state = 'running'"
            " AND (%s::text[] IS NULL OR id = ANY(%s::text[]))",
            (leased_until, worker, ids, ids),
        )

    async def held(self, worker: str, ids: Collection[JobId]) -> Mapping[JobId, int]:
        rows = await self._session.read(
            "SELECT id, claim_number FROM jobs WHERE id = ANY(%s::text[]) AND worker = %s AND state = 'running'",
            ([findable(id) for id in ids], findable(worker)),
        )
        return dict(rows)

    async def fence(self, job: Job) -> bool:
        return bool(await self._session.write(f"SELECT 1 FROM jobs WHERE {HELD} FOR UPDATE", held_by(job)))

    async def finish(self, job: Job) -> None:
        await self._session.change(
            f"UPDATE jobs SET state = 'done', leased_until = NULL, ended_at = now() WHERE {HELD}", held_by(job)
        )

    async def fail(self, job: Job, error: str) -> None:
        await self._session.change(
            "UPDATE jobs SET state = 'failed', leased_until = NULL, last_error = %(error)s, ended_at = now()"
            f" WHERE {HELD}",
            {**held_by(job), "error": error},
        )

    async def retry(self, job: Job, run_at: datetime, error: str) -> None:
        await self._session.change(
            "UPDATE jobs SET state = 'queued', run_at = %(run_at)s, worker = NULL, leased_until = NULL,"
            f" dispatched_at = NULL, suspects = 0, last_error = %(error)s WHERE {HELD}",
            {**held_by(job), "run_at": run_at, "error": error},
        )

    async def postpone(self, job: Job, run_at: datetime) -> None:
        await self._session.change(
            "UPDATE jobs SET state = 'queued', run_at = %(run_at)s, attempts = attempts - 1, worker = NULL,"
            f" leased_until = NULL WHERE {HELD}",
            {**held_by(job), "run_at": run_at},
        )

    async def wait(self, job: Job, provider: str, since: datetime, run_at: datetime, error: str) -> None:
        await self._session.change(
            "UPDATE jobs SET state = 'queued', run_at = %(run_at)s, attempts = attempts - 1, worker = NULL,"
            " leased_until = NULL, dispatched_at = NULL, suspects = 0, last_error = %(error)s,"
            f" waiting_for = %(provider)s, waiting_since = %(since)s WHERE {HELD}",
            {**held_by(job), "provider": provider, "since": since, "run_at": run_at, "error": error},
        )

    async def waiting_since(self, job: Job) -> datetime | None:
        rows = await self._session.read(f"SELECT waiting_since FROM jobs WHERE {HELD}", held_by(job))
        return rows[0][0] if rows else None

    async def progressed(self, job: Job) -> None:
        await self._session.change(
            f"UPDATE jobs SET waiting_for = NULL, waiting_since = NULL WHERE {HELD}", held_by(job)
        )

    async def resume(self, provider: str, now: datetime) -> None:
        await self._session.write(
            "UPDATE jobs SET run_at = %(now)s, dispatched_at = NULL"
            f" WHERE {_UNENDED} AND state = 'queued' AND waiting_for = %(provider)s AND run_at > %(now)s"
            f" RETURNING pg_notify('{CHANNEL}', '')",
            {"provider": provider, "now": now},
        )

    async def release(self, worker: str, now: datetime) -> None:
        await self._session.write(
            "UPDATE jobs SET state = 'queued', run_at = %s, attempts = attempts - 1, worker = NULL,"
            " leased_until = NULL, dispatched_at = NULL"
            f" WHERE worker = %s AND state = 'running' RETURNING pg_notify('{CHANNEL}', '')",
            (now, worker),
        )

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        rows = await self._session.read(
            f"SELECT count(*), min(run_at) FROM jobs WHERE {_UNENDED} AND state = 'queued' AND run_at <= %s", (now,)
        )
        count, oldest = rows[0]
        return count, oldest

    async def backlog_of(self, tenant_id: TenantId, now: datetime) -> TenantBacklog:
        rows = await self._session.read(
            "SELECT count(*) FILTER (WHERE state = 'queued' AND run_at <= %(now)s),"
            " count(*) FILTER (WHERE state = 'running'),"
            " min(run_at) FILTER (WHERE state = 'queued' AND run_at <= %(now)s)"
            f" FROM jobs WHERE tenant_id = %(tenant)s AND {_UNENDED}",
            {"tenant": findable(tenant_id), "now": now},
        )
        return TenantBacklog(*rows[0])

    async def by_tenant(self, kinds: frozenset[JobKind], now: datetime) -> dict[TenantId, TenantJobs]:
        rows = await self._session.read(
            "SELECT tenant_id, count(*) FILTER (WHERE state = 'running'),"
            f" count(*) FILTER (WHERE {_WAITING} AND claim_number = 0),"
            f" count(*) FILTER (WHERE {_WAITING} AND claim_number > 0)"
            f" FROM jobs WHERE {_UNENDED} AND kind = ANY(%(kinds)s) GROUP BY tenant_id",
            {"kinds": sorted(kind.value for kind in kinds), "now": now},
        )
        return {TenantId(tenant): TenantJobs(*counts) for tenant, *counts in rows}

    async def due_by_kind(self, now: datetime) -> dict[JobKind, tuple[int, datetime]]:
        rows = await self._session.read(
            f"SELECT kind, count(*), min(run_at) FROM jobs WHERE {_UNENDED} AND state = 'queued' AND run_at <= %s"
            " GROUP BY kind",
            (now,),
        )
        return {JobKind(kind): (count, oldest) for kind, count, oldest in rows}
