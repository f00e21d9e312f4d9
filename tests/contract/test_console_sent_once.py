"""Forms that make something and are sent twice: a double click makes one, and shows what the first one would have."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import pytest

from contentgen_core.errors import Unavailable
from contentgen_core.services.ports import Ports
from contentgen_http.console import sent_once
from contentgen_http.console.visit import Visit
from tests.support.browser import Browser, signed_in
from tests.support.http import Api, open_api

KEYS = "/console/settings/keys"
WEBHOOKS = "/console/settings/webhooks"
VOICES = "/console/settings/voices"
HOOK = {"name": "Receiver", "url": "https://hooks.example.org/a"}


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def _names(api: Api) -> list[str]:
    return sorted(key.name for key in await api.house.services.people.keys.list(api.house.caller))


def _secret(page: str) -> str:
    found = re.search(r'<code class="secret">([^<]+)</code>', page)
    assert found, page
    return found.group(1)


async def test_a_double_click_makes_one_key_and_the_later_answer_shows_it(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(KEYS)
    before = await _names(api)
    first = await browser.post(KEYS, name="Twice")
    cookies = dict(browser.cookies)
    browser.cookies.pop("contentgen_once")  # the browser has left the first answer
    second = await browser.post(KEYS, name="Twice")
    assert (first.status_code, second.status_code) == (303, 303)
    assert sorted([*before, "Twice"]) == await _names(api)
    assert browser.cookies["contentgen_once"] == cookies["contentgen_once"]
    secret = _secret((await browser.follow(second)).text)
    assert (await api.call("GET", "/articles", key=secret)).status_code == 200
    assert secret not in (await browser.get(KEYS)).text


async def test_both_of_a_double_click_that_come_at_the_same_time_lead_to_one_webhook(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(WEBHOOKS)
    twin = Browser(api, dict(browser.cookies), browser.page)
    answers = await asyncio.gather(*(each.post(WEBHOOKS, HOOK) for each in (browser, twin)))
    assert len(await api.house.services.webhooks.endpoints.list(api.house.caller)) == 1
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer.headers["location"] for answer in answers}) == 1


async def test_a_browser_that_leaves_the_first_answer_ends_nothing(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = await signed_in(api)
    await browser.get(KEYS)
    before, kind = await _names(api), type(api.house.services.people.keys)
    create, made, go_on = kind.create, asyncio.Event(), asyncio.Event()

    async def slow(*arguments: Any) -> Any:
        found = await create(*arguments)
        made.set()
        await go_on.wait()
        return found

    body = urlencode({"csrf": browser.token, "name": "Twice"}).encode()
    headers = {"cookie": f"contentgen_session={browser.cookies['contentgen_session']}", "host": "testserver.local"}
    scope: Any = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": KEYS, "raw_path": KEYS.encode(), "root_path": "", "query_string": b"", "state": {}, "extensions": {},
        "headers": [(b"content-type", b"application/x-www-form-urlencoded"),
                    *((name.encode(), value.encode()) for name, value in headers.items())],
        "client": ("127.0.0.1", 1), "server": ("testserver.local", 80),
    }  # fmt: skip

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(_: Any) -> None:
        raise AssertionError("the browser has left")

    with monkeypatch.context() as patched:
        patched.setattr(kind, "create", slow)
        first = asyncio.create_task(api.app(scope, receive, send))
        await made.wait()
        first.cancel()  # as the server does when the connection is closed
        await asyncio.wait([first])
        go_on.set()
        await asyncio.sleep(0.1)
    second = await browser.post(KEYS, name="Twice")
    secret = _secret((await browser.follow(second)).text)
    assert sorted([*before, "Twice"]) == await _names(api)
    assert (await api.call("GET", "/articles", key=secret)).status_code == 200


async def test_other_fields_another_page_and_another_session_are_no_repetition(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(KEYS)
    before = len(await _names(api))
    page = browser.page
    await browser.post(KEYS, name="One")
    browser.page = page
    await browser.post(KEYS, name="Two")
    await browser.get(KEYS)
    await browser.post(KEYS, name="One")
    other = await signed_in(api)
    await other.get(KEYS)
    await other.post(KEYS, name="One")
    assert len(await _names(api)) == before + 4


async def test_what_was_refused_or_failed_may_be_sent_again(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = await signed_in(api)
    await browser.get(VOICES)
    page, fields = browser.page, {"name": "House", "language": "en", "guide": "Plain words."}
    kind = type(api.house.services.writing.voices)
    with monkeypatch.context() as broken:

        async def away(*_: object) -> None:
            raise Unavailable("The database is away.")

        broken.setattr(kind, "create", away)
        assert (await browser.post(VOICES, fields)).status_code == 503
    browser.page = page
    assert (await browser.post(VOICES, fields)).status_code == 303
    await browser.get(VOICES)
    page = browser.page
    for _ in range(2):
        browser.page = page
        assert (await browser.post(VOICES, {**fields, "name": ""})).status_code == 400
    assert len(await api.house.services.writing.voices.list(api.house.caller)) == 1


async def test_a_form_whose_first_answer_never_comes_is_not_carried_out_again(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sent_once, "WAIT_SECONDS", 0.2)
    browser = await signed_in(api)
    await browser.get(KEYS)
    before, page, noted = await _names(api), browser.page, sent_once._noted

    async def dies(request: Visit, ports: Ports, key: str, said: str) -> bool:
        return key.startswith("form ") and await noted(request, ports, key, said)

    with monkeypatch.context() as killed:
        killed.setattr(sent_once, "_noted", dies)
        await browser.post(KEYS, name="Twice")
    browser.page = page
    again = await browser.post(KEYS, name="Twice")
    assert again.status_code == 409
    assert "already sent" in again.text
    assert sorted([*before, "Twice"]) == await _names(api)


async def test_nothing_that_is_stored_tells_the_secret(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    stored, noted = [], sent_once._noted

    async def watched(request: Visit, ports: Ports, key: str, said: str) -> bool:
        stored.append(key + said)
        return await noted(request, ports, key, said)

    monkeypatch.setattr(sent_once, "_noted", watched)
    browser = await signed_in(api)
    await browser.get(KEYS)
    token = browser.token
    secret = _secret((await browser.follow(await browser.post(KEYS, name="Once"))).text)
    assert [each.partition(" ")[0] for each in stored] == ["form", "answer"]
    assert not any(secret in each or token in each for each in stored)
