"""Niches, agents, the tenant and its keys."""

from __future__ import annotations

from contentgen_core.model.tenant import PlanName
from tests.contract.test_http_surface import ok
from tests.support.http import AGENT, NICHE, faults_of, open_api, problem_of

ACTIVATION = {"tones": ["casual"], "languages": ["de"], "countries": ["DE", "AT"], "targetAudience": "Hausbesitzer"}


async def test_niches_are_listed_with_their_breakdown() -> None:
    async with open_api() as api:
        await ok(api, "POST", "/niches", {"name": "Urban beekeeping", "icon": "🐝"})
        listed = await ok(api, "GET", "/niches")
        assert listed["total"] == len(listed["niches"])
        assert listed["breakdown"] == {"preconfigured": listed["total"] - 1, "custom": 1, "activated": 1}


async def test_a_niche_is_read_by_its_id_and_by_its_key() -> None:
    async with open_api() as api:
        made = await ok(api, "POST", "/niches", {"name": "Urban beekeeping", "description": "Bees in the city"})
        assert (made["nicheKey"], made["custom"], made["activated"]) == ("urban-beekeeping", True, False)
        assert await ok(api, "GET", f"/niches/{made['id']}") == made
        assert await ok(api, "GET", "/niches/urban-beekeeping") == made
        assert "activation" not in made


async def test_custom_niches_are_for_larger_plans() -> None:
    async with open_api(PlanName.STARTER) as api:
        answer = await api.call("POST", "/niches", {"name": "Urban beekeeping"})
        assert (answer.status_code, problem_of(answer)["code"]) == (403, "plan_restriction")


async def test_activating_makes_an_agent_a_country_and_deactivating_switches_them_off() -> None:
    async with open_api() as api:
        activated = await ok(api, "POST", "/niches/ecommerce/activate", ACTIVATION)
        assert set(activated) == {"success", "message", "nicheKey", "agentId", "countries"}
        assert (activated["success"], activated["countries"]) == (True, ["DE", "AT"])
        niche = await ok(api, "GET", "/niches/ecommerce")
        assert niche["activation"] == {name: ACTIVATION[name] for name in ACTIVATION}
        agents = await ok(api, "GET", "/agents?nicheKey=ecommerce")
        assert (agents["success"], agents["total"]) == (True, 2)
        first = next(agent for agent in agents["agents"] if agent["country"] == "DE")
        assert first["id"] == activated["agentId"]
        assert set(first) == {
            "id", "agentKey", "name", "nicheKey", "country", "enabled", "system", "websearchPremium", "createdAt",
            "updatedAt",
        }  # fmt: skip
        assert await ok(api, "POST", "/niches/ecommerce/deactivate") == {"success": True}
        assert (await ok(api, "GET", "/agents?nicheKey=ecommerce&enabled=true"))["agents"] == []
        assert (await ok(api, "GET", "/agents?nicheKey=ecommerce&enabled=false"))["total"] == 2


async def test_activation_names_what_it_does_not_know() -> None:
    async with open_api() as api:
        path = "/niches/ecommerce/activate"
        assert faults_of(await api.call("POST", path, ACTIVATION | {"countries": ["XX"]})).keys() == {"countries[0]"}
        assert faults_of(await api.call("POST", path, ACTIVATION | {"countries": []})).keys() == {"countries"}
        assert faults_of(await api.call("POST", path, ACTIVATION | {"languages": ["de", "tlh"]})).keys() == {
            "languages[1]"
        }
        assert faults_of(await api.call("POST", path, ACTIVATION | {"tones": ["journalistic"]})).keys() == {"tones[0]"}


async def test_too_many_agents_are_a_403() -> None:
    async with open_api(PlanName.FREE) as api:
        answer = await api.call("POST", "/niches/ecommerce/activate", ACTIVATION)
        assert answer.status_code == 403
        problem = problem_of(answer)
        assert (problem["code"], problem["limit"], problem["used"]) == ("quota_exceeded", 1, 1)
        assert "resetsAt" not in problem


async def test_agents_are_counted_beyond_the_limit() -> None:
    async with open_api() as api:
        await ok(api, "POST", "/niches/ecommerce/activate", ACTIVATION)
        listed = await ok(api, "GET", "/agents?limit=1")
        assert (len(listed["agents"]), listed["total"]) == (1, 3)
        assert (await ok(api, "GET", f"/agents?nicheKey={NICHE}"))["agents"][0]["agentKey"] == AGENT


async def test_the_tenant_and_its_quotas() -> None:
    async with open_api(PlanName.BUSINESS) as api:
        tenant = await ok(api, "GET", "/tenant")
        assert set(tenant) == {"id", "name", "plan", "createdAt"}
        assert tenant["plan"] == "business"
        quotas = await ok(api, "GET", "/tenant/quotas")
        assert set(quotas) == {
            "plan", "articles", "agents", "coverageChecks", "enrichments", "translationCredits", "documents",
            "integrations", "teamMembers",
        }  # fmt: skip
        assert quotas["articles"] == {"limit": 500, "used": 0, "resetsAt": "2026-04-01T00:00:00Z"}
        assert quotas["coverageChecks"] == {"used": 0, "resetsAt": "2026-03-11T00:00:00Z"}
        assert quotas["teamMembers"] == {"limit": 50, "used": 1}


async def test_a_key_is_shown_once() -> None:
    async with open_api() as api:
        made = await ok(api, "POST", "/account/keys", {"name": "Staging", "expiresAt": "2026-03-11T00:00:00+01:00"})
        assert set(made) == {"id", "name", "key", "expiresAt"}
        assert made["expiresAt"] == "2026-03-10T23:00:00Z"
        assert (await api.call("GET", "/tenant", key=made["key"])).status_code == 200
        listed = await ok(api, "GET", "/account/keys")
        shown = next(key for key in listed["keys"] if key["id"] == made["id"])
        assert set(shown) == {"id", "userId", "name", "hint", "createdAt", "expiresAt", "lastUsedAt"}
        assert shown["hint"] == made["key"][-4:]


async def test_an_expired_key_does_not_work_and_cannot_be_made() -> None:
    async with open_api() as api:
        for past in ("2026-03-10T12:00:00Z", "0001-01-01T00:00:00+10:00"):
            refused = await api.call("POST", "/account/keys", {"name": "Old", "expiresAt": past})
            assert set(faults_of(refused)) == {"expiresAt"}
        made = await ok(api, "POST", "/account/keys", {"name": "Soon", "expiresAt": "2026-03-10T12:30:00Z"})
        api.house.clock.advance(hours=1)
        assert (await api.call("GET", "/tenant", key=made["key"])).status_code == 401
