"""Insight: figures as pictures and tables, and the steps of an article."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person

People = Callable[..., Person]


@pytest.mark.parametrize(
    ("width", "language", "scheme", "scripts"),
    [(1440, "en", "light", True), (390, "fr", "dark", True), (390, "en", "light", False)],
)
def test_figures_are_shown_and_lead_to_the_steps_of_an_article(
    person: People, width: int, language: str, scheme: str, scripts: bool
) -> None:
    someone = person(width=width, language=language, color_scheme=scheme, java_script_enabled=scripts).sign_in()
    page = someone.page
    page.goto("/console/agents/home-energy-GB")
    while page.locator("#runs[hx-get]").count():  # the run that the test before this one began
        page.wait_for_timeout(500)
        page.reload()
    page.locator("form[action$='/run'] button").click()
    page.wait_for_url("**note=*")
    for _ in range(30):
        page.goto("/console/insight")
        if page.locator("section[aria-labelledby=recent] a").count():
            break
        page.wait_for_timeout(1_000)
    expect(page.locator("svg.chart").first.locator("rect").last).to_be_visible()
    if scripts:
        someone.accessible()
    page.locator("details summary").last.click()
    page.locator("section[aria-labelledby=recent] a").first.click()
    expect(page.locator("svg.span").first).to_be_visible()
    if scripts:
        someone.accessible()
    with page.expect_download() as download:
        page.goto("/console/insight")
        page.locator("a[href*='table.csv']").click()
    assert download.value.suggested_filename == "writing-by-agent.csv"
