"""Pictures of the console for its tour, over the demonstration: `python -m tests.browser.screenshots FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import expect

from tests.browser.chromium import chromium
from tests.browser.person import Person
from tests.process.service import Service, data_directory

TOPIC: Final = "Choosing a heat pump for an older house"


def take(someone: Person, folder: Path) -> None:
    page = someone.page

    def picture(name: str) -> None:
        page.screenshot(path=folder / f"{name}.png")

    page.goto("/console")
    picture("sign-in")
    someone.sign_in()
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
    article = page.url.rpartition("/")[2].partition("?")[0]
    page.locator(".sentence").nth(1).focus()
    picture("article")
    article = page.url.partition("?")[0]
    page.locator(".evidence.shown a[hx-get]").click()
    page.locator("#new").fill("The choice is checked in this order: heat loss, emitters, controls and noise [1].")
    picture("article-edit")
    page.locator(".evidence.shown form button").click()
    expect(page.locator("#sentence-form")).to_have_count(0)
    page.goto(f"{article}/sentences/3")
    page.locator("#text").fill("Who measured it, and when?")
    page.locator("form[action$='/comments'] button").click()
    expect(page.locator(".comment")).to_be_visible()
    page.goto(f"{article}/review")
    picture("article-review")
    page.goto(f"{article}/versions?from=1")
    picture("article-versions")
    page.goto(f"{article}/publish")
    picture("article-publish")
    page.goto("/console/articles")
    picture("articles")
    page.goto("/console/knowledge")
    picture("knowledge")
    page.goto("/console/knowledge/passages?question=How%20much%20does%20a%20cylinder%20of%20hot%20water%20lose")
    picture("passages")
    page.goto("/console/knowledge/entities?niche=home-energy")
    picture("entities")
    page.goto("/console/settings/team")
    picture("settings-team")
    page.goto("/console/agents/niches/home-energy")
    page.locator("input[name=day][value=tue]").check()
    page.locator("#zone").select_option("Europe/Paris")
    page.locator("#schedule details button").click()
    expect(page.locator("#schedule strong")).to_be_visible()
    picture("niche")
    page.goto("/console/insight")
    picture("insight")
    page.goto("/console/publishing/connect/wordpress")
    picture("connect")
    with someone.service.client() as client:
        tomorrow = page.evaluate("new Date(Date.now() + 86400000).toISOString()")
        client.patch(f"/writer/{article}", json={"status": "scheduled", "scheduledFor": tomorrow}).raise_for_status()
    page.goto("/console/calendar?view=week")
    picture("calendar")
    page.goto("/console")
    picture("home")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with data_directory() as directory, chromium() as browser:
        service = Service(directory)
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
