"""Webhook endpoints, the messages for them, and their deliveries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from attrs import evolve, frozen

from contentgen_adapters.memory.common_tables import TENANTS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_adapters.memory.tables import TableOf
from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TenantId, WebhookEndpointId, WebhookMessageId
from contentgen_core.model.webhook import (
    DeliveryState,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
    WebhookMessage,
    first_message_id,
)
from contentgen_core.ports.repositories.webhooks import AT_ONCE, WebhookDeliveries, WebhookEndpoints, WebhookMessages


@frozen
class ClaimedDelivery:
    """`worker`: who has it; None: nobody."""

    delivery: WebhookDelivery
    worker: str | None = None

    @property
    def tenant_id(self) -> TenantId:
        return self.delivery.tenant_id


WEBHOOK_ENDPOINTS: Final = TableOf[WebhookEndpointId, WebhookEndpoint]("webhook_endpoints")
WEBHOOK_DELIVERIES: Final = TableOf[tuple[WebhookEndpointId, WebhookMessageId], ClaimedDelivery]("webhook_deliveries")


@repository(WebhookEndpoints)
class MemoryWebhookEndpoints:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[WEBHOOK_ENDPOINTS], "webhook")

    async def add(self, endpoint: WebhookEndpoint) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], endpoint.tenant_id, "tenant")
        self._session[WEBHOOK_ENDPOINTS].put(endpoint.id, endpoint)

    async def get(self, tenant_id: TenantId, endpoint_id: WebhookEndpointId) -> WebhookEndpoint:
        return await self._records.get(tenant_id, endpoint_id)

    async def list(self, tenant_id: TenantId) -> list[WebhookEndpoint]:
        return sorted(self._records.of(tenant_id), key=lambda endpoint: endpoint.id)

    async def save(self, endpoint: WebhookEndpoint) -> WebhookEndpoint:
        return await self._records.save(endpoint)

    async def delete(self, tenant_id: TenantId, endpoint_id: WebhookEndpointId) -> None:
        await self._session.writing()
        endpoint = await self.get(tenant_id, endpoint_id)
        self._session[WEBHOOK_ENDPOINTS].drop(endpoint.id)
        for key, _ in list(self._session[WEBHOOK_DELIVERIES].items()):
            if key[0] == endpoint.id:
                self._session[WEBHOOK_DELIVERIES].drop(key)

    async def after(self, endpoint_id: WebhookEndpointId | None, limit: int) -> Sequence[WebhookEndpoint]:
        later = [row for row in self._session[WEBHOOK_ENDPOINTS].rows() if row.id > (endpoint_id or "")]
        return sorted(later, key=lambda endpoint: endpoint.id)[:limit]


@repository(WebhookMessages)
class MemoryWebhookMessages:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def record(self, event: WebhookEvent) -> None:
        await self._session.writing()
        for endpoint in list(self._session[WEBHOOK_ENDPOINTS].rows()):
            own = endpoint.tenant_id == event.tenant_id and endpoint.enabled
            if own and (endpoint.events is None or event.type in endpoint.events):
                self._add(endpoint.id, event)

    async def prune(self, before: datetime, limit: int) -> int:
        await self._session.writing()
        rows = self._session[WEBHOOK_DELIVERIES].rows()
        old = {row.delivery.message.id for row in rows if row.delivery.message.id < first_message_id(before)}
        dropped = sorted(old)[:limit]
        for key, _ in list(self._session[WEBHOOK_DELIVERIES].items()):
            if key[1] in dropped:
                self._session[WEBHOOK_DELIVERIES].drop(key)
        return len(dropped)

    def _add(self, endpoint_id: WebhookEndpointId, event: WebhookEvent) -> None:
        message = WebhookMessage.of(event)
        if self._session[WEBHOOK_DELIVERIES].get((endpoint_id, message.id)) is None:
            delivery = WebhookDelivery(endpoint_id, message, due_at=event.at)
            self._session[WEBHOOK_DELIVERIES].put((endpoint_id, message.id), ClaimedDelivery(delivery))


@repository(WebhookDeliveries)
class MemoryWebhookDeliveries:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def claim(self, worker: str, now: datetime, leased_until: datetime, limit: int) -> list[WebhookDelivery]:
        await self._session.writing()
        rows = [row for row in self._session[WEBHOOK_DELIVERIES].rows() if row.delivery.state is DeliveryState.WAITING]
        taken = Counter(row.delivery.endpoint_id for row in rows if row.worker and row.delivery.due_at > now)
        due = [row.delivery for row in rows if row.delivery.due_at <= now]
        turns: list[tuple[int, WebhookDelivery]] = []
        for delivery in sorted(due, key=lambda one: (one.due_at, one.message.id)):
            endpoint = self._session[WEBHOOK_ENDPOINTS].get(delivery.endpoint_id)
            if endpoint is None or not endpoint.enabled:
                continue
            taken[endpoint.id] += 1
            if taken[endpoint.id] <= (AT_ONCE if endpoint.failing_since is None else 1):
                turns.append((taken[endpoint.id], delivery))
        claimed = []
        for _, delivery in sorted(turns, key=lambda one: (one[0], one[1].due_at, one[1].message.id))[:limit]:
            held = evolve(delivery, due_at=leased_until, claim_number=delivery.claim_number + 1)
            self._put(held, worker)
            claimed.append(held)
        return claimed

    async def settle(self, delivery: WebhookDelivery) -> bool:
        await self._session.writing()
        row = self._session[WEBHOOK_DELIVERIES].get((delivery.endpoint_id, delivery.message.id))
        if row is None or row.worker is None or row.delivery.claim_number != delivery.claim_number:
            return False
        self._put(delivery, None)
        return True

    async def release(self, worker: str, now: datetime) -> None:
        await self._session.writing()
        for row in list(self._session[WEBHOOK_DELIVERIES].rows()):
            if row.worker == worker:
                self._put(evolve(row.delivery, due_at=now), None)

    async def get(
        self, tenant_id: TenantId, endpoint_id: WebhookEndpointId, message_id: WebhookMessageId
    ) -> WebhookDelivery:
        row = self._session[WEBHOOK_DELIVERIES].get((endpoint_id, message_id))
        if row is None or row.tenant_id != tenant_id:
            raise NotFound("delivery", message_id)
        return row.delivery

    async def page(
        self,
        tenant_id: TenantId,
        endpoint_id: WebhookEndpointId,
        state: DeliveryState | None,
        before: WebhookMessageId | None,
        limit: int,
    ) -> list[WebhookDelivery]:
        found = [
            delivery
            for delivery in self._of(tenant_id, endpoint_id)
            if state in (None, delivery.state) and (before is None or delivery.message.id < before)
        ]
        return sorted(found, key=lambda delivery: delivery.message.id, reverse=True)[:limit]

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
        await self._session.writing()
        found = [
            delivery
            for delivery in self._of(tenant_id, endpoint_id)
            if delivery.state in states and first_message_id(since) <= delivery.message.id < first_message_id(until)
        ]
        found.sort(key=lambda delivery: delivery.message.id)
        for delivery in found[:limit]:
            self._put(delivery.again(now), None)
        return len(found[:limit])

    async def replay_one(
        self, tenant_id: TenantId, endpoint_id: WebhookEndpointId, message_id: WebhookMessageId, now: datetime
    ) -> WebhookDelivery:
        await self._session.writing()
        again = (await self.get(tenant_id, endpoint_id, message_id)).again(now)
        self._put(again, None)
        return again

    async def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        due = []
        for row in self._session[WEBHOOK_DELIVERIES].rows():
            endpoint = self._session[WEBHOOK_ENDPOINTS].get(row.delivery.endpoint_id)
            waits = row.delivery.state is DeliveryState.WAITING and row.delivery.due_at <= now
            if waits and endpoint is not None and endpoint.enabled:
                due.append(row.delivery.due_at)
        return len(due), min(due, default=None)

    def _of(self, tenant_id: TenantId, endpoint_id: WebhookEndpointId) -> list[WebhookDelivery]:
        rows = self._session[WEBHOOK_DELIVERIES].rows()
        return [row.delivery for row in rows if row.tenant_id == tenant_id and row.delivery.endpoint_id == endpoint_id]

    def _put(self, delivery: WebhookDelivery, worker: str | None) -> None:
        key = delivery.endpoint_id, delivery.message.id
        self._session[WEBHOOK_DELIVERIES].put(key, ClaimedDelivery(delivery, worker))
