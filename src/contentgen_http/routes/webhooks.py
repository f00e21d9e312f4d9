"""Webhooks: addresses that get events."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model.ids import WebhookEndpointId, WebhookMessageId
from contentgen_core.use_cases.webhooks.manage_webhooks import MAX_REPLAYED
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query
from contentgen_http.services import Services
from contentgen_http.wire.base import Done
from contentgen_http.wire.webhooks import (
    NewWebhook,
    Replayed,
    Webhook,
    WebhookAttempt,
    WebhookChanges,
    WebhookDelivery,
    WebhookDeliveryList,
    WebhookDeliveryQuery,
    WebhookList,
    WebhookReplay,
    WebhookWithSecret,
    with_secret,
)

TAG: Final = "Webhooks"


def webhook_id(text: str) -> WebhookEndpointId:
    return WebhookEndpointId(path_id("webhook", text))


def message_id(text: str) -> WebhookMessageId:
    return WebhookMessageId(path_id("delivery", text))


class WebhookRoutes(Controller):
    services: Services

    @operation("GET", "/webhooks", tag=TAG, answer=WebhookList, raises=(errors.NotPermitted,))
    async def list_webhooks(self, request: TenantRequest) -> WebhookList:
        """List webhooks.

        For administrators, as all of this: addresses may hold secrets of their own.
        """
        found = await self.services.webhooks.endpoints.list(request.user)
        return WebhookList(webhooks=[Webhook.of(endpoint) for endpoint in found])

    @operation(
        "POST",
        "/webhooks",
        tag=TAG,
        body=NewWebhook,
        answer=WebhookWithSecret,
        raises=(errors.NotPermitted, errors.Conflict),
        example={"name": "Our receiver", "url": "https://example.org/contentgen", "events": ["article.generated"]},
        slow=True,
    )
    async def create_webhook(self, request: TenantRequest) -> WebhookWithSecret:
        """Create a webhook.

        Its address gets a signed message of each event by POST, as Standard Webhooks says. Answer 2xx within 20
        seconds; everything else is tried again for three days. A message may come twice, with the same `webhook-id`,
        and messages come in no order. The signing secret is shown this once.
        """
        body = await read_body(request, NewWebhook)
        return with_secret(*await self.services.webhooks.endpoints.create(body.to_command(request.user)))

    @operation("GET", "/webhooks/{id:str}", tag=TAG, answer=Webhook, raises=(errors.NotPermitted, errors.NotFound))
    async def get_webhook(self, request: TenantRequest, id: FromPath[str]) -> Webhook:
        """Read a webhook."""
        return Webhook.of(await self.services.webhooks.endpoints.get(request.user, webhook_id(id)))

    @operation(
        "PATCH",
        "/webhooks/{id:str}",
        tag=TAG,
        body=WebhookChanges,
        answer=Webhook,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
        example={"enabled": True},
        slow=True,
    )
    async def change_webhook(self, request: TenantRequest, id: FromPath[str]) -> Webhook:
        """Change a webhook.

        Also to enable one that was disabled because it took nothing for five days, or answered 410.
        """
        body = await read_body(request, WebhookChanges)
        command = body.to_command(request.user, webhook_id(id))
        return Webhook.of(await self.services.webhooks.endpoints.change(command))

    @operation("DELETE", "/webhooks/{id:str}", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound))
    async def delete_webhook(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete a webhook.

        With its deliveries; those that wait are not sent.
        """
        await self.services.webhooks.endpoints.delete(request.user, webhook_id(id))
        return Done()

    @operation(
        "POST",
        "/webhooks/{id:str}/rotate-secret",
        tag=TAG,
        answer=WebhookWithSecret,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def rotate_webhook_secret(self, request: TenantRequest, id: FromPath[str]) -> WebhookWithSecret:
        """Give a webhook a new signing secret.

        For 24 hours messages carry a signature with the former one, too, so that the receiver can change in between.
        """
        return with_secret(*await self.services.webhooks.endpoints.rotate_secret(request.user, webhook_id(id)))

    @operation(
        "POST",
        "/webhooks/{id:str}/test",
        tag=TAG,
        answer=WebhookAttempt,
        raises=(errors.NotPermitted, errors.NotFound),
        slow=True,
    )
    async def test_webhook(self, request: TenantRequest, id: FromPath[str]) -> WebhookAttempt:
        """Send a test to a webhook.

        A message of the type `webhook.test`, once and at once; the answer says what came of it. It is not kept.
        """
        return WebhookAttempt.of(await self.services.webhooks.endpoints.test(request.user, webhook_id(id)))

    @operation(
        "POST",
        "/webhooks/{id:str}/replay",
        tag=TAG,
        body=WebhookReplay,
        answer=Replayed,
        raises=(errors.NotPermitted, errors.NotFound),
        example={"since": "2026-03-01T00:00:00Z"},
    )
    async def replay_webhook(self, request: TenantRequest, id: FromPath[str]) -> Replayed:
        """Send events to a webhook again.

        Those that failed, or with `failedOnly` false also those that were delivered, of the last 30 days; a thousand at
        a time, the oldest first. Each has its former `webhook-id` and all its attempts anew.
        """
        body = await read_body(request, WebhookReplay)
        replayed = await self.services.webhooks.endpoints.replay(body.to_command(request.user, webhook_id(id)))
        return Replayed(replayed=replayed, more=replayed == MAX_REPLAYED)

    @operation(
        "GET",
        "/webhooks/{id:str}/deliveries",
        tag=TAG,
        query=WebhookDeliveryQuery,
        answer=WebhookDeliveryList,
        raises=(errors.NotPermitted, errors.NotFound),
    )
    async def list_webhook_deliveries(self, request: TenantRequest, id: FromPath[str]) -> WebhookDeliveryList:
        """List the deliveries of a webhook.

        Of events of the last 30 days, with the attempts of each.
        """
        query = read_query(request, WebhookDeliveryQuery)
        state = None if query.state is UNSET else query.state
        before = None if query.before is UNSET else message_id(query.before)
        found = await self.services.webhooks.endpoints.deliveries(
            request.user, webhook_id(id), state, before, query.limit
        )
        more = found[-1].message.id if len(found) == query.limit else UNSET
        return WebhookDeliveryList(deliveries=[WebhookDelivery.of(one) for one in found], before=more)

    @operation(
        "GET",
        "/webhooks/{id:str}/deliveries/{messageId:str}",
        tag=TAG,
        answer=WebhookDelivery,
        raises=(errors.NotPermitted, errors.NotFound),
    )
    async def get_webhook_delivery(
        self, request: TenantRequest, id: FromPath[str], messageId: FromPath[str]
    ) -> WebhookDelivery:
        """Read a delivery of a webhook.

        By the `webhook-id` that the receiver got.
        """
        endpoints = self.services.webhooks.endpoints
        found = await endpoints.delivery(request.user, webhook_id(id), message_id(messageId))
        return WebhookDelivery.of(found)

    @operation(
        "POST",
        "/webhooks/{id:str}/deliveries/{messageId:str}/replay",
        tag=TAG,
        answer=WebhookDelivery,
        raises=(errors.NotPermitted, errors.NotFound),
    )
    async def replay_webhook_delivery(
        self, request: TenantRequest, id: FromPath[str], messageId: FromPath[str]
    ) -> WebhookDelivery:
        """Send one event to a webhook again.

        With its former `webhook-id`, whatever became of it.
        """
        endpoints = self.services.webhooks.endpoints
        found = await endpoints.replay_one(request.user, webhook_id(id), message_id(messageId))
        return WebhookDelivery.of(found)
