"""A tenant's flood of requests waits behind itself, whichever way it comes in, and the requests of others pass."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from contentgen_core.model.tenant import PlanName
from contentgen_http.console import rendering
from contentgen_http.server.concurrency_limit import MAX_ORDINARY
from tests.support.browser import Browser, signed_in, written
from tests.support.changed import changed
from tests.support.house import open_house
from tests.support.http import Api, Generous, client_of, open_api
from tests.support.prepared_app import create_app
from tests.support.waiting import until

FLOOD = 48


class Held:
    """Something that is read, but not before it may be. `at_work`: calls under way; `most`: the highest number."""

    def __init__(self, read: Callable[..., Awaitable[Any]]) -> None:
        self._read, self.go_on = read, asyncio.Event()
        self.go_on.set()
        self.at_work = self.most = 0

    async def __call__(self, *arguments: Any, **more: Any) -> Any:
        self.at_work += 1
        self.most = max(self.most, self.at_work)
        try:
            await self.go_on.wait()
            return await self._read(*arguments, **more)
        finally:
            self.at_work -= 1


@asynccontextmanager
async def held_up() -> AsyncIterator[tuple[Api, Held, str]]:
    """An application whose articles' pages and receipts can be held up, and the key of another tenant."""
    async with open_house(PlanName.PRO) as house:
        writing = house.services.writing
        held = Held(writing.article_text)
        receipts = Held(writing.grounding_receipt)
        receipts.go_on = held.go_on
        services = changed(
            house.services,
            writing={"article_text": held, "grounding_receipt": receipts},
            ports={"rate_limiter": Generous()},
        )
        application = create_app(services, mcp_allowed_hosts="testserver.local")
        async with client_of(application) as client:
            api = Api(house, application, client, Generous(), "")
            api.key = await api.key_of(house.caller)
            other = (await house.services.people.tenants.create("Other", PlanName.PRO)).caller
            yield api, held, await api.key_of(other)


def pages(api: Api, browser: Browser, address: str) -> list[asyncio.Task[httpx.Response]]:
    """So many browsers of one person that ask for a page at once."""
    return [asyncio.create_task(Browser(api, dict(browser.cookies)).get(address)) for _ in range(FLOOD)]


async def test_a_flood_of_console_pages_holds_up_nobody_else() -> None:
    async with held_up() as (api, held, others):
        browser = await signed_in(api)
        address = await written(browser)
        held.go_on.clear()
        flood = pages(api, browser, address)
        await until(lambda: held.at_work == MAX_ORDINARY)
        own = asyncio.create_task(api.call("GET", "/articles"))  # the same tenant, at the other surface
        assert (await api.call("GET", "/articles", key=others)).status_code == 200
        assert (await api.call("GET", "/ready", key=None)).status_code == 200
        await asyncio.sleep(0.05)
        assert not any(each.done() for each in (own, *flood)), "the tenant's own requests wait behind its flood"
        held.go_on.set()
        assert {answer.status_code for answer in await asyncio.gather(own, *flood)} == {200}
        assert held.most == MAX_ORDINARY


async def test_a_flood_of_the_api_holds_up_its_own_pages_and_nobody_elses() -> None:
    async with held_up() as (api, held, others):
        browser = await signed_in(api)
        address = await written(browser)
        stranger = await signed_in(api, others)
        held.go_on.clear()
        receipt = f"/writer/{address.rpartition('/')[2]}/grounding"
        flood = [asyncio.create_task(api.call("GET", receipt)) for _ in range(FLOOD)]
        await until(lambda: api.house.services.telemetry.metrics.requests_in_flight == FLOOD)
        own = asyncio.create_task(browser.get("/console/articles"))
        assert (await stranger.get("/console/articles")).status_code == 200
        await asyncio.sleep(0.05)
        assert not own.done()
        held.go_on.set()
        assert {answer.status_code for answer in await asyncio.gather(own, *flood)} == {200}


async def test_a_flood_that_leaves_gives_its_places_back() -> None:
    async with held_up() as (api, held, _):
        browser = await signed_in(api)
        address = await written(browser)
        held.go_on.clear()
        flood = pages(api, browser, address)
        await until(lambda: held.at_work == MAX_ORDINARY)
        for each in flood:
            each.cancel()
        await asyncio.gather(*flood, return_exceptions=True)
        held.go_on.set()
        assert (await browser.get(address)).status_code == 200


async def test_a_long_page_comes_in_parts_and_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_api() as api:
        browser = await signed_in(api)
        address = await written(browser)
        whole = await browser.get(address)
        assert whole.headers["content-length"]
        monkeypatch.setattr(rendering, "PART", 500)
        parts = await browser.get(address)
        assert "content-length" not in parts.headers
        assert _without_tokens(parts.text) == _without_tokens(whole.text)
        for name in ("content-type", "content-security-policy", "cache-control", "content-encoding"):
            assert parts.headers[name] == whole.headers[name]
        assert "Cookie" in parts.headers["vary"]


def _without_tokens(page: str) -> str:
    return re.sub(r"[0-9a-f]{128}", "", page)
