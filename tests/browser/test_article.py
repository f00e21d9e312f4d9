"""An article's pages: a sentence edited where it stands, reviewed, commented, compared and published."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.process.articles import topics
from tests.process.service import until

People = Callable[..., Person]
TOPICS: Final = [topic for niche, topic in topics(20) if niche == "home-energy"]
PAGES: Final = (
    "",
    "/review",
    "/versions?from=1",
    "/sentences/1",
    "/publish",
    "/updates",
    "/translations",
    "/delete",
    "/edit",
)


@pytest.fixture(scope="module")
def addresses() -> dict[str, str]:
    return {}


def an_article(someone: Person, addresses: dict[str, str]) -> str:
    """The address of the article that all tests here read."""
    if "article" not in addresses:
        page = someone.page
        page.goto("/console")
        page.locator("#topic").fill(TOPICS[6])
        page.locator("#agent").select_option("home-energy-GB")
        page.locator("form.ask button").click()
        page.locator("form[action='/console/coverage/plan'] button").click()
        page.locator("button[value=approve]").first.click()

        def shown() -> bool:
            page.reload()
            return page.locator(".reading").count() == 1

        until(shown, 20, "the article")
        addresses["article"] = page.url.partition("?")[0].partition("#")[0]
    return addresses["article"]


def test_a_sentence_is_edited_in_its_place_and_shown_with_its_new_verdict(
    person: People, addresses: dict[str, str]
) -> None:
    someone = person().sign_in()
    page = someone.page
    page.goto(an_article(someone, addresses))
    sentence = page.locator(".sentence").nth(1)
    sentence.hover()
    card = page.locator(".evidence.shown")
    expect(card).to_contain_text("supported")
    sentence.click()
    page.locator(".sentence").nth(3).hover()
    expect(page.locator("#source-2")).to_have_class(re.compile("shown"))
    card.locator("a[hx-get]").click()
    words = page.locator("#new")
    expect(words).to_be_focused()
    someone.accessible()
    words.fill("A heat pump is made of 4,711 cheeses [1].")
    page.locator("#sentence-3").click()
    page.locator("#source-3 a[hx-get]").click()
    expect(words).to_be_focused()
    expect(words).to_have_value("A heat pump is made of 4,711 cheeses [1].")
    card.locator("form button").click()
    expect(page.locator(".sentence").nth(1)).to_have_text("A heat pump is made of 4,711 cheeses.")
    expect(page.locator(".sentence").nth(1)).to_be_focused()
    expect(page.locator(".evidence.shown")).to_contain_text("4,711")
    expect(page.locator(".evidence.shown .verdict")).to_have_text("not supported")
    assert page.url.endswith(addresses["article"].rpartition("/")[2]), "it is the same page"


def test_the_second_editor_of_a_sentence_is_told(person: People, addresses: dict[str, str]) -> None:
    first, second = person().sign_in(), person().sign_in()
    for someone in (first, second):
        someone.page.goto(an_article(someone, addresses))
        someone.page.locator(".sentence").nth(2).focus()
        someone.page.locator(".evidence.shown a[hx-get]").click()
    first.page.locator("#new").fill("What the first one wrote [1].")
    first.page.locator(".evidence.shown form button").click()
    expect(first.page.locator(".sentence").nth(2)).to_have_text("What the first one wrote.")
    second.page.locator("#new").fill("What the second one wrote [1].")
    second.page.locator(".evidence.shown form button").click()
    form = second.page.locator("#sentence-form")
    expect(form.locator("[role=alert]")).to_contain_text("Someone else changed")
    expect(second.page.locator("#new")).to_have_value("What the second one wrote [1].")
    second.accessible()


@pytest.mark.parametrize(("width", "language", "scheme"), [(1440, "fr", "dark"), (390, "en", "light")])
def test_all_pages_are_accessible(
    person: People, addresses: dict[str, str], width: int, language: str, scheme: str
) -> None:
    someone = person(width=width, language=language, color_scheme=scheme).sign_in()
    address = an_article(someone, addresses)
    for path in PAGES:
        someone.page.goto(f"{address}{path}")
        someone.accessible()


def test_on_a_small_screen_the_passage_covers_a_part_and_is_shut(person: People, addresses: dict[str, str]) -> None:
    someone = person(width=390, has_touch=True, is_mobile=True).sign_in()
    page = someone.page
    page.goto(an_article(someone, addresses))
    page.locator(".sentence").first.tap()
    expect(page.locator(".passages.sheet .evidence.shown mark")).to_be_visible()
    expect(page.locator(".evidence:visible")).to_have_count(1)
    someone.accessible()
    page.locator(".shut").click()
    expect(page.locator(".passages.sheet")).to_have_count(0)
    expect(page.locator(".passages .evidence").first).to_be_hidden()


def test_without_scripts_it_is_reviewed_commented_compared_and_exported(
    person: People, addresses: dict[str, str]
) -> None:
    someone = person(java_script_enabled=False).sign_in()
    page = someone.page
    page.goto(an_article(someone, addresses))
    page.locator("button[form=mark]").first.click()
    expect(page.locator("#source-1")).to_contain_text("Reviewed by")
    page.locator("#source-1 a[href$='#text']").click()
    page.locator("#text").fill("Is this <b>really</b> so?")
    page.locator("form[action$='/comments'] button").click()
    expect(page.locator(".comment")).to_contain_text("Is this <b>really</b> so?")
    page.locator(".comment form[action$=resolve] button").click()
    page.locator("details:has(#reason) > summary").click()
    page.locator("#reason").fill("Say who measured it.")
    page.locator("form[action$=send-back] button").click()
    expect(page.locator("[role=status]")).to_contain_text("Sent back")
    page.goto(f"{addresses['article']}/sentences/4")
    page.locator("#new").fill("It is so, and was measured [1].")
    page.locator("#sentence-form button").click()
    expect(page.locator("#sentence-4")).to_have_text("It is so, and was measured.")
    page.locator(".tabs a[href$=versions]").click()
    page.locator("a[href^='?from=']").first.click()
    expect(page.locator("ins").first).to_be_visible()
    page.locator(".tabs a[href$=publish]").click()
    with page.expect_download() as download:
        page.locator("a[href$='/export/markdown']").click()
    assert download.value.suggested_filename.endswith(".md")
