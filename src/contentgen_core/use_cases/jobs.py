"""The frame of every job: work in steps that end in a checkpoint, and what happens when an attempt fails.

A checkpoint is written in a transaction that first makes sure that the job is still ours. Whoever takes the job up
later starts from the last checkpoint; whoever lost it discards what it has."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final, Protocol, TypeAlias, TypeVar

from attrs import frozen

from contentgen_core.errors import ContentgenError, NotConfigured, NotFound, ProviderFailed, StaleIndex, Unavailable
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import MAX_ATTEMPTS, Job
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork

RETRY_DELAYS: Final = (timedelta(seconds=2), timedelta(seconds=10))
LONGEST_RETRY_DELAY: Final = timedelta(minutes=5)
LONGEST_REASON: Final = 500


class JobLost(Exception):
    """The job was cancelled, or another worker took it over. Not an error: the present work is of no use any more."""


class CannotGoOn(Exception):
    """The work ends here, for a reason that a person is told. `again`: a later attempt may get further."""

    def __init__(self, reason: str, *, again: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.again = reason, again


GiveUp: TypeAlias = Callable[[Transaction, Job, str], Awaitable[None]]


class Subject(Protocol):
    """What a job works on. It names its job."""

    @property
    def job_id(self) -> JobId | None: ...


S = TypeVar("S", bound=Subject)


async def subject_of(job: Job, found: Awaitable[S], under_way: Callable[[S], bool] = lambda _: True) -> S:
    """What a job works on, as it is now. `found`: the read of it, which raises NotFound; `under_way`: whether its state
    is one in which the job goes on. Raises JobLost when it is gone, names another job, or is not under way."""
    try:
        subject = await found
    except NotFound:
        raise JobLost from None
    if subject.job_id != job.id or not under_way(subject):
        raise JobLost
    return subject


@frozen
class JobFrame:
    """`what`: the work as a person reads it (`The generation`)."""

    unit_of_work: UnitOfWork
    clock: Clock
    what: str

    async def run(
        self,
        job: Job,
        work: Callable[[Job], Awaitable[None]],
        give_up: GiveUp,
    ) -> None:
        """One attempt. What fails for the moment is queued again; what fails for good, or too often, is given up:
        `give_up(tx, job, reason)` runs in the transaction that ends the job, and may raise JobLost.

        Raises nothing of its own: only Unavailable comes out, while the database is away (the lease then runs out),
        and what is a fault of ours, after the attempt was ended.
        """
        try:
            if job.exhausted:
                raise CannotGoOn(f"{self.what} was interrupted {MAX_ATTEMPTS} times. Start it again.")
            await work(job)
        except JobLost:
            return
        except Unavailable:
            raise
        except CannotGoOn as error:
            await self._end(job, give_up, error, again=error.again)
        except ProviderFailed as error:
            await self._end(job, give_up, error, again=error.retryable, wish=error.retry_after)
        except (NotConfigured, StaleIndex) as error:
            await self._end(job, give_up, error, again=False)
        except Exception as error:
            await self._end(job, give_up, error, again=True)
            if not isinstance(error, ContentgenError):
                raise

    @asynccontextmanager
    async def fenced(self, job: Job) -> AsyncIterator[Transaction]:
        """A transaction in which the job is certainly ours. Raises JobLost."""
        async with self.unit_of_work() as tx:
            if not await tx.jobs.fence(job):
                raise JobLost
            yield tx

    async def _end(
        self,
        job: Job,
        give_up: GiveUp,
        error: Exception,
        *,
        again: bool,
        wish: float | None = None,
    ) -> None:
        reason = self._reason(error, job)
        try:
            async with self.fenced(job) as tx:
                if again and job.attempts < MAX_ATTEMPTS:
                    delay = RETRY_DELAYS[min(job.attempts, len(RETRY_DELAYS)) - 1]
                    asked = timedelta(seconds=wish or 0)
                    run_at = self.clock.now() + min(max(delay, asked), LONGEST_RETRY_DELAY)
                    await tx.jobs.retry(job, run_at, reason)
                    return
                await give_up(tx, job, reason)
                await tx.jobs.fail(job, reason)
        except JobLost:
            return

    def _reason(self, error: Exception, job: Job) -> str:
        """What went wrong, without internals: an unexpected error is named by its job, which the log has it under."""
        if isinstance(error, CannotGoOn):
            return error.reason[:LONGEST_REASON]
        if isinstance(error, ContentgenError):
            return error.detail[:LONGEST_REASON]
        return (
            f"{self.what} was stopped by an internal error (job {job.id}). Try again; if it stays, tell the operator."
        )
