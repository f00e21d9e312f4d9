"""IndexNow over HTTP, against a stand-in: no engine is told anything."""

from __future__ import annotations

import json

import httpx
import pytest
from attrs import define, field

from contentgen_adapters.index_now import HttpIndexNow
from contentgen_adapters.shared.http import RetryPolicy, make_client
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.ids import IndexNowSiteId, TenantId
from contentgen_core.model.index_now import IndexNowSite
from contentgen_core.testing.runtime import MOMENT

KEY = "0123456789abcdef0123456789abcdef"
SITE = IndexNowSite(
    IndexNowSiteId("s"), TenantId("t"), "https://blog.example.org", "blog.example.org", KEY, MOMENT, MOMENT
)
PAGES = ["https://blog.example.org/a", "https://blog.example.org/b"]


async def no_wait(seconds: float) -> None:
    pass


@define
class Engine:
    answers: list[httpx.Response]
    bodies: list[object] = field(factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert str(request.url) == "https://engine.example.org/indexnow"
        self.bodies.append(json.loads(request.content))
        return self.answers.pop(0)

    async def told(self) -> None:
        client = make_client(transport=httpx.MockTransport(self))
        engine = HttpIndexNow(client, "https://engine.example.org/indexnow", RetryPolicy(sleep=no_wait))
        await engine.submit(SITE, PAGES)


@pytest.mark.parametrize("status", [200, 202])
async def test_pages_are_submitted_with_the_key_and_its_place(status: int) -> None:
    engine = Engine([httpx.Response(status)])
    await engine.told()
    assert engine.bodies == [
        {"host": "blog.example.org", "key": KEY, "keyLocation": f"https://blog.example.org/{KEY}.txt", "urlList": PAGES}
    ]


async def test_a_busy_engine_is_asked_again() -> None:
    engine = Engine([httpx.Response(429), httpx.Response(503), httpx.Response(200)])
    await engine.told()
    assert len(engine.bodies) == 3
    with pytest.raises(ProviderFailed) as busy:
        await Engine([httpx.Response(429, headers={"Retry-After": "3600"})]).told()
    assert (busy.value.retryable, busy.value.retry_after) == (True, 3600)


@pytest.mark.parametrize(
    ("status", "reason"),
    [(403, f"does not find the key at {SITE.key_address}"), (422, "no such pages")],
)
async def test_a_refusal_says_what_to_do(status: int, reason: str) -> None:
    with pytest.raises(ProviderFailed, match=reason) as refused:
        await Engine([httpx.Response(status)]).told()
    assert not refused.value.retryable
