"""Webhook endpoints: created, changed, tested, and looked at; what was not delivered is sent again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import Conflict, FieldError, InvalidInput
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.ids import WebhookEndpointId, WebhookMessageId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.web_address import check_web_address
from contentgen_core.model.webhook import (
    MAX_ENDPOINTS,
    MESSAGES_KEPT,
    SUBSCRIBABLE,
    DeliveryAttempt,
    DeliveryState,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
    WebhookEventType,
    WebhookMessage,
)
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text.names import checked_name
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.repositories.webhooks import WebhookDeliveries, WebhookEndpoints
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.sealing import SecretUnreadable
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.webhooks import WebhookSender
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.secrets import WebhookSecrets

MAX_DELIVERIES: Final = 100
"""Of one answer."""
MAX_REPLAYED: Final = 1_000
"""Deliveries that one request sends again."""


class TooManyWebhooks(Conflict):
    """The tenant has as many webhook endpoints as it may have."""

    code = "too_many_webhooks"


@frozen
class NewWebhook:
    """`events`: None for all."""

    caller: Caller
    name: str
    url: str
    events: Sequence[WebhookEventType] | None = None
    enabled: bool = True


@frozen
class ChangedWebhook:
    """UNSET fields are not changed."""

    caller: Caller
    endpoint_id: WebhookEndpointId
    name: str | UnsetType = UNSET
    url: str | UnsetType = UNSET
    events: Sequence[WebhookEventType] | UnsetType | None = UNSET
    enabled: bool | UnsetType = UNSET


@frozen
class ReplayCommand:
    """`failed_only`: leave out what was delivered. `since`, `until`: of the events; None: as far as they are kept."""

    caller: Caller
    endpoint_id: WebhookEndpointId
    since: datetime | None = None
    until: datetime | None = None
    failed_only: bool = True


@use_case
class ManageWebhooks:
    """Manages webhooks, for administrators alone: addresses may hold secrets of their own."""

    unit_of_work: UnitOfWork
    sender: WebhookSender
    secrets: WebhookSecrets
    clock: Clock
    ids: Ids

    async def list(self, caller: Caller) -> Sequence[WebhookEndpoint]:
        """The oldest first. Raises NotPermitted."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            return await tx[WebhookEndpoints].list(caller.tenant_id)

    async def get(self, caller: Caller, endpoint_id: WebhookEndpointId) -> WebhookEndpoint:
        """Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            return await tx[WebhookEndpoints].get(caller.tenant_id, endpoint_id)

    async def create(self, command: NewWebhook) -> tuple[WebhookEndpoint, str]:
        """The endpoint and its signing secret, which is never shown again. Raises InvalidInput, NotPermitted,
        TooManyWebhooks."""
        caller, now = command.caller, self.clock.now()
        require_role(caller, Role.ADMIN)
        name, url = checked_name(command.name), await self._checked_address(command.url)
        secret = self.sender.new_secret()
        endpoint = WebhookEndpoint(
            id=WebhookEndpointId(self.ids.new()),
            tenant_id=caller.tenant_id,
            name=name,
            url=url,
            sealed=self.secrets.sealed(caller.tenant_id, secret),
            created_at=now,
            updated_at=now,
            events=_checked_events(command.events),
            enabled=command.enabled,
        )
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # so that concurrent requests cannot exceed the bound
            if len(await tx[WebhookEndpoints].list(caller.tenant_id)) >= MAX_ENDPOINTS:
                raise TooManyWebhooks(f"There are {MAX_ENDPOINTS} webhooks already. Delete one that is not needed.")
            await tx[WebhookEndpoints].add(endpoint)
        return endpoint, secret

    async def change(self, command: ChangedWebhook) -> WebhookEndpoint:
        """Change an endpoint. One that is enabled again starts anew: it is not failing. Raises InvalidInput,
        NotPermitted, NotFound, ConcurrentChange."""
        require_role(command.caller, Role.ADMIN)
        url = command.url if command.url is UNSET else await self._checked_address(command.url)
        async with self.unit_of_work() as tx:
            endpoint = await tx[WebhookEndpoints].get(command.caller.tenant_id, command.endpoint_id)
            changed = evolve(
                endpoint,
                name=endpoint.name if command.name is UNSET else checked_name(command.name),
                url=endpoint.url if url is UNSET else url,
                events=endpoint.events if command.events is UNSET else _checked_events(command.events),
                enabled=endpoint.enabled if command.enabled is UNSET else command.enabled,
                updated_at=self.clock.now(),
            )
            if changed.enabled and not endpoint.enabled:
                changed = evolve(changed, failing_since=None, failed_at=None, disabled_because=None)
            return await tx[WebhookEndpoints].save(changed)

    async def delete(self, caller: Caller, endpoint_id: WebhookEndpointId) -> None:
        """Delete an endpoint with its deliveries. Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx[WebhookEndpoints].delete(caller.tenant_id, endpoint_id)

    async def rotate_secret(self, caller: Caller, endpoint_id: WebhookEndpointId) -> tuple[WebhookEndpoint, str]:
        """The endpoint and its new secret; for a day messages are signed with the former one too. Raises NotPermitted,
        NotFound, ConcurrentChange."""
        require_role(caller, Role.ADMIN)
        secret = self.sender.new_secret()
        async with self.unit_of_work() as tx:
            endpoint = await tx[WebhookEndpoints].get(caller.tenant_id, endpoint_id)
            return await tx[WebhookEndpoints].save(self.secrets.rotated(endpoint, secret, self.clock.now())), secret

    async def test(self, caller: Caller, endpoint_id: WebhookEndpointId) -> DeliveryAttempt:
        """Send a message of the type `webhook.test` now, once, whether the endpoint is enabled or not. It is not kept.
        Raises NotPermitted, NotFound."""
        endpoint, now = await self.get(caller, endpoint_id), self.clock.now()
        data = {"webhookId": endpoint.id}
        message = WebhookMessage.of(WebhookEvent(caller.tenant_id, WebhookEventType.WEBHOOK_TEST, now, data))
        return await signed_attempt(self.sender, self.secrets, endpoint, message, now)

    async def deliveries(
        self,
        caller: Caller,
        endpoint_id: WebhookEndpointId,
        state: DeliveryState | None,
        before: WebhookMessageId | None,
        limit: int,
    ) -> Sequence[WebhookDelivery]:
        """Newest event first, MAX_DELIVERIES at most. Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx[WebhookEndpoints].get(caller.tenant_id, endpoint_id)
            most = min(limit, MAX_DELIVERIES)
            return await tx[WebhookDeliveries].page(caller.tenant_id, endpoint_id, state, before, most)

    async def delivery(
        self, caller: Caller, endpoint_id: WebhookEndpointId, message_id: WebhookMessageId
    ) -> WebhookDelivery:
        """Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            return await tx[WebhookDeliveries].get(caller.tenant_id, endpoint_id, message_id)

    async def replay_one(
        self, caller: Caller, endpoint_id: WebhookEndpointId, message_id: WebhookMessageId
    ) -> WebhookDelivery:
        """Send a message again, with the same id. Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            now = self.clock.now()
            return await tx[WebhookDeliveries].replay_one(caller.tenant_id, endpoint_id, message_id, now)

    async def replay(self, command: ReplayCommand) -> int:
        """Send again what ended, oldest first; how many, MAX_REPLAYED at most: asked once more, the next ones follow.
        Raises InvalidInput, NotPermitted, NotFound."""
        require_role(command.caller, Role.ADMIN)
        now = self.clock.now()
        since = now - MESSAGES_KEPT if command.since is None else command.since
        until = now if command.until is None else command.until
        if since >= until:
            raise InvalidInput.of("until", "must be later than since")
        states = {DeliveryState.FAILED} | (set() if command.failed_only else {DeliveryState.DELIVERED})
        async with self.unit_of_work() as tx:
            await tx[WebhookEndpoints].get(command.caller.tenant_id, command.endpoint_id)
            return await tx[WebhookDeliveries].replay(
                command.caller.tenant_id,
                command.endpoint_id,
                now,
                states=states,
                since=since,
                until=until,
                limit=MAX_REPLAYED,
            )

    async def _checked_address(self, url: str) -> str:
        """Raises InvalidInput."""
        check_web_address(url)
        await self.sender.check(url)
        return url


async def signed_attempt(
    sender: WebhookSender, secrets: WebhookSecrets, endpoint: WebhookEndpoint, message: WebhookMessage, now: datetime
) -> DeliveryAttempt:
    """Make one signed request, and return its attempt, also where it could not be made."""
    try:
        opened = secrets.opened(endpoint, now)
    except SecretUnreadable:
        return DeliveryAttempt(now, 0, error="its signing secret cannot be read: rotate it")
    return await sender.send(endpoint.url, message, opened, now)


def _checked_events(events: Sequence[WebhookEventType] | None) -> tuple[WebhookEventType, ...] | None:
    """Raises InvalidInput."""
    if events is None:
        return None
    if not set(events) <= set(SUBSCRIBABLE):
        raise InvalidInput(FieldError("events", f"{WebhookEventType.WEBHOOK_TEST.value} comes on request alone"))
    return tuple(sorted(set(events)))
