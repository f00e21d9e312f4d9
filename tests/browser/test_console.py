"""From a topic to an article: at both widths, in both languages, in light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.process.articles import topics
from tests.process.service import Service

People = Callable[..., Person]
TOPICS = [topic for niche, topic in topics(20) if niche == "home-energy"]


@pytest.mark.parametrize(
    ("width", "language", "scheme", "topic"),
    [
        (360, "en", "dark", TOPICS[0]),
        (1440, "fr", "light", TOPICS[1]),
    ],
)
def test_an_article_is_asked_for_planned_approved_and_read_by_clicks(
    person: People, width: int, language: str, scheme: str, topic: str
) -> None:
    someone = person(width=width, language=language, color_scheme=scheme)
    page = someone.page
    page.goto("/console")
    someone.accessible()
    someone.sign_in().accessible()
    page.locator("#topic").fill(topic)
    page.locator("#agent").select_option("home-energy-GB")
    page.locator("form.ask button").click()
    expect(page.locator("#verdict")).to_be_visible()
    someone.accessible()
    page.locator("form[action='/console/coverage/plan'] button").click()
    expect(page.locator("fieldset.section").first).to_be_visible()
    someone.accessible()
    heading = page.locator("#heading-1").input_value()
    page.locator("button[name=up][value='1']").click()
    expect(page.locator("#heading-0")).to_have_value(heading)
    page.locator("button[value=approve]").first.click()
    expect(page.locator(".reading")).to_be_visible()
    someone.accessible()
    sentence = page.locator(".sentence").nth(3)
    sentence.focus()
    expect(page.locator(".evidence.shown mark")).to_be_visible()
    page.reload()
    expect(page.locator(".sentence").first).to_be_visible()
    page.go_back()
    page.goto("/console/articles")
    someone.accessible()
    expect(page.locator(".rows li").first).to_contain_text(topic)


def test_the_second_of_two_editors_is_told_and_loses_nothing(person: People, service: Service) -> None:
    first = person().sign_in()
    first.page.goto("/console/articles")
    first.page.locator("#status").select_option("generated")
    first.page.locator("form.ask button").click()
    first.page.locator(".rows a").first.click()
    address = first.page.url
    second = person().sign_in()
    for someone in (first, second):
        someone.page.goto(f"{address.partition('?')[0]}/edit")
        someone.accessible()
    first.page.locator("#title").fill("A title of the first")
    first.page.locator("form.card button").click()
    expect(first.page.locator("h1")).to_have_text("A title of the first")
    second.refusals.add(409)
    second.page.locator("#title").fill("A title of the second")
    second.page.locator("form.card button").click()
    expect(second.page.locator("[role=alert]:visible")).to_contain_text("Someone else saved")
    expect(second.page.locator("#title")).to_have_value("A title of the second")


def test_an_ended_session_keeps_what_was_typed(person: People) -> None:
    someone = person().sign_in()
    page = someone.page
    page.goto("/console/articles?status=generated")
    page.locator(".rows a").first.click()
    page.goto(f"{page.url.partition('?')[0]}/edit")
    page.locator("#title").fill("Typed before the session ended")
    someone.context.clear_cookies(name="contentgen_session")
    someone.refusals.add(401)
    page.locator("form.card button").click()
    with someone.context.expect_page() as opened:
        page.locator("a[target=_blank]").click()
    tab = opened.value
    tab.locator("#key").fill(someone.service.demo_key)
    tab.locator("form[action$='/key'] button").click()
    tab.wait_for_url("**/console")
    page.locator("form[action='/console/resume'] button").click()
    page.locator("main form button").click()
    expect(page.locator("h1")).to_have_text("Typed before the session ended")
