"""A Catch Hook of Zapier: it takes everything, says little, and keeps each message it got."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
import msgspec
import pytest

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.zapier import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, VendorPost, Wire, a_post, connect
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import LookupUnsupported, PublishFailed, Refusal

PATH = "/hooks/catch/1234567/abcdefg/"


class CatchHook:
    """It refuses no address of the right form, so there are no wrong credentials."""

    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"hookUrl": f"https://hooks.zapier.com{PATH}"}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {}

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        assert (request.method, request.headers["content-type"]) == ("POST", "application/json")
        assert (request.url.host, request.url.path) == ("hooks.zapier.com", PATH)
        self.messages.append(msgspec.json.decode(request.content))
        return httpx.Response(200, json={"status": "success", "id": "0190-1", "attempt": "0190-2", "request_id": "r"})

    def makes_a_post(self, request: httpx.Request) -> bool:
        return msgspec.json.decode(request.content)["test"] is False

    def posts(self) -> list[VendorPost]:
        return [
            VendorPost(
                message["id"],
                message["title"],
                message["markdown"],
                PostStatus.PUBLISHED,
                message["slug"],
                tuple(message["tags"].split(", ")),
            )
            for message in self.messages
            if not message["test"]
        ]

    def remove(self, id: str) -> None:
        self.messages = [message for message in self.messages if message["id"] != id]

    def invalid(self) -> httpx.Response:
        return httpx.Response(413, json={"status": "error", "message": "The payload is too long."})

    def busy(self) -> httpx.Response:
        return httpx.Response(429, headers={"Retry-After": "30"}, json={"errors": ["Rate limited"]})


class TestZapier(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Vendor:
        return CatchHook()

    async def test_a_message_is_flat_and_has_both_forms_of_the_text(self) -> None:
        hook = CatchHook()
        post = a_post(tags=("Heat", "Winter"), categories=("Homes",))
        await connect(hook, Wire(hook)).create(post)
        [message] = hook.messages
        assert not any(isinstance(value, dict | list) for value in message.values())
        assert message["id"] == post.external_key
        assert message["type"] == "article.published"
        assert message["timestamp"].startswith("20")
        assert (message["tags"], message["categories"]) == ("Heat, Winter", "Homes")
        assert "<h2" in message["html"]
        assert "## Sizes and prices" in message["markdown"]
        assert message["featured_image"] == post.featured_image

    async def test_every_message_on_one_post_has_the_same_key_whatever_it_says(self) -> None:
        hook = CatchHook()
        publisher = connect(hook, Wire(hook))
        await publisher.create(a_post())
        await publisher.create(a_post(title="Another"))
        await publisher.create(a_post(external_key="contentgen-other"))
        first, second, other = (message["idempotency_key"] for message in hook.messages)
        assert first == second != other

    async def test_a_test_says_that_it_is_one(self) -> None:
        hook = CatchHook()
        await connect(hook, Wire(hook)).test()
        assert [(message["test"], message["type"]) for message in hook.messages] == [(True, "connection.test")]

    async def test_a_silent_hook_answers_with_nothing(self) -> None:
        hook = CatchHook()
        wire = Wire(hook)
        wire.fault = lambda answer, request: httpx.Response(200)
        made = await connect(hook, wire, {"hookUrl": f"https://hooks.zapier.com{PATH}silent/"}).create(a_post())
        assert (made.id, made.url) == (a_post().external_key, None)

    async def test_an_answer_that_is_no_success_may_have_had_its_effect(self) -> None:
        hook = CatchHook()
        wire = Wire(hook)
        wire.fault = lambda answer, request: httpx.Response(200, json={"status": "error"})
        with pytest.raises(PublishFailed) as failure:
            await connect(hook, wire).create(a_post())
        assert (failure.value.refusal, failure.value.outcome_unknown) == (Refusal.INVALID, True)

    async def test_nothing_can_be_asked_for_or_changed(self) -> None:
        hook = CatchHook()
        publisher = connect(hook, Wire(hook))
        with pytest.raises(LookupUnsupported):
            await publisher.read("contentgen-1")
        with pytest.raises(PublishFailed):
            await publisher.update("contentgen-1", a_post())
        assert hook.messages == []

    @pytest.mark.parametrize("status", [404, 410])
    async def test_a_hook_that_is_gone_is_a_credential_that_stopped_working(self, status: int) -> None:
        hook = CatchHook()
        wire = Wire(hook)
        wire.fault = lambda answer, request: httpx.Response(status, text=f"no hook at {PATH}")
        with pytest.raises(PublishFailed) as failure:
            await connect(hook, wire).create(a_post())
        assert failure.value.refusal is Refusal.CREDENTIALS
        assert "abcdefg" not in str(failure.value)

    async def test_more_than_ten_megabytes_are_not_sent(self) -> None:
        hook = CatchHook()
        with pytest.raises(PublishFailed, match="10 MB") as failure:
            await connect(hook, Wire(hook)).create(a_post(markdown=f"```\n{'word ' * 1_100_000}\n```"))
        assert (failure.value.refusal, failure.value.outcome_unknown) == (Refusal.INVALID, False)
        assert hook.messages == []

    @pytest.mark.parametrize(
        "address",
        [
            "http://hooks.zapier.com/hooks/catch/1234567/abcdefg/",
            "https://hooks.zapier.com.example.com/hooks/catch/1234567/abcdefg/",
            "https://user@hooks.zapier.com/hooks/catch/1234567/abcdefg/",
            "https://hooks.zapier.com/hooks/catch/1234567/",
            "https://hooks.zapier.com/other/path/1234567/abcdefg/",
        ],
    )
    def test_an_address_of_another_place_is_refused(self, address: str) -> None:
        hook = CatchHook()
        with pytest.raises(InvalidInput, match=r"hookUrl: must begin with https://hooks\.zapier\.com") as refusal:
            connect(hook, Wire(hook), {"hookUrl": address})
        assert address not in str(refusal.value)
