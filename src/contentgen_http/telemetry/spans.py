"""Traces over OTLP/HTTP, by OpenTelemetry's SDK, in the terms of its semantic conventions."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Final

import structlog
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from contentgen_core.model.job import Job
from contentgen_http.telemetry.tracing import Headers, Kind, Span, Tracing, Value

CLOSE_SECONDS: Final = 2.0
_PROPAGATOR: Final = TraceContextTextMapPropagator()
_KINDS: Final[dict[Kind, trace.SpanKind]] = {
    "internal": trace.SpanKind.INTERNAL,
    "server": trace.SpanKind.SERVER,
    "client": trace.SpanKind.CLIENT,
    "producer": trace.SpanKind.PRODUCER,
    "consumer": trace.SpanKind.CONSUMER,
}
_WANTED: Final[ContextVar[tuple[int, int] | None]] = ContextVar("contentgen_wanted_ids", default=None)

log = structlog.get_logger("contentgen.tracing")


class OtlpTracing(Tracing):
    on = True

    def __init__(self, environ: Mapping[str, str], version: str) -> None:
        if (protocol := environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")) != "http/protobuf":
            log.warning("traces are sent as http/protobuf whatever is asked for", asked=protocol)
        named = {SERVICE_VERSION: version}
        if not environ.get("OTEL_SERVICE_NAME") and "service.name=" not in environ.get("OTEL_RESOURCE_ATTRIBUTES", ""):
            named[SERVICE_NAME] = "contentgen"
        self._provider = TracerProvider(resource=Resource.create(named), id_generator=_Ids(), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("contentgen", version)

    def span(self, name: str, kind: Kind = "internal", **values: Value) -> AbstractContextManager[Span]:
        return _entered(self._start(name, kind, None, values))

    def request(self, headers: Headers, method: str) -> AbstractContextManager[Span]:
        carrier = {
            name.decode(): value.decode("latin-1") for name, value in headers if name in (b"traceparent", b"tracestate")
        }
        parent = _PROPAGATOR.extract(carrier, Context())
        return _entered(self._start(method, "server", parent, {"http.request.method": method}))

    def attempt(self, job: Job) -> AbstractContextManager[Span]:
        values: dict[str, Value] = {
            "contentgen.job.id": job.id,
            "contentgen.job.kind": job.kind.value,
            "contentgen.job.attempt": job.attempts,
            "contentgen.tenant.id": job.tenant_id,
        }
        token = _WANTED.set(_ids_of(job, job.attempts))
        try:
            span = self._start(f"process {job.kind.value}", "consumer", Context(), values)
        finally:
            _WANTED.reset(token)
        return _entered(span)

    def enqueued(self, job: Job) -> None:
        trace_id, span_id = _ids_of(job, 1)
        there = trace.SpanContext(trace_id, span_id, is_remote=True, trace_flags=trace.TraceFlags(1))
        self._tracer.start_span(
            f"enqueue {job.kind.value}",
            kind=trace.SpanKind.PRODUCER,
            attributes={"contentgen.job.id": job.id, "contentgen.job.kind": job.kind.value},
            links=[trace.Link(there)],
        ).end()

    def within(self) -> bool:
        return trace.get_current_span().is_recording()

    def close(self) -> None:
        # A collector that does not answer would be waited for, retries included, and a thread of the usual kind would
        # keep the program from ending.
        closing = threading.Thread(target=self._provider.shutdown, name="traces", daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)

    def _start(self, name: str, kind: Kind, parent: Context | None, values: Mapping[str, Value]) -> trace.Span:
        attributes = {key.replace("__", "."): value for key, value in values.items()}
        return self._tracer.start_span(name, context=parent, kind=_KINDS[kind], attributes=attributes)


@contextmanager
def _entered(inner: trace.Span) -> Iterator[Span]:
    # The exception itself is not recorded: its words may be a user's.
    with trace.use_span(inner, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        span = _Span(inner)
        try:
            yield span
        except BaseException as error:
            span.fail(type(error).__qualname__)
            raise


class _Span:
    __slots__ = ("_span",)

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    @property
    def trace_id(self) -> str:
        return trace.format_trace_id(self._span.get_span_context().trace_id)

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def note(self, **values: Value) -> None:
        for key, value in values.items():
            self._span.set_attribute(key.replace("__", "."), value)

    def fail(self, kind: str) -> None:
        self._span.set_attribute("error.type", kind)
        self._span.set_status(trace.StatusCode.ERROR)


class _Ids(RandomIdGenerator):
    """Random ones, but for a job's: those follow from its id, so that whoever enqueues it can name the trace that its
    worker will make, and nothing has to travel with the job."""

    def generate_trace_id(self) -> int:
        wanted = _WANTED.get()
        return super().generate_trace_id() if wanted is None else wanted[0]

    def generate_span_id(self) -> int:
        wanted = _WANTED.get()
        return super().generate_span_id() if wanted is None else wanted[1]


def _ids_of(job: Job, attempt: int) -> tuple[int, int]:
    """(trace, span) of an attempt. Hashed: samplers take a trace's id for random in every bit, which a UUIDv7 is
    not."""
    named = hashlib.sha256(job.id.encode()).digest()
    tried = hashlib.sha256(f"{job.id} {attempt}".encode()).digest()
    return int.from_bytes(named[:16], "big") or 1, int.from_bytes(tried[:8], "big") or 1
