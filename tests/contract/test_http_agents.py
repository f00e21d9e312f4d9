"""Agents on the wire."""

from __future__ import annotations

import pytest

from contentgen_core.model.tenant import PlanName
from tests.contract.test_http_niches import code
from tests.contract.test_http_surface import ok
from tests.support.http import AGENT, COVERED, NICHE, faults_of, open_api, problem_of


async def test_an_agent_is_made_read_edited_switched_and_deleted() -> None:
    async with open_api() as api:
        made = await ok(api, "POST", "/agents", {"name": "Erin", "nicheKey": NICHE, "country": "IE"})
        assert set(made) == {
            "id", "agentKey", "name", "nicheKey", "country", "enabled", "system", "websearchPremium", "createdAt",
            "updatedAt",
        }  # fmt: skip
        assert (made["agentKey"], made["enabled"], made["system"], made["websearchPremium"]) == (
            "home-energy-IE", True, False, False,
        )  # fmt: skip
        path = f"/agents/{made['id']}"
        assert await ok(api, "GET", path) == await ok(api, "GET", "/agents/home-energy-IE") == made
        assert (await ok(api, "GET", f"/niches/{NICHE}"))["activation"]["countries"] == ["GB", "IE"]
        api.house.clock.advance(minutes=1)
        edited = await ok(api, "PATCH", path, {"name": "Éire", "enabled": False})
        assert edited == made | {"name": "Éire", "enabled": False, "updatedAt": "2026-03-10T12:01:00Z"}
        for body, enabled in ((None, True), ({}, False), ({"enabled": False}, False), ({"enabled": True}, True)):
            switched = await ok(api, "POST", f"{path}/toggle", body)
            assert switched == {"success": True, "agent": edited | {"enabled": enabled}}
        assert await ok(api, "DELETE", path) == {"success": True}
        assert await code(api, "GET", path) == (404, "not_found")
        assert (await ok(api, "GET", f"/niches/{NICHE}"))["activation"]["countries"] == ["GB"]


async def test_what_cannot_be_made_says_why() -> None:
    async with open_api(PlanName.STARTER) as api:
        new = {"nicheKey": NICHE, "country": "IE"}
        assert faults_of(await api.call("POST", "/agents", new | {"country": "XX"})).keys() == {"country"}
        assert faults_of(await api.call("POST", "/agents", new | {"country": "ie"})).keys() == {"country"}
        assert faults_of(await api.call("POST", "/agents", new | {"name": " "})).keys() == {"name"}
        assert faults_of(await api.call("POST", "/agents", {"country": "IE"})).keys() == {"nicheKey"}
        assert await code(api, "POST", "/agents", new | {"nicheKey": "nothing"}) == (404, "not_found")
        assert await code(api, "POST", "/agents", new | {"nicheKey": "ecommerce"}) == (409, "niche_not_activated")
        assert await code(api, "POST", "/agents", new | {"country": "GB"}) == (409, "already_exists")
        for country in ("IE", "FR"):
            await ok(api, "POST", "/agents", new | {"country": country})
        refused = problem_of(await api.call("POST", "/agents", new | {"country": "DE"}))
        assert (refused["status"], refused["code"], refused["limit"], refused["used"]) == (403, "quota_exceeded", 3, 3)
        assert await code(api, "POST", "/agents", new | {"country": "GB"}) == (409, "already_exists")
        quotas = await ok(api, "GET", "/tenant/quotas")
        assert quotas["agents"] == {"limit": 3, "used": 3}


async def test_a_name_is_optional_and_a_niche_may_be_named_by_its_id() -> None:
    async with open_api() as api:
        niche = (await ok(api, "GET", f"/niches/{NICHE}"))["id"]
        made = await ok(api, "POST", "/agents", {"nicheKey": niche, "country": "IE", "enabled": False})
        assert (made["name"], made["nicheKey"], made["enabled"]) == ("Home energy (IE)", NICHE, False)


async def test_articles_outlive_their_agent() -> None:
    async with open_api() as api:
        written = await api.written()
        assert written["agentKey"] == AGENT
        await ok(api, "DELETE", f"/agents/{AGENT}")
        assert (await ok(api, "GET", f"/writer/{written['id']}"))["agentKey"] == AGENT
        assert (await ok(api, "GET", f"/niches/{NICHE}"))["activated"] is False
        topic = {"agentKey": AGENT, "topic": COVERED}
        assert await code(api, "POST", "/writer/generate-plan", topic) == (404, "not_found")


@pytest.mark.parametrize("named", ["id", "agentKey"])
async def test_a_system_agent_is_readable_and_usable_and_nobodys_to_change(named: str) -> None:
    async with open_api(PlanName.BUSINESS) as api:
        await api.house.services.agents.system_agents.create(NICHE, "FR", "France")
        listed = (await ok(api, "GET", f"/agents?nicheKey={NICHE}"))["agents"]
        assert [(agent["agentKey"], agent["system"]) for agent in listed] == [
            ("home-energy-FR", True), (AGENT, False),
        ]  # fmt: skip
        path = f"/agents/{listed[0][named]}"
        assert await ok(api, "GET", path) == listed[0]
        assert await code(api, "PATCH", path, {"name": "Mine"}) == (403, "not_permitted")
        assert await code(api, "POST", f"{path}/toggle") == (403, "not_permitted")
        assert await code(api, "POST", f"{path}/websearch-premium") == (403, "not_permitted")
        assert await code(api, "DELETE", path) == (403, "not_permitted")
        assert (await ok(api, "GET", "/tenant/quotas"))["agents"]["used"] == 1
        plan = {"agentKey": "home-energy-FR", "topic": COVERED, "language": "en", "articleLength": "short"}
        assert (await ok(api, "POST", "/writer/generate-plan", plan))["type"] == "plan"


async def test_the_premium_search_of_an_agent_is_switched() -> None:
    async with open_api(PlanName.BUSINESS) as api:
        path = f"/agents/{AGENT}/websearch-premium"
        for body, enabled in ((None, False), ({"enabled": False}, False), ({}, True)):
            assert await ok(api, "POST", path, body) == {"success": True, "enabled": enabled}
            assert (await ok(api, "GET", f"/agents/{AGENT}"))["websearchPremium"] is enabled


async def test_an_agent_of_a_niche_that_is_not_used_stays_off() -> None:
    async with open_api() as api:
        await ok(api, "POST", f"/niches/{NICHE}/deactivate")
        assert await code(api, "POST", f"/agents/{AGENT}/toggle") == (409, "niche_not_activated")
        assert await code(api, "PATCH", f"/agents/{AGENT}", {"enabled": True}) == (409, "niche_not_activated")
        assert (await ok(api, "PATCH", f"/agents/{AGENT}", {"name": "Britain"}))["enabled"] is False
