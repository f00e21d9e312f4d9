"""Logs as JSON lines, metrics for Prometheus."""

from __future__ import annotations

import logging
import sys
from typing import Any, Final

import msgspec
import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, PlatformCollector, ProcessCollector
from structlog.typing import Processor

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

_SHARED: Final[list[Processor]] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    structlog.processors.format_exc_info,
]


def configure_logging(level: str = "info") -> None:
    """Everything that is logged, by us or by libraries, becomes one JSON object a line on standard error.

    `level`: debug, info, warning or error. For programs, once at their start: it changes the process's logging."""
    least = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*_SHARED, structlog.processors.JSONRenderer(serializer=_encode)],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *_SHARED],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=lambda event, **_: _encode(event).decode()),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(least, logging.WARNING), force=True)


def _encode(event: object, **_: Any) -> bytes:
    return msgspec.json.encode(event, enc_hook=str)


class Metrics:
    """The figures of one application. Routes are labelled by their template, so that labels stay few."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self._requests = Counter(
            "contentgen_http_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "contentgen_http_request_seconds",
            "Time from a request's first byte to its answer's last.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.jobs_due = Gauge("contentgen_jobs_due", "Jobs that wait for a worker.", registry=self.registry)
        self.jobs_waiting_seconds = Gauge(
            "contentgen_jobs_waiting_seconds", "For how long the oldest of them has waited.", registry=self.registry
        )
        self.event_streams = Gauge(
            "contentgen_event_streams", "Streams of GET /agents/events that are open.", registry=self.registry
        )
        self._children: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        key = (method, route, status)
        found = self._children.get(key)
        if found is None:  # looking a child up by its labels takes a lock and builds strings: done once
            found = self._requests.labels(method, route, str(status)), self._seconds.labels(method, route)
            self._children[key] = found
        found[0].inc()
        found[1].observe(seconds)
