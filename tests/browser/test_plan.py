"""A plan in a real browser: its forecast follows what is typed, and nothing that was typed moves away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import expect

from tests.browser.person import Person
from tests.process.articles import topics

People = Callable[..., Person]
TOPIC: Final = next(topic for niche, topic in topics(8) if niche == "home-energy")


def test_the_forecast_follows_what_is_typed(person: People) -> None:
    someone = person().sign_in()
    page = someone.page
    page.locator("#topic").fill(TOPIC)
    page.locator("#agent").select_option("home-energy-GB")
    page.locator("form.ask button").click()
    page.locator("form[action='/console/coverage/plan'] button").click()
    forecast = page.locator("#forecast")
    page.locator("#words-0").fill("151")
    expect(forecast).to_contain_text("/151")
    expect(page.locator("#words-0")).to_be_focused()
    second = page.locator("#heading-1").input_value()
    page.locator("#up-1").click()
    expect(page.locator("#heading-0")).to_have_value(second)
    page.locator("#heading-0").fill("")
    expect(forecast.locator("[role=alert]")).to_contain_text("One entry has to be changed.")
    someone.accessible()
    page.locator("#heading-0").fill("Where to begin")
    expect(forecast.locator("[role=alert]")).to_have_count(0)
    page.reload()
    expect(page.locator("#heading-0")).to_have_value("Where to begin")
