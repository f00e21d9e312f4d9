"""The figures of one process, for Prometheus. Labels are few by construction: the first part of a route, a job's kind,
the model that the settings name; never an id, a topic or an address.

A histogram costs a dozen lines for each value of its label. So its label has five values or so; where there are more, a
summary tells how often and how long in all."""

from __future__ import annotations

from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    Summary,
    disable_created_metrics,
)

# Else each figure of a process that shares none has its time of birth beside it.
disable_created_metrics()  # type: ignore[no-untyped-call]

QUICK: Final = (0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0)
LONG: Final = (0.5, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Of calls to models, in seconds."""
INDEX: Final = (0.01, 0.05, 0.25, 1.0)
METHODS: Final = frozenset({"GET", "POST"})
SURFACES: Final = {"console": "console", "health": "service", "ready": "service", "metrics": "service"}
"""By the first part of a route; every other one, `/mcp` too, is the API's."""


class Metrics:
    """The gauges are sums over the processes that share them, but for `loop_lag` (the worst) and `heartbeat` (the
    oldest)."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

        # Traffic, errors, latency.
        self._requests = self._counter("http_requests", "Requests answered.", "surface", "status")
        self._seconds = self._histogram(
            "http_request_seconds", "Time from a request's first byte to its answer's last.", "method"
        )
        self._route_seconds = self._summary(
            "http_route_seconds", "The same by the first part of the route, of the console's by two.", "route"
        )
        self.refusals = self._counter(
            "rate_limit_refusals", "Requests that were over a minute's limit, by what is limited.", "subject"
        )
        self.jobs_enqueued = self._counter("jobs_enqueued", "Jobs that this service was given.", "kind")
        self.jobs_ended = self._counter("jobs_ended", "Attempts at jobs that ended, by how.", "kind", "outcome")
        self.job_seconds = self._summary("job_seconds", "Time of one attempt at a job.", "kind")
        self.transactions = self._histogram("database_transaction_seconds", "Time of a transaction, waiting included.")
        self.transactions_failed = self._counter("database_failures", "Transactions that the database failed.", "error")
        self.model_calls = self._counter(
            "model_calls", "Calls to the content model, by how they ended.", "model", "outcome"
        )
        self.model_seconds = self._histogram(
            "model_seconds", "Time of a call to the content model.", "model", buckets=LONG
        )
        self.model_tokens = self._counter("model_tokens", "Tokens that models read and wrote.", "model", "direction")
        self.model_cached_tokens = self._counter(
            "model_cached_tokens",
            "Of the tokens that models read, those their vendors had kept (read) or keep for later requests (written).",
            "model",
            "direction",
        )
        self.model_cost = self._counter(
            "model_cost", "What these tokens cost, where the operator set prices.", "model", "currency"
        )
        self.budget_refusals = self._counter(
            "budget_refusals", "Plans and articles that a budget had too little left for, by whose it is.", "scope"
        )
        self.embedding_calls = self._counter("embedding_calls", "Calls to the embedder.", "model", "outcome")
        self.embedding_seconds = self._histogram("embedding_seconds", "Time of a call to the embedder.", "model")
        self.index_calls = self._counter("index_calls", "Calls to the search index.", "operation", "outcome")
        self.index_seconds = self._histogram(
            "index_seconds", "Time of a call to the search index.", "operation", buckets=INDEX
        )
        self.web_searches = self._counter("web_searches", "Searches of the web.", "provider", "outcome")
        self.web_search_seconds = self._summary("web_search_seconds", "Time of a search of the web.", "provider")

        self.publish_calls = self._counter(
            "publish_calls",
            "Calls to publishing targets; one whose effect is open is unanswered.",
            "provider",
            "outcome",
        )
        self.publish_seconds = self._summary("publish_seconds", "Time of a call to a publishing target.", "provider")
        self.publications_ended = self._counter(
            "publications_ended", "Publications that came to an end, by how it stands with them.", "provider", "outcome"
        )

        self.webhook_attempts = self._counter(
            "webhook_attempts", "Requests to webhook endpoints, by how they ended.", "outcome"
        )
        self.webhook_seconds = self._histogram("webhook_seconds", "Time of a request to a webhook endpoint.")

        self._add_saturation()
        self.requests_in_flight = 0
        """A plain number that `watching` copies to `requests_open`: a gauge costs a microsecond each time."""
        self._children: dict[tuple[str, str, int], tuple[Counter, Histogram, Summary]] = {}

    def _add_saturation(self) -> None:
        self.requests_open = self._gauge("http_requests_open", "Requests that are being answered.")
        self.event_streams = self._gauge("event_streams", "Streams of GET /agents/events that are open.")
        self.jobs_running = self._gauge("jobs_running", "Jobs under way.", "kind")
        self.job_places = self._gauge("job_places", "Jobs that may be under way at the same time, light ones aside.")
        self.connections = self._gauge("database_connections", "Connections to the database.", "state")
        self.connections_most = self._gauge("database_connections_most", "Connections that there may be.")
        self.connections_awaited = self._gauge(
            "database_connections_awaited", "Transactions that wait for a connection."
        )
        self.loop_lag = Gauge(
            "contentgen_event_loop_lag_seconds",
            "The longest that the event loop was late in the last 15 s.",
            multiprocess_mode="livemax",
            registry=self.registry,
        )
        self.heartbeat = Gauge(
            "contentgen_heartbeat_timestamp_seconds",
            "When the event loop was last seen at work, as Unix time.",
            multiprocess_mode="livemin",
            registry=self.registry,
        )

    def _counter(self, name: str, documentation: str, *labels: str) -> Counter:
        return Counter(f"contentgen_{name}", documentation, labels, registry=self.registry)

    def _histogram(self, name: str, documentation: str, *labels: str, buckets: tuple[float, ...] = QUICK) -> Histogram:
        return Histogram(f"contentgen_{name}", documentation, labels, buckets=buckets, registry=self.registry)

    def _summary(self, name: str, documentation: str, *labels: str) -> Summary:
        return Summary(f"contentgen_{name}", documentation, labels, registry=self.registry)

    def _gauge(self, name: str, documentation: str, *labels: str) -> Gauge:
        return Gauge(f"contentgen_{name}", documentation, labels, multiprocess_mode="livesum", registry=self.registry)

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered. `route`: its template."""
        key = (method, route, status)
        found = self._children.get(key)
        if found is None:  # looking a child up by its labels takes a lock and builds strings: done once
            first = route.split("/")[1] if "/" in route else ""
            found = (
                self._requests.labels(SURFACES.get(first, "api"), str(status)),
                self._seconds.labels(method if method in METHODS else "other"),
                self._route_seconds.labels(beginning_of(route)),
            )
            self._children[key] = found
        found[0].inc()
        found[1].observe(seconds)
        found[2].observe(seconds)


def beginning_of(route: str) -> str:
    """Return the first part of a route's template, such as `/writer`; two parts for a page of the console:
    `/console/articles`. `file` if the first part is a file's name: `/robots.txt`.
    """
    first, *others = route.removeprefix("/").split("/")
    if "." in first or "{" in first:
        return "file"
    if first == "console" and others:
        return f"/console/{others[0]}"
    return f"/{first}" if route.startswith("/") else route
