"""Delivering recorded events to webhook endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from attrs import evolve

from contentgen_core.concurrency import retry_overtaken
from contentgen_core.errors import NotFound
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.webhook import (
    MESSAGES_KEPT,
    DeliveryAttempt,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEvent,
    WebhookEventType,
)
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.webhooks import WebhookDeliveries, WebhookEndpoints, WebhookMessages
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.ports.webhooks import WebhookSender
from contentgen_core.use_cases.host_places import HostBusy, HostPlaces, host_of_url
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.manage_webhooks import signed_attempt
from contentgen_core.use_cases.webhooks.secrets import WebhookSecrets

LEASE: Final = timedelta(seconds=60)
"""More than an attempt takes, with the transaction after it."""
PRUNED_AT_ONCE: Final = 1_000


class _Lost(Exception):
    """The delivery was claimed by another worker, or is gone."""


@use_case
class DeliverWebhooks:
    """Delivers messages at least once: where a worker dies between the answer of a receiver and the transaction that
    stores it, the message is sent again, with the same id."""

    unit_of_work: UnitOfWork
    sender: WebhookSender
    secrets: WebhookSecrets
    clock: Clock
    ids: Ids
    places: HostPlaces

    async def claim(self, worker: str, limit: int) -> Sequence[WebhookDelivery]:
        """Deliveries that are due; each has to be passed to `attempt` within LEASE."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            return await tx[WebhookDeliveries].claim(worker, now, now + LEASE, limit)

    async def attempt(self, delivery: WebhookDelivery) -> DeliveryAttempt | None:
        """Send a claimed message once, and store what came of it. None where there is nothing to send any more, and
        where the message waits, since its host is busy.

        Raises Unavailable while the database is away: the lease then ends, and the message is sent again."""
        try:
            async with self.unit_of_work() as tx:
                endpoint = await tx[WebhookEndpoints].get(delivery.tenant_id, delivery.endpoint_id)
        except NotFound:
            return None
        try:
            async with self.places.place(delivery.tenant_id, host_of_url(endpoint.url), endpoint.id):
                now = self.clock.now()
                attempt = await signed_attempt(self.sender, self.secrets, endpoint, delivery.message, now)
        except HostBusy as busy:
            await self._put_off(delivery, busy)
            return None
        self.places.pause(endpoint.id, attempt.retry_after)
        try:
            await retry_overtaken(lambda: self._store(delivery, attempt))
        except (_Lost, NotFound):
            return None
        return attempt

    async def _put_off(self, delivery: WebhookDelivery, busy: HostBusy) -> None:
        """Give the message back for later. It was not sent, so this is none of its tries."""
        async with self.unit_of_work() as tx:
            await tx[WebhookDeliveries].settle(evolve(delivery, due_at=self.clock.now() + busy.pause))

    async def _store(self, delivery: WebhookDelivery, attempt: DeliveryAttempt) -> None:
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            # The endpoint before the delivery, as a claim locks them.
            endpoint = await tx[WebhookEndpoints].get(delivery.tenant_id, delivery.endpoint_id)
            after = endpoint.after(attempt)
            if after != endpoint:
                await tx[WebhookEndpoints].save(after)
            if not await tx[WebhookDeliveries].settle(delivery.after(attempt, now)):
                raise _Lost
            if endpoint.enabled and not after.enabled:
                await self._tell(tx, after, now)

    async def _tell(self, tx: Transaction, endpoint: WebhookEndpoint, now: datetime) -> None:
        """The other endpoints of the tenant, and its owner."""
        data = {"webhookId": endpoint.id, "name": endpoint.name, "reason": endpoint.disabled_because}
        event = WebhookEvent(endpoint.tenant_id, WebhookEventType.WEBHOOK_DISABLED, now, data)
        await tx[WebhookMessages].record(event)
        kind = JobKind.SEND_WEBHOOK_NOTICE
        await tx[Jobs].enqueue(Job(JobId(self.ids.new()), kind, endpoint.tenant_id, endpoint.id, run_at=now))

    async def release(self, worker: str) -> None:
        """Give back what a worker has claimed and will not send."""
        async with self.unit_of_work() as tx:
            await tx[WebhookDeliveries].release(worker, self.clock.now())

    async def prune(self) -> None:
        """Forget messages that were kept long enough."""
        while True:
            async with self.unit_of_work() as tx:
                before = self.clock.now() - MESSAGES_KEPT
                if await tx[WebhookMessages].prune(before, PRUNED_AT_ONCE) < PRUNED_AT_ONCE:
                    return
