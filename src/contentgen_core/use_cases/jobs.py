"""Running a job: work in steps that end in a checkpoint, and what happens when an attempt fails.

A checkpoint is written in a fenced transaction, which first makes sure that the worker still holds the job. An attempt
after a crash starts from the last checkpoint; a worker that lost the job discards its results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final, Protocol, TypeAlias, TypeVar

from contentgen_core.errors import (
    ContentgenError,
    NotAsked,
    NotConfigured,
    NotFound,
    ProviderFailed,
    StaleIndex,
    Unavailable,
)
from contentgen_core.model.article import ProviderWait
from contentgen_core.model.circuit import pause_after
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import MAX_ATTEMPTS, Job
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

RETRY_DELAYS: Final = (timedelta(seconds=2), timedelta(seconds=10))
MAX_RETRY_DELAY: Final = timedelta(minutes=5)
AFTER_TRIAL: Final = timedelta(seconds=5)
"""How long after the next trial a job looks again that may not call its provider: should nobody have tried, it does.
Once a trial succeeds, all are due at once."""
MAX_REASON: Final = 500


class JobLost(Exception):
    """The job was cancelled, or another worker claimed it. Not an error: the results of this attempt are discarded."""


class JobFailed(Exception):
    """The work cannot continue. `reason`: in words for a person; `retryable`: whether a later attempt may succeed."""

    def __init__(self, reason: str, *, retryable: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.retryable = reason, retryable


def crash_reason(what: str, job: Job) -> str:
    """Explain why an exhausted job ends. `what`: the work as error messages name it."""
    return f"{what} was interrupted {job.crashes} times: each time its process died with it. Start it again."


OnFailure: TypeAlias = Callable[[Transaction, Job, str], Awaitable[None]]
OnWait: TypeAlias = Callable[[Transaction, Job, ProviderWait], Awaitable[None]]


class Subject(Protocol):
    """The object that a job works on; it stores the job's id."""

    @property
    def job_id(self) -> JobId | None: ...


S = TypeVar("S", bound=Subject)


async def subject_of(job: Job, found: Awaitable[S], under_way: Callable[[S], bool] = lambda _: True) -> S:
    """The subject of a job, as it is now. `found`: loads it and raises NotFound; `under_way`: whether its state is one
    in which the job continues. Raises JobLost when it does not exist, names another job, or is not under way."""
    try:
        subject = await found
    except NotFound:
        raise JobLost from None
    if subject.job_id != job.id or not under_way(subject):
        raise JobLost
    return subject


@use_case
class AttemptRunner:
    """Runs the attempts of a kind of job. `what`: the work as error messages name it (`The generation`). `patience`:
    how long a job waits for a provider that is away; 0: that counts as an attempt, like any other failure."""

    unit_of_work: UnitOfWork
    clock: Clock
    what: str
    patience: timedelta = timedelta(0)

    async def run(
        self,
        job: Job,
        work: Callable[[Job], Awaitable[None]],
        on_failure: OnFailure,
        on_wait: OnWait | None = None,
    ) -> None:
        """Run one attempt. A retryable failure queues the job again; a final one, or the last attempt's, ends it:
        `on_failure(tx, job, reason)` runs in the transaction that ends the job, and may raise JobLost. While a provider
        is away the job waits, and `on_wait(tx, job, wait)` runs in the transaction that queues it again. Raises only
        Unavailable, while the database is unavailable (the lease then runs out), and unexpected exceptions after the
        attempt was ended."""
        try:
            if job.exhausted:
                raise JobFailed(crash_reason(self.what, job))
            await work(job)
        except JobLost:
            await self._leave(job)
        except Unavailable:
            raise
        except JobFailed as error:
            await self._end(job, on_failure, error, retryable=error.retryable)
        except ProviderFailed as error:
            if error.away and self.patience:
                await self._wait(job, error, on_failure, on_wait)
                return
            await self._end(job, on_failure, error, retryable=error.retryable, retry_after=error.retry_after)
        except (NotConfigured, StaleIndex) as error:
            await self._end(job, on_failure, error, retryable=False)
        except Exception as error:
            await self._end(job, on_failure, error, retryable=True)
            if not isinstance(error, ContentgenError):
                raise

    @asynccontextmanager
    async def fenced(self, job: Job) -> AsyncIterator[Transaction]:
        """Open a transaction in which the worker certainly holds the job. Raises JobLost."""
        async with self.unit_of_work() as tx:
            if not await tx[Jobs].fence(job):
                raise JobLost
            yield tx

    async def progressed(self, tx: Transaction, job: Job) -> bool:
        """Record that a job has a new result: if its provider goes away again, the job may wait for the full time
        again. Return whether it had waited."""
        if job.waiting_since is None:
            return False
        await tx[Jobs].progressed(job)
        return True

    async def _wait(self, job: Job, error: ProviderFailed, on_failure: OnFailure, on_wait: OnWait | None) -> None:
        """Queue the job again without counting the attempt, or end it when it has waited for long enough."""
        now, reason = self.clock.now(), self._reason(error, job)
        try:
            async with self.fenced(job) as tx:
                since = await tx[Jobs].waiting_since(job) or now
                until = since + self.patience
                if now >= until:
                    minutes = round(self.patience.total_seconds() / 60)
                    reason = f"{reason}. It did not come back within {minutes} minutes. Start it again later."
                    await on_failure(tx, job, reason)
                    await tx[Jobs].fail(job, reason)
                    return
                delay = timedelta(seconds=error.retry_after or 0)
                delay = delay + AFTER_TRIAL if isinstance(error, NotAsked) else max(pause_after(since, now), delay)
                if on_wait is not None:
                    await on_wait(tx, job, ProviderWait(reason, since, until))
                await tx[Jobs].wait(job, error.provider, since, min(now + min(delay, MAX_RETRY_DELAY), until), reason)
        except JobLost:
            await self._leave(job)

    async def _end(
        self,
        job: Job,
        on_failure: OnFailure,
        error: Exception,
        *,
        retryable: bool,
        retry_after: float | None = None,
    ) -> None:
        reason = self._reason(error, job)
        try:
            async with self.fenced(job) as tx:
                if retryable and job.failures < MAX_ATTEMPTS:
                    delay = RETRY_DELAYS[min(job.failures, len(RETRY_DELAYS)) - 1]
                    requested = timedelta(seconds=retry_after or 0)
                    run_at = self.clock.now() + min(max(delay, requested), MAX_RETRY_DELAY)
                    await tx[Jobs].retry(job, run_at, reason)
                    return
                await on_failure(tx, job, reason)
                await tx[Jobs].fail(job, reason)
        except JobLost:
            await self._leave(job)

    async def _leave(self, job: Job) -> None:
        """End a job whose subject is gone. A job that another worker holds stays."""
        async with self.unit_of_work() as tx:
            await tx[Jobs].finish(job)

    def _reason(self, error: Exception, job: Job) -> str:
        """The reason without internals: an unexpected error is referred to by the job's id, under which it is
        logged."""
        if isinstance(error, JobFailed):
            return error.reason[:MAX_REASON]
        if isinstance(error, ContentgenError):
            return error.detail[:MAX_REASON]
        return (
            f"{self.what} was stopped by an internal error (job {job.id}). Try again; if it stays, tell the operator."
        )
