"""Publishing: targets are connected, tried while typing, and disconnected; a post says what happened to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.process.service import Service, data_directory
from tests.support.web_server import WebServer, answer

People = Callable[..., Person]
CONNECT = "/console/publishing/connect"


@pytest.fixture(scope="module")
def receiver() -> Iterator[WebServer]:
    """Takes what is published at /hook."""
    with WebServer() as server:
        server.take("/hook", lambda _: answer(b'{"url": "https://blog.example.org/heat"}'))
        yield server


@pytest.fixture(scope="module")
def service(receiver: WebServer) -> Iterator[Service]:
    """The demonstration, which may reach the receiver."""
    with data_directory() as directory:
        served = Service(directory, {"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": receiver.host})
        try:
            served.start()
            yield served
        finally:
            served.close()


@pytest.mark.parametrize(("width", "language", "scheme"), [(1440, "en", "light"), (390, "fr", "dark")])
def test_every_page_is_accessible(person: People, width: int, language: str, scheme: str) -> None:
    someone = person(width=width, language=language, color_scheme=scheme).sign_in()
    for path in (
        "/console/publishing",
        "/console/publishing/index-now",
        CONNECT,
        f"{CONNECT}/wordpress",
        f"{CONNECT}/strapi",
        f"{CONNECT}/webhook",
    ):
        someone.page.goto(path)
        someone.accessible()


def test_what_is_typed_is_tried_while_it_is_typed(person: People, receiver: WebServer) -> None:
    someone = person().sign_in()
    page = someone.page
    page.goto(f"{CONNECT}/wordpress")
    page.locator("#credentials-username").press_sequentially("ada")
    expect(page.locator("#tested")).to_contain_text("Still missing: Site address, Application password.")
    page.locator("#credentials-siteUrl").fill(receiver.url(""))
    page.locator("#credentials-applicationPassword").press_sequentially("secret words")
    expect(page.locator("#tested")).to_contain_text("Not working yet: wordpress")
    assert receiver.visits
    expect(page.locator("#credentials-applicationPassword")).to_have_value("secret words")
    someone.accessible()
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#credentials-applicationPassword")).to_have_value("secret words")
    page.goto("/console/publishing")
    expect(page.locator(".targets li")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_target_is_connected_published_at_and_disconnected(
    person: People, receiver: WebServer, service: Service, scripts: bool
) -> None:
    someone = person(width=1440 if scripts else 390, java_script_enabled=scripts).sign_in()
    page = someone.page
    page.goto(f"{CONNECT}/webhook")
    page.locator("#name").fill("<b>Our blog</b>")
    page.locator("#credentials-url").fill(receiver.url("/hook"))
    page.get_by_role("button", name="Test").click()
    expect(page.locator("#tested")).to_contain_text("The connection works.")
    page.get_by_role("button", name="Connect", exact=True).click()
    expect(page.locator(".targets h3")).to_have_text("<b>Our blog</b>")
    with service.client() as client:
        [target] = client.get("/integrations").json()["integrations"]
        post = {"title": "Heat <i>moves</i>", "content": "Heat moves."}
        assert client.post(f"/integrations/{target['id']}/publish", json=post).json()["success"]
    page.reload()
    page.locator(".rows a").first.click()
    expect(page.locator("h1")).to_have_text("Heat <i>moves</i>")
    expect(page.locator("#post")).to_contain_text("The target accepted the post.")
    expect(page.locator(".address")).to_have_attribute("href", "https://blog.example.org/heat")
    expect(page.locator("tbody tr").first).to_contain_text("The target accepted it.")
    if scripts:
        someone.accessible()
    page.goto("/console/publishing")
    if scripts:
        someone.accessible()
    page.get_by_role("button", name="Disable <b>Our blog</b>").click()
    expect(page.locator(".targets")).to_contain_text("disabled")
    page.get_by_role("link", name="Disconnect <b>Our blog</b>").click()
    expect(page.locator("main")).to_contain_text("One post stays at the target.")
    if scripts:
        someone.accessible()
    page.get_by_role("button", name="Disconnect").click()
    expect(page.locator(".targets li")).to_have_count(0)
    page.locator(".rows a").first.click()
    expect(page.locator("#post")).to_contain_text("no longer connected")
    if scripts:
        someone.accessible()
