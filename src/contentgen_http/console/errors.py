"""What a person is told when a page cannot do what was asked."""

from __future__ import annotations

from typing import Any

import structlog
from litestar import Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from contentgen_core import errors as core
from contentgen_http.console.faults import said_detail, said_outcome
from contentgen_http.console.rendering import show_public
from contentgen_http.console.visit import CSRF, AnyVisit, Form, SignInNeeded, sign_in_address, texts_of
from contentgen_http.server.errors import rendering
from contentgen_http.telemetry.context import trace_of
from contentgen_http.texts import Texts

log = structlog.get_logger("contentgen.console")


def sentence(error: core.ContentgenError, texts: Texts) -> str:
    """What happened: the text that the catalogue has for the error's code, else the error's own words, in the person's
    language where they are known there."""
    known = f"error-{error.code.replace('_', '-')}"
    if texts.has(known):
        return texts(known)
    if isinstance(error, core.InvalidInput) and error.errors:
        return said_detail(error, texts)
    return said_outcome(error.detail, texts)


def status_of(error: core.ContentgenError) -> int:
    """The HTTP status of a page that says what went wrong. Raises the error again where it is one that nobody expected,
    which is logged."""
    status = rendering(type(error)).status
    if status == 500:
        raise error
    return status


def handlers() -> ExceptionHandlersMap:
    """For the console's routes alone."""

    def of_the_core(request: AnyVisit, error: core.ContentgenError) -> Response[str]:
        status = rendering(type(error)).status
        if status == 500:
            return unexpected(request, error)
        return _page(request, status, sentence(error, texts_of(request)))

    def of_the_framework(request: AnyVisit, error: HTTPException) -> Response[str]:
        if error.status_code >= 500:
            return unexpected(request, error)
        texts = texts_of(request)
        known = f"error-{error.status_code}"
        return _page(request, error.status_code, texts(known) if texts.has(known) else texts("error-request"))

    def unexpected(request: AnyVisit, error: Exception) -> Response[str]:
        log.error("unexpected error", requestId=trace_of(request.scope).request_id, exc_info=error)
        return _page(request, 500, texts_of(request)("error-internal"))

    return {
        SignInNeeded: _sign_in,
        core.ContentgenError: of_the_core,
        HTTPException: of_the_framework,
        Exception: unexpected,
    }


def _sign_in(request: AnyVisit, error: SignInNeeded) -> Response[Any]:
    """To the page on which one signs in. What a form was to change is kept on that page."""
    if request.headers.get("hx-request"):
        return Response(texts_of(request)("error-session-ended"), status_code=401, media_type="text/plain")
    if error.kept is not None:
        kept = [(name, value) for name, value in error.kept.pairs if name != CSRF]
        return show_public(request, "kept.html", status=401, kept=kept, action=request.scope["path"])
    return Response(b"", status_code=303, media_type="text/html", headers={"Location": sign_in_address(request)})


def _page(request: AnyVisit, status: int, text: str) -> Response[str]:
    if request.headers.get("hx-request"):
        return Response(text, status_code=status, media_type="text/plain", headers={"Cache-Control": "no-store"})
    sent: Form | None = request.state.get("form")
    typed, request_id = sent.prose() if sent else "", trace_of(request.scope).request_id
    return show_public(request, "error.html", status=status, text=text, typed=typed, request_id=request_id)
