"""Webhook messages that nobody sends: they are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import count

from attrs import define, field

from contentgen_core.model.webhook import DeliveryAttempt, WebhookMessage


@define
class MemoryWebhookSender:
    """`sent`: each request's address, message and secrets. `answer`: the status of the answer to a request, or why
    there is none."""

    sent: list[tuple[str, WebhookMessage, tuple[str, ...]]] = field(factory=list)
    answer: Callable[[str, WebhookMessage], int | str] = lambda _url, _message: 204
    _numbers: count[int] = field(factory=lambda: count(1))

    def new_secret(self) -> str:
        return f"whsec_{next(self._numbers):044d}"

    async def check(self, url: str) -> None:
        """Every address is good."""

    async def send(self, url: str, message: WebhookMessage, secrets: Sequence[str], at: datetime) -> DeliveryAttempt:
        self.sent.append((url, message, tuple(secrets)))
        answer = self.answer(url, message)
        if isinstance(answer, str):
            return DeliveryAttempt(at, 0, error=answer)
        return DeliveryAttempt(at, 0, answer)
