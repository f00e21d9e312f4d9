"""Approval on the wire, and each way out of a niche that demands it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.testing import builders
from tests.support.http import NICHE, Api, faults_of, open_api, problem_of
from tests.support.team import joined

RULES = f"/niches/{NICHE}/approval"


async def ok(api: Api, method: str, path: str, body: object = None, **more: Any) -> dict[str, Any]:
    answer = await api.call(method, path, body, **more)
    assert answer.status_code == 200, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def member(api: Api, role: Role) -> tuple[str, str]:
    """Id and key of another user of the tenant."""
    _, caller = await joined(api.house, role)
    return caller.user_id, await api.key_of(caller)


async def connected(api: Api) -> str:
    body = {"provider": "memory", "name": "Blog", "credentials": {"token": TOKEN, "blog": "heat"}}
    id: str = (await ok(api, "POST", "/integrations", body))["integration"]["id"]
    return id


async def test_an_article_is_submitted_sent_back_and_approved() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/articles/{article['id']}"
        assert article["approval"].keys() == {"state", "textHash", "readerHash"}
        assert (article["approval"]["state"], len(article["approval"]["textHash"])) == ("none", 64)
        editor, key = await member(api, Role.EDITOR)
        submitted = (await ok(api, "POST", f"{path}/submit", key=key))["approval"]
        assert (submitted["state"], submitted["by"], submitted["at"][-1]) == ("inReview", editor, "Z")
        listed = await ok(api, "GET", "/articles?approval=inReview")
        assert [one["approval"] for one in listed["articles"]] == [{k: submitted[k] for k in ("state", "by", "at")}]
        for wrong in ({}, {"reason": ""}, {"reason": "x" * 2_001}, {"reason": 1}):
            assert "reason" in faults_of(await api.call("POST", f"{path}/send-back", wrong))
        back = (await ok(api, "POST", f"{path}/send-back", {"reason": "Who says that?"}))["approval"]
        assert (back["state"], back["reason"]) == ("changesRequested", "Who says that?")
        assert problem_of(await api.call("POST", f"{path}/approve", key=key))["code"] == "not_permitted"
        await ok(api, "PATCH", f"/writer/{article['id']}", {"title": "Another title"})
        old = {"textHash": article["approval"]["textHash"]}
        assert problem_of(await api.call("POST", f"{path}/approve", old))["code"] == "nothing_to_approve"
        approved = (await ok(api, "POST", f"{path}/approve"))["approval"]
        assert (approved["state"], approved["by"]) == ("approved", api.house.caller.user_id)
        assert (await ok(api, "POST", f"{path}/approve", {"textHash": approved["textHash"]}))["approval"] == approved
        lapsed = (await ok(api, "PATCH", f"/writer/{article['id']}", {"title": "A third title"}))["approval"]
        assert (lapsed["state"], lapsed["reason"], "by" in lapsed) == (
            "inReview",
            "The text was changed after it was approved.",
            False,
        )
        assert (await ok(api, "GET", "/articles?approval=approved"))["total"] == 0
        for wrong_query in ("none", "maybe", ""):
            assert (await api.call("GET", f"/articles?approval={wrong_query}")).status_code == 400
        for wrong_hash in ("x", "A" * 64, "0" * 65):
            assert (await api.call("POST", f"{path}/approve", {"textHash": wrong_hash})).status_code == 400


async def test_what_goes_out_beside_the_text_is_approved_with_it() -> None:
    async with open_api() as api:
        article, place = await api.written(), await connected(api)
        await ok(api, "PATCH", RULES, {"required": True})
        path, to = f"/articles/{article['id']}", f"/integrations/{place}/publish"
        chosen = {"tags": ["heat"], "categories": ["Guides"], "canonicalUrl": "https://example.org/sizing"}
        asked = (await ok(api, "POST", f"{path}/submit", {"details": chosen}))["approval"]
        assert asked["details"] == {**chosen, "options": {}}
        old = {"readerHash": article["approval"]["readerHash"]}
        assert problem_of(await api.call("POST", f"{path}/approve", old))["code"] == "nothing_to_approve"
        approved = (await ok(api, "POST", f"{path}/approve", {"readerHash": asked["readerHash"]}))["approval"]
        assert approved["details"] == {**chosen, "slug": article["slug"], "options": {}}
        for name, value in {"tags": ["spam"], "canonicalUrl": "https://evil.example/", "slug": "mine"}.items():
            refused = problem_of(await api.call("POST", to, {"articleId": article["id"], name: value}))
            assert (refused["status"], refused["code"]) == (409, "approval_required")
            assert name in refused["detail"]
            assert "approved again" in refused["detail"]
        await ok(api, "POST", to, {"articleId": article["id"], **chosen})
        await api.house.work()
        [post] = api.house.target.posts.values()
        assert (post.tags, post.categories, post.canonical_url) == (("heat",), ("Guides",), chosen["canonicalUrl"])
        for wrong in ({"tags": "x"}, {"canonicalUrl": "javascript:x"}, {"options": {"nowhere": {}}}, {"other": 1}):
            assert (await api.call("POST", f"{path}/submit", {"details": wrong})).status_code == 400


async def test_who_approves_is_chosen_for_a_niche() -> None:
    async with open_api() as api:
        assert await ok(api, "GET", RULES) == {"required": False, "roles": ["admin"], "userIds": []}
        viewer, key = await member(api, Role.VIEWER)
        rules = {"required": True, "roles": [], "userIds": [viewer]}
        assert await ok(api, "PATCH", RULES, rules) == rules
        assert await ok(api, "PATCH", RULES, {}) == rules
        assert await ok(api, "GET", RULES) == rules
        article = await api.written()
        assert (await api.call("POST", f"/articles/{article['id']}/approve")).status_code == 403
        assert (await ok(api, "POST", f"/articles/{article['id']}/approve", key=key))["approval"]["by"] == viewer
        assert faults_of(await api.call("PATCH", RULES, {"userIds": []})).keys() == {"roles"}
        assert problem_of(await api.call("PATCH", RULES, {"userIds": ["nobody"]}))["code"] == "not_found"
        assert (await api.call("PATCH", RULES, {"roles": ["god"]})).status_code == 400
        assert (await api.call("PATCH", RULES, {"required": False}, key=key)).status_code == 403
        assert (await api.call("DELETE", RULES, key=key)).status_code == 403
        await ok(api, "DELETE", RULES)
        assert (await ok(api, "GET", RULES))["required"] is False


Way = Callable[[Api, dict[str, Any], str], Awaitable[Any]]


async def _everywhere(api: Api, article: dict[str, Any], integration: str) -> Any:
    return await api.call("POST", f"/writer/{article['id']}/publish")


async def _to_one_place(api: Api, article: dict[str, Any], integration: str) -> Any:
    return await api.call("POST", f"/integrations/{integration}/publish", {"articleId": article["id"]})


async def _as_a_draft(api: Api, article: dict[str, Any], integration: str) -> Any:
    body = {"articleId": article["id"], "status": "draft"}
    return await api.call("POST", f"/integrations/{integration}/publish", body)


async def _in_other_words(api: Api, article: dict[str, Any], integration: str) -> Any:
    body = {"articleId": article["id"], "content": "Something else."}
    return await api.call("POST", f"/integrations/{integration}/publish", body)


async def _by_its_status(api: Api, article: dict[str, Any], integration: str) -> Any:
    return await api.call("PATCH", f"/writer/{article['id']}", {"status": "published"})


async def _on_a_schedule(api: Api, article: dict[str, Any], integration: str) -> Any:
    at = (api.house.clock.now() + timedelta(hours=1)).isoformat()
    return await api.call("PATCH", f"/writer/{article['id']}", {"status": "scheduled", "scheduledFor": at})


@pytest.mark.parametrize(
    "way", [_everywhere, _to_one_place, _as_a_draft, _in_other_words, _by_its_status, _on_a_schedule]
)
async def test_no_way_out_lets_an_unapproved_text_through(way: Way) -> None:
    async with open_api() as api:
        article, integration = await api.written(), await connected(api)
        await ok(api, "PATCH", RULES, {"required": True})
        for step in ("", "submit"):
            if step:
                await ok(api, "POST", f"/articles/{article['id']}/{step}")
            problem = problem_of(await way(api, article, integration))
            assert (problem["status"], problem["code"]) == (409, "approval_required")
            assert "approv" in problem["detail"]
        await api.house.work()
        assert api.house.target.posts == {}
        assert (await ok(api, "GET", f"/writer/{article['id']}"))["status"] == "generated"
        await ok(api, "POST", f"/articles/{article['id']}/approve")
        assert (await way(api, article, integration)).status_code == (409 if way is _in_other_words else 200)


async def test_a_post_that_is_out_is_not_updated_unapproved() -> None:
    async with open_api() as api:
        article, integration = await api.written(), await connected(api)
        published = await ok(api, "POST", f"/integrations/{integration}/publish", {"articleId": article["id"]})
        await api.house.work()
        await ok(api, "PATCH", RULES, {"required": True})
        retry = f"/publications/{published['publication']['id']}/retry"
        assert problem_of(await api.call("POST", retry))["code"] == "approval_required"
        await ok(api, "POST", f"/articles/{article['id']}/approve")
        assert (await api.call("POST", retry)).status_code == 200


async def test_a_public_page_waits_for_the_approval_of_its_text() -> None:
    async with open_api() as api:
        article = await api.written()
        admin = builders.user(tenant_id=api.house.caller.tenant_id, role=Role.OWNER, platform_admin=True)
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Users].add(admin)
        key = await api.key_of(evolve(api.house.caller, user_id=admin.id))
        await ok(api, "PATCH", RULES, {"required": True})
        show = {"isPublic": True}
        assert problem_of(await api.call("PATCH", f"/writer/{article['id']}", show, key=key))["status"] == 409
        await ok(api, "POST", f"/articles/{article['id']}/approve")
        slug = (await ok(api, "PATCH", f"/writer/{article['id']}", show, key=key))["slug"]
        await ok(api, "PATCH", f"/writer/{article['id']}", {"content": "Nobody has read this.\n"})
        page = f"/public/kb-articles/{slug}"
        assert (await api.call("GET", page, key=None)).status_code == 404
        await ok(api, "POST", f"/articles/{article['id']}/approve")
        assert "Nobody has read this" in (await api.call("GET", page, key=None)).text


async def test_the_versions_of_a_text_are_listed_read_compared_and_restored() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/articles/{article['id']}/versions"
        first = {k: v for k, v in article["approval"].items() if k == "textHash"}
        [version] = (await ok(api, "GET", path))["versions"]
        assert (version["number"], version["cause"], version["textHash"]) == (1, "generated", first["textHash"])
        assert (version["by"], "publishedAt" in version) == (api.house.caller.user_id, False)
        content = article["content"].rstrip() + "\n\nNobody says this.\n"
        await ok(api, "PATCH", f"/writer/{article['id']}", {"content": content, "title": "Another"})
        assert [v["cause"] for v in (await ok(api, "GET", path))["versions"]] == ["edited", "generated"]
        assert (await ok(api, "GET", f"{path}?before=2"))["versions"] == [version]
        read = await ok(api, "GET", f"{path}/1")
        assert (read["version"], read["content"], read["excerpt"]) == (version, article["content"], article["excerpt"])
        diff = await ok(api, "GET", f"{path}/1/diff?with=2")
        [change] = diff["changes"]
        assert (change["before"], change["after"], diff["fields"]) == ([], ["Nobody says this."], ["title"])
        restored = await ok(api, "POST", f"{path}/1/restore")
        assert (restored["content"], restored["title"]) == (article["content"], article["title"])
        assert restored["grounding"] == article["grounding"]
        for unknown in ("0", "9", "x", "-1", "1.0", "9" * 30, "\u0661"):
            assert problem_of(await api.call("GET", f"{path}/{unknown}"))["code"] == "not_found"
        assert await ok(api, "GET", f"{path}/1/diff?with=3") == await ok(api, "GET", f"{path}/1/diff")
        for wrong in ("?with=", "?with=0", "?with=x"):
            assert (await api.call("GET", f"{path}/1/diff{wrong}")).status_code == 400
        assert problem_of(await api.call("GET", f"{path}/1/diff?with=9"))["code"] == "not_found"
        for wrong in ("?limit=0", "?limit=101", "?before=0"):
            assert (await api.call("GET", f"{path}{wrong}")).status_code == 400


async def test_a_sentence_is_commented_on_and_marked_as_reviewed() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/articles/{article['id']}"
        sentence = article["grounding"]["sentences"][1]["text"]
        made = await ok(api, "POST", f"{path}/comments", {"sentence": sentence, "text": "Who says that?"})
        assert (made["sentence"], made["position"], made["detached"], made["resolved"]) == (sentence, 1, False, False)
        replied = await ok(api, "POST", f"/article-comments/{made['id']}/replies", {"text": "The manual."})
        assert [reply["text"] for reply in replied["replies"]] == ["The manual."]
        assert await ok(api, "GET", f"{path}/comments?state=open") == {"comments": [replied]}
        resolved = await ok(api, "PATCH", f"/article-comments/{made['id']}", {"resolved": True})
        assert (resolved["resolved"], resolved["resolvedBy"]) == (True, api.house.caller.user_id)
        assert await ok(api, "GET", f"{path}/comments?state=open") == {"comments": []}
        await ok(api, "PATCH", f"/writer/{article['id']}", {"content": "Nothing of it is left.\n"})
        [detached] = (await ok(api, "GET", f"{path}/comments"))["comments"]
        assert (detached["detached"], "position" in detached) == (True, False)
        assert await ok(api, "GET", f"{path}/comments?before={made['id']}") == {"comments": []}
        for wrong in ({"sentence": sentence}, {"text": "x"}, {"sentence": sentence, "text": " "}):
            assert (await api.call("POST", f"{path}/comments", wrong)).status_code == 400
        gone = {"sentence": sentence, "text": "Gone."}
        assert (await api.call("POST", f"{path}/comments", gone)).status_code == 409
        reviewed = await ok(api, "POST", f"{path}/reviewed", {"sentences": [0]})
        assert (reviewed["total"], reviewed["reviewed"]) == (1, 1)
        assert reviewed["sentences"][0]["reviews"][0]["by"] == api.house.caller.user_id
        assert await ok(api, "GET", f"{path}/reviewed") == reviewed
        assert (await ok(api, "GET", f"{path}/reviewed?first=1"))["sentences"] == []
        assert (await api.call("POST", f"{path}/reviewed", {"sentences": [1]})).status_code == 409
        for positions in ([], [-1], ["0"]):
            assert (await api.call("POST", f"{path}/reviewed", {"sentences": positions})).status_code == 400
        await ok(api, "DELETE", f"/article-comments/{made['id']}")
        assert problem_of(await api.call("DELETE", f"/article-comments/{made['id']}"))["code"] == "not_found"
