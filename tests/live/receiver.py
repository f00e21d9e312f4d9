"""A receiver of webhooks as somebody would write it with the reference library of Standard Webhooks, heeding the
`webhook-id`; and a place where the pictures of posts are at home."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from attrs import define, field, frozen
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from tests.live.small_http import Request, respond, serving
from tests.support.pictures import PNG

SECRET: Final = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes, so").decode()


@frozen
class Message:
    """`id`: the webhook-id."""

    id: str
    timestamp: str
    payload: dict[str, Any]


@define
class Receiver:
    """`deliveries`: all that were signed as they must be. `acted`: the first of each id, which is what counts."""

    address: str
    deliveries: list[Message] = field(factory=list)
    acted: dict[str, Message] = field(factory=dict)
    refused: int = 0

    def of_title(self, title: str) -> list[Message]:
        return [m for m in self.acted.values() if m.payload["data"].get("title") == title]

    async def handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path.endswith(".png"):
            respond(writer, 200, PNG, "image/png")
            return
        if request.path != "/hook":
            respond(writer, 410, b"")
            return
        try:
            payload = Webhook(SECRET).verify(request.body, request.headers)
            assert _signed_by_hand(request), "the library accepts what the specification does not"
        except WebhookVerificationError as error:
            self.refused += 1
            respond(writer, 401, json.dumps({"error": str(error)}).encode())
            return
        message = Message(request.headers["webhook-id"], request.headers["webhook-timestamp"], payload)
        self.deliveries.append(message)
        self.acted.setdefault(message.id, message)
        respond(writer, 200, json.dumps({"id": payload["data"].get("id"), "url": self._url(payload)}).encode())

    def _url(self, payload: dict[str, Any]) -> str | None:
        slug = payload["data"].get("slug")
        return f"https://www.example.com/{slug}" if slug else None


def _signed_by_hand(request: Request) -> bool:
    """As the specification says it, without any library: one of the signatures is that of `id.timestamp.body`."""
    headers = request.headers
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + request.body
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    ours = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return ours in headers["webhook-signature"].split(" ")


@asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver("")
    async with serving(made.handle) as port:
        made.address = f"http://127.0.0.1:{port}"
        yield made
