"""Enrichment on the wire: both shapes of the answer, the task, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from contentgen_adapters.web_search.catalog import SETTINGS
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.web_search import ConfiguredWebSearches
from tests.support.http import AGENT, Api, open_api, problem_of

TOPIC = "Noise limits for a heat pump in terraced houses"


async def start(api: Api, **more: Any) -> dict[str, Any]:
    answer = await api.call("POST", "/writer/enrich-kb-topic", {"agentKey": AGENT, "topic": TOPIC}, **more)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def test_a_started_enrichment_can_be_followed_to_its_end() -> None:
    async with open_api() as api:
        outcome = await start(api)
        task_id = outcome.pop("taskId")
        assert outcome.pop("queryTimeMs") >= 0
        assert outcome == {
            "success": True, "searchType": "scripted", "insightsIndexed": 0, "remainingEnrichments": 9,
        }  # fmt: skip
        task = (await api.call("GET", f"/writer/enrichment-status/{task_id}")).json()
        assert (task["status"], task["progress"], task["canGenerate"]) == ("pending", 5, False)
        assert {"error", "startedAt", "completedAt"}.isdisjoint(task)
        await api.house.work()
        task = (await api.call("GET", f"/writer/enrichment-status/{task_id}")).json()
        assert (task["status"], task["progress"], task["canGenerate"]) == ("completed", 100, True)
        assert task["insightsAdded"] >= 4
        assert task["startedAt"] <= task["completedAt"]
        assert "error" not in task


async def test_a_failed_one_says_why() -> None:
    async with open_api() as api:
        api.house.web.pages = {}
        task_id = (await start(api))["taskId"]
        await api.house.work()
        task = (await api.call("GET", f"/writer/enrichment-status/{task_id}")).json()
        assert (task["status"], task["progress"], task["canGenerate"]) == ("failed", 0, False)
        assert task["error"]


async def test_a_foreign_topic_is_rejected_with_a_reason() -> None:
    async with open_api() as api:
        body = {"agentKey": AGENT, "topic": "Medieval falconry manuals in Iceland", "nicheLabel": "Home energy"}
        answer = await api.call("POST", "/writer/enrich-kb-topic", body)
        assert answer.status_code == 200
        content = answer.json()
        assert set(content) == {"success", "rejected", "remainingEnrichments"}
        assert content["success"] is False
        assert set(content["rejected"]) == {"reason", "confidence"}
        assert content["remainingEnrichments"] == 10


async def test_another_tenants_task_is_not_found() -> None:
    async with open_api() as api:
        task_id = (await start(api))["taskId"]
        key = await api.key_of(await api.house.other_tenant())
        for answer in (
            await api.call("GET", f"/writer/enrichment-status/{task_id}", key=key),
            await api.call("GET", "/writer/enrichment-status/nope"),
        ):
            assert (problem_of(answer)["code"], answer.status_code) == ("not_found", 404)


@pytest.mark.parametrize("plan", [PlanName.FREE, PlanName.STARTER])
async def test_a_plan_without_enrichment_is_a_403(plan: PlanName) -> None:
    async with open_api(plan) as api:
        answer = await api.call("POST", "/writer/enrich-kb-topic", {"agentKey": AGENT, "topic": TOPIC})
        assert (problem_of(answer)["code"], answer.status_code) == ("plan_restriction", 403)


async def test_the_eleventh_of_a_day_is_a_429_and_a_repeated_key_spends_nothing() -> None:
    async with open_api() as api:
        repeated = {"headers": {"Idempotency-Key": "again"}}
        first, second = await start(api, **repeated), await start(api, **repeated)
        assert first["taskId"] == second["taskId"]
        for _ in range(9):
            await start(api)
        answer = await api.call("POST", "/writer/enrich-kb-topic", {"agentKey": AGENT, "topic": TOPIC})
        problem = problem_of(answer)
        assert (problem["status"], problem["code"], problem["limit"], problem["used"]) == (
            429,
            "daily_quota_exceeded",
            10,
            10,
        )
        assert int(answer.headers["Retry-After"]) > 0


async def test_without_a_search_the_answer_names_the_settings() -> None:
    async with open_api() as api:
        object.__setattr__(api.house.services.knowledge.enrich, "searches", ConfiguredWebSearches(None, None, SETTINGS))
        answer = await api.call("POST", "/writer/enrich-kb-topic", {"agentKey": AGENT, "topic": TOPIC})
        assert "CONTENTGEN_SERPER_API_KEY" in problem_of(answer)["detail"]
