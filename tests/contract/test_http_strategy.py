"""Topic coverage and governance on the wire."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.tenant import PlanName, Role, User
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.testing import builders
from tests.support.http import AGENT, NICHE, Api, faults_of, open_api, problem_of

PATH = f"/seo/topic-coverage?nicheKey={NICHE}"
TOTALS = ("totalTopics", "coveredCount", "uncoveredCount", "coveragePercent")


async def got(api: Api, path: str = PATH, **more: Any) -> dict[str, Any]:
    answer = await api.call("GET", path, **more)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def test_from_idle_over_computing_to_ready() -> None:
    async with open_api() as api:
        idle = await got(api)
        assert idle.pop("startedAt").endswith("Z")
        assert idle == {"status": "idle", "topics": [], **dict.fromkeys(TOTALS, 0)}
        assert (await got(api))["status"] == "computing"
        started = (await api.call("POST", PATH)).json()
        assert set(started) == {"status", "startedAt"}
        assert started["status"] == "computing"
        await api.house.work()
        ready = await got(api)
        assert ready["status"] == "ready"
        assert ready["startedAt"] == started["startedAt"]
        assert ready["computedAt"]
        assert "error" not in ready
        assert ready["topics"]
        for topic in ready["topics"]:
            assert set(topic) == {"name", "covered", "heatScore"}
            assert 0 <= topic["heatScore"] <= 100


async def test_the_filter_chooses_topics_and_the_totals_are_of_all() -> None:
    async with open_api() as api:
        await api.call("POST", PATH)
        await api.house.work()
        every = await got(api, f"{PATH}&filter=all")
        covered, uncovered = await got(api, f"{PATH}&filter=covered"), await got(api, f"{PATH}&filter=uncovered")
        assert all(topic["covered"] for topic in covered["topics"])
        assert not any(topic["covered"] for topic in uncovered["topics"])
        assert len(covered["topics"]) == every["coveredCount"] > 0
        assert len(uncovered["topics"]) == every["uncoveredCount"] > 0
        assert len(every["topics"]) == every["totalTopics"] == every["coveredCount"] + every["uncoveredCount"]
        assert every["coveragePercent"] == pytest.approx(100 * every["coveredCount"] / every["totalTopics"], abs=0.05)
        assert [covered[name] for name in TOTALS] == [uncovered[name] for name in TOTALS] == [every[n] for n in TOTALS]


async def test_a_failed_run_says_why() -> None:
    async with open_api() as api:

        def refuse(method: str, position: int) -> None:
            raise ProviderFailed("scripted", "no such model", retryable=False)

        api.house.model.before = refuse
        await api.call("POST", PATH)
        await api.house.work()
        failed = await got(api)
        assert failed["status"] == "failed"
        assert "no such model" in failed["error"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "nicheKey"),
        ("?agentKey=nope", "agentKey"),
        (f"?nicheKey={'x' * 101}", "nicheKey"),
        (f"?nicheKey={NICHE}&nicheKey={NICHE}", "nicheKey"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_an_area_has_to_be_named_properly(method: str, query: str, field: str) -> None:
    async with open_api() as api:
        assert field in faults_of(await api.call(method, f"/seo/topic-coverage{query}"))


async def test_an_unknown_filter_is_refused() -> None:
    async with open_api() as api:
        assert "filter" in faults_of(await api.call("GET", f"{PATH}&filter=hot"))


async def test_what_is_not_in_use_is_not_found() -> None:
    async with open_api() as api:
        for method, path in (
            ("GET", "/seo/topic-coverage?agentKey=home-energy-FR"),
            ("POST", "/seo/topic-coverage?nicheKey=ecommerce"),
            ("GET", "/governance/ecommerce"),
            ("GET", "/governance/home-energy-FR"),
            ("GET", f"/governance/{'x' * 101}"),
        ):
            answer = await api.call(method, path)
            assert (problem_of(answer)["code"], answer.status_code) == ("not_found", 404)


async def test_viewers_read_and_editors_recompute() -> None:
    async with open_api() as api:
        tenant_id = api.house.caller.tenant_id
        viewer: User = builders.user(tenant_id=tenant_id, role=Role.VIEWER)
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Users].add(viewer)
        key = await api.key_of(evolve(api.house.caller, user_id=viewer.id))
        answer = await api.call("POST", PATH, key=key)
        assert (problem_of(answer)["code"], answer.status_code) == ("not_permitted", 403)
        assert (await got(api, key=key))["status"] == "idle"
        await api.house.work()
        assert (await got(api, key=key))["status"] == "ready"
        assert (await got(api, f"/governance/{NICHE}", key=key))["nicheKey"] == NICHE


async def test_every_plan_may_and_no_quota_is_spent() -> None:
    async with open_api(PlanName.FREE) as api:
        before = await got(api, "/tenant/quotas")
        assert (await api.call("POST", PATH)).status_code == 200
        await api.house.work()
        assert (await got(api))["status"] == "ready"
        assert await got(api, "/tenant/quotas") == before


async def test_an_evaluation_has_every_criterion_with_its_evidence() -> None:
    async with open_api() as api:
        await api.call("POST", f"/seo/topic-coverage?agentKey={AGENT}")
        await api.house.work()
        content = await got(api, f"/governance/{AGENT}")
        assert set(content) == {
            "nicheKey", "agentKey", "evaluatedAt", "score", "grade", "criteria", "nextAction",
        }  # fmt: skip
        assert (content["nicheKey"], content["agentKey"]) == (NICHE, AGENT)
        assert [entry["criterion"] for entry in content["criteria"]] == [
            "coverage", "freshness", "diversity", "cadence", "originality", "grounding",
        ]  # fmt: skip
        for entry in content["criteria"]:
            assert set(entry) == {
                "criterion", "score", "grade", "weight", "measured", "evidence", "figures", "nextAction",
            }  # fmt: skip
            assert 0 <= entry["score"] <= 100
            assert entry["grade"] in "ABCDE"
        assert content["criteria"][0]["measured"] is True
        assert "agentKey" not in await got(api, f"/governance/{NICHE}")
        assert await got(api, f"/governance/{AGENT}") == content, "the same facts give the same evaluation"
