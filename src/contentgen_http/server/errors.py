"""Errors as HTTP responses: a table of statuses, and problem documents (RFC 9457)."""

from __future__ import annotations

import math
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final

import msgspec
import structlog
from attrs import frozen
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap
from msgspec import UNSET

from contentgen_core import errors as core
from contentgen_core.link_errors import InvitationInvalid, InvitationNotMailed, LinkInvalid, SignInInvalid
from contentgen_core.model.approval import ApprovalRequired
from contentgen_core.model.coverage import CoverageTooLow
from contentgen_core.model.niche import NicheInUse
from contentgen_core.page_errors import PageUnreadable
from contentgen_core.ports.job_queue import QueueUnavailable
from contentgen_core.ports.open_id import OpenIdRefused
from contentgen_core.ports.publishing import PublishFailed
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.search_console import ConsoleRefused
from contentgen_core.ports.signing import NotAuthentic
from contentgen_core.use_cases.approval.decide import NothingToApprove
from contentgen_core.use_cases.article_updates.decide import UpdateDecided
from contentgen_core.use_cases.articles.edit_sentence import NotEditedAlone
from contentgen_core.use_cases.articles.patch import ArticleChanged, NothingToPatch
from contentgen_core.use_cases.articles.verify import NothingToVerify
from contentgen_core.use_cases.conflicts.manage_conflicts import ConflictOutdated
from contentgen_core.use_cases.publishing.start import NoIntegration, NothingToPublish
from contentgen_core.use_cases.reviews.mark import OwnReview
from contentgen_core.use_cases.synced_sources.manage_sources import NothingDoubtful
from contentgen_core.use_cases.translation.start import ArticleNotPublished
from contentgen_core.use_cases.webhooks.manage_webhooks import TooManyWebhooks
from contentgen_http.telemetry.context import trace_of
from contentgen_http.wire.base import utc
from contentgen_http.wire.coverage import Coverage
from contentgen_http.wire.problem import Error, FieldFault, NicheUses

PROBLEM_JSON: Final = "application/problem+json"
# Retry-After for a missing setting and for a failing provider, in seconds.
RETRY_PROVIDER: Final = 10.0

log = structlog.get_logger("contentgen.http")


@frozen
class Rendering:
    """The HTTP status of a kind of error, and its title."""

    status: int
    title: str


STATUS: Final[dict[type[core.ContentgenError], Rendering]] = {
    core.ContentgenError: Rendering(500, "Internal error"),
    core.Unauthenticated: Rendering(401, "No valid API key"),
    core.TenantSuspended: Rendering(403, "Tenant suspended"),
    core.InvalidInput: Rendering(400, "Invalid request"),
    NotAuthentic: Rendering(400, "Not authentic"),
    NoIntegration: Rendering(400, "Invalid request"),
    InvitationInvalid: Rendering(400, "Invitation not valid"),
    InvitationNotMailed: Rendering(400, "Not the mailed link"),
    LinkInvalid: Rendering(400, "Link not valid"),
    SignInInvalid: Rendering(400, "Link not valid"),
    OpenIdRefused: Rendering(401, "Not signed in"),
    core.NotFound: Rendering(404, "Not found"),
    core.NotPermitted: Rendering(403, "Not permitted"),
    core.PlanForbids: Rendering(403, "Not in your plan"),
    core.Limited: Rendering(429, "Limit reached"),
    core.QuotaExceeded: Rendering(403, "Quota used up"),
    core.BudgetExceeded: Rendering(403, "Budget used up"),
    core.DailyQuotaExceeded: Rendering(429, "Daily quota used up"),
    core.RateLimited: Rendering(429, "Too many requests"),
    core.TooManyAtOnce: Rendering(429, "Too many at once"),
    core.TooManyStreams: Rendering(429, "Too many open streams"),
    core.Conflict: Rendering(409, "Conflict"),
    NothingToPublish: Rendering(409, "Conflict"),
    NothingToVerify: Rendering(409, "Conflict"),
    NothingToPatch: Rendering(409, "Conflict"),
    ArticleChanged: Rendering(409, "Conflict"),
    UpdateDecided: Rendering(409, "Conflict"),
    ConflictOutdated: Rendering(409, "Conflict"),
    core.EditOvertaken: Rendering(409, "Changed meanwhile"),
    ApprovalRequired: Rendering(409, "Approval required"),
    NotEditedAlone: Rendering(409, "Conflict"),
    NothingToApprove: Rendering(409, "Conflict"),
    TooManyWebhooks: Rendering(409, "Conflict"),
    core.TopicAlreadyGenerating: Rendering(409, "Topic is being generated"),
    core.DuplicateFreeArticle: Rendering(409, "Duplicate free article"),
    ArticleNotPublished: Rendering(409, "Not published"),
    core.NoPlanAwaitingReview: Rendering(409, "No plan awaiting review"),
    core.IllegalTransition: Rendering(409, "Not possible in this status"),
    core.AlreadyExists: Rendering(409, "Exists already"),
    OwnReview: Rendering(409, "Your own review"),
    core.LastOwner: Rendering(409, "Last owner"),
    core.NicheNotActivated: Rendering(409, "Niche not activated"),
    core.AgentSwitchedOff: Rendering(409, "Agent switched off"),
    NothingDoubtful: Rendering(409, "Nothing is doubtful"),
    core.RunUnderWay: Rendering(409, "Agent is running"),
    NicheInUse: Rendering(409, "Niche in use"),
    core.ConcurrentChange: Rendering(409, "Changed meanwhile"),
    core.IdempotencyKeyReused: Rendering(409, "Idempotency-Key reused"),
    CoverageTooLow: Rendering(422, "Coverage too low"),
    core.ConnectionTestFailed: Rendering(400, "Connection test failed"),
    core.NotConfigured: Rendering(501, "Not configured"),
    core.Unavailable: Rendering(503, "Temporarily unavailable"),
    core.HeldBack: Rendering(503, "Held back"),
    QueueUnavailable: Rendering(503, "Temporarily unavailable"),
    core.ProviderFailed: Rendering(503, "A provider failed"),
    core.NotAsked: Rendering(503, "A provider failed"),
    PublishFailed: Rendering(503, "A provider failed"),
    ConsoleRefused: Rendering(503, "A provider failed"),
    core.UnreadableFile: Rendering(400, "Unreadable file"),
    PageUnreadable: Rendering(400, "Unreadable page"),
    core.StaleIndex: Rendering(503, "Search index out of date"),
}

