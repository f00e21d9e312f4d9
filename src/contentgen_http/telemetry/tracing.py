"""Traces, over OpenTelemetry's API alone. While they are not sent, its no-op tracer makes the spans.

Attributes hold no text of a user, a prompt or a model. Exceptions are not recorded: their messages may hold it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final

from opentelemetry.context import Context
from opentelemetry.trace import (
    INVALID_SPAN,
    Link,
    NoOpTracer,
    Span,
    SpanContext,
    SpanKind,
    StatusCode,
    TraceFlags,
    Tracer,
    format_trace_id,
    get_current_span,
    use_span,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from contentgen_core.model.job import Job

Attributes = Mapping[str, str | int | float | bool]
Headers = Iterable[tuple[bytes, bytes]]

ATTEMPT_IDS: Final[ContextVar[tuple[int, int] | None]] = ContextVar("contentgen_attempt_ids", default=None)
"""Ids (trace, span) for the span that is being started, if it is that of an attempt at a job; else None."""
_PROPAGATOR: Final = TraceContextTextMapPropagator()
_NO_SPAN: Final = nullcontext(INVALID_SPAN)


class Tracing:
    """Makes the spans of a process. `on`: whether they are sent."""

    def __init__(self, tracer: Tracer | None = None, close: Callable[[], None] | None = None) -> None:
        """`tracer`: makes spans that are sent; None: none are. `close`: sends what is left, then ends the exporter."""
        self.on = tracer is not None
        self._tracer = tracer or NoOpTracer()
        self._close = close

    def span(
        self, name: str, kind: SpanKind = SpanKind.INTERNAL, attributes: Attributes | None = None
    ) -> AbstractContextManager[Span]:
        """A step within the current span; an exception that leaves it marks it as failed."""
        if not self.on:  # entering a no-op span would add 4 µs to the 6 that watching a call takes
            return _NO_SPAN
        return _enter(self._tracer.start_span(name, kind=kind, attributes=attributes))

    def request(self, headers: Headers, method: str) -> AbstractContextManager[Span]:
        """A request, in the trace that its W3C `traceparent` names, else in a new one."""
        carrier = {
            name.decode(): value.decode("latin-1") for name, value in headers if name in (b"traceparent", b"tracestate")
        }
        parent = _PROPAGATOR.extract(carrier, Context())
        attributes = {"http.request.method": method}
        return _enter(self._tracer.start_span(method, context=parent, kind=SpanKind.SERVER, attributes=attributes))

    def attempt(self, job: Job) -> AbstractContextManager[Span]:
        """A span of one attempt at a job, in the trace of that job."""
        attributes: Attributes = {
            "contentgen.job.id": job.id,
            "contentgen.job.kind": job.kind.value,
            "contentgen.job.attempt": job.attempts,
            "contentgen.tenant.id": job.tenant_id,
        }
        token = ATTEMPT_IDS.set(_attempt_ids(job, job.attempts))
        try:
            span = self._tracer.start_span(
                f"process {job.kind.value}", context=Context(), kind=SpanKind.CONSUMER, attributes=attributes
            )
        finally:
            ATTEMPT_IDS.reset(token)
        return _enter(span)

    def enqueued(self, job: Job) -> None:
        """Link the current trace to that of the job."""
        trace_id, span_id = _attempt_ids(job, 1)
        first_attempt = SpanContext(trace_id, span_id, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
        self._tracer.start_span(
            f"enqueue {job.kind.value}",
            kind=SpanKind.PRODUCER,
            attributes={"contentgen.job.id": job.id, "contentgen.job.kind": job.kind.value},
            links=[Link(first_attempt)],
        ).end()

    def within(self) -> bool:
        """Whether the current span is one that is sent."""
        return get_current_span().is_recording()

    def close(self) -> None:
        """Send what is left. Waits two seconds at most."""
        if self._close is not None:
            self._close()


def mark_failed(span: Span, error_type: str) -> None:
    """Give a span the status ERROR. `error_type`: a class of exceptions, an HTTP status or a job's outcome; never a
    message."""
    span.set_attribute("error.type", error_type)
    span.set_status(StatusCode.ERROR)


def trace_id_of(span: Span) -> str | None:
    """32 hexadecimal digits; None for a no-op span."""
    context = span.get_span_context()
    return format_trace_id(context.trace_id) if context.is_valid else None


@contextmanager
def _enter(span: Span) -> Iterator[Span]:
    with use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield span
        except BaseException as error:
            mark_failed(span, type(error).__qualname__)
            raise


def _attempt_ids(job: Job, attempt: int) -> tuple[int, int]:
    """Return (trace, span) of an attempt. They follow from the job's id, so that a request can link to the trace that a
    worker will make without the job carrying it.

    Hashed: samplers take a trace's id for random in every bit, which a UUIDv7 is not.
    """
    of_job = hashlib.sha256(job.id.encode()).digest()
    of_attempt = hashlib.sha256(f"{job.id} {attempt}".encode()).digest()
    return int.from_bytes(of_job[:16], "big") or 1, int.from_bytes(of_attempt[:8], "big") or 1
