"""Transactions, watched: how long they take, which jobs they enqueue and end."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from time import perf_counter
from types import CodeType, TracebackType
from typing import Any, Final, TypeVar, cast

import structlog
from opentelemetry.trace import SpanKind

from contentgen_core.errors import BudgetExceeded, Unavailable
from contentgen_core.model.ids import PublicationId, TenantId
from contentgen_core.model.job import Job
from contentgen_core.model.publication import Publication, PublicationStatus
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.publications import Publications
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_http.telemetry.context import CURRENT, Attempt
from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.tracing import Tracing

LONG_SECONDS: Final = 1.0  # nothing slow belongs into a transaction: others wait for its locks and its connection

R = TypeVar("R")

log = structlog.get_logger("contentgen.jobs")


class ObservedUnitOfWork:
    def __init__(self, inner: UnitOfWork, metrics: Metrics, tracing: Tracing) -> None:
        self._inner, self._metrics, self._tracing = inner, metrics, tracing

    def __call__(self) -> AbstractAsyncContextManager[Transaction]:
        watched = _Transaction(self._inner(), self._metrics, _opener())
        if self._tracing.on and self._tracing.within():  # else each look for work would be a trace of its own
            return _Traced(watched, self._tracing)
        return cast(AbstractAsyncContextManager[Transaction], watched)


def _opener() -> CodeType:
    """The code that opens a transaction, perhaps through a unit of work around this one."""
    frame = sys._getframe(2)
    while frame.f_back is not None and (
        frame.f_code.co_qualname.endswith("UnitOfWork.__call__") or frame.f_code.co_filename == contextlib.__file__
    ):
        frame = frame.f_back
    return frame.f_code


class _Transaction:
    """Begins and ends a transaction, and delegates to it meanwhile. Its callbacks run once it is committed."""

    __slots__ = (
        "_begun",
        "_inner",
        "_metrics",
        "_on_commit",
        "_opened",
        "_opener",
        "_tracing",
        "_tx",
        "_watched",
    )

    def __init__(self, inner: AbstractAsyncContextManager[Transaction], metrics: Metrics, opener: CodeType) -> None:
        """`opener`: whose transaction it is, for the log."""
        self._inner, self._metrics, self._opener = inner, metrics, opener
        self._tracing: Tracing | None = None
        self._on_commit: list[Callable[[], None]] | None = None
        self._watched: dict[type, Any] = {}

    async def __aenter__(self) -> Any:
        self._begun = perf_counter()
        try:
            self._tx = await self._inner.__aenter__()
        except Unavailable as error:
            self._count_failure(error)
            raise
        self._opened = perf_counter()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        try:
            result = await self._inner.__aexit__(kind, error, traceback)
        except Unavailable as failure:
            self._count_failure(failure)
            raise
        finally:
            ended = perf_counter()
            self._metrics.transactions.observe(ended - self._begun)
            if ended - self._opened > LONG_SECONDS:
                log.warning(
                    "a transaction was open for long",
                    seconds=round(ended - self._opened, 1),
                    openedBy=self._opener.co_qualname,
                )
        if isinstance(error, Unavailable):
            self._count_failure(error)
        elif isinstance(error, BudgetExceeded):
            self._metrics.budget_refusals.labels("agent" if error.agent else "tenant").inc()
        elif error is None and self._on_commit is not None:
            for callback in self._on_commit:
                callback()
        return result

    def _count_failure(self, error: Exception) -> None:
        self._metrics.transactions_failed.labels(type(error).__name__).inc()

    def __getitem__(self, port: type[R]) -> R:
        repository = self._tx[port]
        watch = _WATCHED.get(port)
        if watch is None:
            return repository
        if port not in self._watched:
            self._watched[port] = watch(repository, self)
        watched: R = self._watched[port]
        return watched

    def on_commit(self, callback: Callable[[], None]) -> None:
        if self._on_commit is None:
            self._on_commit = []
        self._on_commit.append(callback)

    def enqueued(self, job: Job) -> None:
        self._metrics.jobs_enqueued.labels(job.kind.value).inc()
        fields: dict[str, object] = {"jobId": job.id, "kind": job.kind.value, "tenantId": job.tenant_id}
        if isinstance(current := CURRENT.get(), Attempt):
            fields["byJobId"] = current.job.id
        log.info("job enqueued", **fields)
        if self._tracing is not None:
            self._tracing.enqueued(job)


class _Jobs:
    __slots__ = ("_inner", "_transaction")

    def __init__(self, inner: Any, transaction: _Transaction) -> None:
        self._inner, self._transaction = inner, transaction

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def enqueue(self, job: Job) -> None:
        await self._inner.enqueue(job)
        self._transaction.on_commit(lambda: self._transaction.enqueued(job))

    async def finish(self, job: Job) -> None:
        await self._inner.finish(job)
        self._set_outcome(job, "done")

    async def fail(self, job: Job, error: str) -> None:
        await self._inner.fail(job, error)
        self._set_outcome(job, "failed")

    async def retry(self, job: Job, run_at: datetime, error: str) -> None:
        await self._inner.retry(job, run_at, error)
        self._set_outcome(job, "retried")

    async def postpone(self, job: Job, run_at: datetime) -> None:
        await self._inner.postpone(job, run_at)
        self._set_outcome(job, "postponed")

    def _set_outcome(self, job: Job, outcome: str) -> None:
        current = CURRENT.get()
        if isinstance(current, Attempt) and current.job.id == job.id:
            self._transaction.on_commit(lambda: setattr(current, "outcome", outcome))


class _Publications:
    """Counts those that come to an end: what was pending is saved as something else."""

    __slots__ = ("_inner", "_pending", "_transaction")

    def __init__(self, inner: Any, transaction: _Transaction) -> None:
        self._inner, self._transaction = inner, transaction
        self._pending: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def get(self, tenant_id: TenantId, publication_id: PublicationId) -> Publication:
        found: Publication = await self._inner.get(tenant_id, publication_id)
        if found.status is PublicationStatus.PENDING:
            self._pending.add(found.id)
        return found

    async def save(self, publication: Publication) -> Publication:
        saved: Publication = await self._inner.save(publication)
        if saved.id in self._pending and saved.status is not PublicationStatus.PENDING:
            self._pending.remove(saved.id)
            ended = self._transaction._metrics.publications_ended.labels(saved.provider, saved.status.value)
            self._transaction.on_commit(ended.inc)
        return saved


_WATCHED: Final[dict[type, Callable[[Any, _Transaction], Any]]] = {Jobs: _Jobs, Publications: _Publications}


class _Traced:
    """A unit of work within a span, from before the wait for a connection until after the commit."""

    __slots__ = ("_inner", "_span", "_tracing")

    def __init__(self, inner: _Transaction, tracing: Tracing) -> None:
        self._inner, self._tracing = inner, tracing
        inner._tracing = tracing

    async def __aenter__(self) -> Transaction:
        self._span = self._tracing.span("transaction", SpanKind.CLIENT, {"db.system.name": "postgresql"})
        self._span.__enter__()
        try:
            return cast(Transaction, await self._inner.__aenter__())
        except BaseException as error:
            self._span.__exit__(type(error), error, error.__traceback__)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        try:
            result = await self._inner.__aexit__(kind, error, traceback)
        except BaseException as failure:
            self._span.__exit__(type(failure), failure, failure.__traceback__)
            raise
        # Raising is how a use case refuses and rolls back: only what the database failed counts as its fault.
        fault = error if isinstance(error, Unavailable) else None
        self._span.__exit__(None if fault is None else type(fault), fault, None)
        return result
