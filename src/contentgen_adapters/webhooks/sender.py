"""Webhook messages over HTTP."""

from __future__ import annotations

import asyncio
import base64
import secrets
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import httpx
import msgspec
from attrs import evolve, frozen

from contentgen_adapters.shared.http import Peer, retry_after, translate_error
from contentgen_adapters.shared.outgoing.errors import AddressRefused, UnknownHost
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.webhook_signing import PREFIX, headers_of, signer_of
from contentgen_core.errors import InvalidInput
from contentgen_core.model.webhook import MAX_ANSWER, DeliveryAttempt, WebhookMessage

SECRET_BYTES: Final = 32
ATTEMPT_SECONDS: Final = 20.0
"""From the look-up of the host to the head of the answer."""
BODY_SECONDS: Final = 5.0
"""For the start of the answer's body, which decides nothing."""
_PEER: Final = Peer("the receiver")


@frozen
class HttpWebhookSender:
    """Follows no redirect, and reads only the start of an answer. `client`: passes each address through `guard`."""

    client: httpx.AsyncClient
    guard: AddressGuard
    attempt_seconds: float = ATTEMPT_SECONDS

    def new_secret(self) -> str:
        return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()

    async def check(self, url: str) -> None:
        try:
            await self.guard.addresses(self.guard.check(url))
        except (AddressRefused, UnknownHost) as error:
            raise InvalidInput.of("url", str(error)) from error
        except OSError:  # the name server is away; each attempt is checked as well
            return

    async def send(self, url: str, message: WebhookMessage, secrets: Sequence[str], at: datetime) -> DeliveryAttempt:
        body = body_of(message)
        headers = headers_of(message.id, at, body, [signer_of(secret) for secret in secrets])
        began = time.perf_counter()

        def attempt(status: int | None = None, answer: str = "", error: str | None = None) -> DeliveryAttempt:
            return DeliveryAttempt(at, round((time.perf_counter() - began) * 1000), status, answer, error)

        try:
            request = self.client.build_request("POST", url, content=body, headers=headers)
            request.headers["Accept-Encoding"] = "identity"
            async with asyncio.timeout(self.attempt_seconds):
                response = await self.client.send(request, stream=True)
        except TimeoutError:
            return attempt(error=f"no answer within {self.attempt_seconds:g} s")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return attempt(error=translate_error(error, _PEER).message)
        try:
            answer = await _start_of(response)
        finally:
            await response.aclose()
        return evolve(attempt(response.status_code, answer), retry_after=retry_after(response))


def body_of(message: WebhookMessage) -> bytes:
    """Return the body of an event: the same bytes for every attempt."""
    event = message.event
    return msgspec.json.encode({"type": event.type, "timestamp": event.at, "data": dict(event.data)})


async def _start_of(response: httpx.Response) -> str:
    """Read at most MAX_ANSWER characters of the answer, or what arrives before it breaks off."""
    content = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in response.aiter_raw():
                content += piece
                if len(content) >= MAX_ANSWER:
                    break
    except (TimeoutError, httpx.HTTPError, httpx.StreamError):
        pass
    text = bytes(content[:MAX_ANSWER]).decode("utf-8", "replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")
