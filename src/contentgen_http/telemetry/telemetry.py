"""All telemetry of one process, in one place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from typing import Final, cast

import httpx
from attrs import evolve, field, frozen
from opentelemetry.trace import SpanKind

from contentgen_core.errors import Unavailable
from contentgen_core.model.job import Job
from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.ports.knowledge_base import Embedder, PassageIndex
from contentgen_core.ports.publishing import PublishingTargets
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import ConfiguredWebSearches, WebSearch
from contentgen_core.services import Ports
from contentgen_http.telemetry.context import CURRENT, Attempt
from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.observed import (
    ObservedEmbedder,
    ObservedIndex,
    ObservedLimiter,
    ObservedModel,
    ObservedTargets,
    ObservedWebSearch,
    Watch,
)
from contentgen_http.telemetry.tracing import Tracing, mark_failed, trace_id_of
from contentgen_http.telemetry.transactions import ObservedUnitOfWork

Handler = Callable[[Job], Awaitable[None]]
RecordStatus = Callable[[int], None]

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""OpenTelemetry's own variables; its SDK reads them and the others of its specification."""


@frozen
class Telemetry:
    metrics: Metrics = field(factory=Metrics)
    tracing: Tracing = field(factory=Tracing)

    def observe(self, ports: Ports) -> Ports:
        """Return the same ports, with those observed whose calls cost time or money."""
        return evolve(
            ports,
            unit_of_work=self.unit_of_work(ports.unit_of_work),
            index=self.index(ports.index),
            embedder=self.embedder(ports.embedder),
            model=self.model(ports.model),
            batched_planner=self.batched_model(ports.batched_planner),
            batched_model=self.batched_model(ports.batched_model),
            searches=self.searches(ports.searches),
            targets=self.targets(ports.targets),
            rate_limiter=self.limiter(ports.rate_limiter),
        )

    def unit_of_work(self, inner: UnitOfWork) -> UnitOfWork:
        return ObservedUnitOfWork(inner, self.metrics, self.tracing)

    def index(self, inner: PassageIndex) -> PassageIndex:
        return cast(PassageIndex, ObservedIndex(inner, self._watch))

    def embedder(self, inner: Embedder) -> Embedder:
        return cast(Embedder, ObservedEmbedder(inner, self._watch))

    def model(self, inner: ContentModel) -> ContentModel:
        return cast(ContentModel, ObservedModel(inner, self._watch))

    def batched_model(self, inner: BatchedModel | None) -> BatchedModel | None:
        return None if inner is None else cast(BatchedModel, ObservedModel(inner, self._watch))

    def searches(self, inner: ConfiguredWebSearches) -> ConfiguredWebSearches:
        return ConfiguredWebSearches(self._search(inner.standard), self._search(inner.premium), inner.settings)

    def targets(self, inner: PublishingTargets) -> PublishingTargets:
        return cast(PublishingTargets, ObservedTargets(inner, self._watch))

    def limiter(self, inner: RateLimiter) -> RateLimiter:
        return ObservedLimiter(inner, self.metrics)

    def handler(self, inner: Handler) -> Handler:
        """Return a handler that does the same jobs, with each attempt observed. `inner`: does the jobs of one kind."""

        async def attempt(job: Job) -> None:
            with self._attempt(job):
                await inner(job)

        return attempt

    @property
    def request_hook(self) -> Callable[[httpx.Request], AbstractContextManager[RecordStatus]] | None:
        """Makes a span of each request to another service; None while traces are not sent."""
        return self._outgoing if self.tracing.on else None

    @property
    def _watch(self) -> Watch:
        return Watch(self.metrics, self.tracing)

    def _search(self, inner: WebSearch | None) -> WebSearch | None:
        return None if inner is None else cast(WebSearch, ObservedWebSearch(inner, self._watch))

    @contextmanager
    def _attempt(self, job: Job) -> Iterator[None]:
        attempt, kind, begun = Attempt(job), job.kind.value, perf_counter()
        outcome = "lost"  # cancelled, or another worker has it: the handler returned without ending it
        token = CURRENT.set(attempt)
        running = self.metrics.jobs_running.labels(kind)
        running.inc()
        try:
            with self.tracing.attempt(job) as span:
                attempt.trace_id = trace_id_of(span)
                yield
                if attempt.outcome in ("failed", "retried"):
                    mark_failed(span, attempt.outcome)
        except asyncio.CancelledError:
            outcome = "handed_back"
            raise
        except Unavailable:
            outcome = "interrupted"
            raise
        except Exception:
            outcome = "error"
            raise
        finally:
            CURRENT.reset(token)
            running.dec()
            self.metrics.jobs_ended.labels(kind, attempt.outcome or outcome).inc()
            self.metrics.job_seconds.labels(kind).observe(perf_counter() - begun)

    @contextmanager
    def _outgoing(self, request: httpx.Request) -> Iterator[RecordStatus]:
        """The host and nothing behind it: a search has the topic in its address."""
        with self.tracing.span(
            request.method,
            SpanKind.CLIENT,
            {
                "http.request.method": request.method,
                "server.address": request.url.host,
                "server.port": request.url.port or {"https": 443}.get(request.url.scheme, 80),
            },
        ) as span:

            def record_status(status: int) -> None:
                span.set_attribute("http.response.status_code", status)
                if status >= 400:
                    mark_failed(span, str(status))

            yield record_status


def open_tracing(environ: Mapping[str, str], version: str) -> Tracing:
    """Open tracing as the environment asks: traces are sent if an endpoint is set and the SDK is not disabled.

    `environ`: the process's. `version`: of this service, as its traces name it.
    """
    if not any(environ.get(name) for name in ENDPOINTS) or environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return Tracing()
    from contentgen_http.telemetry.otlp import otlp_tracing  # loads the SDK

    return otlp_tracing(environ, version)
