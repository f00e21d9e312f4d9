"""The errors of the domain, by meaning. One closed hierarchy, which transports translate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar, ParamSpec, TypeVar, cast

from attrs import frozen

P = ParamSpec("P")
T = TypeVar("T")


@frozen
class FieldError:
    """A fault in a request. `field`: its path in the request (`plan.sections[2].heading`); `message`: why."""

    field: str
    message: str


class ContentgenError(Exception):
    """Base of all errors of the domain. `code` is stable and machine-readable; `str(error)` is for a person."""

    code: ClassVar[str] = "internal_error"

    @property
    def detail(self) -> str:
        return str(self)

    @property
    def log_text(self) -> str:
        """The text for logs. Not the detail, unless all its words are ours: it may quote a topic, an address or another
        service."""
        return self.code


class Unauthenticated(ContentgenError):
    """No key, or one that is unknown, expired or revoked."""

    code = "unauthenticated"


class TenantSuspended(ContentgenError):
    """The operator has suspended the tenant: its keys are refused until it is resumed. Nothing of it is lost."""

    code = "tenant_suspended"


class InvalidInput(ContentgenError):
    """The caller's data breaks a rule. Nothing was consumed or changed."""

    code = "invalid_input"

    def __init__(self, *errors: FieldError, detail: str | None = None) -> None:
        super().__init__(detail or "; ".join(f"{e.field}: {e.message}" for e in errors) or "invalid input")
        self.errors = errors

    @classmethod
    def of(cls, field: str, message: str) -> InvalidInput:
        """With one faulty field."""
        return cls(FieldError(field, message))


class Faults:
    """Collects what is wrong with a request, to name all of it at once."""

    def __init__(self) -> None:
        self._found: list[FieldError] = []

    def add(self, field: str, message: str) -> None:
        self._found.append(FieldError(field, message))

    def checked(self, check: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a check. Where it raises InvalidInput, its faults are collected, and the result must not be
        used before `require_none`."""
        try:
            return check(*args, **kwargs)
        except InvalidInput as error:
            self._found += error.errors
            return cast(T, None)

    def require_none(self) -> None:
        """Raises InvalidInput with everything that was found."""
        if self._found:
            raise InvalidInput(*self._found)


class NotFound(ContentgenError):
    """It does not exist, or belongs to another tenant: the two cannot be distinguished from outside."""

    code = "not_found"

    def __init__(self, resource: str, id: str) -> None:
        super().__init__(f"There is no {resource} {id!r}.")
        self.resource, self.id = resource, id


class NotPermitted(ContentgenError):
    """The caller's role does not allow this."""

    code = "not_permitted"


class PlanForbids(ContentgenError):
    """The tenant's plan does not include this."""

    code = "plan_restriction"


class Limited(ContentgenError):
    """A counted allowance is used up."""

    def __init__(self, message: str, *, limit: int, used: int, resets_at: datetime | None) -> None:
        super().__init__(message)
        self.limit, self.used, self.resets_at = limit, used, resets_at


class QuotaExceeded(Limited):
    """A monthly or standing quota (articles, agents, ...) is used up."""

    code = "quota_exceeded"


class BudgetExceeded(QuotaExceeded):
    """What was asked for could take more of models than a budget of the month has left. `limit`, `used`: in tokens, or
    in millionths of the budget's currency. `agent`: whether the budget is an agent's, and not the tenant's."""

    code = "budget_exceeded"

    def __init__(self, message: str, *, limit: int, used: int, resets_at: datetime, agent: bool) -> None:
        super().__init__(message, limit=limit, used=used, resets_at=resets_at)
        self.agent = agent


class DailyQuotaExceeded(Limited):
    """A daily quota (coverage checks, enrichments) is used up until midnight UTC."""

    code = "daily_quota_exceeded"


class RateLimited(Limited):
    """The minute's requests are used up; try again after `retry_after` seconds."""

    code = "rate_limited"

    def __init__(self, *, limit: int, retry_after: float, resets_at: datetime) -> None:
        super().__init__(
            f"The limit of {limit} requests a minute is reached.",
            limit=limit,
            used=limit,
            resets_at=resets_at,
        )
        self.retry_after = retry_after


class TooManyAtOnce(Limited):
    """The tenant has the maximum of requests under way, or of those that take long; wait for one to end."""

    code = "too_many_at_once"

    def __init__(self, limit: int, *, slow: bool) -> None:
        """`slow`: whether `limit` is that of the requests that take long."""
        which = " that take long (plans, searches, checks, uploads, edits, exports)" if slow else ""
        super().__init__(
            f"{limit} requests of yours{which} are under way, which is as many as may be, and others wait already. "
            "Wait for one to end, then send this one again.",
            limit=limit,
            used=limit,
            resets_at=None,
        )
        self.retry_after = 2.0


class TooManyStreams(Limited):
    """The tenant has the maximum of open event streams; close one first."""

    code = "too_many_streams"

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"{limit} event streams of yours are open, which is as many as may be. Close one, or share one.",
            limit=limit,
            used=limit,
            resets_at=None,
        )


