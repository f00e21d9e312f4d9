"""Serve metrics to Prometheus from a process that has no HTTP service: a worker."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from socketserver import ThreadingMixIn
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from contentgen_http.telemetry.exposition import CONTENT_TYPE_LATEST, exposition
from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.metrics_key import REFUSED, bears_key

STALE_SECONDS: Final = 30.0
"""An event loop that was not seen at work for so long hangs."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    timeout = 10.0

    def handle(self) -> None:
        with suppress(TimeoutError):
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: a scrape is routine."""


@contextmanager
def serve_metrics(
    host: str,
    port: int,
    metrics: Metrics | None,
    folder: str | None = None,
    *,
    key: str | None = None,
    process_fault: Callable[[], str | None] = lambda: None,
) -> Iterator[int]:
    """Serve GET /metrics and /health from a thread while the block runs; the port (0: a free one).

    `metrics` and `folder`: as `exposition` takes them. `key`: that /metrics asks for, as Authorization: Bearer; None:
    it is open. /health asks for none; it is 503 while an event loop stands still, or a process dies again and again,
    which `process_fault` tells.
    Raises OSError when the port is taken."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        match environ["PATH_INFO"]:
            case "/metrics" if key and not bears_key(environ.get("HTTP_AUTHORIZATION", ""), key):
                start("401 Unauthorized", [("Content-Type", "text/plain"), ("WWW-Authenticate", "Bearer")])
                return [f"{REFUSED}\n".encode()]
            case "/metrics":
                start("200 OK", [("Content-Type", CONTENT_TYPE_LATEST)])
                return [exposition(metrics, folder=folder)]
            case "/health":
                fault = process_fault()
                if fault is None and _last_heartbeat(exposition(metrics, folder=folder)) <= time.time() - STALE_SECONDS:
                    fault = "an event loop stands still"
                start("503 Service Unavailable" if fault else "200 OK", [("Content-Type", "application/json")])
                return [json.dumps({"status": fault or "ok"}).encode()]
            case _:
                start("404 Not Found", [("Content-Type", "text/plain")])
                return [b"There are /metrics and /health.\n"]

    with make_server(host, port, answer, server_class=_Server, handler_class=_Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
        thread.start()
        try:
            yield int(server.server_port)
        finally:
            server.shutdown()
            thread.join()


def _last_heartbeat(text: bytes) -> float:
    """Return the heartbeat in an exposition; a process that has just started has none yet and counts as alive."""
    for line in text.splitlines():
        if line.startswith(b"contentgen_heartbeat_timestamp_seconds "):
            return float(line.split()[1]) or time.time()
    return time.time()
