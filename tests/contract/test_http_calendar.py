"""/calendar and its feed over HTTP."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from attrs import evolve
from icalendar import Calendar

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.tenants import Users
from tests.support.http import NICHE, Api, faults_of, open_api

MARCH = "from=2026-03-01T00:00:00Z&to=2026-04-15T00:00:00Z"


async def entries(api: Api, query: str = MARCH, **more: Any) -> list[dict[str, Any]]:
    answer = await api.call("GET", f"/calendar?{query}", **more)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["entries"]
    return found


async def schedule(api: Api, **changes: Any) -> None:
    body = {"enabled": True, "days": ["sun"], "hour": 2, "minute": 30, "timeZone": "Europe/Berlin", "articlesPerRun": 2}
    answer = await api.call("PATCH", f"/niches/{NICHE}/article-schedule", body | changes)
    assert answer.status_code == 200, answer.text


async def scheduled(api: Api, at: str) -> str:
    article: str = (await api.written())["id"]
    answer = await api.call("PATCH", f"/writer/{article}", {"status": "scheduled", "scheduledFor": at})
    assert answer.status_code == 200, answer.text
    return article


async def test_the_kinds_stand_in_one_order_and_are_told_apart() -> None:
    async with open_api() as api:
        await schedule(api)
        plan = (await api.planned(topic="Heat pumps in winter"))["articleId"]
        article = await scheduled(api, "2026-03-20T09:00:00Z")
        found = await entries(api)
        assert [(entry["kind"], entry["at"]) for entry in found] == [
            ("planned", "2026-03-10T12:00:00Z"),
            ("planned", "2026-03-15T01:30:00Z"),
            ("scheduled", "2026-03-20T09:00:00Z"),
            ("planned", "2026-03-22T01:30:00Z"),
            ("planned", "2026-03-29T01:00:00Z"),  # at 02:30 of a day without it, when the clocks jump
            ("planned", "2026-04-05T00:30:00Z"),
            ("planned", "2026-04-12T00:30:00Z"),
        ]
        assert (found[0]["articleId"], found[2]["articleId"]) == (plan, article)
        assert ({k: found[1][k] for k in ("nicheKey", "articles")}, "title" in found[1]) == (
            {"nicheKey": NICHE, "articles": 2},
            False,
        )
        assert len(await entries(api, f"{MARCH}&kind=scheduled")) == 1
        assert {e["kind"] for e in await entries(api, f"{MARCH}&kind=planned")} == {"planned"}
        assert [e["kind"] for e in await entries(api, f"{MARCH}&language=en")] == ["planned", "scheduled"]
        assert await entries(api, f"{MARCH}&niche=boats") == []
        moved = {"scheduledFor": "2026-03-30T09:00:00Z"}
        assert (await api.call("PATCH", f"/writer/{article}", moved)).status_code == 200
        assert [e["at"] for e in await entries(api, f"{MARCH}&kind=scheduled")] == ["2026-03-30T09:00:00Z"]
        other = await api.key_of(await api.house.other_tenant())
        assert await entries(api, key=other) == []
        await schedule(api, enabled=False)
        assert len(await entries(api)) == 2


async def test_posts_are_shown_at_their_targets() -> None:
    async with open_api() as api:
        article = (await api.written())["id"]
        targets = []
        for name in ("Blog", "Shop"):
            memory = {"provider": "memory", "name": name, "credentials": {"token": TOKEN, "blog": name}}
            targets.append((await api.call("POST", "/integrations", memory)).json()["integration"]["id"])
        await api.call("POST", f"/writer/{article}/publish", {})
        await api.house.work()
        found = await entries(api)
        assert {(e["kind"], e["integrationId"], e["articleId"]) for e in found} == {
            ("published", target, article) for target in targets
        }
        assert all(entry["url"] for entry in found)
        [of_shop] = await entries(api, f"{MARCH}&target={targets[1]}")
        assert of_shop["integrationId"] == targets[1]


async def test_pages_follow_each_other_over_all_kinds() -> None:
    async with open_api() as api:
        await schedule(api, days=["mon", "thu"])
        await api.planned(topic="Heat pumps in winter")
        await scheduled(api, "2026-03-26T01:30:00Z")
        whole = await entries(api)
        paged: list[dict[str, Any]] = []
        after = ""
        while True:
            page = (await api.call("GET", f"/calendar?{MARCH}&limit=2{after}")).json()
            paged += page["entries"]
            if "after" not in page:
                break
            after = f"&after={page['after']}"
        assert paged == whole
        assert len(whole) > 8


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00Z", "to"),
        ("from=2026-03-01T00:00:00Z&to=2026-06-03T00:00:00Z", "to"),
        ("from=9999-12-31T00:00:00Z", "from"),
        ("after=x", "after"),
        ("after=999999999999999999-x", "after"),
        ("from=2026-03-01T00:00:00", "from"),
        ("limit=0", "limit"),
        ("kind=past", "kind"),
        ("language=xx", "language"),
    ],
)
async def test_what_is_no_range_is_refused(query: str, field: str) -> None:
    async with open_api() as api:
        assert field in faults_of(await api.call("GET", f"/calendar?{query}"))


async def test_a_calendar_program_follows_a_secret_link() -> None:
    async with open_api() as api:
        await schedule(api)
        article = await scheduled(api, "2026-03-20T09:00:00Z")
        await api.call("PATCH", f"/writer/{article}", {"title": 'Heat, pumps; "now"\nBEGIN:VEVENT\\'})
        url = (await api.call("POST", "/calendar/link")).json()["url"]
        assert url.startswith("http")
        path = url[url.index("/calendar.ics") :]
        answer = await api.call("GET", path, key=None)
        assert answer.headers["content-type"].startswith("text/calendar")
        events = {str(event["uid"]): event for event in Calendar.from_ical(answer.content).walk("VEVENT")}
        event = events[f"{article}@contentgen"]
        assert str(event["summary"]) == 'Scheduled: Heat, pumps; "now" BEGIN:VEVENT\\'
        assert event.start == datetime.fromisoformat("2026-03-20T09:00:00+00:00")
        assert event.duration == timedelta(minutes=15)
        assert len(events) == 10
        assert max(len(line) for line in answer.content.split(b"\r\n")) <= 75
        again = (await api.call("POST", "/calendar/link")).json()["url"]
        assert (await api.call("GET", path, key=None)).status_code == 404
        path = again[again.index("/calendar.ics") :]
        assert (await api.call("GET", path, key=None)).status_code == 200
        assert (await api.call("DELETE", "/calendar/link")).status_code == 200
        assert (await api.call("DELETE", "/calendar/link")).status_code == 404
        for gone in (path, "/calendar.ics?token=x", f"/calendar.ics?token={api.key}"):
            assert (await api.call("GET", gone, key=None)).status_code == 404
        for wrong in ("", "?token=", f"?token={'x' * 201}"):
            assert (await api.call("GET", f"/calendar.ics{wrong}", key=None)).status_code == 400


async def test_a_viewer_has_a_link_of_its_own_and_a_suspended_tenant_none() -> None:
    async with open_api() as api:
        async with api.house.services.ports.unit_of_work() as tx:
            user = await tx[Users].get(api.house.caller.tenant_id, api.house.caller.user_id)
            await tx[Users].save(evolve(user, role=Role.VIEWER))
        url = (await api.call("POST", "/calendar/link", key=await api.key_of(api.house.caller))).json()["url"]
        path = url[url.index("/calendar.ics") :]
        assert (await api.call("GET", path, key=None)).status_code == 200
        await api.house.services.people.tenants.suspend(api.house.caller.tenant_id)
        assert (await api.call("GET", path, key=None)).status_code == 404
