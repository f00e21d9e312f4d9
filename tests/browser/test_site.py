"""The public site in a real browser: every page by clicks, wide and narrow, light and dark, as axe-core sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.process.service import Service

TOPIC = "Choosing a heat pump for an older house"


@pytest.fixture(scope="module")
def published(service: Service) -> None:
    """An article of the demonstration that everybody may read."""
    with service.client(timeout=60) as client:
        planned = client.post("/writer/generate-plan", json={"agentKey": "home-energy-GB", "topic": TOPIC}).json()
        article_id: str = planned["articleId"]
        client.post("/writer/generate-from-plan", json={"articleId": article_id}).raise_for_status()
        while client.get(f"/writer/generation-status/{article_id}").json()["progress"] < 100:
            time.sleep(0.2)
        shown: dict[str, Any] = {"isPublic": True, "publicCategory": "safety"}
        client.patch(f"/writer/{article_id}", json=shown).raise_for_status()


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_a_reader_finds_the_way_through_all_pages(person: Callable[..., Person], width: int, scheme: str) -> None:
    reader = person(width=width, color_scheme=scheme)
    page = reader.page
    page.goto("/")
    expect(page.get_by_role("link", name=TOPIC)).to_be_visible(timeout=10_000)
    reader.accessible()
    page.get_by_role("link", name="Safety", exact=True).click()
    reader.accessible()
    page.locator("input[type=search]").fill("heat pump")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("status")).to_have_text("One article")
    page.get_by_role("link", name=TOPIC).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TOPIC)
    reader.accessible()
    page.get_by_role("link", name="Trend radar").click()
    assert page.locator("img.radar").evaluate("picture => picture.complete && picture.naturalWidth > 0")
    reader.accessible()
    page.locator("tbody a").first.click()
    reader.accessible()
    page.get_by_role("link", name="Sign in").click()
    expect(page.locator("#key")).to_be_visible()
