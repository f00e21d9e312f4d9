"""Budgets of models over HTTP."""

from __future__ import annotations

from contentgen_core.model.budget import TOKENS
from contentgen_core.use_cases.budgets.manage_budgets import Limit
from tests.contract.test_http_surface import ok
from tests.support.http import AGENT, COVERED, NICHE, Api, faults_of, open_api, problem_of

MONTH = {"month": "2026-03-01", "resetsAt": "2026-04-01T00:00:00Z"}


async def limit(api: Api, tokens: int) -> None:
    await api.house.services.people.budgets.administer(api.house.caller.tenant_id, Limit(TOKENS, tokens))


async def test_an_agents_budget_is_set_read_and_removed() -> None:
    async with open_api() as api:
        assert await ok(api, "GET", "/tenant/budgets") == {**MONTH, "budgets": []}
        found = await ok(api, "PATCH", f"/agents/{AGENT}/budget", {"tokens": 5_000_000})
        own = {"agentKey": AGENT, "limit": 5_000_000, "spent": 0, "reserved": 0, "left": 5_000_000}
        assert found == {**MONTH, "budgets": [own]}
        await limit(api, 7_000_000)
        listed = (await ok(api, "GET", "/tenant/budgets"))["budgets"]
        assert [budget.get("agentKey") for budget in listed] == [None, AGENT]
        assert len((await ok(api, "DELETE", f"/agents/{AGENT}/budget"))["budgets"]) == 1


async def test_a_budget_is_one_of_tokens_or_one_of_money() -> None:
    async with open_api() as api:
        for body, field in (
            ({}, "amount"),
            ({"amount": 5}, "currency"),
            ({"currency": "EUR"}, "amount"),
            ({"tokens": 1, "amount": 5, "currency": "EUR"}, "tokens"),
            ({"amount": 5, "currency": "EUR"}, "currency"),
            ({"amount": -1, "currency": "EUR"}, "amount"),
        ):
            refused = await api.call("PATCH", f"/agents/{AGENT}/budget", body)
            assert (refused.status_code, set(faults_of(refused))) == (400, {field}), body


async def test_what_could_pass_a_budget_is_refused_and_costs_nothing() -> None:
    async with open_api() as api:
        await limit(api, 1_000)
        for path, body in (
            ("/writer/generate", {"nicheId": NICHE, "topic": COVERED}),
            ("/writer/generate-plan", {"agentKey": AGENT, "topic": COVERED}),
        ):
            refused = await api.call("POST", path, body)
            problem = problem_of(refused)
            assert (refused.status_code, problem["code"]) == (403, "budget_exceeded"), refused.text
            assert (problem["limit"], problem["used"], problem["resetsAt"]) == (1_000, 0, MONTH["resetsAt"])
        assert (await ok(api, "GET", "/tenant/quotas"))["articles"]["used"] == 0
        metrics = (await api.call("GET", "/metrics")).text
        assert 'contentgen_budget_refusals_total{scope="tenant"} 2.0' in metrics
