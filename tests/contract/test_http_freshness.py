"""GET /articles/{id}/freshness and POST /articles/{id}/patch."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.knowledge import KbScope
from tests.support.house import NICHE, SOURCES
from tests.support.http import Api, open_api, problem_of


async def import_again(api: Api, title: str, text: str) -> None:
    [known] = [s for s in SOURCES if s.title == title]
    scope = KbScope(NICHE, api.house.caller.tenant_id)
    await api.house.services.knowledge.import_sources(scope, [evolve(known, text=text)])


async def freshness(api: Api, article: dict[str, Any]) -> dict[str, Any]:
    answer = await api.call("GET", f"/articles/{article['id']}/freshness")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_a_source_changes_and_its_sentence_follows() -> None:
    async with open_api() as api:
        article = await api.written()
        found = await freshness(api, article)
        assert (found["level"], found["stale"], found["dated"]) == ("fresh", [], [])
        assert found["sentences"] == len(article["grounding"]["sentences"])
        rest = article["grounding"]["sentences"][0]
        [source] = [s for s in article["sources"] if s["number"] == rest["citations"][0]]
        [text] = [s.text for s in SOURCES if s.title == source["title"]]
        await import_again(api, source["title"], text.replace(rest["text"].rstrip("."), "It says something else"))
        stale = (await freshness(api, article))["stale"]
        for one in stale:
            assert (one["text"], one["state"], one["number"]) == (rest["text"], "gone", source["number"])
            assert (one["proposal"], "now" in one, "changedAt" in one) == ("", False, True)
        body = {"sentences": [{"position": one["position"]} for one in stale]}
        left = await api.call("POST", f"/articles/{article['id']}/patch", body)
        assert (left.json()["level"], left.json()["updating"]) == ("fresh", [])
        after = (await api.call("GET", f"/writer/{article['id']}")).json()
        assert rest["text"] not in {s["text"] for s in after["grounding"]["sentences"]}
        others = [s for s in article["grounding"]["sentences"] if s["text"] != rest["text"]]
        assert after["grounding"]["sentences"] == others


async def test_the_articles_whose_sources_changed_are_listed() -> None:
    async with open_api() as api:
        article = await api.written()
        assert (await api.call("GET", "/articles/freshness")).json() == {"articles": []}
        api.house.clock.advance(seconds=60)
        [source, *_] = article["sources"]
        await import_again(api, source["title"], "This page says something else now, and at some length as well.")
        [found] = (await api.call("GET", "/articles/freshness?limit=5")).json()["articles"]
        assert (found["id"], found["title"], found["level"]) == (article["id"], article["title"], "stale")
        assert (found["stale"] > 0, found["reworded"]) == (True, 0)
        other = await api.key_of(await api.house.other_tenant())
        assert (await api.call("GET", "/articles/freshness", key=other)).json() == {"articles": []}
        assert (await api.call("GET", f"/articles/freshness?before={article['id']}", key=other)).status_code == 404
        after = await api.call("GET", f"/articles/freshness?before={article['id']}")
        assert after.json() == {"articles": []}
        for wrong in ("limit=0", "limit=21", "before="):
            assert (await api.call("GET", f"/articles/freshness?{wrong}")).status_code == 400


@pytest.mark.parametrize("enabled", [True, False])
async def test_the_posts_that_are_out_follow_a_patch_when_that_is_asked_for(enabled: bool) -> None:
    async with open_api() as api:
        article = await api.written()
        ids = []
        for name in ("Blog", "Without a post"):
            body = {"provider": "memory", "name": name, "credentials": {"token": TOKEN, "blog": "heat"}}
            ids.append((await api.call("POST", "/integrations", body)).json()["integration"]["id"])
        await api.call("POST", f"/integrations/{ids[0]}/publish", {"articleId": article["id"]})
        await api.house.work()
        await api.call("PATCH", f"/integrations/{ids[0]}", {"enabled": enabled})
        rest = article["grounding"]["sentences"][0]
        [source] = [s for s in article["sources"] if s["number"] == rest["citations"][0]]
        [text] = [s.text for s in SOURCES if s.title == source["title"]]
        await import_again(api, source["title"], text.replace(rest["text"].rstrip("."), "It says something else"))
        stale = (await freshness(api, article))["stale"]
        body = {"sentences": [{"position": one["position"]} for one in stale], "publish": True}
        updating = (await api.call("POST", f"/articles/{article['id']}/patch", body)).json()["updating"]
        assert [post["integrationId"] for post in updating] == (ids[:1] if enabled else [])
        await api.house.work()
        [post] = api.house.target.posts.values()
        assert (rest["text"].rstrip(".") in post.markdown) is not enabled
        for one in updating:
            assert (await api.call("GET", f"/publications/{one['publicationId']}")).json()["status"] == "published"


async def test_an_update_is_proposed_listed_and_decided() -> None:
    async with open_api() as api:
        article = await api.written()
        body = {"articleId": article["id"]}
        assert (await api.call("POST", "/article-updates", body)).json() == {}
        [source, *_] = article["sources"]
        await import_again(api, source["title"], "This page says something else now, and at some length as well.")
        update = (await api.call("POST", "/article-updates", body)).json()["update"]
        assert (update["state"], update["title"], update["articleId"]) == ("proposed", article["title"], article["id"])
        assert {change["state"] for change in update["changes"]} == {"gone"}
        assert (await api.call("GET", "/article-updates?state=proposed")).json() == {"updates": [update]}
        path = f"/article-updates/{update['id']}"
        assert (await api.call("GET", path)).json() == update
        for wrong in ({"sentences": []}, {"sentences": [{"position": 0}, {"position": 0}]}, {"publish": "yes"}):
            assert (await api.call("POST", f"{path}/accept", wrong)).status_code == 400
        applied = (await api.call("POST", f"{path}/accept", {})).json()
        assert (applied["state"], applied["applied"]) == ("applied", [c["position"] for c in update["changes"]])
        assert problem_of(await api.call("POST", f"{path}/reject"))["code"] == "update_decided"
        assert (await freshness(api, article))["level"] == "fresh"
        assert (await api.call("GET", f"/article-updates?before={update['id']}")).json() == {"updates": []}


async def test_a_refresh_policy_is_chosen_run_and_dropped() -> None:
    async with open_api() as api:
        await api.written()
        path = f"/niches/{NICHE}/refresh"
        assert (await api.call("GET", path)).status_code == 404
        made = (await api.call("PATCH", path, {"everyHours": 6})).json()
        assert (made["mode"], made["publish"], made["everyHours"], made["running"]) == ("review", False, 6, True)
        await api.house.work()
        looked = (await api.call("GET", path)).json()
        assert (looked["running"], looked["last"]["examined"]) == (False, 0)
        assert (await api.call("POST", f"{path}/run")).json()["running"] is True
        for wrong in ({"everyHours": 0}, {"everyHours": 721}, {"mode": "always"}):
            assert (await api.call("PATCH", path, wrong)).status_code == 400
        assert (await api.call("DELETE", path)).json() == {"success": True}
        assert (await api.call("DELETE", path)).status_code == 404


async def test_what_cannot_be_patched_is_said() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/articles/{article['id']}/patch"
        for body, field in (
            ({"sentences": []}, "sentences"),
            ({"sentences": [{"position": 0}]}, "sentences[0].position"),
            ({"sentences": [{"position": -1}]}, "sentences[0].position"),
            ({}, "sentences"),
        ):
            answer = await api.call("POST", path, body)
            assert answer.status_code == 400
            assert field in {fault["field"] for fault in answer.json()["errors"]}
        plan = (await api.planned())["articleId"]
        assert (await api.call("GET", f"/articles/{plan}/freshness")).json()["level"] == "unknown"
        nothing = await api.call("POST", f"/articles/{plan}/patch", {"sentences": [{"position": 0}]})
        assert problem_of(nothing)["code"] == "nothing_to_patch"
        assert (await api.call("GET", "/articles/nobody/freshness")).status_code == 404


async def test_the_update_of_an_article_names_those_of_its_translations() -> None:
    async with open_api() as api:
        article = await api.written()
        await api.call("PATCH", f"/writer/{article['id']}", {"status": "published"})
        begun = await api.call("POST", f"/writer/{article['id']}/translate", {"targetLanguage": "fr"})
        assert begun.status_code == 200, begun.text
        await api.house.work()
        [source, *_] = article["sources"]
        await import_again(api, source["title"], "This page says something else now, and at some length as well.")
        update = (await api.call("POST", "/article-updates", {"articleId": article["id"]})).json()["update"]
        assert update["translations"] == []
        accepted = (await api.call("POST", f"/article-updates/{update['id']}/accept", {})).json()
        [following] = accepted["translations"]
        assert (following["articleId"], following["language"]) == (begun.json()["articleId"], "fr")
        assert (following["state"], "reason" in following) == ("translating", False)
        await api.house.work()
        [listed] = (await api.call("GET", "/article-updates?state=applied")).json()["updates"]
        assert listed["translations"] == [following | {"state": "proposed"}]
        own = (await api.call("GET", f"/article-updates/{following['updateId']}")).json()
        assert own["follows"] == {"articleId": article["id"], "updateId": update["id"]}
        assert {change["proposal"] for change in own["changes"]} == {""}
        decided = (await api.call("POST", f"/article-updates/{own['id']}/accept", {})).json()
        assert (decided["state"], decided["translations"]) == ("applied", [])
