"""Translation on the wire: what is answered, what is refused, and in which order."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.model.ids import UserId
from contentgen_core.model.tenant import PlanName, Role, User
from contentgen_core.ports.repositories.tenants import Users
from tests.support.http import Api, faults_of, open_api, problem_of

NOBODY = "0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b11"
FRENCH = {"targetLanguage": "fr"}
TEXT = {"text": "A **heat pump** is quiet [1].", "targetLanguage": "ja"}


async def ok(api: Api, method: str, path: str, body: object = None, **more: Any) -> dict[str, Any]:
    answer = await api.call(method, path, body, **more)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def a_published_article(api: Api) -> dict[str, Any]:
    article = await api.written()
    return await ok(api, "PATCH", f"/writer/{article['id']}", {"status": "published"})


async def test_an_article_is_translated_and_followed_as_a_generation() -> None:
    async with open_api() as api:
        article = await a_published_article(api)
        begun = await ok(api, "POST", f"/writer/{article['id']}/translate", FRENCH)
        translated, task = begun.pop("articleId"), begun.pop("translationId")
        assert begun == {
            "success": True, "status": "generating", "targetLanguage": "fr", "creditsUsed": 1, "creditsRemaining": 149,
        }  # fmt: skip
        following = await ok(api, "GET", f"/writer/generation-status/{translated}")
        assert (following["status"], following["progress"]) == ("generating", 0)
        await api.house.work()
        made = await ok(api, "GET", f"/writer/{translated}")
        assert (made["status"], made["language"], made["translationOf"]) == ("generated", "fr", article["id"])
        assert made["sources"] == article["sources"]
        assert "grounding" not in made
        assert "translationOf" not in article
        found = await ok(api, "GET", f"/translate/{task}")
        assert (found["status"], found["articleId"], found["creditsUsed"]) == ("completed", translated, 1)
        assert {"text", "error"}.isdisjoint(found)


async def test_a_text_is_translated_and_read_back() -> None:
    async with open_api() as api:
        begun = await ok(api, "POST", "/translate", TEXT)
        task = begun.pop("translationId")
        assert begun == {
            "success": True, "status": "translating", "targetLanguage": "ja", "creditsUsed": 1, "creditsRemaining": 149,
        }  # fmt: skip
        assert "text" not in await ok(api, "GET", f"/translate/{task}")
        await api.house.work()
        found = await ok(api, "GET", f"/translate/{task}")
        assert (found["status"], found["text"]) == ("completed", "A **HEAT PUMP** IS QUIET [1].")
        assert found["completedAt"] >= found["createdAt"]
        quotas = await ok(api, "GET", "/tenant/quotas")
        assert quotas["translationCredits"]["used"] == 1


async def test_a_failed_translation_says_why_and_costs_nothing() -> None:
    async with open_api() as api:
        api.house.model.translation = lambda text, request: "no marks"
        task = (await ok(api, "POST", "/translate", TEXT))["translationId"]
        await api.house.work()
        found = await ok(api, "GET", f"/translate/{task}")
        assert (found["status"], found["creditsUsed"]) == ("failed", 0)
        assert "⟦1⟧ is missing" in found["error"]
        assert (await ok(api, "GET", "/writer/translate-credits"))["used"] == 0


async def test_credits_of_the_month() -> None:
    async with open_api(PlanName.STARTER) as api:
        await ok(api, "POST", "/translate", {**TEXT, "text": "word " * 501})
        credits = await ok(api, "GET", "/writer/translate-credits")
        assert credits == {
            "limit": 30, "used": 2, "remaining": 28, "resetsAt": "2026-04-01T00:00:00Z", "wordsPerCredit": 500,
            "maxCreditsPerTranslation": 15,
            "targetLanguages": ["en", "fr", "es", "de", "it", "pt", "nl", "pl", "ru", "ar", "zh", "ja", "ko"],
        }  # fmt: skip


async def test_a_repeated_key_spends_nothing_and_another_body_is_a_conflict() -> None:
    async with open_api() as api:
        key = {"headers": {"Idempotency-Key": "once"}}
        first = await ok(api, "POST", "/translate", TEXT, **key)
        assert await ok(api, "POST", "/translate", TEXT, **key) == first
        other = await api.call("POST", "/translate", {**TEXT, "targetLanguage": "de"}, **key)
        assert (other.status_code, problem_of(other)["code"]) == (409, "idempotency_key_reused")
        article = await a_published_article(api)
        path, key = f"/writer/{article['id']}/translate", {"headers": {"Idempotency-Key": "twice"}}
        assert await ok(api, "POST", path, FRENCH, **key) == await ok(api, "POST", path, FRENCH, **key)
        assert (await ok(api, "GET", "/writer/translate-credits"))["used"] == 2


@pytest.mark.parametrize("path", [f"/writer/{NOBODY}/translate", "/translate"])
async def test_a_refusal_comes_in_the_stated_order(path: str) -> None:
    """400, 403 for the role and the plan, 404."""
    async with open_api(PlanName.FREE) as api:
        body: dict[str, object] = {"targetLanguage": "sv", **({"documentId": NOBODY} if path == "/translate" else {})}
        assert set(faults_of(await api.call("POST", path, body))) == {"targetLanguage"}
        body["targetLanguage"] = "fr"
        refused = await api.call("POST", path, body)
        assert (refused.status_code, problem_of(refused)["code"]) == (403, "plan_restriction")
    async with open_api() as api:
        missing = await api.call("POST", path, body)
        assert (missing.status_code, problem_of(missing)["code"]) == (404, "not_found")


async def test_an_article_that_is_not_published_is_a_409() -> None:
    async with open_api() as api:
        article = await api.written()
        refused = await api.call("POST", f"/writer/{article['id']}/translate", FRENCH)
        assert (refused.status_code, problem_of(refused)["code"]) == (409, "article_not_published")


async def test_its_own_language_and_missing_texts_are_a_400() -> None:
    async with open_api() as api:
        article = await a_published_article(api)
        refused = await api.call("POST", f"/writer/{article['id']}/translate", {"targetLanguage": "en"})
        assert set(faults_of(refused)) == {"targetLanguage"}
        for body in (FRENCH, {**TEXT, "documentId": NOBODY}, {**TEXT, "text": ""}, {**TEXT, "text": "x" * 120_001}):
            assert set(faults_of(await api.call("POST", "/translate", body))) == {"text"}
        assert set(faults_of(await api.call("POST", "/translate", {**TEXT, "tone": "casual"}))) == {"tone"}


async def test_viewers_read_credits_and_translate_nothing() -> None:
    async with open_api() as api:
        article, owner = await a_published_article(api), api.house.caller
        viewer = User(UserId(NOBODY), owner.tenant_id, "Viewer", Role.VIEWER, api.house.clock.now())
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Users].add(viewer)
        key = await api.key_of(evolve(owner, user_id=viewer.id))
        for path, body in ((f"/writer/{article['id']}/translate", FRENCH), ("/translate", TEXT)):
            refused = await api.call("POST", path, body, key=key)
            assert (refused.status_code, problem_of(refused)["code"]) == (403, "not_permitted")
        assert (await ok(api, "GET", "/writer/translate-credits", key=key))["used"] == 0
