"""The calendar: read at both widths, and moved in by dragging, by keys and by a form."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.person import Person
from tests.process.articles import topics
from tests.process.service import Service

People = Callable[..., Person]
TOPICS: Final = [topic for niche, topic in topics(20) if niche == "home-energy"]
MONDAY: Final = date(2098, 6, 9)
"""Of a month that has not begun."""


def on(day: int) -> str:
    """The day that many days after that Monday."""
    return (MONDAY + timedelta(days=day)).isoformat()


def scheduled(service: Service, topic: str, day: int) -> None:
    """An article that is to be published at 09:30 (UTC) that many days after that Monday."""
    with service.client() as client:
        asked = {"agentKey": "home-energy-GB", "topic": topic, "articleLength": "short"}
        article = client.post("/writer/generate-plan", json=asked).json()["articleId"]
        time = f"{on(day)}T09:30:00Z"
        changed = client.patch(f"/writer/{article}", json={"status": "scheduled", "scheduledFor": time})
        assert changed.status_code == 200, changed.text


@pytest.fixture(scope="module")
def articles(service: Service) -> None:
    for number, day in enumerate((0, 1, 2)):
        scheduled(service, TOPICS[number], day)


@pytest.mark.usefixtures("articles")
@pytest.mark.parametrize(("width", "language", "scheme"), [(1440, "en", "light"), (390, "fr", "dark")])
def test_every_view_is_accessible_and_a_list_where_the_screen_is_small(
    person: People, width: int, language: str, scheme: str
) -> None:
    someone = person(width=width, language=language, color_scheme=scheme).sign_in()
    page = someone.page
    for view in ("month", "week", "agenda"):
        page.goto(f"/console/calendar?view={view}&from={on(0)}")
        someone.accessible()
        grid = width > 600 and view != "agenda"
        expect(page.locator(".calendar-grid")).to_be_visible(visible=grid)
        expect(page.locator(".agenda")).to_be_visible(visible=not grid)
        expect(page.locator(".lane-scheduled .entry:visible")).to_have_count(3)
    page.goto("/console/calendar/subscribe")
    someone.accessible()


def test_what_is_scheduled_is_dragged_and_moved_by_keys(person: People, service: Service) -> None:
    scheduled(service, TOPICS[3], 7)
    someone = person().sign_in()
    page = someone.page
    page.goto(f"/console/calendar?from={on(0)}")
    grid = page.locator(".calendar-grid")

    def cell(day: int) -> Locator:
        return grid.locator(f".lane-scheduled [data-day='{on(day)}']")

    entry = grid.locator(".entry", has_text=TOPICS[3])
    entry.drag_to(cell(9))
    expect(page.locator("[role=status]").first).to_contain_text("new time")
    expect(cell(9).get_by_text(TOPICS[3])).to_be_visible()
    expect(entry.locator("time")).to_have_text("9:30\u202fAM")
    entry.locator("a").first.focus()
    page.keyboard.press("Shift+ArrowUp")
    expect(cell(2).get_by_text(TOPICS[3])).to_be_visible()
    expect(entry.locator("a").first).to_be_focused()
    someone.accessible()


def test_without_scripts_a_form_moves_it(person: People, service: Service) -> None:
    scheduled(service, TOPICS[4], 8)
    someone = person(width=390, java_script_enabled=False).sign_in()
    page = someone.page
    page.goto(f"/console/calendar?view=agenda&from={on(0)}")
    page.get_by_role("link", name=f"Move “{TOPICS[4]}”").click()
    expect(page.locator("#at")).to_have_value(f"{on(8)}T09:30")
    page.locator("#at").fill(f"{on(9)}T18:00")
    page.get_by_role("button", name="Move").click()
    expect(page.locator(".entry", has_text=TOPICS[4]).locator("time")).to_have_text("6:00\u202fPM")
    page.goto("/console/calendar/subscribe")
    page.get_by_role("button", name="Create a secret address").click()
    assert "/calendar.ics?token=" in (page.locator("#address").get_attribute("value") or "")
