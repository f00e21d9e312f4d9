"""Integrations and publishing over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.testing import builders
from tests.support.http import NICHE, Api, open_api, problem_of

MEMORY = {"provider": "memory", "name": "Our blog", "credentials": {"token": TOKEN, "blog": "heat"}}


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


def refused(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    return problem_of(answer)


async def connected(api: Api, **changes: Any) -> dict[str, Any]:
    answer = await api.call("POST", "/integrations", MEMORY | changes)
    assert answer.status_code == 200, answer.text
    integration: dict[str, Any] = answer.json()["integration"]
    return integration


async def an_article(api: Api) -> ArticleId:
    article = builders.article(
        tenant_id=api.house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, content="Heat [1].\n"
    )
    async with api.house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article.id


class TestIntegrations:
    async def test_an_integration_is_connected_and_its_secret_never_shown(self, api: Api) -> None:
        made = await api.call("POST", "/integrations", MEMORY)
        assert made.json()["success"] is True
        integration = made.json()["integration"]
        assert integration["credentials"] == {"blog": "heat"}
        assert integration["secretsSet"] == ["token"]
        assert integration["health"] == "connected"
        shown = [
            made,
            await api.call("GET", "/integrations"),
            await api.call("GET", f"/integrations/{integration['id']}"),
        ]
        assert all(TOKEN not in answer.text for answer in shown)
        assert shown[1].json() == {"integrations": [integration]}
        assert shown[2].json() == integration
        stored = await api.house.services.publishing.integrations.get(api.house.caller, integration["id"])
        assert TOKEN not in repr(stored)
        assert TOKEN not in stored.sealed

    async def test_credentials_that_do_not_work_are_refused_with_the_reason(self, api: Api) -> None:
        answer = await api.call("POST", "/integrations", MEMORY | {"credentials": {"token": "wrong"}})
        assert refused(answer, 400)["code"] == "connection_test_failed"
        assert "the token is wrong" in answer.json()["detail"]
        assert (await api.call("GET", "/integrations")).json() == {"integrations": []}

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"provider": "nope"}, "provider"),
            ({"name": " "}, "name"),
            ({"name": "x" * 101}, "name"),
            ({"credentials": {}}, "credentials.token"),
            ({"credentials": {"token": TOKEN, "other": "x"}}, "credentials.other"),
            ({"credentials": {"token": 7}}, "credentials.token"),
            ({"settings": {"other": "x"}}, "settings.other"),
        ],
    )
    async def test_what_does_not_fit_is_named(self, api: Api, body: dict[str, Any], field: str) -> None:
        answer = await api.call("POST", "/integrations", MEMORY | body)
        assert [error["field"] for error in refused(answer, 400)["errors"]] == [field]

    async def test_a_change_keeps_the_secrets_that_are_not_sent(self, api: Api) -> None:
        integration = await connected(api)
        path = f"/integrations/{integration['id']}"
        changed = await api.call("PATCH", path, {"name": "Another", "credentials": {"blog": "cold"}})
        assert changed.json()["name"] == "Another"
        assert changed.json()["credentials"] == {"blog": "cold"}
        assert (await api.call("POST", f"{path}/test")).json()["success"] is True
        assert (await api.call("PATCH", path, {"credentials": {"blog": None}})).json()["credentials"] == {}

    async def test_a_change_to_credentials_that_do_not_work_changes_nothing(self, api: Api) -> None:
        integration = await connected(api)
        path = f"/integrations/{integration['id']}"
        answer = await api.call("PATCH", path, {"name": "Other", "credentials": {"token": "wrong"}})
        assert refused(answer, 400)["code"] == "connection_test_failed"
        assert (await api.call("GET", path)).json() == integration

    async def test_a_target_that_refuses_later_shows_on_the_integration(self, api: Api) -> None:
        integration = await connected(api)
        path = f"/integrations/{integration['id']}"
        async with api.house.services.ports.unit_of_work() as tx:
            stored = await tx[Integrations].get(api.house.caller.tenant_id, integration["id"])
            sealed = api.house.services.publishing.integrations.connect.sealed(stored.tenant_id, {"token": "revoked"})
            await tx[Integrations].save(evolve(stored, sealed=sealed))
        tested = (await api.call("POST", f"{path}/test")).json()
        assert tested == {"success": False, "message": "memory: the token is wrong"}
        shown = (await api.call("GET", path)).json()
        assert (shown["health"], shown["lastError"]) == ("failing", "memory: the token is wrong")

    async def test_the_plan_bounds_how_many_there_are(self) -> None:
        async with open_api(plan=PlanName.FREE) as api:
            await connected(api)
            answer = refused(await api.call("POST", "/integrations", MEMORY), 403)
            assert (answer["code"], answer["limit"], answer["used"]) == ("quota_exceeded", 1, 1)
            quotas = (await api.call("GET", "/tenant/quotas")).json()
            assert quotas["integrations"]["used"] == 1

    async def test_a_deleted_integration_is_gone(self, api: Api) -> None:
        integration = await connected(api)
        path = f"/integrations/{integration['id']}"
        assert (await api.call("DELETE", path)).json() == {"success": True}
        assert (await api.call("DELETE", path)).status_code == 404

    async def test_editors_may_publish_and_not_connect(self, api: Api) -> None:
        integration, article_id = await connected(api), await an_article(api)
        user = builders.user(tenant_id=api.house.caller.tenant_id, role=Role.EDITOR)
        async with api.house.services.ports.unit_of_work() as tx:
            await tx[Users].add(user)
            key = (await api.house.services.people.keys.create_in(tx, user.tenant_id, user.id, "Editor")).secret
        path = f"/integrations/{integration['id']}"
        for method, place, body in (
            ("POST", "/integrations", MEMORY),
            ("PATCH", path, {"enabled": False}),
            ("DELETE", path, None),
            ("POST", f"{path}/test", None),
        ):
            assert (await api.call(method, place, body, key=key)).status_code == 403
        published = await api.call("POST", f"{path}/publish", {"articleId": article_id}, key=key)
        assert published.status_code == 200

    async def test_providers_say_what_they_need_and_what_they_cannot(self, api: Api) -> None:
        [provider] = (await api.call("GET", "/integrations/providers")).json()["providers"]
        assert provider["id"] == "memory"
        assert provider["icon"].startswith("<svg")
        assert [field["name"] for field in provider["credentialFields"]] == ["token", "blog"]
        assert provider["credentialFields"][0]["secret"] is True

    async def test_options_come_from_the_declaration_or_from_the_target(self, api: Api) -> None:
        integration = await connected(api)
        path = "/integrations/providers/memory/options"
        assert [option["name"] for option in (await api.call("GET", path)).json()["options"]] == ["note"]
        asked = (await api.call("GET", f"{path}?integrationId={integration['id']}")).json()
        assert [option["name"] for option in asked["options"]] == ["note", "place"]
        assert asked["options"][0]["help"] == "As the target has it."
        assert (await api.call("GET", "/integrations/providers/nope/options")).status_code == 404
        assert (await api.call("GET", f"{path}?integrationId=nope")).status_code == 404


class TestPublishing:
    async def test_an_article_is_published_to_all_and_shows_where(self, api: Api) -> None:
        article_id = await an_article(api)
        await connected(api)
        await connected(api, name="Switched off", enabled=False)
        answer = (await api.call("POST", f"/writer/{article_id}/publish")).json()
        assert [publication["status"] for publication in answer["publications"]] == ["pending"]
        await api.house.work()
        shown = (await api.call("GET", f"/writer/{article_id}")).json()
        assert shown["status"] == "published"
        [publication] = shown["publications"]
        assert publication["status"] == "published"
        assert publication["url"] == "https://memory.example/1"
        assert (await api.call("GET", f"/publications/{publication['id']}")).json() == publication

    async def test_with_nothing_connected_there_is_nowhere_to_publish_to(self, api: Api) -> None:
        answer = await api.call("POST", f"/writer/{await an_article(api)}/publish")
        assert "no enabled integration" in refused(answer, 400)["detail"]

    async def test_the_outcome_is_waited_for(self) -> None:
        async with open_api() as api:
            article_id, _ = await an_article(api), await connected(api)

            async def sleep(_: float) -> None:
                await api.house.work()

            publish = evolve(api.house.services.publishing.publish, sleep=sleep, wait_seconds=30.0)
            publications = await publish.article(api.house.caller, article_id, None)
            assert [publication.status for publication in publications] == ["published"]
            assert await api.house.status(article_id) == "published"

    async def test_simultaneous_first_publishes_all_get_the_one_post(self, api: Api) -> None:
        integration, article_id = await connected(api), await an_article(api)
        paths = [f"/integrations/{integration['id']}/publish"] * 4 + [f"/writer/{article_id}/publish"] * 4
        answers = await asyncio.gather(*(api.call("POST", path, {"articleId": article_id}) for path in paths[:4]),
                                       *(api.call("POST", path) for path in paths[4:]))  # fmt: skip
        assert [answer.status_code for answer in answers] == [200] * 8
        bodies = [answer.json() for answer in answers]
        ids = {body["publication"]["id"] for body in bodies[:4]}
        ids |= {publication["id"] for body in bodies[4:] for publication in body["publications"]}
        assert len(ids) == 1
        await api.house.work()
        assert len(api.house.target.posts) == 1

    async def test_posts_are_looked_at_on_request(self, api: Api) -> None:
        integration, article_id = await connected(api), await an_article(api)
        path = f"/integrations/{integration['id']}/publish"

        async def publish(**more: Any) -> dict[str, Any]:
            id = (await api.call("POST", path, {"articleId": article_id, **more})).json()["publication"]["id"]
            await api.house.work()
            shown: dict[str, Any] = (await api.call("GET", f"/publications/{id}")).json()
            return shown

        made = await publish()
        assert (await api.call("POST", "/publications/verify", {})).json() == {
            "success": True, "publications": [], "queued": 1,
        }  # fmt: skip
        api.house.target.posts.clear()
        for body in ({"publicationIds": [made["id"]]}, {"articleId": article_id}):
            answer = (await api.call("POST", "/publications/verify", body)).json()
            [seen] = answer["publications"]
            assert (seen["id"], seen["status"], seen["finding"]) == (made["id"], "failed", "deleted")
            assert "anew" in seen["error"]
        kept = await publish()
        assert (kept["status"], kept["finding"]) == ("failed", "deleted")
        anew = await publish(anew=True)
        assert (anew["status"], anew["finding"]) == ("published", "intact")
        assert anew["remoteId"] != made["remoteId"]
        for wrong in ({"publicationIds": []}, {"publicationIds": ["x"] * 21}, {"other": 1}):
            refused(await api.call("POST", "/publications/verify", wrong), 400)
        refused(await api.call("POST", "/publications/verify", {"publicationIds": ["none"]}), 404)

    async def test_posts_are_taken_back_on_request(self, api: Api) -> None:
        integration, article_id = await connected(api), await an_article(api)
        body = {"articleId": article_id}
        made = (await api.call("POST", f"/integrations/{integration['id']}/publish", body)).json()["publication"]
        path = f"/publications/{made['id']}"
        refused(await api.call("DELETE", f"{path}/post"), 409)  # it is under way
        await api.house.work()
        drafted = (await api.call("POST", f"{path}/unpublish")).json()
        assert (drafted["status"], drafted["postStatus"], drafted["finding"]) == ("published", "draft", "intact")
        removed = (await api.call("DELETE", f"{path}/post")).json()
        assert (removed["status"], removed["finding"]) == ("removed", "deleted")
        assert api.house.target.posts == {}
        refused(await api.call("DELETE", f"{path}/post"), 409)

    async def test_content_of_ones_own_is_published_with_all_fields(self, api: Api) -> None:
        integration = await connected(api)
        body = {
            "title": "Heat",
            "content": "Heat *moves*.",
            "excerpt": "Short",
            "slug": "heat",
            "tags": ["a"],
            "categories": ["b"],
            "category": "c",
            "status": "draft",
            "featuredImage": "https://example.com/a.png",
            "canonicalUrl": "https://example.com/heat",
            "note": "an option",
        }
        answer = await api.call("POST", f"/integrations/{integration['id']}/publish", body)
        assert answer.json()["success"] is True
        await api.house.work()
        post = api.house.target.posts["1"]
        assert (post.title, post.markdown, post.excerpt, post.slug) == ("Heat", "Heat *moves*.", "Short", "heat")
        assert (post.tags, post.categories, post.status) == (("a",), ("c", "b"), "draft")
        assert post.options == {"note": "an option"}
        assert post.canonical_url == "https://example.com/heat"

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "title"),
            ({"title": "x"}, "content"),
            ({"title": "x", "content": "y", "unknown": 1}, "unknown"),
            ({"title": "x", "content": "y", "note": "\0"}, "note"),
            ({"title": "x", "content": "y", "status": "later"}, "status"),
            ({"title": "x", "content": "y", "status": "scheduled"}, "scheduledFor"),
        ],
    )
    async def test_a_wish_that_cannot_be_fulfilled_is_named(self, api: Api, body: dict[str, Any], field: str) -> None:
        integration = await connected(api)
        answer = await api.call("POST", f"/integrations/{integration['id']}/publish", body)
        assert field in [error["field"] for error in refused(answer, 400)["errors"]]

    async def test_an_idempotency_key_publishes_once(self, api: Api) -> None:
        integration = await connected(api)
        path, body = f"/integrations/{integration['id']}/publish", {"title": "Heat", "content": "moves"}
        headers = {"Idempotency-Key": "k"}
        first = await api.call("POST", path, body, headers=headers)
        again = await api.call("POST", path, body, headers=headers)
        assert first.json()["publication"]["id"] == again.json()["publication"]["id"]
        other = await api.call("POST", path, body | {"title": "Cold"}, headers=headers)
        assert refused(other, 409)["code"] == "idempotency_key_reused"
        await api.house.work()
        assert len(api.house.target.posts) == 1

    async def test_a_switched_off_integration_is_not_published_to(self, api: Api) -> None:
        integration = await connected(api, enabled=False)
        body = {"title": "Heat", "content": "moves"}
        answer = await api.call("POST", f"/integrations/{integration['id']}/publish", body)
        assert "switched off" in refused(answer, 409)["detail"]

    async def test_a_failed_publication_can_be_retried_or_marked(self, api: Api) -> None:
        integration, article_id = await connected(api), await an_article(api)
        api.house.target.before = _refuse_creating
        await api.call("POST", f"/integrations/{integration['id']}/publish", {"articleId": article_id})
        await api.house.work()
        [publication] = (await api.call("GET", f"/writer/{article_id}")).json()["publications"]
        assert (publication["status"], publication["error"]) == ("failed", "memory: no room")
        api.house.target.before = lambda _: None
        path = f"/publications/{publication['id']}"
        assert (await api.call("POST", f"{path}/retry")).json()["status"] == "pending"
        await api.house.work()
        assert (await api.call("GET", path)).json()["status"] == "published"
        answer = await api.call("POST", f"{path}/mark", {"status": "failed"})
        assert refused(answer, 409)["code"] == "illegal_transition"
        assert (await api.call("POST", f"{path}/mark", {"status": "pending"})).status_code == 400

    async def test_another_tenants_places_and_posts_are_not_found(self, api: Api) -> None:
        integration, article_id = await connected(api), await an_article(api)
        await api.call("POST", f"/writer/{article_id}/publish")
        await api.house.work()
        [publication] = (await api.call("GET", f"/writer/{article_id}")).json()["publications"]
        key = await api.key_of(await api.house.other_tenant())
        path = f"/integrations/{integration['id']}"
        for method, place, body in (
            ("GET", path, None),
            ("PATCH", path, {"name": "Mine"}),
            ("DELETE", path, None),
            ("POST", f"{path}/test", None),
            ("POST", f"{path}/publish", {"title": "x", "content": "y"}),
            ("GET", f"/integrations/providers/memory/options?integrationId={integration['id']}", None),
            ("POST", f"/writer/{article_id}/publish", None),
            ("GET", f"/publications/{publication['id']}", None),
            ("POST", f"/publications/{publication['id']}/retry", None),
            ("POST", f"/publications/{publication['id']}/mark", {"status": "published"}),
        ):
            assert (await api.call(method, place, body, key=key)).status_code == 404, place
        assert (await api.call("GET", path)).json() == integration


def _refuse_creating(name: str) -> None:
    from contentgen_core.ports.publishing import PublishFailed, Refusal

    if name == "create":
        raise PublishFailed("memory", "no room", Refusal.INVALID)
