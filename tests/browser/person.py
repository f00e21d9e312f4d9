"""Somebody at the console, and what must hold for every page that they see."""

from __future__ import annotations

from typing import Any, Final, Self
from urllib.parse import urlsplit

from attrs import define, field
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.process.service import Service

SECONDS: Final = 30
_RULES: Final = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}}


@define
class Person:
    """`faults`: errors of the console, and requests to other hosts. `refusals`: statuses that a test expects."""

    service: Service
    context: BrowserContext
    page: Page
    faults: list[str] = field(factory=list)
    refusals: set[int] = field(factory=set)

    @classmethod
    def at(cls, browser: Browser, service: Service, *, width: int = 1440, language: str = "en", **options: Any) -> Self:
        """`options`: of a context, such as `color_scheme`."""
        height = 900 if width > 600 else 844
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=language, base_url=str(service.http.base_url), **options
        )
        context.set_default_timeout(SECONDS * 1000)
        someone = cls(service, context, context.new_page())
        someone._watch()
        return someone

    def _watch(self) -> None:
        host = urlsplit(str(self.service.http.base_url)).netloc

        def asked(address: str) -> None:
            if urlsplit(address).scheme in ("http", "https") and urlsplit(address).netloc != host:
                self.faults.append(f"asked another host: {address}")

        self.context.on("request", lambda request: asked(request.url))
        self.context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        self.context.on("console", lambda said: self._said(said))

    def _said(self, said: ConsoleMessage) -> None:
        expected = any(f"status of {status}" in said.text for status in self.refusals)
        if said.type == "error" and not expected:
            self.faults.append(f"console: {said.text}")

    def sign_in(self, key: str | None = None) -> Self:
        """With a key, by clicks."""
        self.page.goto("/console")
        self.page.locator("#key").fill(key or self.service.demo_key)
        self.page.locator("form[action$='/key'] button").click()
        self.page.wait_for_url("**/console")
        return self

    def accessible(self) -> Self:
        """Raises AssertionError with what axe-core finds on the page."""
        found = Axe().run(self.page, options=_RULES)
        assert found.violations_count == 0, f"{self.page.url}: {found.generate_report()}"
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{self.page.url} is too wide"
        return self

    def check(self) -> None:
        assert not self.faults, self.faults

    def close(self) -> None:
        self.context.close()
