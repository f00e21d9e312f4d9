"""Who may ask, how often, and in which order an operation refuses."""

from __future__ import annotations

import pytest

from contentgen_core.model.ids import UserId
from contentgen_core.model.tenant import PlanName, Role, User
from contentgen_core.ports.repositories.tenants import Users
from tests.support.http import AGENT, COVERED, NICHE, Api, Generous, faults_of, open_api, problem_of

NOBODY = "0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b11"


async def test_both_ways_of_sending_a_key_work() -> None:
    async with open_api() as api:
        assert (await api.call("GET", "/tenant")).status_code == 200
        for scheme in ("Bearer", "bearer", "BEARER"):
            headers = {"Authorization": f"{scheme} {api.key}"}
            assert (await api.call("GET", "/tenant", key=None, headers=headers)).status_code == 200


async def test_the_same_key_sent_both_ways_works_and_two_keys_do_not() -> None:
    async with open_api() as api:
        other = await api.key_of(api.house.caller)
        same = {"Authorization": f"Bearer {api.key}"}
        assert (await api.call("GET", "/tenant", headers=same)).status_code == 200
        differing = await api.call("GET", "/tenant", headers={"Authorization": f"Bearer {other}"})
        assert problem_of(differing)["code"] == "unauthenticated"
        assert differing.status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-API-Key": ""},
        {"X-API-Key": "cg_unknown"},
        {"X-API-Key": "k" * 5_000},
        {"X-API-Key": b"\xff\xfe"},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer cg_unknown"},
        {"Authorization": "Basic Y2c6Y2c="},
    ],
)
async def test_without_a_working_key_there_is_a_401(headers: dict[str, str]) -> None:
    async with open_api() as api:
        answer = await api.call("GET", "/articles", key=None, headers=headers)
        assert answer.status_code == 401
        assert problem_of(answer)["code"] == "unauthenticated"
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "ratelimit-limit" not in answer.headers


async def test_a_revoked_key_stops_working() -> None:
    async with open_api() as api:
        second = await api.call("POST", "/account/keys", {"name": "Second"})
        key, key_id = second.json()["key"], second.json()["id"]
        assert (await api.call("DELETE", f"/account/keys/{key_id}")).json() == {"success": True}
        assert (await api.call("GET", "/tenant", key=key)).status_code == 401
        listed = (await api.call("GET", "/account/keys")).json()["keys"]
        assert "revokedAt" in next(shown for shown in listed if shown["id"] == key_id)
        assert key not in str(listed)


async def test_every_answer_to_a_tenant_tells_its_rate_limit() -> None:
    async with open_api(PlanName.PRO) as api:
        for path, status in (("/articles", 200), ("/articles?page=0", 400), (f"/writer/{NOBODY}", 404)):
            answer = await api.call("GET", path)
            assert answer.status_code == status
            told = {name: answer.headers[f"ratelimit-{name}"] for name in ("limit", "remaining", "reset")}
            assert told == {"limit": "500", "remaining": "499", "reset": "1"}


async def test_a_used_up_minute_is_a_429_that_says_when_to_come_back() -> None:
    async with open_api(limiter=Generous(allowed=0)) as api:
        answer = await api.call("GET", "/articles")
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == "2"
        assert answer.headers["ratelimit-remaining"] == "0"
        problem = problem_of(answer)
        assert problem["code"] == "rate_limited"
        assert (problem["limit"], problem["used"]) == (500, 500)
        assert problem["resetsAt"] == "2026-03-10T12:00:59.200000Z"


async def test_keys_that_keep_failing_are_refused_before_they_are_looked_up() -> None:
    async with open_api() as api:
        api.limiter.allowed = 2
        statuses = [(await api.call("GET", "/tenant", key=f"cg_{n}")).status_code for n in range(4)]
        assert statuses == [401, 401, 429, 429]
        assert set(api.limiter.taken) == {"failures:testclient"}


async def _refusals(api: Api, key: str, body: dict[str, object]) -> tuple[int, str]:
    answer = await api.call("POST", "/writer/generate-plan", body, key=key)
    return answer.status_code, problem_of(answer)["code"]


