"""Reviews as a client sees them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from contentgen_core.model.review import ANONYMOUS
from contentgen_core.model.tenant import PlanName
from tests.contract.test_http_surface import ok
from tests.support.http import Api, faults_of, open_api, problem_of

REVIEW = {"rating": 5, "title": "It cites its sources", "comment": "Each sentence says where it comes from."}
SPAM = {"rating": 1, "title": "Cheaper", "comment": "at https://spam.example/offer"}
EMPTY = {"count": 0, "distribution": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0}}


async def somebody(api: Api, name: str = "Elsewhere", *, platform_admin: bool = False) -> str:
    """The key of a user of another tenant."""
    made = await api.house.services.people.tenants.create(name, PlanName.FREE, platform_admin=platform_admin)
    return await api.key_of(made.caller)


async def submitted(api: Api, body: dict[str, Any], **more: Any) -> dict[str, Any]:
    api.house.clock.advance(minutes=1)
    return await ok(api, "POST", "/reviews", body, **more)


async def test_a_review_is_shown_to_its_author_and_to_users_of_other_tenants() -> None:
    async with open_api() as api:
        assert await ok(api, "GET", "/reviews") == {
            "reviews": [], "total": 0, "page": 1, "limit": 20, "totalPages": 0, "summary": EMPTY,
        }  # fmt: skip
        answer = await api.call("GET", "/reviews/my-review")
        assert (answer.status_code, problem_of(answer)["code"]) == (404, "not_found")
        mine = await submitted(api, {**REVIEW, "author": " Ada "})
        assert mine == {
            **REVIEW, "id": mine["id"], "author": "Ada", "mine": True, "helpful": 0, "markedHelpful": False,
            "flagged": False, "createdAt": "2026-03-10T12:01:00Z", "updatedAt": "2026-03-10T12:01:00Z",
        }  # fmt: skip
        assert await ok(api, "GET", "/reviews/my-review") == mine
        shown = await ok(api, "GET", "/reviews", key=await somebody(api))
        assert shown["reviews"] == [mine | {"mine": False}]
        assert shown["summary"] == {"average": 5.0, "count": 1, "distribution": EMPTY["distribution"] | {"5": 1}}


async def test_a_review_tells_nothing_of_its_authors_account() -> None:
    async with open_api() as api:
        made = await api.house.services.people.tenants.create("Secret Tenant", PlanName.FREE)
        invited = await api.house.services.people.invite(api.house.caller, "secret@example.org", made.owner.role)
        joined = await api.house.services.people.accept_invitation(invited.token, "Secret Name")
        for key in (await api.key_of(made.caller), joined.key.secret):
            assert (await submitted(api, REVIEW, key=key))["author"] == ANONYMOUS
        answer = await api.call("GET", "/reviews", key=await somebody(api))
        assert answer.json()["total"] == 2
        hidden = (
            "Secret Tenant", "secret@example.org", "Secret Name", made.tenant.id, made.owner.id, joined.user.id,
            api.house.caller.tenant_id,
        )  # fmt: skip
        assert not [text for text in hidden if text in answer.text]


async def test_a_second_review_is_a_409_also_when_both_come_at_once() -> None:
    async with open_api() as api:
        answers = await asyncio.gather(*(api.call("POST", "/reviews", REVIEW) for _ in range(2)))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        refused = await api.call("POST", "/reviews", REVIEW)
        assert (refused.status_code, problem_of(refused)["code"]) == (409, "already_exists")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"rating": 0}, "rating"),
        ({"rating": 6}, "rating"),
        ({"rating": 4.5}, "rating"),
        ({"rating": "5"}, "rating"),
        ({"title": "x" * 121}, "title"),
        ({"title": "a\x00b"}, "title"),
        ({"title": "a\x1bb"}, "title"),
        ({"title": " "}, "title"),
        ({"comment": "x" * 4_001}, "comment"),
        ({"comment": "a\u202eb"}, "comment"),
        ({"comment": "\u200b"}, "comment"),
        ({"author": "x" * 101}, "author"),
        ({"author": None}, "author"),
        ({"flagged": False}, "flagged"),
        ({"helpful": 1_000}, "helpful"),
    ],
)
async def test_what_a_review_cannot_be_is_named(changes: dict[str, Any], field: str) -> None:
    async with open_api() as api:
        assert faults_of(await api.call("POST", "/reviews", REVIEW | changes)).keys() == {field}
        assert (await ok(api, "GET", "/reviews"))["total"] == 0


async def test_reviews_are_paged_and_sorted() -> None:
    async with open_api() as api:
        ids = {}
        for stars in (3, 5, 1, 4):
            key = await somebody(api, f"Tenant {stars}")
            ids[stars] = (await submitted(api, REVIEW | {"rating": stars}, key=key))["id"]
        for stars, readers in ((1, 2), (3, 1)):
            for _ in range(readers):
                await ok(api, "POST", f"/reviews/{ids[stars]}/helpful", key=await somebody(api))

        async def stars(query: str) -> list[int]:
            return [review["rating"] for review in (await ok(api, "GET", f"/reviews{query}"))["reviews"]]

        assert await stars("") == await stars("?sort=newest") == [4, 1, 5, 3]
        assert await stars("?sort=helpful") == [1, 3, 4, 5]
        assert await stars("?sort=rating") == [5, 4, 3, 1]
        assert await stars("?sort=rating&limit=3&page=2") == [1]
        page = await ok(api, "GET", "/reviews?limit=3&page=2")
        assert {name: page[name] for name in ("total", "page", "limit", "totalPages")} == {
            "total": 4, "page": 2, "limit": 3, "totalPages": 2,
        }  # fmt: skip
        assert page["summary"] == {
            "average": 3.25,
            "count": 4,
            "distribution": {"1": 1, "2": 0, "3": 1, "4": 1, "5": 1},
        }
        for wrong in ("limit=101", "limit=0", "page=0", "page=1001", "sort=oldest", "flagged=maybe"):
            assert faults_of(await api.call("GET", f"/reviews?{wrong}")).keys() == {wrong.partition("=")[0]}


async def test_helpful_counts_once_and_never_ones_own() -> None:
    async with open_api() as api:
        mine, other = await submitted(api, REVIEW), await somebody(api)
        path = f"/reviews/{mine['id']}/helpful"
        first = await ok(api, "POST", path, key=other)
        assert (first["helpful"], first["markedHelpful"], first["mine"]) == (1, True, False)
        assert await ok(api, "POST", path, key=other) == first
        own = await api.call("POST", path)
        assert (own.status_code, problem_of(own)["code"]) == (409, "own_review")
        assert (await ok(api, "GET", "/reviews/my-review"))["helpful"] == 1


async def test_a_flagged_review_waits_for_a_platform_administrator() -> None:
    async with open_api() as api:
        admin, other = await somebody(api, platform_admin=True), await somebody(api)
        flagged = await submitted(api, SPAM)
        assert (flagged["flagged"], flagged["flagReasons"]) == (True, ["link"])
        assert await ok(api, "GET", "/reviews/my-review") == flagged
        path = f"/reviews/{flagged['id']}"
        for key in (api.key, other, admin):
            listed = await ok(api, "GET", "/reviews", key=key)
            assert (listed["total"], listed["summary"]) == (0, EMPTY)
        assert (await api.call("POST", f"{path}/helpful", key=other)).status_code == 404
        for key in (api.key, other):
            assert (await api.call("GET", "/reviews?flagged=true", key=key)).status_code == 403
            assert (await api.call("PATCH", path, {"flagged": False}, key=key)).status_code == 403
        waiting = await ok(api, "GET", "/reviews?flagged=true", key=admin)
        assert (waiting["total"], waiting["summary"]) == (1, EMPTY)
        assert waiting["reviews"] == [flagged | {"mine": False}]
        cleared = await ok(api, "PATCH", path, {"flagged": False}, key=admin)
        assert (cleared["flagged"], "flagReasons" in cleared) == (False, False)
        assert (await ok(api, "GET", "/reviews", key=other))["summary"]["average"] == 1.0


async def test_only_its_author_changes_a_review_and_a_platform_administrator_deletes_it_too() -> None:
    async with open_api() as api:
        admin, other = await somebody(api, platform_admin=True), await somebody(api)
        path = f"/reviews/{(await submitted(api, REVIEW | {'author': 'Ada'}))['id']}"
        for key in (admin, other):
            assert (await api.call("PATCH", path, {"rating": 1}, key=key)).status_code == 404
        assert (await api.call("DELETE", path, key=other)).status_code == 404
        changed = await ok(api, "PATCH", path, {"rating": 2, "author": None})
        assert (changed["rating"], changed["title"], changed["author"]) == (2, REVIEW["title"], ANONYMOUS)
        assert faults_of(await api.call("PATCH", path, {"title": None})).keys() == {"title"}
        assert await ok(api, "DELETE", path, key=admin) == {"success": True}
        assert (await api.call("DELETE", path)).status_code == 404
        assert (await submitted(api, REVIEW))["rating"] == 5
