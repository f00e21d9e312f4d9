"""Webhook endpoints, the messages for them, and their deliveries."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final, Protocol

from contentgen_core.model.ids import TenantId, WebhookEndpointId, WebhookMessageId
from contentgen_core.model.webhook import DeliveryState, WebhookDelivery, WebhookEndpoint, WebhookEvent

AT_ONCE: Final = 4
"""Deliveries to one endpoint that are under way at a time; to one that is failing, one."""


class WebhookEndpoints(Protocol):
    """A tenant sees its own endpoints only."""

    async def add(self, endpoint: WebhookEndpoint) -> None:
        """Raises NotFound for an unknown tenant."""
        ...

    async def get(self, tenant_id: TenantId, endpoint_id: WebhookEndpointId) -> WebhookEndpoint:
        """Raises NotFound."""
        ...

    async def list(self, tenant_id: TenantId) -> list[WebhookEndpoint]:
        """The oldest first."""
        ...

    async def save(self, endpoint: WebhookEndpoint) -> WebhookEndpoint:
        """Store a changed endpoint that was read at `endpoint.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def delete(self, tenant_id: TenantId, endpoint_id: WebhookEndpointId) -> None:
        """Its deliveries go with it. Raises NotFound."""
        ...

    async def after(self, endpoint_id: WebhookEndpointId | None, limit: int) -> Sequence[WebhookEndpoint]:
        """Of all tenants, by id, those after this one."""
        ...


class WebhookMessages(Protocol):
    """The outbox of events: what is recorded in a transaction is delivered if it commits."""

    async def record(self, event: WebhookEvent) -> None:
        """Record an event, in the transaction that causes it: a delivery to each enabled endpoint of its tenant that
        gets its type. Without such an endpoint nothing is stored. The same event twice is one message."""
        ...

    async def prune(self, before: datetime, limit: int) -> int:
        """Delete messages of events before a moment (to the millisecond), and their deliveries; how many."""
        ...


class WebhookDeliveries(Protocol):
    """Deliveries, each claimed by one worker at a time. There is no order among them."""

    async def claim(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[WebhookDelivery]:
        """Claim deliveries that are due, of enabled endpoints: at most AT_ONCE of each are under way, whichever workers
        have them, and each endpoint's first ones come before another's second ones. One that was claimed is due again
        when its lease ends."""
        ...

    async def settle(self, delivery: WebhookDelivery) -> bool:
        """Store what became of a claimed delivery, and give it back; False, and nothing is stored, where it was claimed
        again since, or is gone."""
        ...

    async def release(self, worker: str, now: datetime) -> None:
        """Give back all that a worker has claimed: due at once."""
        ...

    async def get(
        self, tenant_id: TenantId, endpoint_id: WebhookEndpointId, message_id: WebhookMessageId
    ) -> WebhookDelivery:
        """Raises NotFound."""
        ...

    async def page(
        self,
        tenant_id: TenantId,
        endpoint_id: WebhookEndpointId,
        state: DeliveryState | None,
        before: WebhookMessageId | None,
        limit: int,
    ) -> list[WebhookDelivery]:
        """Newest message first. `state`: None for all; `before`: only older ones."""
        ...

    async def replay(
        self,
        tenant_id: TenantId,
        endpoint_id: WebhookEndpointId,
        now: datetime,
        *,
        states: Collection[DeliveryState],
        since: datetime,
        until: datetime,
        limit: int,
    ) -> int:
        """Let deliveries in these states, of events from `since` to before `until` (to the millisecond), start anew,
        oldest first; how many."""
        ...

    async def replay_one(
        self, tenant_id: TenantId, endpoint_id: WebhookEndpointId, message_id: WebhookMessageId, now: datetime
    ) -> WebhookDelivery:
        """Let a delivery start anew, whatever became of it. Raises NotFound."""
        ...

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        """How many deliveries to enabled endpoints are due, and since when the oldest one is."""
        ...
