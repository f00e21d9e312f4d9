"""Niches on the wire: the lists, editing and deleting, settings, the dashboard, the switch and the wishes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contentgen_core.model.tenant import PlanName
from tests.contract.test_http_surface import ok
from tests.support.http import AGENT, NICHE, Api, faults_of, open_api, problem_of

ACTIVATION = {"tones": ["casual", "expert"], "languages": ["de", "en"], "countries": ["DE", "AT"]}
BEES = {"name": "Urban beekeeping", "description": "Bees in the city", "icon": "🐝"}
SETTINGS = f"/niches/{NICHE}/settings"


async def code(api: Api, method: str, path: str, body: object = None, **more: Any) -> tuple[int, str]:
    problem = problem_of(await api.call(method, path, body, **more))
    return problem["status"], problem["code"]


async def test_the_lists_agree_with_one_another() -> None:
    async with open_api() as api:
        bees = await ok(api, "POST", "/niches", BEES)
        await ok(api, "POST", "/niches", {"name": "Plain"})
        listed = (await ok(api, "GET", "/niches"))["niches"]
        names = ("id", "nicheKey", "name", "icon", "custom", "activated")
        choices = (await ok(api, "GET", "/niches/list"))["niches"]
        assert choices == [{name: niche[name] for name in names if name in niche} for niche in listed]
        assert {"custom": True, "activated": False}.items() <= next(c for c in choices if c["id"] == bees["id"]).items()
        activated = (await ok(api, "GET", "/niches/activated"))["niches"]
        assert activated == [niche for niche in listed if niche["activated"]]
        assert [niche["nicheKey"] for niche in activated] == [NICHE]


async def test_a_niche_of_ones_own_is_edited_and_null_clears() -> None:
    async with open_api() as api:
        bees = await ok(api, "POST", "/niches", BEES)
        path = f"/niches/{bees['id']}"
        assert await ok(api, "PATCH", path, {"name": "Rooftop beekeeping"}) == bees | {"name": "Rooftop beekeeping"}
        cleared = await ok(api, "PATCH", "/niches/urban-beekeeping", {"description": None, "icon": None})
        assert {"description", "icon"}.isdisjoint(cleared)
        assert await ok(api, "PATCH", path, {}) == cleared
        assert faults_of(await api.call("PATCH", path, {"name": None})).keys() == {"name"}
        assert faults_of(await api.call("PATCH", path, {"name": "  "})).keys() == {"name"}
        assert faults_of(await api.call("PATCH", path, {"nicheKey": "x"})).keys() == {"nicheKey"}
        assert await code(api, "PATCH", f"/niches/{NICHE}", {"name": "Mine"}) == (403, "not_permitted")


async def test_a_niche_of_ones_own_is_deleted_once_it_is_empty() -> None:
    async with open_api() as api:
        bees = (await ok(api, "POST", "/niches", BEES))["id"]
        await ok(api, "POST", f"/niches/{bees}/activate", ACTIVATION)
        refused = problem_of(await api.call("DELETE", f"/niches/{bees}"))
        assert (refused["status"], refused["code"]) == (409, "niche_in_use")
        assert refused["uses"] == {"agents": 2, "articles": 0, "documents": 0, "passages": 0, "schedules": 0}
        assert "2 agents" in refused["detail"]
        for country in ("DE", "AT"):
            assert await ok(api, "DELETE", f"/agents/urban-beekeeping-{country}") == {"success": True}
        assert await ok(api, "DELETE", f"/niches/{bees}") == {"success": True}
        assert await code(api, "GET", f"/niches/{bees}") == (404, "not_found")
        assert await code(api, "DELETE", f"/niches/{bees}") == (404, "not_found")
        assert await code(api, "DELETE", f"/niches/{NICHE}") == (403, "not_permitted")


async def test_a_niche_of_ones_own_is_not_activated_on_a_smaller_plan() -> None:
    async with open_api() as api:
        bees = (await ok(api, "POST", "/niches", BEES))["id"]
        await api.house.services.people.tenants.set_plan(api.house.caller.tenant_id, PlanName.STARTER)
        key = await api.key_of(api.house.caller)  # one that nobody has looked up on the former plan
        assert await code(api, "POST", f"/niches/{bees}/activate", ACTIVATION, key=key) == (403, "plan_restriction")


async def test_settings_are_read_and_changed() -> None:
    async with open_api() as api:
        await ok(api, "POST", f"/niches/{NICHE}/activate", ACTIVATION | {"targetAudience": "Owners"})
        before = await ok(api, "GET", SETTINGS)
        assert before == {
            "tones": ["casual", "expert"], "languages": ["de", "en"], "countries": ["GB", "DE", "AT"],
            "targetAudience": "Owners",
        }  # fmt: skip
        sent = {"tones": ["friendly"], "targetAudience": None, "zebra": {"b": [1, 2.5, False], "a": {}}, "note": "ü"}
        changed = await ok(api, "PATCH", SETTINGS, sent)
        assert changed == {
            "tones": ["friendly"], "languages": ["de", "en"], "countries": ["GB", "DE", "AT"],
            "zebra": {"b": [1, 2.5, False], "a": {}}, "note": "ü",
        }  # fmt: skip
        assert await ok(api, "GET", SETTINGS) == changed
        activation = (await ok(api, "GET", f"/niches/{NICHE}"))["activation"]
        assert activation == {name: changed[name] for name in ("tones", "languages", "countries")}
        assert "note" not in await ok(api, "PATCH", SETTINGS, {"note": None})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"tones": []}, "tones"),
        ({"tones": ["journalistic"]}, "tones[0]"),
        ({"tones": None}, "tones"),
        ({"languages": ["de", "tlh"]}, "languages[1]"),
        ({"targetAudience": "x" * 501}, "targetAudience"),
        ({"countries": ["FR"]}, "countries"),
        ({"websearchPremium": False}, "websearchPremium"),
        ({"note": {"inner": ["nul \x00"]}}, "note.inner[0]"),
        ({"": "nul \x00"}, ""),
        ({"note": json.loads("[" * 30 + "]" * 30)}, "note"),
        ([], "body"),
        ("text", "body"),
    ],
)
async def test_settings_with_a_fault_are_a_400_that_names_it(body: object, field: str) -> None:
    async with open_api() as api:
        before = await ok(api, "GET", SETTINGS)
        assert faults_of(await api.call("PATCH", SETTINGS, body)).keys() == {field}
        assert await ok(api, "GET", SETTINGS) == before


@pytest.mark.parametrize("content", [b"", b"{", b'{"a": 1e999}', b"[" * 10_000, b'{"a": "\\ud800"}', b'{"a": NaN}'])
async def test_what_is_no_json_object_is_a_400(content: bytes) -> None:
    async with open_api() as api:
        answer = await api.call("PATCH", SETTINGS, content=content, headers={"Content-Type": "application/json"})
        assert set(faults_of(answer)) == {"body"}


async def test_settings_are_bounded() -> None:
    async with open_api() as api:
        assert await code(api, "PATCH", SETTINGS, {"note": "x" * 16_400}) == (413, "too_large")
        await ok(api, "PATCH", SETTINGS, {"note": "x" * 10_000})
        assert faults_of(await api.call("PATCH", SETTINGS, {"more": "x" * 10_000})).keys() == {"body"}
        text = await api.call("PATCH", SETTINGS, content=b"{}", headers={"Content-Type": "text/plain"})
        assert problem_of(text)["status"] == 415


async def test_settings_are_of_niches_that_are_activated() -> None:
    async with open_api() as api:
        for method, body in (("GET", None), ("PATCH", {})):
            assert await code(api, method, "/niches/ecommerce/settings", body) == (409, "niche_not_activated")
            assert await code(api, method, "/niches/nothing/settings", body) == (404, "not_found")


async def test_the_dashboard_shows_the_niche_at_a_glance() -> None:
    async with open_api() as api:
        written = await api.written()
        plan = await api.planned(topic="Heat pump sizing and insulation")
        await ok(api, "POST", f"/seo/topic-coverage?nicheKey={NICHE}")
        await api.house.work()
        shown = await ok(api, "GET", f"/niches/{NICHE}/dashboard")
        assert set(shown) == {"niche", "stats", "agents", "recentArticles", "knowledgeBase", "coverage"}
        assert shown["niche"] == await ok(api, "GET", f"/niches/{NICHE}")
        assert shown["stats"] == {
            "articles": 2, "draft": 1, "generating": 0, "generated": 1, "scheduled": 0, "published": 0, "failed": 0,
            "agents": 1, "enabledAgents": 1,
        }  # fmt: skip
        assert [agent["agentKey"] for agent in shown["agents"]] == [AGENT]
        assert [article["id"] for article in shown["recentArticles"]] == [plan["articleId"], written["id"]]
        assert {"id", "title", "status", "language", "agentKey", "wordCount"} <= set(shown["recentArticles"][0])
        assert shown["knowledgeBase"] == await ok(api, "GET", f"/kb/{NICHE}/stats")
        coverage = await ok(api, "GET", f"/seo/topic-coverage?nicheKey={NICHE}")
        assert shown["coverage"] == {
            name: coverage[name]
            for name in ("status", "totalTopics", "coveredCount", "uncoveredCount", "coveragePercent", "computedAt")
        }


async def test_the_dashboard_of_a_niche_that_is_not_used_shows_what_is_left() -> None:
    async with open_api() as api:
        await api.planned()
        await ok(api, "POST", f"/niches/{NICHE}/deactivate")
        shown = await ok(api, "GET", f"/niches/{NICHE}/dashboard")
        assert {"knowledgeBase", "coverage"}.isdisjoint(shown)
        assert (shown["stats"]["articles"], shown["stats"]["agents"], shown["stats"]["enabledAgents"]) == (1, 1, 0)
        assert await code(api, "GET", "/niches/nothing/dashboard") == (404, "not_found")


async def test_the_premium_search_of_a_niche_is_switched() -> None:
    async with open_api(PlanName.BUSINESS) as api:
        path = f"/niches/{NICHE}/websearch-premium"
        assert (await ok(api, "GET", f"/niches/{NICHE}"))["websearchPremium"] is True
        for body, enabled in ((None, False), ({}, True), ({"enabled": True}, True), ({"enabled": False}, False)):
            assert await ok(api, "POST", path, body) == {"success": True, "enabled": enabled}
            assert (await ok(api, "GET", f"/niches/{NICHE}"))["websearchPremium"] is enabled
        assert faults_of(await api.call("POST", path, {"enabled": None})).keys() == {"enabled"}
        assert faults_of(await api.call("POST", path, {"on": True})).keys() == {"on"}
        assert await code(api, "POST", "/niches/nothing/websearch-premium") == (404, "not_found")


async def test_the_premium_search_is_for_plans_that_include_it() -> None:
    async with open_api(PlanName.PRO) as api:
        for path in (f"/niches/{NICHE}", "/niches/nothing", f"/agents/{AGENT}"):
            assert await code(api, "POST", f"{path}/websearch-premium") == (403, "plan_restriction")


async def test_a_wish_for_a_niche_is_kept_once() -> None:
    async with open_api(PlanName.FREE) as api:
        wish = {"name": "Veterinary medicine", "description": "Small animals"}
        first = await ok(api, "POST", "/niches/request", wish)
        assert set(first) == {"success", "id"}
        assert await ok(api, "POST", "/niches/request", {"name": "VETERINARY  medicine"}) == first
        assert (await ok(api, "POST", "/niches/request", {"name": "Dogs"}))["id"] != first["id"]
        assert faults_of(await api.call("POST", "/niches/request", {"description": "x"})).keys() == {"name"}
        kept = await api.house.services.agents.niche_requests.list(10)
        assert [(r.name, r.description) for r in kept] == [("Dogs", None), ("Veterinary medicine", "Small animals")]
