"""Webhook messages over HTTP to receivers that behave in every way, verified with the reference library."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from contentgen_adapters.runtime import SystemClock
from contentgen_adapters.shared.guarded_client import guarded_client
from contentgen_adapters.shared.outgoing.guard import AddressGuard, parse_hosts
from contentgen_adapters.webhooks.sender import HttpWebhookSender
from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import TenantId
from contentgen_core.model.webhook import MAX_ANSWER, DeliveryAttempt, WebhookEvent, WebhookEventType, WebhookMessage
from contentgen_core.testing.runtime import MOMENT
from tests.support.web_server import (
    Page,
    WebServer,
    answer,
    broken_off,
    dripping,
    dripping_head,
    endless,
    endless_hints,
    huge_head,
    no_http,
    silent,
)

MESSAGE = WebhookMessage.of(
    WebhookEvent(TenantId("t"), WebhookEventType.ARTICLE_GENERATED, MOMENT, {"articleId": "ä", "words": 9, "to": None})
)


@pytest.fixture
def receiver() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


async def sent(receiver: WebServer, path: str, *secrets: str, seconds: float = 5.0) -> DeliveryAttempt:
    guard = AddressGuard(parse_hosts(receiver.host))
    async with guarded_client(guard) as client:
        sender = HttpWebhookSender(client, guard, seconds)
        url = receiver.url(path)
        await sender.check(url)
        return await sender.send(url, MESSAGE, secrets or [sender.new_secret()], SystemClock().now())


def test_each_secret_is_new_and_good() -> None:
    guard = AddressGuard()
    secrets = {HttpWebhookSender(guarded_client(guard), guard).new_secret() for _ in range(9)}
    assert len(secrets) == 9
    assert all(len(Webhook(secret)._whsecret) == 32 for secret in secrets)


async def test_a_message_is_verified_by_either_secret_and_no_other(receiver: WebServer) -> None:
    bodies: list[bytes] = []

    def take(body: bytes) -> bytes:
        bodies.append(body)
        return answer(b"taken, thanks", 202)

    receiver.take("/hook", take)
    guard = AddressGuard()
    present, former, other = (HttpWebhookSender(guarded_client(guard), guard).new_secret() for _ in range(3))
    attempt = await sent(receiver, "/hook", present, former)
    assert (attempt.delivered, attempt.status, attempt.answer) == (True, 202, "taken, thanks")
    headers = {name.lower(): value for name, value in receiver.visits[0].headers.items()}
    for secret in (present, former):
        assert Webhook(secret).verify(bodies[0], headers) == {
            "type": "article.generated",
            "timestamp": "2026-03-10T12:00:00Z",
            "data": {"articleId": "ä", "words": 9, "to": None},
        }
    with pytest.raises(WebhookVerificationError):
        Webhook(other).verify(bodies[0], headers)
    assert (headers["webhook-id"], headers["content-type"]) == (MESSAGE.id, "application/json")
    assert msgspec.json.decode(bodies[0])["type"] == "article.generated"


@pytest.mark.parametrize("status", [200, 204, 301, 302, 400, 404, 410, 429, 500, 503])
async def test_a_status_is_reported_and_no_redirect_followed(receiver: WebServer, status: int) -> None:
    receiver.serve("/hook", lambda write, _: write(answer(b"", status, location="/other", retry_after="7")))
    attempt = await sent(receiver, "/hook")
    assert (attempt.status, attempt.delivered, attempt.error) == (status, 200 <= status < 300, None)
    assert attempt.retry_after == 7
    assert receiver.asked("/other") == 0


@pytest.mark.parametrize("page", [silent, dripping_head(0.05), no_http, endless_hints, huge_head])
async def test_who_gives_no_answer_is_not_waited_for(receiver: WebServer, page: Page) -> None:
    receiver.serve("/hook", page)
    attempt = await sent(receiver, "/hook", seconds=0.5)
    assert (attempt.status, attempt.delivered) == (None, False)
    assert attempt.error
    assert attempt.milliseconds < 3_000


@pytest.mark.parametrize("page", [endless, broken_off])
async def test_only_the_start_of_an_answer_is_read(receiver: WebServer, page: Page) -> None:
    receiver.serve("/hook", page)
    attempt = await sent(receiver, "/hook")
    assert attempt.delivered
    assert 0 < len(attempt.answer) <= MAX_ANSWER
    assert "\0" not in attempt.answer


async def test_an_answer_that_drips_was_an_answer(receiver: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("contentgen_adapters.webhooks.sender.BODY_SECONDS", 0.2)
    receiver.serve("/hook", dripping(0.05))
    attempt = await sent(receiver, "/hook")
    assert (attempt.delivered, attempt.answer[:6]) == (True, "<html>")


async def test_binary_answers_become_storable_text(receiver: WebServer) -> None:
    receiver.put("/hook", b"\x00\xff\xfe" * 600)
    attempt = await sent(receiver, "/hook")
    assert attempt.answer == "\N{REPLACEMENT CHARACTER}" * len(attempt.answer)


async def test_addresses_of_our_own_network_are_refused_before_and_at_delivery(receiver: WebServer) -> None:
    guard = AddressGuard()
    async with guarded_client(guard) as client:
        sender = HttpWebhookSender(client, guard)
        for url in (receiver.url("/hook"), "http://localhost:9/", "http://169.254.169.254/", "http://user:pw@[::1]/"):
            with pytest.raises(InvalidInput, match="url"):
                await sender.check(url)
            attempt = await sender.send(url, MESSAGE, [sender.new_secret()], MOMENT)
            assert (attempt.status, "refused" in (attempt.error or "")) == (None, True)
    assert receiver.visits == []


async def test_a_receiver_that_is_not_there_is_said(receiver: WebServer) -> None:
    with WebServer() as gone:
        host = gone.host
    guard = AddressGuard(parse_hosts(host))
    async with guarded_client(guard) as client:
        sender = HttpWebhookSender(client, guard)
        attempt = await sender.send(f"http://{host}/", MESSAGE, [sender.new_secret()], MOMENT)
    assert "connection failed" in (attempt.error or "")
