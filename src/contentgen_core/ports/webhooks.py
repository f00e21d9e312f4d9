"""Sending messages to webhook endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.webhook import DeliveryAttempt, WebhookMessage


class WebhookSender(Protocol):
    """Signs and sends as Standard Webhooks says."""

    def new_secret(self) -> str:
        """A new signing secret: `whsec_` and 32 random bytes in Base64."""
        ...

    async def check(self, url: str) -> None:
        """Check that this address may be called. Raises InvalidInput for the field `url`."""
        ...

    async def send(self, url: str, message: WebhookMessage, secrets: Sequence[str], at: datetime) -> DeliveryAttempt:
        """Send one request, with a signature by each of these secrets. `at`: now, which the receiver compares with its
        own clock. The receiver's answer or failure is in the attempt; nothing is raised for it."""
        ...
