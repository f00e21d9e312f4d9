"""Traces over OTLP/HTTP, by OpenTelemetry's SDK, which reads the variables of its specification itself."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final

import structlog
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from contentgen_http.telemetry.tracing import ATTEMPT_IDS, Tracing

CLOSE_SECONDS: Final = 2.0

log = structlog.get_logger("contentgen.tracing")


def otlp_tracing(environ: Mapping[str, str], version: str) -> Tracing:
    """Return tracing that sends to the endpoint of the process's environment.

    `environ`: where protocol and service name are looked up. `version`: of this service.
    """
    if (protocol := environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")) != "http/protobuf":
        log.warning("traces are sent as http/protobuf whatever is asked for", asked=protocol)
    named = {SERVICE_VERSION: version}
    if not environ.get("OTEL_SERVICE_NAME") and "service.name=" not in environ.get("OTEL_RESOURCE_ATTRIBUTES", ""):
        named[SERVICE_NAME] = "contentgen"
    provider = TracerProvider(resource=Resource.create(named), id_generator=_AttemptIds(), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))

    def close() -> None:
        # A collector that does not answer would be waited for, retries included, and a thread of the usual kind would
        # keep the program from ending.
        closing = threading.Thread(target=provider.shutdown, name="traces", daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)

    return Tracing(provider.get_tracer("contentgen", version), close)


class _AttemptIds(RandomIdGenerator):
    """Random ids, but for the span of an attempt at a job and its trace."""

    def generate_trace_id(self) -> int:
        ids = ATTEMPT_IDS.get()
        return super().generate_trace_id() if ids is None else ids[0]

    def generate_span_id(self) -> int:
        ids = ATTEMPT_IDS.get()
        return super().generate_span_id() if ids is None else ids[1]
