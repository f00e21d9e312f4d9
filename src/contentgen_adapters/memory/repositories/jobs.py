"""Jobs with leases. A job that has ended is forgotten: nothing asks for it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve

from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.ids import JobId, TenantId
from contentgen_core.model.job import ORPHAN_SECONDS, Claimable, Job, JobKind, JobState, TenantBacklog, TenantJobs, Turn
from contentgen_core.ports.repositories.jobs import ALL_CLAIMABLE, ALL_KINDS, ANY_TURN, Jobs

JOBS: Final = TableOf[JobId, Job]("jobs")
DISPATCHED: Final = TableOf[JobId, datetime]("dispatched")


def held(session: Session, job: Job) -> Job | None:
    """The stored job while it is still this worker's in this claim: a late worker changes nothing."""
    stored = session[JOBS].get(job.id)
    if stored is None or stored.state is not JobState.RUNNING:
        return None
    return stored if (stored.worker, stored.claim_number) == (job.worker, job.claim_number) else None


@repository(Jobs)
class MemoryJobs:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def enqueue(self, job: Job) -> None:
        await self._session.writing()
        self._session[JOBS].put(job.id, job)

    async def cancel(self, job_id: JobId) -> None:
        await self._session.writing()
        self._session[JOBS].drop(job_id)

    async def cancel_subject(self, tenant_id: TenantId, subject_id: str, kind: JobKind) -> None:
        await self._session.writing()
        for job in list(self._session[JOBS].rows()):
            if (job.tenant_id, job.subject_id, job.kind) == (tenant_id, subject_id, kind):
                self._session[JOBS].drop(job.id)

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
        await self._session.writing()
        if among & {Claimable.LAPSED, Claimable.DOUBTFUL}:
            self._put_back_lapsed(now)
        free = [job for job in self._session[JOBS].rows() if job.kind in kinds and _claimable(job, now) in among]
        if free and among == {Claimable.DOUBTFUL}:
            free.sort(key=lambda job: (job.suspects, *_age(job)))
            chosen = free[: min(limit, max(1, free[0].suspects // 2))]
        else:
            at_work = Counter(j.tenant_id for j in self._session[JOBS].rows() if _is_running(j) and j.kind in kinds)
            chosen = _in_turn(free, at_work, turn)[:limit]
        return sorted((self._claimed(job, worker, leased_until) for job in chosen), key=_age)

    async def claim_one(self, worker: str, job_id: JobId, now: datetime, leased_until: datetime) -> Job | None:
        await self._session.writing()
        job = self._session[JOBS].get(job_id)
        if job is None or _claimable(job, now) is not Claimable.WAITING:
            return None
        return self._claimed(job, worker, leased_until)

    async def dispatch(
        self, now: datetime, limit: int, kinds: frozenset[JobKind] = ALL_KINDS, turn: Turn = ANY_TURN
    ) -> list[Job]:
        await self._session.writing()
        dispatched = self._session[DISPATCHED]
        undispatched = [job for job in self._waiting(now) if job.kind in kinds and dispatched.get(job.id) is None]
        sent_or_running = Counter(
            job.tenant_id
            for job in self._session[JOBS].rows()
            if job.kind in kinds and (_is_running(job) or dispatched.get(job.id) is not None)
        )
        chosen = _in_turn(undispatched, sent_or_running, turn)[:limit]
        for job in chosen:
            dispatched.put(job.id, now)
        return sorted(chosen, key=_age)

    async def reset_dispatched(self, now: datetime, older_than: timedelta) -> None:
        await self._session.writing()
        for job in list(self._waiting(now)):
            dispatched_at = self._session[DISPATCHED].get(job.id)
            if dispatched_at is not None and not now - older_than <= dispatched_at <= now + older_than:
                self._session[DISPATCHED].drop(job.id)

    async def renew(self, worker: str, leased_until: datetime, only: Collection[JobId] | None = None) -> None:
        await self._session.writing()
        for job in self._running(worker):
            if only is None or job.id in only:
                self._session[JOBS].put(job.id, evolve(job, leased_until=leased_until))

    async def held(self, worker: str, ids: Collection[JobId]) -> Mapping[JobId, int]:
        return {job.id: job.claim_number for job in self._running(worker) if job.id in ids}

    async def fence(self, job: Job) -> bool:
        await self._session.writing()
        return held(self._session, job) is not None

    async def finish(self, job: Job) -> None:
        await self._end(job)

    async def fail(self, job: Job, error: str) -> None:
        await self._end(job)

    async def retry(self, job: Job, run_at: datetime, error: str) -> None:
        await self._session.writing()
        stored = held(self._session, job)
        if stored is not None:
            self._session[JOBS].put(job.id, evolve(_queued(stored, run_at), last_error=error, suspects=0))
            self._session[DISPATCHED].drop(job.id)

    async def postpone(self, job: Job, run_at: datetime) -> None:
        await self._session.writing()
        stored = held(self._session, job)
        if stored is not None:
            self._session[JOBS].put(job.id, evolve(_queued(stored, run_at), attempts=stored.attempts - 1))

    async def wait(self, job: Job, provider: str, since: datetime, run_at: datetime, error: str) -> None:
        await self._session.writing()
        stored = held(self._session, job)
        if stored is not None:
            waits = evolve(_queued(stored, run_at), waiting_for=provider, waiting_since=since)
            uncounted = evolve(waits, attempts=stored.attempts - 1, last_error=error, suspects=0)
            self._session[JOBS].put(job.id, uncounted)
            self._session[DISPATCHED].drop(job.id)

    async def waiting_since(self, job: Job) -> datetime | None:
        stored = held(self._session, job)
        return None if stored is None else stored.waiting_since

    async def progressed(self, job: Job) -> None:
        await self._session.writing()
        stored = held(self._session, job)
        if stored is not None:
            self._session[JOBS].put(job.id, evolve(stored, waiting_for=None, waiting_since=None))

    async def resume(self, provider: str, now: datetime) -> None:
        await self._session.writing()
        for job in list(self._session[JOBS].rows()):
            if job.state is JobState.QUEUED and job.waiting_for == provider and job.run_at > now:
                self._session[JOBS].put(job.id, evolve(job, run_at=now))
                self._session[DISPATCHED].drop(job.id)

    async def release(self, worker: str, now: datetime) -> None:
        await self._session.writing()
        for job in self._running(worker):
            self._session[JOBS].put(job.id, evolve(_queued(job, now), attempts=job.attempts - 1))
            self._session[DISPATCHED].drop(job.id)

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        due = [job.run_at for job in self._session[JOBS].rows() if job.state is JobState.QUEUED and job.run_at <= now]
        return len(due), min(due, default=None)

    async def backlog_of(self, tenant_id: TenantId, now: datetime) -> TenantBacklog:
        jobs = [job for job in self._session[JOBS].rows() if job.tenant_id == tenant_id]
        due = [job.run_at for job in jobs if job.state is JobState.QUEUED and job.run_at <= now]
        running = sum(job.state is JobState.RUNNING for job in jobs)
        return TenantBacklog(len(due), running, min(due, default=None))

    async def by_tenant(self, kinds: frozenset[JobKind], now: datetime) -> dict[TenantId, TenantJobs]:
        jobs = [job for job in self._session[JOBS].rows() if job.kind in kinds]
        waiting = [job for job in self._waiting(now) if job.kind in kinds]
        at_work = Counter(job.tenant_id for job in jobs if _is_running(job))
        new = Counter(job.tenant_id for job in waiting if not job.claim_number)
        begun = Counter(job.tenant_id for job in waiting if job.claim_number)
        return {id: TenantJobs(at_work[id], new[id], begun[id]) for id in {job.tenant_id for job in jobs}}

    async def due_by_kind(self, now: datetime) -> dict[JobKind, tuple[int, datetime]]:
        found: dict[JobKind, tuple[int, datetime]] = {}
        for job in self._session[JOBS].rows():
            if job.state is JobState.QUEUED and job.run_at <= now:
                count, oldest = found.get(job.kind, (0, job.run_at))
                found[job.kind] = (count + 1, min(oldest, job.run_at))
        return found

    def _waiting(self, now: datetime) -> Iterator[Job]:
        return (job for job in self._session[JOBS].rows() if _claimable(job, now) is Claimable.WAITING)

    def _put_back_lapsed(self, now: datetime) -> None:
        """The jobs of a process together, when its last lease is over, so that it is known how many were at work. One
        that its worker does not know of was not."""
        by_worker: dict[str | None, list[Job]] = {}
        for job in self._session[JOBS].rows():
            if job.state is JobState.RUNNING:
                by_worker.setdefault(job.worker, []).append(job)
        for jobs in by_worker.values():
            lives = any(job.leased_until is not None and job.leased_until > now for job in jobs)
            doubtful = sum(job.doubtful for job in jobs)
            for job in jobs:
                if not lives:
                    crashed = _crashed(job, doubtful if job.doubtful else len(jobs))
                    self._session[JOBS].put(job.id, _queued(crashed, job.run_at))
                elif job.leased_until is None or job.leased_until <= now - timedelta(seconds=ORPHAN_SECONDS):
                    self._session[JOBS].put(job.id, evolve(_queued(job, job.run_at), attempts=job.attempts - 1))

    def _claimed(self, job: Job, worker: str, leased_until: datetime) -> Job:
        claimed = evolve(
            job,
            state=JobState.RUNNING,
            attempts=job.attempts + 1,
            claim_number=job.claim_number + 1,
            worker=worker,
            leased_until=leased_until,
        )
        self._session[JOBS].put(job.id, claimed)
        self._session[DISPATCHED].drop(job.id)
        return claimed

    async def _end(self, job: Job) -> None:
        await self._session.writing()
        if held(self._session, job) is not None:
            self._session[JOBS].drop(job.id)

    def _running(self, worker: str) -> list[Job]:
        return [j for j in self._session[JOBS].rows() if j.state is JobState.RUNNING and j.worker == worker]


def _is_running(job: Job) -> bool:
    return job.state is JobState.RUNNING


def _in_turn(jobs: Iterable[Job], at_work: Mapping[TenantId, int], turn: Turn) -> list[Job]:
    """The jobs that may begin, in the order of their turns. `at_work`: by tenant, how many jobs count as begun."""
    begun = Counter(at_work)
    places: list[tuple[int, Job]] = []
    for job in sorted(jobs, key=_age):
        begun[job.tenant_id] += 1
        places.append((begun[job.tenant_id], job))
    places.sort(key=lambda one: (one[0], one[1].tenant_id <= turn.after, one[1].tenant_id, *_age(one[1])))
    return [job for place, job in places if place <= turn.share]


def _age(job: Job) -> tuple[datetime, JobId]:
    return job.run_at, job.id


def _claimable(job: Job, now: datetime) -> Claimable | None:
    if job.state is not JobState.QUEUED or job.run_at > now:
        return None
    if not job.suspects:
        return Claimable.WAITING
    return Claimable.DOUBTFUL if job.doubtful else Claimable.LAPSED


def _crashed(job: Job, together: int) -> Job:
    """`together`: the suspects that were at work when the process died."""
    alone = job.crashes_alone + (together == 1)
    return evolve(job, crashes=job.crashes + 1, crashes_alone=alone, suspects=together)


def _queued(job: Job, run_at: datetime) -> Job:
    return evolve(job, state=JobState.QUEUED, run_at=run_at, worker=None, leased_until=None)
