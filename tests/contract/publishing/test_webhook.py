"""A receiver of webhooks that verifies what it gets with the reference library."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

import httpx
import msgspec
import pytest
from standardwebhooks.webhooks import Webhook

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.webhook import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, VendorPost, Wire, a_post, connect
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import PostSource
from contentgen_core.testing.runtime import MOMENT

SECRET = "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY="


class Receiver:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"url": "https://receiver.example/hook?key=abc", "secret": SECRET}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {
        "url": "https://receiver.example/hook",
        "secret": "whsec_" + "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=",
    }
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {}

    def __init__(self) -> None:
        self.held: dict[str, VendorPost] = {}
        self.messages: list[str] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        headers = dict(request.headers)
        if headers["webhook-signature"] != self._signature(headers, request.content):
            return httpx.Response(401, text="wrong signature")
        message = msgspec.json.decode(request.content)
        if headers["webhook-id"] in self.messages or message["type"] == "webhook.test":
            return httpx.Response(204)
        self.messages.append(headers["webhook-id"])
        data = message["data"]
        sources = " ".join(f"[{s['number']}] {s['title']} {s.get('url', '')}" for s in data["sources"])
        self.held[data["id"]] = VendorPost(
            data["id"],
            data["title"],
            f"{data['markdown']} {sources}",
            PostStatus(data["status"]),
            data["slug"],
            tuple(data["tags"]),
        )
        return httpx.Response(202, text="thanks")

    def _signature(self, headers: Mapping[str, str], content: bytes) -> str:
        at = datetime.fromtimestamp(int(headers["webhook-timestamp"]), MOMENT.tzinfo)
        return Webhook(SECRET).sign(headers["webhook-id"], at, content.decode())

    def makes_a_post(self, request: httpx.Request) -> bool:
        return msgspec.json.decode(request.content)["type"] == "article.published"

    def posts(self) -> list[VendorPost]:
        return list(self.held.values())

    def remove(self, id: str) -> None:
        del self.held[id]

    def invalid(self) -> httpx.Response:
        return httpx.Response(422, json={"message": "the title is too long"})

    def busy(self) -> httpx.Response:
        return httpx.Response(429, headers={"Retry-After": "9"})


class TestWebhook(ProviderContract):
    reads_answers = False  # a receiver owes none

    @pytest.fixture
    def vendor(self) -> Vendor:
        return Receiver()

    async def test_a_repetition_carries_the_same_id_and_another_text_another(self) -> None:
        receiver = Receiver()
        wire = Wire(receiver)
        publisher = connect(receiver, wire)
        post = a_post()
        await publisher.create(post)
        await publisher.create(post)
        await publisher.update(post.external_key, a_post(title="Another"))
        ids = [request.headers["webhook-id"] for request in wire.requests]
        assert ids[0] == ids[1] != ids[2]
        assert all("." not in id for id in ids)

    async def test_who_wrote_a_source_and_when_is_told_where_it_is_known(self) -> None:
        receiver = Receiver()
        wire = Wire(receiver)
        await connect(receiver, wire).create(
            a_post(sources=(PostSource(1, "A", None, MOMENT.date(), "Ada Ohm"), PostSource(2, "B")))
        )
        assert msgspec.json.decode(wire.requests[-1].content)["data"]["sources"] == [
            {"number": 1, "title": "A", "url": None, "author": "Ada Ohm", "published": MOMENT.date().isoformat()},
            {"number": 2, "title": "B", "url": None},
        ]

    async def test_a_receiver_may_name_what_it_made(self) -> None:
        receiver = Receiver()
        wire = Wire(receiver)
        wire.fault = lambda answer, request: httpx.Response(200, json={"id": 7, "url": "https://receiver.example/7"})
        made = await connect(receiver, wire).create(a_post())
        assert (made.id, made.url) == ("7", "https://receiver.example/7")

    async def test_without_a_secret_nothing_is_signed(self) -> None:
        receiver = Receiver()
        wire = Wire(receiver)
        wire.fault = lambda answer, request: httpx.Response(200)
        await connect(receiver, wire, {"url": "https://receiver.example/hook"}).create(a_post())
        assert "webhook-signature" not in wire.requests[0].headers

    @pytest.mark.parametrize("secret", ["secret", "whsec_", "whsec_QUJD", "whsec_***", "whsec_" + "QUJD" * 40])
    def test_a_signing_secret_of_another_form_is_refused(self, secret: str) -> None:
        receiver = Receiver()
        with pytest.raises(InvalidInput):
            connect(receiver, Wire(receiver), {"url": "https://receiver.example/", "secret": secret})

    async def test_the_time_of_each_attempt_is_signed(self) -> None:
        receiver = Receiver()
        wire = Wire(receiver)
        await connect(receiver, wire).create(a_post())
        at = int(wire.requests[0].headers["webhook-timestamp"])
        assert at == int((MOMENT + timedelta(0)).timestamp())
