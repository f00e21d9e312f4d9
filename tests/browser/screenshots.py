"""Pictures of the console and the public site, over the demonstration: `python -m tests.browser.screenshots FOLDER`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.chromium import chromium
from tests.browser.person import Person
from tests.process.service import Service, data_directory

TOPIC: Final = "Choosing a heat pump for an older house"
PAGES: Final = {
    "articles": "articles",
    "knowledge": "knowledge",
    "add": "knowledge/add",
    "passages": "knowledge/passages?question=How%20much%20does%20a%20cylinder%20of%20hot%20water%20lose",
    "sources": "knowledge/sources/new/sitemap",
    "entities": "knowledge/entities?niche=home-energy",
    "publishing": "publishing",
    "connect": "publishing/connect/wordpress",
    "agents": "agents",
    "insight": "insight",
    "settings-team": "settings/team",
    "settings-plan": "settings/plan",
}
"""Pages that show something on their own: picture and address below /console."""
SITE: Final = {"home": "/", "radar": "/public/trend-radar?format=html"}
REFRESHED: Final = 3.0
"""Seconds after which no public page is from before."""


def take(someone: Person, folder: Path) -> None:
    """Every picture, in the order in which a team would come to its pages."""
    page = someone.page

    def picture(name: str) -> None:
        page.screenshot(path=folder / f"{name}.png")

    page.goto("/console")
    picture("sign-in")
    someone.sign_in()
    article = _written(page, picture)
    _edited_and_reviewed(page, picture, article)
    for name, address in PAGES.items():
        page.goto(f"/console/{address}")
        picture(name)
    _scheduled(page, picture)
    with someone.service.client() as client:
        id, tomorrow = article.rpartition("/")[2], page.evaluate("new Date(Date.now() + 86400000).toISOString()")
        for change in ({"isPublic": True}, {"status": "scheduled", "scheduledFor": tomorrow}):
            client.patch(f"/writer/{id}", json=change).raise_for_status()
    page.goto("/console/calendar?view=week")
    picture("calendar")
    page.goto("/console")
    picture("home")
    time.sleep(REFRESHED)
    for name, address in SITE.items():
        page.goto(address)
        page.screenshot(path=folder.parent / "site" / f"{name}.png")


def _written(page: Page, picture: Callable[[str], None]) -> str:
    """From a topic to an article; its address."""
    page.locator("#topic").fill(TOPIC)
    page.locator("#agent").select_option("home-energy-GB")
    page.locator("form.ask button").click()
    expect(page.locator("#verdict")).to_be_visible()
    picture("coverage")
    page.locator("form[action='/console/coverage/plan'] button").click()
    expect(page.locator("fieldset.section").first).to_be_visible()
    picture("plan")
    page.locator("button[value=approve]").first.click()
    expect(page.locator(".reading")).to_be_visible()
    page.locator(".sentence").nth(1).focus()
    picture("article")
    return page.url.partition("?")[0]


def _edited_and_reviewed(page: Page, picture: Callable[[str], None], article: str) -> None:
    page.locator(".evidence.shown a[hx-get]").click()
    page.locator("#new").fill("The choice is checked in this order: heat loss, emitters, controls and noise [1].")
    picture("article-edit")
    page.locator(".evidence.shown form button").click()
    expect(page.locator("#sentence-form")).to_have_count(0)
    page.goto(f"{article}/sentences/3")
    page.locator("#text").fill("Who measured it, and when?")
    page.locator("form[action$='/comments'] button").click()
    expect(page.locator(".comment")).to_be_visible()
    for name in ("review", "versions?from=1", "publish"):
        page.goto(f"{article}/{name}")
        picture(f"article-{name.partition('?')[0]}")


def _scheduled(page: Page, picture: Callable[[str], None]) -> None:
    page.goto("/console/agents/niches/home-energy")
    page.locator("input[name=day][value=tue]").check()
    page.locator("#zone").select_option("Europe/Paris")
    page.locator("#schedule details button").click()
    expect(page.locator("#schedule strong")).to_be_visible()
    picture("niche")


def main(folder: Path) -> None:
    for made in (folder, folder.parent / "site"):
        made.mkdir(parents=True, exist_ok=True)
    with data_directory() as directory, chromium() as browser:
        service = Service(directory, {"CONTENTGEN_EMBEDDINGS": "auto"})  # as the service is installed
        try:
            service.start()
            someone = Person.at(browser, service, width=1200)
            take(someone, folder)
            someone.check()
            someone.close()
        finally:
            service.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
