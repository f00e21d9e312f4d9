"""Figures of a service in which everything was called, and most of it failed, too."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Final

from prometheus_client import Counter

from contentgen_adapters.publishing.catalog import built_in
from contentgen_adapters.web_search.catalog import PROVIDERS
from contentgen_core.model.job import JobKind
from contentgen_core.model.publication import PublicationStatus
from contentgen_core.ports.publishing import Refusal
from contentgen_http.server.errors import STATUS
from contentgen_http.telemetry.exposition import Queue
from contentgen_http.telemetry.metrics import Metrics

STATUSES: Final = sorted(
    {200, 202, 303, 304, 405, 406, 408, 413, 415, 431, 499} | {error.status for error in STATUS.values()}
)
KINDS: Final = tuple(kind.value for kind in JobKind)
MODEL, PLANNER, EMBEDDER = "claude-opus-4-20250514", "gpt-5-mini-2025-08-07", "intfloat/multilingual-e5-small"
FULL_QUEUE: Final = Queue(dict.fromkeys(KINDS, (123, 4567.891)), 1234, (12, 345.678))


def make_busy(metrics: Metrics, routes: Iterable[tuple[str, str]]) -> None:
    """Calls each of `routes` (method, template) with every status, and touches every other figure."""
    for method, route in routes:
        for status in STATUSES:
            metrics.observe(method, route, status, 0.0123)
    for kind in KINDS:
        metrics.jobs_enqueued.labels(kind).inc()
        metrics.jobs_running.labels(kind).inc()
        metrics.job_seconds.labels(kind).observe(12.345)
    for name in ("retried", "postponed", "interrupted", "handed_back", "lost", "error"):
        metrics.jobs_ended.labels("generate_article", name).inc()
    _ended(metrics.jobs_ended, ((kind,) for kind in KINDS), "done", "failed")
    outcomes = ("ok", "unavailable", "provider_failed", "rate_limited", "cancelled", "error")
    _ended(metrics.model_calls, [(MODEL,), (PLANNER,)], *outcomes)
    for model in (MODEL, PLANNER):
        metrics.model_seconds.labels(model).observe(12.345)
        metrics.model_cost.labels(model, "EUR").inc(1.2345)
        for direction in ("input", "output"):
            metrics.model_tokens.labels(model, direction).inc(123456)
        for direction in ("read", "written"):
            metrics.model_cached_tokens.labels(model, direction).inc(123456)
    _ended(metrics.embedding_calls, [(EMBEDDER,)], "ok", "unavailable")
    metrics.embedding_seconds.labels(EMBEDDER).observe(0.0123)
    operations = ("search", "nearest", "upsert", "upsert vectors", "optimize")
    _ended(metrics.index_calls, ((operation,) for operation in operations), "ok", "unavailable")
    for operation in operations:
        metrics.index_seconds.labels(operation).observe(0.0123)
    for search in PROVIDERS:
        metrics.web_search_seconds.labels(search.id).observe(1.2345)
    _ended(metrics.web_searches, ((search.id,) for search in PROVIDERS), "ok", "provider_failed")
    targets = [(target.info.id,) for target in built_in()]
    for (target,) in targets:
        metrics.publish_seconds.labels(target).observe(1.2345)
    for refusal in Refusal:
        metrics.publish_calls.labels("wordpress", refusal.value).inc()
    _ended(metrics.publish_calls, targets, "ok", "unanswered")
    for status in PublicationStatus:
        metrics.publications_ended.labels("wordpress", status.value).inc()
    _ended(metrics.publications_ended, targets, "published", "failed")
    _ended(metrics.webhook_attempts, [()], "delivered", "failed")
    metrics.webhook_seconds.observe(0.123)
    metrics.transactions.observe(0.0123)
    for error in ("Unavailable", "OperationalError", "QueryCanceled", "PoolTimeout"):
        metrics.transactions_failed.labels(error).inc()
    for subject in ("tenant", "failures", "visitor"):
        metrics.refusals.labels(subject).inc()
    for scope in ("tenant", "agent"):
        metrics.budget_refusals.labels(scope).inc()
    for state in ("free", "used"):
        metrics.connections.labels(state).set(12)


def _ended(calls: Counter, labels: Iterable[tuple[str, ...]], *outcomes: str) -> None:
    for values in labels:
        for outcome in outcomes:
            calls.labels(*values, outcome).inc()


if __name__ == "__main__":  # a process that shares its figures with others
    make_busy(Metrics(), [tuple(route) for route in json.loads(sys.stdin.readline())])
    sys.stdout.write("counted\n")
    sys.stdout.flush()
    sys.stdin.read()
