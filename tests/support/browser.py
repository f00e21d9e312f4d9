"""A browser without scripts at the console of an application under test."""

from __future__ import annotations

import re
from html import unescape
from http.cookies import SimpleCookie
from typing import Any

import httpx
from attrs import define, field

from tests.support.http import AGENT, COVERED, Api


@define
class Browser:
    """A browser of one person: it keeps cookies, and sends the token of the page that it was shown last."""

    api: Api
    cookies: dict[str, str]
    page: str = ""
    headers: dict[str, str] = field(factory=dict)

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return self._kept(await self._asked("GET", path, **more))

    async def post(
        self,
        path: str,
        fields: dict[str, Any] | None = None,
        *,
        token: bool = True,
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> httpx.Response:
        data = {**({"csrf": self.token} if token else {}), **(fields or {}), **more}
        return self._kept(await self._asked("POST", path, data=data, headers=headers or {}))

    async def _asked(self, method: str, path: str, **more: Any) -> httpx.Response:
        self.api.client.cookies.clear()  # several browsers share the client
        sent = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {**self.headers, **more.pop("headers", {}), **({"Cookie": sent} if sent else {})}
        return await self.api.client.request(method, path, headers=headers, follow_redirects=False, **more)

    async def follow(self, answer: httpx.Response) -> httpx.Response:
        assert answer.status_code == 303, answer.text
        return await self.get(answer.headers["location"])

    @property
    def token(self) -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', self.page)
        assert found, self.page
        return found.group(1)

    def fields(self) -> dict[str, Any]:
        """Return the fields of the page as it was shown; a name that is there several times has a list."""
        found: dict[str, list[str]] = {}
        for tag in re.findall(r"<input [^>]*>", self.page):
            attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            if "name" in attributes and (attributes.get("type") != "checkbox" or " checked" in tag):
                found.setdefault(attributes["name"], []).append(unescape(attributes.get("value", "")))
        for name, value in re.findall(r'<textarea [^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', self.page, re.DOTALL):
            found.setdefault(name, []).append(unescape(value))
        return found

    def _kept(self, answer: httpx.Response) -> httpx.Response:
        for sent in answer.headers.get_list("set-cookie"):
            for name, morsel in SimpleCookie(sent).items():
                if morsel["max-age"] == "0":
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.value
        if answer.headers.get("content-type", "").startswith("text/html") and answer.text:
            self.page = answer.text
        return answer


async def signed_in(api: Api, key: str | None = None) -> Browser:
    browser = Browser(api, {})
    await browser.get("/console/sign-in")
    answer = await browser.post("/console/sign-in/key", token=False, key=key or api.key)
    assert (await browser.follow(answer)).status_code == 200
    return browser


async def written(browser: Browser) -> str:
    """The address of an article that was planned, approved and written by clicks alone."""
    await browser.get("/console/coverage", params={"agent": AGENT, "topic": COVERED})
    planned = await browser.post("/console/coverage/plan", **{**browser.fields(), "csrf": browser.token})
    await browser.follow(planned)
    address = planned.headers["location"].partition("?")[0]
    approved = await browser.post(address, **{**browser.fields(), "do": "approve"})
    await browser.follow(approved)
    await browser.api.house.work()
    return str(approved.headers["location"].partition("?")[0])
