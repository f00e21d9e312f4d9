"""Webhooks on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import webhook as model
from contentgen_core.model.ids import WebhookEndpointId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.web_address import MAX_URL, check_web_address
from contentgen_core.model.webhook import MAX_ENDPOINTS, DeliveryState, WebhookEventType
from contentgen_core.policies.text.names import MAX_NAME
from contentgen_core.use_cases.webhooks.manage_webhooks import MAX_DELIVERIES, ChangedWebhook, ReplayCommand
from contentgen_core.use_cases.webhooks.manage_webhooks import NewWebhook as Command
from contentgen_http.wire.base import (
    NOT_BLANK,
    Answer,
    AnswerOf,
    Body,
    Moment,
    Query,
    Rule,
    kept,
    utc_input,
)

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=NOT_BLANK)]
Address = Annotated[str, Meta(min_length=1, max_length=MAX_URL), Rule(check_web_address)]
Events = Annotated[list[WebhookEventType], Meta(min_length=1, max_length=len(WebhookEventType))]
MessageId = Annotated[str, Meta(min_length=1, max_length=100)]


class Webhook(AnswerOf[model.WebhookEndpoint], kw_only=True):
    """An address that gets events. Its signing secret is never shown again."""

    id: Annotated[str, Meta(description="Id of the webhook.")]
    name: Annotated[str, Meta(description="Its name.")]
    url: Annotated[str, Meta(description="Where messages are sent by POST.")]
    enabled: Annotated[bool, Meta(description="Whether it gets events. While it does not, none are kept for it.")]
    created_at: Annotated[datetime, Meta(description="When it was created.")]
    updated_at: Annotated[datetime, Meta(description="When it was changed last.")]
    events: Annotated[list[WebhookEventType] | UnsetType, Meta(description="What it gets; absent: all.")] = UNSET
    failing_since: Annotated[
        datetime | UnsetType, Meta(description="Since when it takes no message; absent while it does.")
    ] = UNSET
    disabled_because: Annotated[str | UnsetType, Meta(description="Why it was disabled by itself.")] = UNSET
    former_secret_until: Annotated[
        datetime | UnsetType, Meta(description="Until when messages are signed with the former secret, too.")
    ] = UNSET

    @classmethod
    def of(cls, endpoint: model.WebhookEndpoint) -> Webhook:
        return cls.copy_from(endpoint, former_secret_until=endpoint.former_until)


class WebhookWithSecret(Webhook, kw_only=True):
    """A webhook with its signing secret, which is shown this once."""

    secret: Annotated[str, Meta(description="`whsec_…`, with which the receiver verifies messages. Keep it.")]


def with_secret(endpoint: model.WebhookEndpoint, secret: str) -> WebhookWithSecret:
    return WebhookWithSecret.copy_from(Webhook.of(endpoint), secret=secret)


class WebhookList(Answer, kw_only=True):
    """The tenant's webhooks."""

    webhooks: Annotated[list[Webhook], Meta(description=f"In the order of their creation; {MAX_ENDPOINTS} at most.")]


class NewWebhook(Body, kw_only=True):
    """An address to send events to."""

    name: Annotated[Name, Meta(description="A name for it.", examples=["Our receiver"])]
    url: Annotated[
        Address, Meta(description="A public http or https address.", examples=["https://hooks.example.org/contentgen"])
    ]
    events: Annotated[
        Events | UnsetType,
        Meta(description="What it gets; absent: all, later kinds included.", examples=[["article.generated"]]),
    ] = UNSET
    enabled: Annotated[bool, Meta(description="Whether it gets events from now on.")] = True

    def to_command(self, caller: Caller) -> Command:
        events = None if self.events is UNSET else self.events
        return Command(caller, self.name, self.url, events, self.enabled)


class WebhookChanges(Body, kw_only=True):
    """What is to change of a webhook; absent fields stay."""

    name: Annotated[Name | UnsetType, Meta(description="Its name.")] = UNSET
    url: Annotated[Address | UnsetType, Meta(description="Its address.")] = UNSET
    events: Annotated[Events | UnsetType | None, Meta(description="What it gets; null: all.")] = UNSET
    enabled: Annotated[
        bool | UnsetType, Meta(description="Whether it gets events. What waited goes on when it is enabled again.")
    ] = UNSET

    def to_command(self, caller: Caller, endpoint_id: WebhookEndpointId) -> ChangedWebhook:
        return ChangedWebhook(
            caller, endpoint_id, kept(self.name), kept(self.url), kept(self.events), kept(self.enabled)
        )