async def test_an_operation_refuses_in_the_stated_order() -> None:
    """Each request has all the faults that come later in the order: 401, 429, 400, 403, 404, 409, 422."""
    async with open_api(PlanName.FREE) as api:
        everything: dict[str, object] = {
            "agentKey": "no-such-niche-GB", "topic": COVERED, "tone": "shrill", "articleLength": "very_long",
        }  # fmt: skip
        assert await _refusals(api, "cg_unknown", everything) == (401, "unauthenticated")
        api.limiter.allowed = 0
        assert await _refusals(api, api.key, everything) == (429, "rate_limited")
        api.limiter.allowed = 100
        assert await _refusals(api, api.key, everything) == (400, "invalid_input")
        everything["tone"] = "casual"
        assert await _refusals(api, api.key, everything) == (403, "plan_restriction")
        everything["articleLength"] = "short"
        assert await _refusals(api, api.key, everything) == (404, "not_found")
        await api.planned(autoValidate=True)
        everything |= {"agentKey": AGENT, "autoValidate": True, "coverageLevel": "low"}
        assert await _refusals(api, api.key, everything) == (409, "topic_already_generating")
        everything["topic"] = COVERED + " and spring"
        assert await _refusals(api, api.key, everything) == (422, "coverage_too_low")


async def test_a_bad_body_is_not_even_looked_at_without_a_key() -> None:
    async with open_api() as api:
        answer = await api.client.post("/writer/generate", content=b"{" * 200_000)
        assert answer.status_code == 401


async def test_the_monthly_quota_is_a_403_with_its_figures() -> None:
    async with open_api(PlanName.FREE) as api:
        for n in range(3):
            await api.planned(topic=f"{COVERED} number {n}", coverageLevel="high")
        answer = await api.call("POST", "/writer/generate", {"nicheId": NICHE, "topic": COVERED})
        assert answer.status_code == 403
        problem = problem_of(answer)
        assert problem["code"] == "quota_exceeded"
        assert (problem["limit"], problem["used"], problem["resetsAt"]) == (3, 3, "2026-04-01T00:00:00Z")


async def test_the_daily_quota_is_a_429_with_its_figures() -> None:
    async with open_api(PlanName.STARTER) as api:
        request = {"agentKey": AGENT, "topic": COVERED}
        for _ in range(5):
            checked = await api.call("POST", "/writer/check-kb-coverage", request)
            assert "remainingChecks" not in checked.json()
        answer = await api.call("POST", "/writer/check-kb-coverage", request)
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == str(12 * 3600)
        problem = problem_of(answer)
        assert problem["code"] == "daily_quota_exceeded"
        assert (problem["limit"], problem["used"], problem["resetsAt"]) == (5, 5, "2026-03-11T00:00:00Z")


async def test_a_viewer_reads_and_does_not_write() -> None:
    async with open_api() as api:
        services, owner = api.house.services, api.house.caller
        user_id = UserId("0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b12")
        viewer = User(user_id, owner.tenant_id, "Viewer", Role.VIEWER, api.house.clock.now())
        async with services.ports.unit_of_work() as tx:
            await tx[Users].add(viewer)
            made = await services.people.keys.create_in(tx, owner.tenant_id, user_id, "Viewer's key")
        assert (await api.call("GET", "/articles", key=made.secret)).status_code == 200
        for method, path, body in (
            ("POST", "/writer/generate", {"nicheId": NICHE, "topic": COVERED}),
            ("PATCH", f"/writer/{NOBODY}", {"title": "New"}),
            ("DELETE", f"/writer/{NOBODY}", None),
            ("POST", "/account/keys", {"name": "Another"}),
            ("POST", "/niches", {"name": "Mine"}),
        ):
            answer = await api.call(method, path, body, key=made.secret)
            assert (answer.status_code, problem_of(answer)["code"]) == (403, "not_permitted"), path


async def test_platform_admin_fields_are_for_platform_admins() -> None:
    async with open_api() as api:
        article_id = (await api.planned())["articleId"]
        answer = await api.call("PATCH", f"/writer/{article_id}", {"isPublic": True})
        assert (answer.status_code, problem_of(answer)["code"]) == (403, "not_permitted")
        admin = await api.house.services.people.tenants.create("Platform", PlanName.PRO, platform_admin=True)
        across = await api.call("PATCH", f"/writer/{article_id}", {"isPublic": True}, key=admin.key.secret)
        assert across.status_code == 404


async def test_a_forged_forwarded_address_is_not_believed() -> None:
    async with open_api() as api:
        await api.call("GET", "/tenant", key="cg_wrong", headers={"X-Forwarded-For": "203.0.113.9"})
        assert api.limiter.taken[-1] == "failures:testclient"


async def test_what_is_wrong_with_the_request_comes_before_what_the_plan_forbids() -> None:
    async with open_api(PlanName.FREE) as api:
        answer = await api.call("POST", "/writer/check-kb-coverage", {"agentKey": AGENT, "topic": "short"})
        assert faults_of(answer) == {"topic": "at least 10 characters"}
