"""Delivery of webhook messages in this process."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import structlog

from contentgen_core.errors import ContentgenError
from contentgen_core.model.webhook import WebhookDelivery
from contentgen_http.services import Services

PLACES: Final = 100
POLL_SECONDS = 1.0
RELEASE_SECONDS: Final = 1.0

log = structlog.get_logger("contentgen.webhooks")


class WebhookDispatcher:
    """Sends what is due until it is cancelled; what is then under way is given back and sent again elsewhere.

    `worker`: its name in the database. `places`: requests at a time; they only wait, so there are many.
    `pollers`: dispatchers that poll the database, this one among them."""

    def __init__(self, services: Services, worker: str, places: int = PLACES, pollers: int = 1) -> None:
        self._services, self._worker, self._places = services, worker, places
        self._poll_seconds = POLL_SECONDS * pollers
        self._deliver = services.webhooks.deliver
        self._running: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Polls, and looks again as soon as a request has ended: its endpoint may have more."""
        try:
            while True:
                await self._begin_due()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._poll_seconds):
                        await self._wake.wait()
                self._wake.clear()
        finally:
            await self._give_back()

    async def _begin_due(self) -> None:
        free = self._places - len(self._running)
        if free <= 0:
            return
        try:
            claimed = await self._deliver.claim(self._worker, free)
        except ContentgenError as error:
            log.warning("claiming webhook deliveries failed", reason=error.log_text)
            return
        except Exception:  # an error must not end the loop that claims
            log.exception("claiming webhook deliveries failed unexpectedly")
            return
        for delivery in claimed:
            task = asyncio.create_task(self._send(delivery), name=f"webhook {delivery.message.id}")
            self._running.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._wake.set()

    async def _send(self, delivery: WebhookDelivery) -> None:
        event = delivery.message.event
        bound = log.bind(webhookId=delivery.endpoint_id, messageId=delivery.message.id, tenantId=event.tenant_id)
        metrics = self._services.telemetry.metrics
        try:
            attempt = await self._deliver.attempt(delivery)
        except ContentgenError as error:
            bound.warning("a webhook delivery was interrupted", reason=error.log_text)
            return
        except Exception:
            bound.exception("a webhook delivery failed unexpectedly")
            return
        if attempt is None:
            return
        metrics.webhook_attempts.labels("delivered" if attempt.delivered else "failed").inc()
        metrics.webhook_seconds.observe(attempt.milliseconds / 1000)
        if not attempt.delivered:
            bound.info("a webhook was not delivered", type=event.type, status=attempt.status, reason=attempt.error)

    async def _give_back(self) -> None:
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        with suppress(ContentgenError, TimeoutError):  # otherwise their leases run out
            async with asyncio.timeout(RELEASE_SECONDS):
                await self._deliver.release(self._worker)