class WebhookAttempt(AnswerOf[model.DeliveryAttempt], kw_only=True):
    """One request to the receiver."""

    at: Annotated[datetime, Meta(description="When it was sent.")]
    milliseconds: Annotated[int, Meta(description="How long it took.")]
    delivered: Annotated[bool, Meta(description="Whether the receiver took the message: it answered 2xx.")]
    status: Annotated[int | UnsetType, Meta(description="Status of the answer; absent where there was none.")] = UNSET
    answer: Annotated[str | UnsetType, Meta(description="The start of the answer's body.")] = UNSET
    error: Annotated[str | UnsetType, Meta(description="Why there was no answer.")] = UNSET

    @classmethod
    def of(cls, attempt: model.DeliveryAttempt) -> WebhookAttempt:
        return cls.copy_from(attempt, answer=attempt.answer or UNSET)


class WebhookDelivery(AnswerOf[model.WebhookDelivery], kw_only=True):
    """A message on its way to one webhook."""

    message_id: Annotated[str, Meta(description="The header `webhook-id`, the same at every attempt.")]
    type: Annotated[WebhookEventType, Meta(description="What happened.")]
    timestamp: Annotated[datetime, Meta(description="When it happened.")]
    data: Annotated[dict[str, Any], Meta(description="What is sent as `data`.")]
    state: Annotated[
        DeliveryState,
        Meta(description="waiting (for its first or next attempt), delivered, or failed (no attempt is left)."),
    ]
    attempts: Annotated[list[WebhookAttempt], Meta(description="The last ones, oldest first.")]
    next_attempt_at: Annotated[datetime | UnsetType, Meta(description="When the next attempt is due.")] = UNSET

    @classmethod
    def of(cls, delivery: model.WebhookDelivery) -> WebhookDelivery:
        event, waits = delivery.message.event, delivery.state is DeliveryState.WAITING
        return cls.copy_from(
            delivery,
            message_id=delivery.message.id,
            type=event.type,
            timestamp=event.at,
            data=event.data,
            next_attempt_at=delivery.due_at if waits else UNSET,
        )


class WebhookDeliveryList(Answer, kw_only=True):
    """Deliveries, newest event first."""

    deliveries: Annotated[list[WebhookDelivery], Meta(description="As many as were asked for at most.")]
    before: Annotated[str | UnsetType, Meta(description="Send it as `before` for older ones; absent at the end.")] = (
        UNSET
    )


class WebhookDeliveryQuery(Query, kw_only=True):
    """Which deliveries are listed."""

    state: Annotated[DeliveryState | UnsetType, Meta(description="Only those in this state.")] = UNSET
    before: Annotated[MessageId | UnsetType, Meta(description="Only events older than this message's.")] = UNSET
    limit: Annotated[Annotated[int, Meta(ge=1, le=MAX_DELIVERIES)], Meta(description="The most of an answer.")] = 20


class WebhookReplay(Body, kw_only=True):
    """What is to be sent again."""

    since: Annotated[Moment | UnsetType, Meta(description="Of events from then on; absent: all that are kept.")] = UNSET
    until: Annotated[Moment | UnsetType, Meta(description="Of events before then; absent: now.")] = UNSET
    failed_only: Annotated[bool, Meta(description="Leave out what was delivered.")] = True

    def to_command(self, caller: Caller, endpoint_id: WebhookEndpointId) -> ReplayCommand:
        since = None if self.since is UNSET else utc_input("since", self.since)
        until = None if self.until is UNSET else utc_input("until", self.until)
        return ReplayCommand(caller, endpoint_id, since, until, self.failed_only)


class Replayed(Answer, kw_only=True):
    """What is sent again."""

    replayed: Annotated[int, Meta(description="How many deliveries.")]
    more: Annotated[bool, Meta(description="Whether there may be more: ask once more once these have ended.")]
