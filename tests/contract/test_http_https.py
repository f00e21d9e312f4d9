"""What changes where people reach the service by HTTPS, themselves or by a trusted proxy; forms of nowhere; the key of
the metrics."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from contentgen_core.model.tenant import PlanName
from contentgen_http.server.client_addresses import ClientAddresses, networks
from tests.support.browser import Browser
from tests.support.house import open_house
from tests.support.http import Api, Generous, client_of, open_api
from tests.support.prepared_app import create_app

SECURE = "__Secure-contentgen_session"
KEY = "a-key-of-the-operator"


@asynccontextmanager
async def reached(public_url: str | None) -> AsyncIterator[Api]:
    async with open_house(PlanName.PRO, public_url=public_url) as house:
        application = create_app(house.services)
        async with client_of(application) as client:
            api = Api(house, application, client, Generous(), "")
            api.key = await api.key_of(house.caller)
            yield api


async def sign_in(api: Api, headers: dict[str, str]) -> httpx.Response:
    return await api.client.post("/console/sign-in/key", data={"key": api.key}, headers=headers, follow_redirects=False)


@pytest.mark.parametrize("public_url", ["https://text.example.org", None])
async def test_over_https_the_session_is_a_secure_cookie_that_opens_and_ends_it(public_url: str | None) -> None:
    async with reached(public_url) as api:
        if public_url is None:
            api.client.base_url = httpx.URL("https://testserver.local")
        answer = await sign_in(api, {})
        sent = answer.headers["set-cookie"]
        assert sent.startswith(f"{SECURE}=")
        assert {"Secure", "HttpOnly", "Path=/console"} <= set(sent.split("; "))
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        token = sent.partition("=")[2].partition(";")[0]
        browser = Browser(api, {SECURE: token})
        assert (await browser.get("/console")).status_code == 200
        assert (await Browser(api, {"contentgen_session": token}).get("/console")).status_code == 303
        ended = await browser.post("/console/sign-out")
        assert "Secure" in ended.headers["set-cookie"].split("; "), "browsers keep it otherwise"
        assert SECURE not in browser.cookies


async def test_over_http_nothing_is_promised() -> None:
    async with reached("http://text.example.org") as api:
        answer = await sign_in(api, {})
        assert answer.headers["set-cookie"].startswith("contentgen_session=")
        assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize(
    ("trusted", "said", "https"),
    [
        ("127.0.0.0/8", [b"https"], True),
        ("127.0.0.0/8", [b"http, HTTPS"], True),
        ("127.0.0.0/8", [b"https, http"], False),
        ("127.0.0.0/8", [b"http"], False),
        ("127.0.0.0/8", [], False),
        ("10.0.0.0/8", [b"https"], False),
        ("", [b"https"], False),
    ],
)
def test_a_proxy_is_believed_where_it_is_trusted(trusted: str, said: list[bytes], https: bool) -> None:
    headers = [(b"x-forwarded-proto", value) for value in said]
    scope = {"scheme": "http", "client": ("127.0.0.1", 50_000), "headers": headers}
    assert ClientAddresses(networks(trusted)).is_https(scope) is https


@pytest.mark.parametrize("fetch", [{}, {"Sec-Fetch-Site": "same-origin"}])
async def test_a_form_of_a_page_without_an_address_is_refused(fetch: dict[str, str]) -> None:
    async with open_api() as api:
        refused = await sign_in(api, {"Origin": "null", **fetch})
        assert refused.status_code == 403
        assert "set-cookie" not in refused.headers
        own = await sign_in(api, {"Origin": "http://testserver.local", **fetch})
        assert own.status_code == 303
        assert own.headers["referrer-policy"] == "same-origin"  # else browsers would say `null` themselves


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 401),
        ({"Authorization": f"Bearer {KEY}"}, 200),
        ({"Authorization": f"bearer {KEY}"}, 200),
        ({"Authorization": f"Basic {KEY}"}, 401),
        ({"Authorization": f"Bearer {KEY}x"}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"X-API-Key": KEY}, 401),
    ],
)
async def test_metrics_ask_for_the_operators_key(sent: dict[str, str], status: int) -> None:
    async with open_api(metrics_key=KEY) as api:
        answer = await api.call("GET", "/metrics", key=None, headers=sent)
        assert answer.status_code == status
        assert KEY not in answer.text
