"""What answers say that a tenant may do, and what its requests are let through to, agree on every plan."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.model.tenant import PlanName, Quota, Role, User
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.testing import builders
from tests.support.http import AGENT, COVERED, NICHE, Api, open_api, problem_of

PREMIUM = f"/niches/{NICHE}/websearch-premium"
FORBIDDEN = (403, "plan_restriction")
USES: dict[Quota, tuple[str, str, dict[str, Any]]] = {
    Quota.COVERAGE_CHECKS: ("POST", "/writer/check-kb-coverage", {"agentKey": AGENT, "topic": COVERED}),
    Quota.ENRICHMENTS: ("POST", "/writer/enrich-kb-topic", {"agentKey": AGENT, "topic": COVERED}),
    Quota.TRANSLATION_CREDITS: ("POST", "/translate", {"text": "A text.", "targetLanguage": "fr"}),
}
"""A use of each quota that some plan does not include at all."""


async def got(api: Api, path: str) -> dict[str, Any]:
    answer = await api.call("GET", path)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def refused(api: Api, method: str, path: str, body: object = None) -> bool:
    """Whether the plan forbids it."""
    answer = await api.call(method, path, body)
    if answer.status_code < 400:
        return False
    return (answer.status_code, problem_of(answer)["code"]) == FORBIDDEN


async def premium_flags(api: Api) -> set[bool]:
    """Whether the premium search may be used, in every answer that says so."""
    dashboard = await got(api, f"/niches/{NICHE}/dashboard")
    niches = [
        dashboard["niche"],
        await got(api, f"/niches/{NICHE}"),
        *(await got(api, "/niches"))["niches"],
        *(await got(api, "/niches/activated"))["niches"],
    ]
    agents = [*dashboard["agents"], await got(api, f"/agents/{AGENT}"), *(await got(api, "/agents"))["agents"]]
    assert len(niches) > 3
    assert len(agents) == 3
    return {each["websearchPremium"] for each in (*niches, *agents)}


@pytest.mark.parametrize("plan", PlanName)
async def test_the_premium_search_is_shown_where_it_can_be_used_and_switched(plan: PlanName) -> None:
    async with open_api(plan) as api:
        assert await premium_flags(api) == {PLANS[plan].premium_web_search}
        for path in (PREMIUM, f"/agents/{AGENT}/websearch-premium"):
            assert await refused(api, "POST", path, {"enabled": True}) is not PLANS[plan].premium_web_search


async def test_a_switch_is_kept_for_a_plan_that_includes_the_search() -> None:
    async with open_api(PlanName.BUSINESS) as api:
        assert (await api.call("POST", PREMIUM, {"enabled": False})).status_code == 200
        set_plan = api.house.services.people.tenants.set_plan
        for plan, agent in ((PlanName.PRO, False), (PlanName.BUSINESS, True)):
            await set_plan(api.house.caller.tenant_id, plan)
            api.key = await api.key_of(api.house.caller)  # a known key is believed for a second
            assert (await got(api, f"/niches/{NICHE}"))["websearchPremium"] is False
            assert (await got(api, f"/agents/{AGENT}"))["websearchPremium"] is agent


@pytest.mark.parametrize("plan", PlanName)
async def test_a_quota_of_none_is_a_use_that_is_refused_and_only_that(plan: PlanName) -> None:
    async with open_api(plan) as api:
        quotas = await got(api, "/tenant/quotas")
        assert quotas["plan"] == plan
        for quota in Quota:
            assert quotas[quota].get("limit") == PLANS[plan].limits[quota]
        for quota, use in USES.items():
            assert await refused(api, *use) is (quotas[quota].get("limit") == 0), quota
        assert {quota for quota in Quota if PLANS[plan].limits[quota] == 0} <= set(USES)


@pytest.mark.parametrize("plan", PlanName)
async def test_lengths_diagrams_and_own_niches_are_those_of_the_plan(plan: PlanName) -> None:
    terms = PLANS[plan]
    request = {"agentKey": AGENT, "topic": COVERED, "language": "en"}
    async with open_api(plan) as api:
        for length in ArticleLength:
            sent = {**request, "articleLength": length}
            assert await refused(api, "POST", "/writer/generate-plan", sent) is (length not in terms.lengths)
        diagram = {**request, "articleLength": "short", "includeMermaid": True}
        assert await refused(api, "POST", "/writer/generate-plan", diagram) is not terms.mermaid
        assert await refused(api, "POST", "/niches", {"name": "Boats"}) is not terms.custom_niches
        if terms.limits[Quota.COVERAGE_CHECKS] != 0:
            checked = (
                await api.call("POST", "/writer/check-kb-coverage", {"agentKey": AGENT, "topic": COVERED})
            ).json()
            assert {each["articleLength"] for each in checked["forecast"]} == terms.lengths


@pytest.mark.parametrize("plan", PlanName)
async def test_an_agent_of_the_only_country_is_judged_as_its_niche_is(plan: PlanName) -> None:
    async with open_api(plan) as api:
        for computed in (None, f"nicheKey={NICHE}", f"agentKey={AGENT}"):
            if computed:
                assert (await api.call("POST", f"/seo/topic-coverage?{computed}")).status_code == 200
                await api.house.work()
            of_niche, of_agent = await got(api, f"/governance/{NICHE}"), await got(api, f"/governance/{AGENT}")
            assert of_agent.pop("agentKey") == AGENT
            assert of_agent == of_niche
            assert of_niche["criteria"][0]["measured"] is (computed is not None)


async def test_agents_of_several_countries_are_judged_apart() -> None:
    async with open_api() as api:
        made = await api.call("POST", "/agents", {"nicheKey": NICHE, "country": "IE"})
        assert made.status_code == 200, made.text
        assert (await api.call("POST", f"/seo/topic-coverage?agentKey={AGENT}")).status_code == 200
        await api.house.work()
        measured = {key: (await got(api, f"/governance/{key}"))["criteria"][0]["measured"] for key in
                    (NICHE, AGENT, f"{NICHE}-IE")}  # fmt: skip
        assert measured == {NICHE: False, AGENT: True, f"{NICHE}-IE": False}


@pytest.mark.parametrize("role", Role)
async def test_every_role_sees_the_same_governance_and_the_same_rights(role: Role) -> None:
    async with open_api(PlanName.BUSINESS) as api:
        user: User = builders.user(tenant_id=api.house.caller.tenant_id, role=role)
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Users].add(user)
        key = await api.key_of(evolve(api.house.caller, user_id=user.id, role=role))
        for path in (f"/governance/{NICHE}", f"/niches/{NICHE}", f"/agents/{AGENT}"):
            assert (await api.call("GET", path, key=key)).json() == await got(api, path)
        switched = await api.call("POST", PREMIUM, {"enabled": True}, key=key)
        assert (switched.status_code == 200) is role.includes(Role.EDITOR)
