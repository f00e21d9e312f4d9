"""Article schedules and runs of agents on the wire."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.model.ids import UserId
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.testing import builders
from tests.support.http import AGENT, NICHE, Api, faults_of, open_api, problem_of
from tests.support.runs import articles
from tests.support.scripted_batches import ScriptedBatches

SCHEDULE = f"/niches/{NICHE}/article-schedule"
EXECUTE = f"/agents/{AGENT}/execute"
RUNS = f"/agents/{AGENT}/executions"
WEEKLY: dict[str, Any] = {"enabled": True, "days": ["mon"], "hour": 9, "timeZone": "Europe/Paris"}


async def ok(api: Api, method: str, path: str, body: object = None, **more: Any) -> dict[str, Any]:
    answer = await api.call(method, path, body, **more)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def viewers_key(api: Api) -> str:
    # An id of its own: those of builders count up as the house's do.
    viewer = builders.user(id=UserId("a viewer"), tenant_id=api.house.caller.tenant_id, role=Role.VIEWER)
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Users].add(viewer)
    return await api.key_of(evolve(api.house.caller, user_id=viewer.id))


async def work(api: Api) -> None:
    for _ in range(4):
        await api.house.work()
        api.house.clock.advance(seconds=16)


# ------------------------------------------------------------------------------------------------------- schedules


async def test_a_schedule_is_set_read_changed_and_cleared() -> None:
    async with open_api() as api:
        assert await ok(api, "GET", SCHEDULE) == {"enabled": False}
        sent = {**WEEKLY, "minute": 30, "articlesPerRun": 2, "autopublish": False, "note": {"by": ["me", None, 1.5]}}
        expected = {**sent, "nextRunAt": "2026-03-16T08:30:00Z"}
        assert await ok(api, "PATCH", SCHEDULE, sent) == expected
        assert await ok(api, "GET", SCHEDULE) == expected
        assert await ok(api, "PATCH", SCHEDULE, expected) == expected, "what was read may be sent back"
        changed = await ok(api, "PATCH", SCHEDULE, {"note": None, "minute": None, "autopublish": None})
        assert changed == {**WEEKLY, "articlesPerRun": 2, "nextRunAt": "2026-03-16T08:00:00Z"}
        assert "nextRunAt" not in await ok(api, "PATCH", SCHEDULE, {"enabled": False})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"enabled": True}, "days"),
        ({**WEEKLY, "days": []}, "days"),
        ({**WEEKLY, "days": ["mon", "mon"]}, "days"),
        ({**WEEKLY, "days": ["monday"]}, "days[0]"),
        ({**WEEKLY, "hour": 24}, "hour"),
        ({**WEEKLY, "hour": "9"}, "hour"),
        ({**WEEKLY, "minute": -1}, "minute"),
        ({**WEEKLY, "timeZone": "Mars/Olympus"}, "timeZone"),
        ({"articlesPerRun": 11}, "articlesPerRun"),
        ({"autopublish": "yes"}, "autopublish"),
        ({"processing": "fast"}, "processing"),
        ({"note": "nul \0"}, "note"),
        ({"note": {"nul\0": 1}}, "body"),
        ({"note": 2**60}, "note"),
        ([], "body"),
    ],
)
async def test_a_faulty_schedule_is_refused_by_field(body: Any, field: str) -> None:
    async with open_api() as api:
        assert field in faults_of(await api.call("PATCH", SCHEDULE, body))
        assert await ok(api, "GET", SCHEDULE) == {"enabled": False}


@pytest.mark.parametrize(
    "raw", [b"", b"{", b'{"a": "\\ud800"}', b'{"a": ' + b"[" * 5_000 + b"]" * 5_000 + b"}", b'{"a": 1e999}', b"null"]
)
async def test_what_is_no_json_object_is_a_400(raw: bytes) -> None:
    async with open_api() as api:
        answer = await api.call("PATCH", SCHEDULE, content=raw, headers={"Content-Type": "application/json"})
        assert problem_of(answer)["code"] == "invalid_input"


async def test_a_schedule_is_bounded() -> None:
    async with open_api() as api:
        assert (await api.call("PATCH", SCHEDULE, {"note": "x" * 16_384})).status_code == 413
        await ok(api, "PATCH", SCHEDULE, {"note": "x" * 16_000})
        assert "body" in faults_of(await api.call("PATCH", SCHEDULE, {"more": "x" * 1_000}))


async def test_a_schedule_needs_an_editor_and_a_niche_in_use() -> None:
    async with open_api() as api:
        key = await viewers_key(api)
        assert problem_of(await api.call("PATCH", SCHEDULE, WEEKLY, key=key))["code"] == "not_permitted"
        assert await ok(api, "GET", SCHEDULE, key=key) == {"enabled": False}
        for niche, code in (("ecommerce", "niche_not_activated"), ("nope", "not_found")):
            for method, body in (("GET", None), ("PATCH", WEEKLY)):
                answer = await api.call(method, f"/niches/{niche}/article-schedule", body)
                assert problem_of(answer)["code"] == code


async def test_another_tenant_sees_and_changes_nothing_of_it() -> None:
    async with open_api() as api:
        await ok(api, "PATCH", SCHEDULE, WEEKLY)
        theirs = await api.key_of(await api.house.other_tenant())
        assert await ok(api, "GET", SCHEDULE, key=theirs) == {"enabled": False}
        await ok(api, "PATCH", SCHEDULE, {"hour": 3}, key=theirs)
        assert (await ok(api, "GET", SCHEDULE))["hour"] == 9


# ------------------------------------------------------------------------------------------------------------ runs


async def test_a_run_from_its_start_to_its_end() -> None:
    async with open_api() as api:
        started = await ok(api, "POST", EXECUTE, {"articles": 2})
        assert set(started) == {"success", "executionId"}
        assert started["success"] is True
        [run] = (await ok(api, "GET", RUNS))["executions"]
        assert run == {
            "id": started["executionId"], "status": "queued", "trigger": "manual", "articles": [], "errors": [],
        }  # fmt: skip
        await api.house.work()
        [run] = (await ok(api, "GET", RUNS))["executions"]
        assert (run["status"], "completedAt" in run) == ("running", False)
        assert [article["status"] for article in run["articles"]] == ["generating"] * 2
        await work(api)
        [run] = (await ok(api, "GET", RUNS))["executions"]
        assert run["status"] == "completed"
        assert run["startedAt"].endswith("Z")
        assert run["completedAt"].endswith("Z")
        for article in run["articles"]:
            assert set(article) == {"articleId", "topic", "status"}
            assert (await ok(api, "GET", f"/writer/{article['articleId']}"))["title"] == f"On {article['topic']}"


async def test_a_run_needs_no_body_and_goes_by_the_schedule() -> None:
    async with open_api() as api:
        await ok(api, "PATCH", SCHEDULE, {"articlesPerRun": 2})
        await ok(api, "POST", EXECUTE)
        await work(api)
        [run] = (await ok(api, "GET", RUNS))["executions"]
        assert len(run["articles"]) == 2


async def test_errors_say_what_is_missing_and_deleted_articles_have_no_status() -> None:
    async with open_api() as api:
        await ok(api, "POST", EXECUTE, {"articles": 10})
        await work(api)
        [run] = (await ok(api, "GET", RUNS))["executions"]
        [error] = run["errors"]
        assert (error["code"], set(error)) == ("no_topic", {"code", "reason"})
        gone = run["articles"][0]["articleId"]
        await ok(api, "DELETE", f"/writer/{gone}")
        [run] = (await ok(api, "GET", RUNS))["executions"]
        assert set(run["articles"][0]) == {"articleId", "topic"}


async def test_the_newest_runs_come_first_within_the_limit() -> None:
    async with open_api() as api:
        ids = []
        for _ in range(3):
            ids.insert(0, (await ok(api, "POST", EXECUTE))["executionId"])
            await work(api)
        assert [run["id"] for run in (await ok(api, "GET", RUNS))["executions"]] == ids
        assert [run["id"] for run in (await ok(api, "GET", f"{RUNS}?limit=1"))["executions"]] == ids[:1]
        for limit in ("0", "101", "many"):
            assert "limit" in faults_of(await api.call("GET", f"{RUNS}?limit={limit}"))


@pytest.mark.parametrize(
    ("body", "field"), [({"articles": 0}, "articles"), ({"articles": 11}, "articles"), ({"topic": "Heat"}, "topic")]
)
async def test_a_faulty_run_is_refused_by_field(body: Any, field: str) -> None:
    async with open_api() as api:
        assert field in faults_of(await api.call("POST", EXECUTE, body))


async def test_a_second_run_is_a_conflict_and_the_same_key_the_same_run() -> None:
    async with open_api() as api:
        headers = {"Idempotency-Key": "once"}
        first = await ok(api, "POST", EXECUTE, {"articles": 1}, headers=headers)
        assert await ok(api, "POST", EXECUTE, {"articles": 1}, headers=headers) == first
        answer = await api.call("POST", EXECUTE, {"articles": 1})
        assert (problem_of(answer)["code"], answer.status_code) == ("run_under_way", 409)
        answer = await api.call("POST", EXECUTE, {"articles": 2}, headers=headers)
        assert problem_of(answer)["code"] == "idempotency_key_reused"


async def test_who_may_run_an_agent() -> None:
    async with open_api() as api:
        key = await viewers_key(api)
        assert problem_of(await api.call("POST", EXECUTE, key=key))["code"] == "not_permitted"
        assert await ok(api, "GET", RUNS, key=key) == {"executions": []}
        await ok(api, "POST", f"/niches/{NICHE}/deactivate")
        answer = await api.call("POST", EXECUTE)
        assert (problem_of(answer)["code"], answer.status_code) == ("agent_switched_off", 409)


async def test_an_agent_that_is_not_ones_own_is_not_found() -> None:
    async with open_api() as api:
        own = next(a["id"] for a in (await ok(api, "GET", "/agents"))["agents"])
        await ok(api, "POST", f"/agents/{own}/execute")
        stranger = (await api.house.services.people.tenants.create("Stranger", PlanName.PRO)).key.secret
        for agent in (own, AGENT, "nope", "x" * 101):
            for method, path in (("POST", f"/agents/{agent}/execute"), ("GET", f"/agents/{agent}/executions")):
                answer = await api.call(method, path, key=stranger)
                assert (problem_of(answer)["code"], answer.status_code) == ("not_found", 404)


async def test_no_article_left_is_a_403_with_the_quota() -> None:
    async with open_api(PlanName.FREE) as api:
        await ok(api, "POST", EXECUTE, {"articles": 3})
        await work(api)
        problem = problem_of(await api.call("POST", EXECUTE))
        assert (problem["code"], problem["status"], problem["limit"], problem["used"]) == ("quota_exceeded", 403, 3, 3)


async def test_who_follows_an_article_is_told_that_it_waits_for_a_batch() -> None:
    vendor = ScriptedBatches()
    async with open_api(batched=vendor) as api:
        stored = await ok(api, "PATCH", SCHEDULE, {"processing": "batch"})
        assert stored == {"enabled": False, "processing": "batch"}
        assert await ok(api, "PATCH", SCHEDULE, {"processing": None}) == {"enabled": False}
        await ok(api, "POST", f"/agents/{AGENT}/execute", {"articles": 1, "processing": "batch"})
        while await api.house.work():
            pass
        [article] = await articles(api.house)
        status = await ok(api, "GET", f"/writer/generation-status/{article.id}")
        assert status["status"] == "generating"
        assert status["message"] == "1 part waits for the answers of a batch, which come within a day."
        for _ in range(12):
            vendor.end()
            api.house.clock.advance(seconds=60)
            await api.house.work()
        status = await ok(api, "GET", f"/writer/generation-status/{article.id}")
        assert (status["progress"], "message" in status) == (100, False)


async def test_a_run_knows_no_other_processing() -> None:
    async with open_api() as api:
        answer = await api.call("POST", f"/agents/{AGENT}/execute", {"processing": "fast"})
        assert "processing" in faults_of(answer)
