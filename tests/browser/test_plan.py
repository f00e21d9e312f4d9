"""A plan in a real browser: its forecast follows what is typed, and nothing that was typed moves away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.person import Person
from tests.process.articles import topics

People = Callable[..., Person]
TOPIC: Final = next(topic for niche, topic in topics(8) if niche == "home-energy")


def planning(someone: Person) -> Page:
    """On a plan that was made just now."""
    page = someone.sign_in().page
    page.locator("#topic").fill(TOPIC)
    page.locator("#agent").select_option("home-energy-GB")
    page.locator("form.ask button").click()
    page.locator("form[action='/console/coverage/plan'] button").click()
    return page


def test_the_forecast_follows_what_is_typed(person: People) -> None:
    someone = person()
    page = planning(someone)
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


def test_the_second_of_two_who_edit_a_plan_is_told_and_loses_nothing(person: People) -> None:
    first, second = person(), person(width=390).sign_in()
    page, other = planning(first), second.page
    other.goto(page.url)
    page.locator("#title").fill("What the first one wrote")
    page.locator("#words-0").fill("152")
    expect(page.locator("#forecast")).to_contain_text("/152")
    other.locator("#title").fill("What the second one wrote")
    told = other.locator("#forecast [role=alert]")
    expect(told).to_contain_text("Someone else changed this plan")
    expect(told).to_contain_text("What the first one wrote")
    expect(other.locator("#title")).to_have_value("What the second one wrote")
    second.accessible()
    other.get_by_role("button", name="Replace it with mine").click()
    expect(told).to_have_count(0)
    other.reload()
    expect(other.locator("#title")).to_have_value("What the second one wrote")
    page.locator("#title").fill("Once more the first one")
    expect(page.locator("#forecast [role=alert]")).to_contain_text("Someone else changed this plan")
    page.get_by_role("link", name="Use theirs").click()
    expect(page.locator("#title")).to_have_value("What the second one wrote")