class Conflict(ContentgenError):
    """The request is sound, the present state does not allow it."""

    code = "conflict"


class TopicAlreadyGenerating(Conflict):
    code = "topic_already_generating"

    def __init__(self) -> None:
        super().__init__("An article on this topic is already being generated. Wait for it, or change the topic.")


class DuplicateFreeArticle(Conflict):
    code = "duplicate_free_article"

    def __init__(self) -> None:
        super().__init__("A free article on this topic exists already.")


class NoPlanAwaitingReview(Conflict):
    code = "no_plan_awaiting_review"

    def __init__(self) -> None:
        super().__init__("Only a draft with a plan can be generated from its plan.")


class IllegalTransition(Conflict):
    """The table of states does not allow this change."""

    code = "illegal_transition"


class AlreadyExists(Conflict):
    """A name or key that must be unique is taken."""

    code = "already_exists"


class LastOwner(Conflict):
    """The last owner of a team can neither be removed nor get another role."""

    code = "last_owner"

    def __init__(self) -> None:
        super().__init__("This is the team's last owner. Make somebody else an owner first.")


class NicheNotActivated(Conflict):
    """The tenant has not activated this niche, or has deactivated it."""

    code = "niche_not_activated"

    def __init__(self, niche_key: str) -> None:
        super().__init__(f"The niche {niche_key} is not activated. Activate it first.")


class EditOvertaken(Conflict):
    """Somebody else changed the text since the person read it."""

    code = "edit_overtaken"


class ConcurrentChange(Conflict):
    """It was changed by another request since this one read it. Read it again and repeat the change."""

    code = "concurrent_change"

    @classmethod
    def of(cls, resource: str) -> ConcurrentChange:
        """`resource`: what callers call the thing (`article`)."""
        return cls(f"The {resource} was changed meanwhile. Read it again and repeat your change.")


class AgentSwitchedOff(Conflict):
    """An agent that is not enabled does not run, and no article is planned or started for it."""

    code = "agent_switched_off"

    def __init__(self, agent: str) -> None:
        super().__init__(f"The agent {agent} is switched off. Switch it on first.")


class RunUnderWay(Conflict):
    """The agent's last run has not ended."""

    code = "run_under_way"

    def __init__(self) -> None:
        super().__init__("This agent is running already. Wait for its run to end: see GET /agents/{id}/executions.")


class IdempotencyKeyReused(Conflict):
    """The Idempotency-Key was used for another request."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used with another request. Use a new key for a new request.")


class ConnectionTestFailed(ContentgenError):
    """A publishing target refused the credentials given."""

    code = "connection_test_failed"


class NotConfigured(ContentgenError):
    """An optional part is needed and not configured; `setting`: the name of the setting."""

    code = "not_configured"

    def __init__(self, message: str, setting: str) -> None:
        super().__init__(f"{message} Set {setting}.")
        self.setting = setting

    @property
    def log_text(self) -> str:
        return self.detail


class Unavailable(ContentgenError):
    """A part of the service is temporarily unavailable; nothing was lost. Try again after `retry_after` seconds."""

    code = "unavailable"

    def __init__(self, message: str, retry_after: float = 5.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    @property
    def log_text(self) -> str:
        return self.detail


class HeldBack(Unavailable):
    """The instance does no jobs and sends nothing. `what`: such as "mailed"."""

    code = "held_back"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"Nothing is {what} from here: this instance was started with --no-jobs, as beside the live service.", 60.0
        )


class ProviderFailed(ContentgenError):
    """An external provider did not do what was requested. `message`: why, without the provider's name. `retryable`:
    whether a retry can help; `retry_after`: seconds, where the provider gave them. `away`: whether the provider takes
    no requests at present (no connection, no answer in time, HTTP 5xx or 429), so that only waiting helps."""

    code = "provider_failed"

    def __init__(
        self, provider: str, message: str, *, retryable: bool, retry_after: float | None = None, away: bool = False
    ) -> None:
        super().__init__(f"{provider}: {message}")
        self.provider, self.message = provider, message
        self.retryable, self.retry_after, self.away = retryable, retry_after, away

    @property
    def log_text(self) -> str:
        return f"{self.provider} failed{'; asking again may help' if self.retryable else ''}"


class NotAsked(ProviderFailed):
    """The provider was not called: its latest calls failed, and the next trial is due after `retry_after` seconds."""

    def __init__(self, provider: str, message: str, retry_after: float) -> None:
        super().__init__(provider, message, retryable=True, retry_after=retry_after, away=True)


class UnreadableFile(ContentgenError):
    """A file cannot be read as a source; the message names the file, the reason and the remedy. `is_scan`: it holds
    pictures of its pages."""

    code = "unreadable_file"

    def __init__(self, detail: str, *, is_scan: bool = False) -> None:
        super().__init__(detail)
        self.is_scan = is_scan


class StaleIndex(ContentgenError):
    """The search index was built with another embedding model or layout than the configured one."""

    code = "stale_index"

    @property
    def log_text(self) -> str:
        return self.detail
