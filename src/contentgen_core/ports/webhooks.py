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
        """Raises InvalidInput for the field `url` unless this address may be called."""
        ...

    async def send(self, url: str, message: WebhookMessage, secrets: Sequence[str], at: datetime) -> DeliveryAttempt:
        """One request, with a signature by each of these secrets. `at`: now, which the receiver compares with its own
        clock. What the receiver does, or fails to do, is in the attempt; nothing is raised for it."""
        ...