# Our codes for the statuses that the server or the framework answers with before an operation is reached.
_FRAMEWORK_CODES: Final = {
    400: "invalid_input",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    413: "too_large",
    415: "unsupported_media_type",
    431: "header_too_large",
}


class UnsupportedMediaType(HTTPException):
    """The body's content type is not the one of the operation."""

    status_code = 415


def rendering(kind: type[core.ContentgenError]) -> Rendering:
    """The rendering of an error class, or of its nearest base class in the table (adapters define subclasses)."""
    return next(STATUS[base] for base in kind.__mro__ if base in STATUS)


def problem(error: core.ContentgenError, request_id: str) -> Error:
    """The problem document of an error."""
    shown = rendering(type(error))
    result = _problem(shown.status, shown.title, error.code, error.detail, request_id)
    match error:
        case core.InvalidInput():
            result.errors = [FieldFault(field=fault.field, message=fault.message) for fault in error.errors]
        case core.Limited():
            result.limit, result.used = error.limit, error.used
            result.resets_at = UNSET if error.resets_at is None else utc(error.resets_at)
        case NicheInUse():
            result.uses = NicheUses.of(error.uses)
        case CoverageTooLow():
            result.coverage = Coverage.of(error.coverage)
            result.detail = f"{error.detail} To write all the same, send allowLowCoverage=true."
        case _ if shown.status == 500:
            result.detail = _INTERNAL
    return result


def headers_of(error: core.ContentgenError, now: datetime) -> dict[str, str]:
    """Retry-After on 429 and 503, WWW-Authenticate on 401."""
    status = rendering(type(error)).status
    if status == 401:
        return {"WWW-Authenticate": "Bearer"}
    if status in (429, 503):
        return {"Retry-After": str(max(1, math.ceil(_retry_after(error, now))))}
    return {}


def refusal(status: HTTPStatus, request_id: str) -> Error:
    """The problem document of a request that the server refuses before it is read to its end."""
    detail = _DETAILS.get(status, "The request is not valid HTTP.")
    return _problem(status, status.phrase, _FRAMEWORK_CODES[status], detail, request_id)


def exception_handlers(clock: Clock) -> ExceptionHandlersMap:
    """The application's exception handlers, which turn every exception into a problem document."""

    def of_the_core(request: Request[Any, Any, Any], error: core.ContentgenError) -> Response[bytes]:
        body = problem(error, trace_of(request.scope).request_id)
        if body.status == 500:
            _log_unexpected(request, error)
        return respond(body, headers_of(error, clock.now()))

    def of_the_framework(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
        if error.status_code >= 500:
            return unexpected(request, error)
        title = HTTPStatus(error.status_code).phrase
        code = _FRAMEWORK_CODES.get(error.status_code, "invalid_input")
        detail = _DETAILS.get(error.status_code) or error.detail or title
        body = _problem(error.status_code, title, code, detail, trace_of(request.scope).request_id)
        return respond(body, {k: v for k, v in (error.headers or {}).items() if k.lower() == "allow"})

    def unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
        _log_unexpected(request, error)
        body = _problem(500, "Internal error", "internal_error", _INTERNAL, trace_of(request.scope).request_id)
        return respond(body, {})

    return {core.ContentgenError: of_the_core, HTTPException: of_the_framework, Exception: unexpected}


def respond(body: Error, headers: dict[str, str]) -> Response[bytes]:
    return Response(msgspec.json.encode(body), status_code=body.status, media_type=PROBLEM_JSON, headers=headers)


_INTERNAL: Final = "Something went wrong on our side. Nothing is known to be lost; name the requestId when asking."
_DETAILS: Final = {
    404: "There is nothing at this address.",
    405: "This address does not take this method; the Allow header lists those it takes.",
    408: "The request did not arrive in time. Send it again; a body has to keep coming.",
    413: "The request's body is larger than this operation accepts.",
    431: "The request's header is larger than the server accepts, or has too many fields.",
}


def _problem(status: int, title: str, code: str, detail: str, request_id: str) -> Error:
    return Error(
        type=f"urn:contentgen:error:{code}",
        title=title,
        status=status,
        detail=detail,
        code=code,
        request_id=request_id,
    )


def _retry_after(error: core.ContentgenError, now: datetime) -> float:
    match error:
        case core.RateLimited() | core.TooManyAtOnce() | core.Unavailable():
            return error.retry_after
        case core.Limited() if error.resets_at is not None:
            return (error.resets_at - now).total_seconds()
        case core.ProviderFailed() if error.retry_after is not None:
            return error.retry_after
        case _:
            return RETRY_PROVIDER


def _log_unexpected(request: Request[Any, Any, Any], error: Exception) -> None:
    log.error("unexpected error", requestId=trace_of(request.scope).request_id, exc_info=error)
