"""The calendar in the console: lanes by day in the team's time zone, moving, and the secret address."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.calendar import MAX_RANGE, CalendarEntry, CalendarKind
from contentgen_core.model.publication import PostRequest, PostStatus
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from contentgen_core.use_cases.publishing.start import PublishCommand
from contentgen_core.use_cases.tenants.settings import TenantChanges
from contentgen_http.console.pages.calendar.view import View, shown_days, span_of, weeks
from contentgen_http.console.times import moment_of, typed
from tests.support.browser import signed_in
from tests.support.http import NICHE, Api, open_api
from tests.support.team import joined

MARKUP = "<script>alert(1)</script>"
CALENDAR = "/console/calendar"
MOVE = f"{CALENDAR}/move"
PARIS = "Europe/Paris"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def an_article(api: Api, **changes: Any) -> Article:
    defaults = {"tenant_id": api.house.caller.tenant_id, "niche_key": NICHE, "content": "Heat [1].\n"}
    article = builders.article(**{**defaults, **changes})
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article


async def scheduled(api: Api, days: float = 2, **changes: Any) -> Article:
    at = api.house.clock.now() + timedelta(days=days)
    return await an_article(api, status=ArticleStatus.SCHEDULED, scheduled_for=at, **changes)


async def in_paris(api: Api) -> None:
    await api.house.services.people.edit_tenant(api.house.caller, TenantChanges(time_zone=PARIS))


def lane(page: str, kind: str) -> str:
    """All rows of a lane of the grid."""
    return "".join(re.findall(rf'<tr class="lane lane-{kind}">.*?</tr>', page, re.DOTALL))


async def test_planned_scheduled_and_published_stand_in_lanes_of_their_own(api: Api) -> None:
    now = api.house.clock.now()
    await an_article(
        api, title="A plan", status=ArticleStatus.DRAFT, plan=builders.article_plan(), created_at=now, content=""
    )
    await scheduled(api, 0.01, title=f"Soon {MARKUP}")
    await an_article(api, title="Out", status=ArticleStatus.PUBLISHED, published_at=now)
    browser = await signed_in(api)
    shown = await browser.get(CALENDAR)
    assert MARKUP not in shown.text
    for kind, title in (("planned", "A plan"), ("scheduled", "Soon &lt;script"), ("published", "Out")):
        assert title in lane(shown.text, kind)
        for other in {"planned", "scheduled", "published"} - {kind}:
            assert title not in lane(shown.text, other)
    assert 'aria-current="date"' in shown.text
    listed = await browser.get(CALENDAR, params={"view": "agenda"})
    assert "<table" not in listed.text
    assert "A plan" in listed.text
    for asked in ({"niche": "boats"}, {"language": "fr"}, {"target": "i"}, {"from": "2020-01-01"}):
        assert "Out" not in (await browser.get(CALENDAR, params=asked)).text, asked
    for asked in ({"view": "x", "from": "y", "language": "z"}, {"from": "9999-99-99"}, {"niche": "\0"}):
        assert (await browser.get(CALENDAR, params=asked)).status_code == 200, asked


async def test_an_article_is_moved_by_its_form_by_the_teams_clocks(api: Api) -> None:
    await in_paris(api)
    article, browser = await scheduled(api), await signed_in(api)
    back = f"{CALENDAR}?view=week&from=2026-01-05"
    await browser.get(MOVE, params={"article": article.id, "page": back})
    day = (api.house.clock.now() + timedelta(days=5)).date()
    moved = await browser.post(MOVE, {**browser.fields(), "at": f"{day}T09:30"})
    assert moved.headers["location"] == f"{back}&note=note-moved"
    at = (await api.house.article(article.id)).scheduled_for
    assert at is not None
    assert typed(at, PARIS) == f"{day}T09:30"
    assert typed(at, None) != f"{day}T09:30"


async def test_dropping_it_on_a_day_keeps_its_time_of_day_and_an_overtaken_drop_is_told(api: Api) -> None:
    await in_paris(api)
    article, browser = await scheduled(api), await signed_in(api)
    await browser.get(CALENDAR)
    assert article.scheduled_for is not None
    seen = typed(article.scheduled_for, PARIS)
    day = (article.scheduled_for + timedelta(days=9)).date().isoformat()
    fields = {"article": article.id, "day": day, "seen": seen, "csrf": browser.token}
    assert (await browser.post(MOVE, fields, token=False)).status_code == 303
    at = (await api.house.article(article.id)).scheduled_for
    assert at is not None
    assert typed(at, PARIS) == f"{day}T{seen.partition('T')[2]}"
    overtaken = await browser.post(MOVE, {**fields, "day": "2027-01-01"}, token=False)
    assert overtaken.status_code == 409
    assert "Someone moved it in the meantime" in overtaken.text
    assert (await api.house.article(article.id)).scheduled_for == at


@pytest.mark.parametrize("at", ["2020-01-01T09:00", "soon", ""])
async def test_a_time_that_cannot_be_is_told_with_what_was_typed(api: Api, at: str) -> None:
    article, browser = await scheduled(api), await signed_in(api)
    await browser.get(MOVE, params={"article": article.id})
    refused = await browser.post(MOVE, {**browser.fields(), "at": at})
    assert refused.status_code == 400
    assert f'value="{at}"' in refused.text
    assert (await api.house.article(article.id)).scheduled_for == article.scheduled_for


async def test_a_post_that_waits_at_a_target_is_shown_and_moved(api: Api) -> None:
    publishing = api.house.services.publishing
    command = NewIntegration(api.house.caller, "memory", f"Blog {MARKUP}", True, {"token": TOKEN}, {})
    target = await publishing.integrations.create(command)
    article = await an_article(api, status=ArticleStatus.GENERATED, title="Waits")
    at = api.house.clock.now() + timedelta(days=1)
    asked = PublishCommand(
        api.house.caller, target.id, article.id, PostRequest(status=PostStatus.SCHEDULED, scheduled_for=at)
    )
    post = await publishing.publish.to_integration(asked)
    await api.house.work()
    browser = await signed_in(api)
    shown = await browser.get(CALENDAR, params={"from": at.date().isoformat(), "target": target.id})
    assert "Waits" in lane(shown.text, "scheduled")
    assert MARKUP not in shown.text
    await browser.get(MOVE, params={"post": post.id})
    later = f"{(at + timedelta(days=3)).date()}T10:00"
    assert (await browser.post(MOVE, {**browser.fields(), "at": later})).status_code == 303
    await api.house.work()
    due = (await publishing.publications.get(api.house.caller, post.id)).due_at
    assert due == moment_of(later, None)
    assert next(iter(api.house.target.posts.values())).scheduled_for == due
    assert len(api.house.target.posts) == 1


async def test_only_editors_move_and_nobody_what_is_not_theirs_or_not_scheduled(api: Api) -> None:
    article = await scheduled(api)
    written = await an_article(api, status=ArticleStatus.GENERATED)
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    assert "draggable" not in (await viewer.get(CALENDAR, params={"view": "agenda"})).text
    await viewer.get(f"{CALENDAR}/subscribe")
    assert (await viewer.post(MOVE, article=article.id, at="2030-01-01T09:00")).status_code == 403
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    assert (await stranger.get(MOVE, params={"article": article.id})).status_code == 404
    await stranger.get(f"{CALENDAR}/subscribe")
    assert (await stranger.post(MOVE, article=article.id, at="2030-01-01T09:00")).status_code == 404
    mine = await signed_in(api)
    assert (await mine.get(MOVE, params={"article": written.id})).status_code == 404
    assert (await mine.get(MOVE, params={"post": "x"})).status_code == 404
    assert (await api.house.article(article.id)).scheduled_for == article.scheduled_for


async def test_the_secret_address_is_shown_once_and_ends(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{CALENDAR}/subscribe")
    made = await browser.follow(await browser.post(f"{CALENDAR}/subscribe", do="make"))
    found = re.search(r'value="[^"]*(/calendar\.ics\?token=\w+)"', made.text)
    assert found, made.text
    assert (await api.client.get(found.group(1))).status_code == 200
    again = await browser.get(f"{CALENDAR}/subscribe")
    assert "token=" not in again.text
    assert "You created an address" in again.text
    await browser.follow(await browser.post(f"{CALENDAR}/subscribe", do="revoke"))
    assert (await api.client.get(found.group(1))).status_code == 404


DATES = st.dates(date(1990, 4, 1), date(2199, 9, 30))  # the pages begin with 1990 and end with 2199


@given(DATES, st.sampled_from(View), st.sampled_from(["UTC", PARIS, "America/New_York", "Pacific/Apia", "Asia/Gaza"]))
def test_any_span_is_whole_within_what_may_be_asked_for_and_borders_on_its_neighbours(
    day: date, view: View, zone: str
) -> None:
    span = span_of(view, day.isoformat(), date(2026, 1, 1))
    assert span.start <= day < span.end
    start, end = span.moments(zone)
    assert start < end <= start + MAX_RANGE
    if view is not View.AGENDA:
        assert span.start.weekday() == span.end.weekday() == 0
        assert all(len(week) == 7 for week in weeks(shown_days(span, [], zone, day)))
    assert span_of(view, span.before.isoformat(), day).after == span.first
    assert span_of(view, span.after.isoformat(), day).first == span.after
    assert sum(shown.today for shown in shown_days(span, [], zone, day)) == 1


@given(st.integers(0, 3_300_000_000), st.sampled_from([PARIS, "America/New_York"]))
def test_an_entry_stands_on_its_day_by_the_clocks_also_where_they_change(seconds: int, zone: str) -> None:
    entry = CalendarEntry(CalendarKind.SCHEDULED, datetime.fromtimestamp(seconds + 800_000_000, UTC), "a")
    local = typed(entry.at, zone)[:10]
    span = span_of("month", local, date(2026, 1, 1))
    start, end = span.moments(zone)
    assert start <= entry.at < end
    [day] = [day for day in shown_days(span, [entry], zone, date(2026, 1, 1)) if not day.empty]
    assert day.day.isoformat() == local
    assert day.lanes[CalendarKind.SCHEDULED] == [entry]
    assert not day.lanes[CalendarKind.PUBLISHED]


async def test_a_lane_with_many_entries_shows_the_first_of_each_day_and_the_number_of_the_others(api: Api) -> None:
    now = api.house.clock.now()
    for number in range(205):
        await an_article(api, title=f"Out {number:03}", status=ArticleStatus.PUBLISHED, published_at=now)
    later = await an_article(
        api, title="After them", status=ArticleStatus.PUBLISHED, published_at=now + timedelta(days=1)
    )
    browser = await signed_in(api)
    shown = await browser.get(CALENDAR, params={"view": "week", "from": now.date().isoformat()})
    assert "201 more" in lane(shown.text, "published")
    assert "193 more" in shown.text
    listed = await browser.get(CALENDAR, params={"view": "agenda", "from": now.date().isoformat()})
    assert listed.text.count("Out ") == 205
    assert later.id in listed.text
