"""The outermost ASGI layer, around routing: request ids, security headers, access log, metrics, and what is ready.

A single layer, since each one takes microseconds on every request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from contentgen_http.server.answer_headers import headers_of, request_id_of
from contentgen_http.telemetry.context import CURRENT, Trace, put_trace
from contentgen_http.telemetry.telemetry import Telemetry
from contentgen_http.telemetry.tracing import mark_failed, trace_id_of

_CLIENT_GONE: Final = 499  # no status of HTTP: nobody was answered
_UNMATCHED: Final = "unmatched"
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class OutermostLayer:
    def __init__(
        self,
        app: ASGIApp,
        telemetry: Telemetry,
        ready: Callable[[HTTPScope], ASGIApp | None],
        is_https: Callable[[Scope], bool],
    ) -> None:
        """`ready`: what answers a request without its being routed, if anything. `is_https`: whether the client came
        by HTTPS, whatever lies between."""
        self._is_https = is_https
        self._app, self._ready = app, ready
        self._metrics = telemetry.metrics
        self._tracing = telemetry.tracing
        self._log = structlog.get_logger("contentgen.access").bind()  # else it is put together for each line

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        details: dict[str, Any] = scope  # type: ignore[assignment]
        trace = Trace(request_id_of(details["headers"]))
        put_trace(details, trace)
        if self._is_https(scope):
            details["scheme"], trace.https = "https", True
        token = CURRENT.set(trace)
        self._metrics.requests_in_flight += 1
        try:
            if self._tracing.on:
                await self._traced(scope, receive, send, trace)
            else:
                await self._answer(scope, receive, send, trace)
        finally:
            self._metrics.requests_in_flight -= 1
            trace.release()
            CURRENT.reset(token)

    async def _traced(self, scope: Scope, receive: Receive, send: Send, trace: Trace) -> None:
        details: dict[str, Any] = scope  # type: ignore[assignment]
        method = _method(details)
        with self._tracing.request(details["headers"], method) as span:
            trace.trace_id = trace_id_of(span)
            status = await self._answer(scope, receive, send, trace)
            route = details.get("path_template") or _UNMATCHED
            span.update_name(f"{method} {route}")
            span.set_attributes(
                {
                    "http.route": route,
                    "http.response.status_code": status,
                    "contentgen.request.id": trace.request_id,
                }
            )
            if trace.tenant_id is not None:
                span.set_attribute("contentgen.tenant.id", trace.tenant_id)
            if status >= 500:
                mark_failed(span, str(status))

    async def _answer(self, scope: Scope, receive: Receive, send: Send, trace: Trace) -> int:
        started = perf_counter()
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *headers_of(trace)]
                if trace.streams:  # it was answered; that it stays open is another figure, with a limit of its own
                    trace.release()
                    self._metrics.requests_in_flight -= 1
                    self._observe(scope, trace, status, perf_counter() - started)  # type: ignore[arg-type]
            await send(message)

        try:
            app = self._ready(scope) or self._app  # type: ignore[arg-type]
            await app(scope, receive, send_with_headers)
        except asyncio.CancelledError:
            status = _CLIENT_GONE
            raise
        finally:
            if trace.streams:
                self._metrics.requests_in_flight += 1
            else:
                self._observe(scope, trace, status, perf_counter() - started)  # type: ignore[arg-type]
        return status

    def _observe(self, scope: dict[str, Any], trace: Trace, status: int, seconds: float) -> None:
        """Never the address itself: only its template, which holds no id, no topic and no key."""
        method = _method(scope)
        route = scope.get("path_template") or _UNMATCHED
        self._metrics.observe(method, route, status, seconds)
        self._log.info(
            "request",
            requestId=trace.request_id,
            tenantId=trace.tenant_id,
            method=method,
            route=route,
            status=status,
            durationMs=round(seconds * 1000, 2),
        )


def _method(scope: dict[str, Any]) -> str:
    return scope["method"] if scope["method"] in _METHODS else "other"
