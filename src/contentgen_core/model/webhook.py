"""Webhooks: what happened to a tenant's things, sent to addresses that the tenant entered, by Standard Webhooks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from typing import Final, TypeAlias

from attrs import evolve, field, frozen

from contentgen_core.model.ids import TenantId, WebhookEndpointId, WebhookMessageId

RETRY_DELAYS: Final = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""After each attempt that failed, as Standard Webhooks proposes; the first attempt is made at once."""
MAX_TRIES: Final = len(RETRY_DELAYS) + 1
MAX_JITTER: Final = 0.1
"""The share of a delay that is added to it, so that what failed together does not come back together."""
MAX_ATTEMPTS_KEPT: Final = 20
MAX_ANSWER: Final = 1_000
"""Characters of an answer that are kept."""
MAX_ENDPOINTS: Final = 10
"""Of one tenant."""
DISABLED_AFTER: Final = timedelta(days=5)
"""How long an endpoint may take nothing of what it is sent before it is disabled."""
SAME_FAILURE: Final = timedelta(days=2)
"""Failures that are further apart are two: longer than any delay before the next attempt."""
NOTED_EVERY: Final = timedelta(hours=1)
"""How exactly it is known when an endpoint failed last."""
FORMER_SECRET_KEPT: Final = timedelta(hours=24)
"""How long messages are signed with the former secret too."""
MESSAGES_KEPT: Final = timedelta(days=30)

WebhookData: TypeAlias = Mapping[str, str | int | bool | None]
"""Ids, states and counts by their names in JSON: never a text, never a secret."""


class WebhookEventType(StrEnum):
    """The type of an event. `webhook.test` is sent on request, to one endpoint."""

    ARTICLE_GENERATED = "article.generated"
    ARTICLE_FAILED = "article.failed"
    ARTICLE_UPDATED = "article.updated"
    ARTICLE_DELETED = "article.deleted"
    PLAN_CREATED = "plan.created"
    PLAN_APPROVED = "plan.approved"
    UPDATE_PROPOSED = "update.proposed"
    UPDATE_ACCEPTED = "update.accepted"
    UPDATE_REJECTED = "update.rejected"
    PUBLICATION_PUBLISHED = "publication.published"
    PUBLICATION_FAILED = "publication.failed"
    PUBLICATION_UNKNOWN = "publication.unknown"
    PUBLICATION_WITHDRAWN = "publication.withdrawn"
    SYNC_FINISHED = "sync.finished"
    SYNC_FAILED = "sync.failed"
    CONFLICT_FOUND = "conflict.found"
    CONFLICT_DECIDED = "conflict.decided"
    APPROVAL_REQUESTED = "approval.requested"
    APPROVAL_APPROVED = "approval.approved"
    APPROVAL_SENT_BACK = "approval.sent_back"
    WEBHOOK_DISABLED = "webhook.disabled"
    WEBHOOK_TEST = "webhook.test"


SUBSCRIBABLE: Final = tuple(type for type in WebhookEventType if type is not WebhookEventType.WEBHOOK_TEST)


@frozen
class WebhookEvent:
    """Something that happened to one of a tenant's things."""

    tenant_id: TenantId
    type: WebhookEventType
    at: datetime
    data: WebhookData = field(factory=dict)


@frozen
class WebhookMessage:
    """An event as it is sent. `id`: the header `webhook-id`, the same for every endpoint and attempt."""

    id: WebhookMessageId
    event: WebhookEvent

    @classmethod
    def of(cls, event: WebhookEvent) -> WebhookMessage:
        """The message of an event: of the same event always the same one, later ones sort after earlier ones."""
        known = json.dumps([event.tenant_id, event.type, event.at.isoformat(), dict(event.data)], sort_keys=True)
        digest = hashlib.sha256(known.encode()).hexdigest()
        return cls(WebhookMessageId(first_message_id(event.at) + digest[:20]), event)


def first_message_id(at: datetime) -> str:
    """Return the lower bound of message ids of this millisecond or later; all earlier ids sort before it."""
    return f"msg_{int(at.timestamp() * 1000):012x}"


