"""Agents: a schedule is made, and a run started, followed and stopped, by clicks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person

People = Callable[..., Person]


@pytest.mark.parametrize(("width", "language", "scheme"), [(1440, "en", "light"), (390, "fr", "dark")])
def test_a_schedule_is_made_and_a_run_is_followed_by_clicks(
    person: People, width: int, language: str, scheme: str
) -> None:
    someone = person(width=width, language=language, color_scheme=scheme).sign_in()
    page = someone.page
    page.goto("/console/agents")
    someone.accessible()
    page.locator("a[href$='/niches/home-energy']").click()
    someone.accessible()
    if page.locator("#time").is_hidden():
        page.locator("#schedule summary").click()
    page.locator("input[name=day][value=tue]").check()
    page.locator("#time").fill("09:00")
    page.locator("#zone").select_option("Europe/Paris")
    page.locator("#schedule details button").click()
    expect(page.locator("#schedule strong")).to_contain_text("Paris")
    expect(page.locator("#schedule ul").first.locator("li")).to_have_count(3)
    someone.accessible()
    page.locator("#schedule button[value=delete]").click()
    page.goto("/console/agents/home-energy-GB")
    page.locator("#articles").fill("1")
    page.locator("form[action$='/run'] button").click()
    expect(page.locator("#runs section").first.locator(".state-completed")).to_be_visible(timeout=30_000)
    expect(page.locator("#runs section").first.locator("li a").first).to_be_visible()
    someone.accessible()


def test_without_scripts_a_run_is_started_and_found_again(person: People) -> None:
    someone = person(java_script_enabled=False).sign_in()
    page = someone.page
    page.goto("/console/agents/home-energy-GB")
    before = page.locator("#runs section").count()
    page.locator("form[action$='/run'] button").click()
    expect(page.locator("#runs section")).to_have_count(before + 1)


EXPORT = (
    b"Query,Clicks,Impressions,Position\n"
    b"night tariff for electric vehicles,1,2400,8.5\n"
    b"vintage tractor gearbox,0,900,12\n"
)


@pytest.mark.parametrize(("width", "scripts"), [(390, True), (1440, False)])
def test_an_export_of_queries_leads_to_coverage(person: People, width: int, scripts: bool) -> None:
    someone = person(width=width, java_script_enabled=scripts).sign_in()
    page = someone.page
    page.goto("/console/agents/niches/home-energy/demand")
    page.locator("#file").set_input_files({"name": "Queries.csv", "mimeType": "text/csv", "buffer": EXPORT})
    page.locator("#start").fill("2026-10-01")
    page.locator("#end").fill("2026-10-28")
    page.locator("form[action$='/import'] button").click()
    for _ in range(30):
        page.goto("/console/agents/niches/home-energy/demand")
        if page.locator("article a.button").count() == 2:
            break
        page.wait_for_timeout(1_000)
    if scripts:
        someone.accessible()
    page.locator("article a.button").first.click()
    expect(page.locator("#topic")).to_have_value("night tariff for electric vehicles")
    expect(page.locator("#verdict")).to_be_visible()
