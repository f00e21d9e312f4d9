"""From an empty tenant to a published article: a niche, documents, a topic, a plan, the article, a target, the post."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from contentgen_http.demo.tenant import samples
from tests.browser.person import Person
from tests.process.service import Service, data_directory, run, until
from tests.support.web_server import WebServer, answer

TOPIC = "Choosing a heat pump for an older house"
FILES = [
    {"name": f"source {n}.md", "mimeType": "text/markdown", "buffer": f"# {each.title}\n\n{each.text}".encode()}
    for n, each in zip(range(12), samples("home-energy"), strict=False)
]
"""The samples of the demonstration, as files that somebody has."""


@pytest.fixture(scope="module")
def receiver() -> Iterator[WebServer]:
    with WebServer() as server:
        server.take(
            "/hook", lambda _: answer(b'{"url": "https://blog.example.org/posted"}', content_type="application/json")
        )
        yield server


@pytest.fixture(scope="module")
def service(receiver: WebServer) -> Iterator[Service]:
    """A service without any tenant."""
    with data_directory() as directory:
        served = Service(directory, {"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": receiver.host}, demo=False)
        try:
            served.start()
            yield served
        finally:
            served.close()


def key_of_new_tenant(service: Service, name: str) -> str:
    made = run("tenants", "create", "--name", name, "--plan", "business", "--json", data_dir=service.data_dir)
    assert made.returncode == 0, made.stderr
    key: str = json.loads(made.stdout)["apiKey"]
    return key


class Hands:
    """What the way is gone with: clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, selector: str, *, leads: bool = True) -> None:
        """`leads`: whether to another page."""
        self.page.locator(selector).first.click()

    def go(self, address: str) -> None:
        """By the navigation, which narrow pages fold up."""
        if self.page.locator(".menu > summary").is_visible():
            self.press(".menu > summary", leads=False)
        self.press(f"nav a[href='{address}']")

    def type(self, selector: str, text: str) -> None:
        self.page.locator(selector).first.fill(text)

    def choose(self, selector: str, label: str) -> None:
        self.page.locator(selector).first.select_option(label=label)


class Keys(Hands):
    """The same by the keyboard alone; each thing is reached by Tab."""

    def _to(self, selector: str) -> None:
        for _ in range(400):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"no key leads to {selector} on {self.page.url}")

    def press(self, selector: str, *, leads: bool = True) -> None:
        self._to(selector)
        if not leads:
            self.page.keyboard.press("Enter")
            return
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def type(self, selector: str, text: str) -> None:
        self._to(selector)
        self.page.keyboard.type(text)

    def choose(self, selector: str, label: str) -> None:
        self._to(selector)
        self.page.keyboard.type(label)


def gone(someone: Person, hands: Hands, receiver: WebServer, country: str, *, live: bool = True) -> None:
    """The whole way; each page on it is looked at. `country`: its name in the language of the person."""
    page = someone.page

    def look() -> None:
        if live:
            someone.accessible()

    look()
    hands.go("/console/agents")
    look()
    hands.press("a[href='/console/agents/niches/home-energy']")
    hands.choose("#country", country)
    hands.press("form[action$='/activate'] button")
    expect(page.locator(".note")).to_be_visible()
    look()
    hands.go("/console/knowledge")
    look()
    hands.press("main a[href='/console/knowledge/add']")
    page.locator("#file").set_input_files(FILES)  # a dialog of the system
    hands.press("#files button", leads=not live)
    if live:
        expect(page.locator(".uploads li")).to_have_count(len(FILES))
    expect(page.locator(".uploads progress")).to_have_count(0, timeout=60_000)
    look()

    def known() -> bool:
        page.goto("/console/knowledge")
        return page.locator("tbody tr").count() >= len(FILES)

    until(known, 60, "the documents")
    look()
    hands.go("/console/coverage")
    hands.type("#topic", TOPIC)
    hands.press("form.ask button")
    expect(page.locator("#verdict")).to_be_visible()
    look()
    hands.press("form[action='/console/coverage/plan'] button")
    expect(page.locator("fieldset.section").first).to_be_visible()
    look()
    hands.press("button[value=approve]")

    def written() -> bool:
        if not live:
            page.reload()
        return page.locator(".reading").count() == 1

    until(written, 30, "the article")
    article = page.url.partition("?")[0]
    look()
    hands.go("/console/publishing")
    look()
    hands.press("main a[href='/console/publishing/connect']")
    look()
    hands.press("a[href='/console/publishing/connect/webhook']")
    look()
    hands.type("#name", "Our blog")
    hands.type("input[type=url]", receiver.url("/hook"))
    hands.press("main form button:not([formaction])")
    expect(page.locator(".note")).to_be_visible()
    look()
    page.goto(f"{article}/publish")
    look()
    before = receiver.asked("/hook")
    hands.press("form[action$='/publish'] button")
    until(lambda: receiver.asked("/hook") > before, 30, "the post")

    def posted() -> bool:
        page.goto(f"{article}/publish")
        return page.locator(".state-done, .state-published").count() > 0

    until(posted, 30, "what became of the post")
    look()
    someone.check()


@pytest.mark.parametrize(
    ("width", "language", "scheme", "hands", "country"),
    [
        (1440, "en", "light", Hands, "United Kingdom"),
        (390, "fr", "dark", Keys, "Royaume-Uni"),
    ],
    ids=["clicks", "keys"],
)
def test_an_empty_tenant_comes_to_a_published_article(
    person: Callable[..., Person], service: Service, receiver: WebServer,
    width: int, language: str, scheme: str, hands: type[Hands], country: str,
) -> None:  # fmt: skip
    someone = person(width=width, language=language, color_scheme=scheme)
    someone.sign_in(key_of_new_tenant(service, f"{language} {width} {hands.__name__}"))
    gone(someone, hands(someone.page), receiver, country)


def test_the_same_way_works_without_scripts(
    person: Callable[..., Person], service: Service, receiver: WebServer
) -> None:
    someone = person(java_script_enabled=False)
    someone.sign_in(key_of_new_tenant(service, "Without scripts"))
    gone(someone, Hands(someone.page), receiver, "United Kingdom", live=False)