@frozen
class DeliveryAttempt:
    """One request. `status`: of the answer; None where there was none, and `error` says why. `answer`: the start of its
    body. `milliseconds`: how long it took. `retry_after`: the seconds that the receiver asked to wait."""

    at: datetime
    milliseconds: int
    status: int | None = None
    answer: str = ""
    error: str | None = None
    retry_after: float | None = None

    @property
    def delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Whether the receiver wants nothing any more."""
        return self.status == HTTPStatus.GONE


@frozen
class WebhookEndpoint:
    """An address that gets a tenant's events. `events`: the types it gets; None: all. `sealed`: the signing secret,
    encrypted; `former_sealed`: the one before, with which messages are signed too until `former_until`.
    `failing_since`, `failed_at`: of the first and the last failure since it took a message; None: it takes them.
    `disabled_because`: why the service disabled it, for a person. `revision` grows with each stored change."""

    id: WebhookEndpointId
    tenant_id: TenantId
    name: str
    url: str
    sealed: str = field(repr=False)
    created_at: datetime
    updated_at: datetime
    events: tuple[WebhookEventType, ...] | None = None
    enabled: bool = True
    former_sealed: str = field(default="", repr=False)
    former_until: datetime | None = None
    failing_since: datetime | None = None
    failed_at: datetime | None = None
    disabled_because: str | None = None
    revision: int = 1

    def after(self, attempt: DeliveryAttempt) -> WebhookEndpoint:
        """Return the endpoint after an attempt; unchanged where the attempt changes nothing."""
        if attempt.delivered:
            return evolve(self, failing_since=None, failed_at=None)
        since, last = self.failing_since, self.failed_at
        if since is None or last is None or attempt.at - last > SAME_FAILURE:
            since = attempt.at
        if attempt.gone:
            return self._disabled("The receiver answered 410 (Gone): it wants no messages any more.")
        if attempt.at - since >= DISABLED_AFTER:
            return self._disabled(f"No message was taken since {since:%Y-%m-%d %H:%M} UTC.")
        if last is not None and since == self.failing_since and attempt.at - last < NOTED_EVERY:
            return self
        return evolve(self, failing_since=since, failed_at=attempt.at)

    def _disabled(self, reason: str) -> WebhookEndpoint:
        return evolve(self, enabled=False, disabled_because=reason)


class DeliveryState(StrEnum):
    """waiting: for its first or next attempt; delivered: the receiver took it; failed: no attempt is left."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


@frozen
class WebhookDelivery:
    """A message on its way to one endpoint. `due_at`: of the next attempt, or when the lease of the one under way ends.
    `tries`: attempts since it was last asked for; `attempts`: the last MAX_ATTEMPTS_KEPT ones. `claim_number`: all
    claims so far, which fence what a late worker would store."""

    endpoint_id: WebhookEndpointId
    message: WebhookMessage
    due_at: datetime
    state: DeliveryState = DeliveryState.WAITING
    tries: int = 0
    attempts: tuple[DeliveryAttempt, ...] = ()
    claim_number: int = 0

    @property
    def tenant_id(self) -> TenantId:
        return self.message.event.tenant_id

    def after(self, attempt: DeliveryAttempt, now: datetime) -> WebhookDelivery:
        """Return the delivery after an attempt, waiting for the next one where one is due."""
        tries = self.tries + 1
        ended = attempt.delivered or attempt.gone or tries >= MAX_TRIES
        state = DeliveryState.WAITING
        if ended:
            state = DeliveryState.DELIVERED if attempt.delivered else DeliveryState.FAILED
        return evolve(
            self,
            state=state,
            due_at=now if ended else now + self._delay(tries, attempt.retry_after or 0.0),
            tries=tries,
            attempts=(*self.attempts, attempt)[-MAX_ATTEMPTS_KEPT:],
        )

    def again(self, now: datetime) -> WebhookDelivery:
        """Return the delivery requested once more, with all its tries."""
        return evolve(self, state=DeliveryState.WAITING, due_at=now, tries=0)

    def _delay(self, tries: int, asked: float) -> timedelta:
        """The jitter is a digest's, since nothing here is random."""
        digest = hashlib.sha256(f"{self.endpoint_id} {self.message.id} {tries}".encode()).digest()
        scheduled = RETRY_DELAYS[tries - 1] * (1 + MAX_JITTER * digest[0] / 255)
        return max(scheduled, timedelta(seconds=min(asked, RETRY_DELAYS[-1].total_seconds())))
