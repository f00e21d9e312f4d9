"""Team, account, settings and keys as clients with keys see them, and those who have none yet."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import time
from typing import Any

import pytest
from litestar.testing import AsyncTestClient

from contentgen_core.model.tenant import PlanName
from contentgen_http.api.auth import FRESH_SECONDS
from contentgen_http.routes.team import origin
from tests.contract.test_http_surface import ok
from tests.support.changed import changed
from tests.support.http import Api, Generous, faults_of, open_api, problem_of
from tests.support.prepared_app import create_app

ROLES = ("owner", "admin", "editor", "viewer")


def token_of(invited: dict[str, Any]) -> str:
    return str(invited["inviteUrl"]).partition("?token=")[2]


async def invited(api: Api, role: str = "editor", email: str = "ada@example.org", **more: Any) -> dict[str, Any]:
    return await ok(api, "POST", "/team/invite", {"email": email, "role": role}, **more)


async def joined(api: Api, role: str = "editor", email: str = "ada@example.org") -> dict[str, Any]:
    body = {"token": token_of(await invited(api, role, email)), "name": "Ada"}
    return await ok(api, "POST", "/team/accept", body, key=None)


async def refused(api: Api, method: str, path: str, body: object = None, **more: Any) -> tuple[int, str]:
    answer = await api.call(method, path, body, **more)
    return answer.status_code, problem_of(answer)["code"]


async def test_an_invitation_is_shown_with_its_link_once() -> None:
    async with open_api() as api:
        made = await invited(api)
        assert set(made) == {"id", "role", "status", "email", "invitedAt", "expiresAt", "delivery", "inviteUrl"}
        assert (made["status"], made["role"], made["email"]) == ("invited", "editor", "ada@example.org")
        assert (made["invitedAt"], made["expiresAt"]) == ("2026-03-10T12:00:00Z", "2026-03-17T12:00:00Z")
        assert made["inviteUrl"].startswith("http://testserver.local/team/accept?token=")
        listed = await ok(api, "GET", "/team")
        assert listed["total"] == len(listed["members"]) == 2
        owner, shown = listed["members"]
        assert set(owner) == {"id", "role", "status", "name", "platformAdmin", "createdAt", "lastActiveAt"}
        assert (owner["status"], owner["role"], owner["platformAdmin"]) == ("active", "owner", False)
        assert shown == {name: made[name] for name in made if name != "inviteUrl"}
        await api.house.work()
        assert (await ok(api, "GET", "/team"))["members"][1]["delivery"] == "logged"


async def test_a_link_starts_with_the_public_address_where_one_is_set() -> None:
    async with open_api() as api:
        services = changed(api.house.services, options={"public_url": "https://articles.example.org/cg"})
        async with AsyncTestClient(create_app(services)) as client:
            answer = await client.post(
                "/team/invite",
                json={"email": "ada@example.org", "role": "viewer"},
                headers={"X-API-Key": api.key, "Host": "evil.example.org"},
            )
            assert answer.json()["inviteUrl"].startswith("https://articles.example.org/cg/team/accept?token=")


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("articles.example.org", "articles.example.org"),
        ("127.0.0.1:8000", "127.0.0.1:8000"),
        ("[::1]:8000", "[::1]:8000"),
        ("evil.example.org/path?", "localhost"),
        ("user@evil.example.org", "localhost"),
        ("a b", "localhost"),
        ("a\u00e9b", "localhost"),
        ("", "localhost"),
    ],
)
def test_a_host_that_cannot_be_one_is_in_no_link(host: str, shown: str) -> None:
    assert origin({"scheme": "https", "headers": [(b"host", host.encode("latin-1"))]}) == f"https://{shown}"
    assert origin({"scheme": "http", "headers": []}) == "http://localhost"


async def test_whoever_accepts_gets_a_key_that_works() -> None:
    async with open_api() as api:
        done = await joined(api, "viewer")
        assert set(done) == {"userId", "tenantId", "tenantName", "role", "key"}
        assert (done["tenantName"], done["role"]) == ("House", "viewer")
        account = await ok(api, "GET", "/account", key=done["key"])
        assert set(account) == {"user", "tenant", "role", "permissions"}
        assert set(account["user"]) == {"id", "name", "email", "role", "platformAdmin", "createdAt"}
        assert (account["user"]["id"], account["user"]["name"]) == (done["userId"], "Ada")
        assert account["tenant"] == {"id": done["tenantId"], "name": "House", "plan": "pro"}
        assert (account["role"], account["permissions"]) == ("viewer", ["read"])
        assert (await ok(api, "GET", "/team", key=done["key"]))["total"] == 2


async def test_a_token_works_once_and_says_why_not_always_alike() -> None:
    async with open_api() as api:
        token = token_of(await invited(api))
        body = {"token": token, "name": "Ada"}
        assert (await api.call("POST", "/team/accept", body, key=None)).status_code == 200
        details = set()
        for dead in (token, token[:-2], "nothing", "x" * 2000):
            answer = await api.call("POST", "/team/accept", {"token": dead, "name": "Eve"}, key=None)
            problem = problem_of(answer)
            assert (answer.status_code, problem["code"]) == (400, "invitation_invalid")
            assert [fault["field"] for fault in problem["errors"]] == ["token"]
            details.add(problem["detail"])
        assert len(details) == 1
        for bad, field in (({"name": " "}, "name"), ({"name": "a" * 101}, "name"), ({"token": "x" * 2001}, "token"),
                           ({"name": 5}, "name"), ({"role": "owner"}, "role")):  # fmt: skip
            assert set(faults_of(await api.call("POST", "/team/accept", {**body, **bad}, key=None))) == {field}


async def test_an_answer_with_a_key_is_kept_by_no_cache() -> None:
    async with open_api() as api:
        for answer in (
            await api.call("POST", "/team/accept", {"token": token_of(await invited(api)), "name": "Ada"}, key=None),
            await api.call("GET", "/team/accept?token=x", key=None),
        ):
            assert answer.status_code == 200
            assert "no-store" in answer.headers["cache-control"]


async def test_accepting_is_limited_for_each_address() -> None:
    async with open_api(limiter=Generous()) as api:
        await api.call("GET", "/team/accept?token=x", key=None)
        assert api.limiter.taken[-1].startswith("accept:")
        api.limiter.allowed = 0
        for method, body in (("GET", None), ("POST", {"token": "x", "name": "Ada"})):
            answer = await api.call(method, "/team/accept", body, key=None)
            assert (answer.status_code, problem_of(answer)["code"]) == (429, "rate_limited")
            assert int(answer.headers["retry-after"]) >= 1


async def test_mail_to_one_address_is_limited_however_it_is_written() -> None:
    async with open_api() as api:
        for email in ("ada@example.org", " ADA@Example.org"):
            await invited(api, email=email)
        mails = [subject for subject in api.limiter.taken if subject.startswith("mail:")]
        assert len(mails) == 2
        assert len(set(mails)) == 1
        assert "ada" not in mails[0]


async def test_the_page_of_an_invitation_runs_its_own_script_alone() -> None:
    async with open_api() as api:
        token = token_of(await invited(api))
        answer = await api.call("GET", f"/team/accept?token={token}", key=None)
        assert answer.headers["content-type"].startswith("text/html")
        page, policy = answer.text, answer.headers["content-security-policy"]
        assert token not in page
        [script] = re.findall(r"<script>(.*?)</script>", page, re.S)
        [style] = re.findall(r"<style>(.*?)</style>", page, re.S)
        for source, kind in ((script, "script-src"), (style, "style-src")):
            digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
            assert f"{kind} 'sha256-{digest}'" in policy
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"(src|href)=\"(https?:)?//", page)
        assert " style=" not in page
        assert " on" + "click=" not in page
        assert answer.headers["referrer-policy"] == "same-origin"
        # Looking at the page, as mail scanners do, accepts nothing.
        assert (await ok(api, "GET", "/team"))["members"][1]["status"] == "invited"


async def test_roles_are_changed_and_people_removed() -> None:
    async with open_api() as api:
        done = await joined(api)
        changed = await ok(api, "PATCH", f"/team/{done['userId']}", {"role": "admin"})
        assert (changed["id"], changed["role"], changed["status"]) == (done["userId"], "admin", "active")
        open_one = await invited(api, email="grace@example.org")
        changed = await ok(api, "PATCH", f"/team/{open_one['id']}", {"role": "viewer"})
        assert (changed["role"], changed["status"], changed["delivery"]) == ("viewer", "invited", "pending")
        for id in (open_one["id"], done["userId"]):
            assert await ok(api, "DELETE", f"/team/{id}") == {"success": True}
            assert await refused(api, "DELETE", f"/team/{id}") == (404, "not_found")
            assert await refused(api, "PATCH", f"/team/{id}", {"role": "viewer"}) == (404, "not_found")
        assert await refused(api, "GET", "/tenant", key=done["key"]) == (401, "unauthenticated")
        assert (await ok(api, "GET", "/team"))["total"] == 1


async def test_the_last_owner_stays() -> None:
    async with open_api() as api:
        owner = (await ok(api, "GET", "/team"))["members"][0]["id"]
        assert await refused(api, "DELETE", f"/team/{owner}") == (409, "last_owner")
        assert await refused(api, "PATCH", f"/team/{owner}", {"role": "admin"}) == (409, "last_owner")
        second = await joined(api, "owner")
        assert await ok(api, "DELETE", f"/team/{owner}", key=second["key"]) == {"success": True}
        assert await refused(api, "DELETE", f"/team/{second['userId']}", key=second["key"]) == (409, "last_owner")


async def test_what_each_role_may_do() -> None:
    """The table of the how-to, asked for over HTTP."""
    async with open_api() as api:
        people = {role: await joined(api, role, f"{role}@example.org") for role in ROLES}
        target = (await joined(api, "viewer", "target@example.org"))["userId"]
        owner = (await ok(api, "GET", "/team"))["members"][0]["id"]
        may = (("owner", "admin", "editor", "viewer"), ("owner", "admin", "editor"), ("owner", "admin"), ("owner",))
        everybody, editors, admins, owners = may
        asked: list[tuple[tuple[str, ...], str, str, object]] = [
            (everybody, "GET", "/team", None),
            (everybody, "GET", "/account", None),
            (everybody, "GET", "/tenant", None),
            (everybody, "GET", "/tenant/quotas", None),
            (everybody, "GET", "/account/keys", None),
            (everybody, "PATCH", "/account/profile", {"name": "Somebody"}),
            (
                editors,
                "POST",
                "/writer/generate-plan",
                {"agentKey": "home-energy-GB", "topic": "Winter heat pumps cost"},
            ),
            (admins, "PATCH", "/tenant/settings", {"timeZone": "Europe/Paris"}),
            (admins, "POST", "/account/keys", {"name": "Another"}),
            (admins, "POST", "/team/invite", {"email": "new@example.org", "role": "admin"}),
            (admins, "PATCH", f"/team/{target}", {"role": "editor"}),
            (owners, "PATCH", f"/team/{owner}", {"role": "owner"}),
            (owners, "POST", "/team/invite", {"email": "boss@example.org", "role": "owner"}),
        ]
        for allowed, method, path, body in asked:
            for role in ROLES:
                answer = await api.call(method, path, body, key=people[role]["key"])
                if role in allowed:
                    assert answer.status_code in (200, 409, 422), f"{role} {method} {path}: {answer.text}"
                else:
                    assert answer.status_code == 403, f"{role} {method} {path}: {answer.text}"
                    assert problem_of(answer)["code"] == "not_permitted"


async def test_an_invalid_request_is_told_before_a_role_is_looked_at() -> None:
    async with open_api() as api:
        viewer = await joined(api, "viewer")
        for key in (api.key, viewer["key"]):
            for body, field in (
                ({"email": "nobody", "role": "viewer"}, "email"),
                ({"email": "a@example.org", "role": "king"}, "role"),
                ({"email": "a@example.org"}, "role"),
                ({"email": "a@example.org", "role": "viewer", "name": "A"}, "name"),
                ({"email": "a@b\u0000c.org", "role": "viewer"}, "email"),
            ):
                assert set(faults_of(await api.call("POST", "/team/invite", body, key=key))) == {field}
            assert set(faults_of(await api.call("PATCH", "/team/x", {"role": "king"}, key=key))) == {"role"}
            for body, field in (
                ({"name": " "}, "name"), ({"timeZone": "Mars/Base"}, "timeZone"), ({"plan": "business"}, "plan"),
                ({"name": None}, "name"), ({"name": "x" * 101}, "name"),
            ):  # fmt: skip
                assert set(faults_of(await api.call("PATCH", "/tenant/settings", body, key=key))) == {field}
        for body, field in (
            ({"name": ""}, "name"),
            ({"email": "new@example.org"}, "email"),
            ({"role": "owner"}, "role"),
        ):
            assert set(faults_of(await api.call("PATCH", "/account/profile", body))) == {field}


async def test_a_full_team_is_a_403_with_its_figures() -> None:
    async with open_api(PlanName.STARTER) as api:
        for email in ("a@example.org", "b@example.org"):
            await invited(api, email=email)
        answer = await api.call("POST", "/team/invite", {"email": "c@example.org", "role": "viewer"})
        problem = problem_of(answer)
        assert (answer.status_code, problem["code"], problem["limit"], problem["used"]) == (403, "quota_exceeded", 3, 3)
        assert (await ok(api, "GET", "/tenant/quotas"))["teamMembers"] == {"limit": 3, "used": 3}
        await invited(api, email="b@example.org")


async def test_settings_and_profile_show_what_was_set() -> None:
    async with open_api() as api:
        before = await ok(api, "GET", "/tenant")
        assert "timeZone" not in before
        edited = await ok(api, "PATCH", "/tenant/settings", {"name": " Acme ", "timeZone": "Europe/Paris"})
        assert edited == {**before, "name": "Acme", "timeZone": "Europe/Paris"}
        assert await ok(api, "PATCH", "/tenant/settings", {}) == edited
        assert await ok(api, "GET", "/tenant") == edited
        assert await ok(api, "PATCH", "/tenant/settings", {"timeZone": None}) == {**before, "name": "Acme"}
        profile = await ok(api, "PATCH", "/account/profile", {"name": "Grace"})
        assert profile == (await ok(api, "GET", "/account"))["user"]
        assert profile["name"] == "Grace"
        assert "email" not in profile


async def test_people_see_their_own_keys_and_may_end_them() -> None:
    async with open_api() as api:
        viewer = await joined(api, "viewer")
        listed = await ok(api, "GET", "/account/keys", key=viewer["key"])
        assert listed["total"] == 1
        assert listed["keys"][0]["userId"] == viewer["userId"]
        every = await ok(api, "GET", "/account/keys")
        assert {key["userId"] for key in every["keys"]} > {viewer["userId"]}
        handed = await ok(api, "POST", "/account/keys", {"name": "Laptop", "userId": viewer["userId"]})
        assert (await ok(api, "GET", "/account/keys", key=handed["key"]))["total"] == 2
        theirs = next(key["id"] for key in every["keys"] if key["userId"] != viewer["userId"])
        assert await refused(api, "DELETE", f"/account/keys/{theirs}", key=viewer["key"]) == (403, "not_permitted")
        await ok(api, "DELETE", f"/account/keys/{listed['keys'][0]['id']}", key=viewer["key"])
        assert await refused(api, "POST", "/account/keys", {"name": "X", "userId": "nobody"}) == (404, "not_found")


async def test_expired_revoked_and_unknown_keys_are_told_alike() -> None:
    async with open_api() as api:
        expired = await ok(api, "POST", "/account/keys", {"name": "Soon", "expiresAt": "2026-03-10T12:30:00Z"})
        revoked = await ok(api, "POST", "/account/keys", {"name": "Ended"})
        await ok(api, "DELETE", f"/account/keys/{revoked['id']}")
        api.house.clock.advance(hours=1)
        said = set()
        for key in (expired["key"], revoked["key"], "cg_unknown"):
            answer = await api.call("GET", "/tenant", key=key)
            assert answer.status_code == 401
            said.add(problem_of(answer)["detail"])
        assert len(said) == 1


async def test_a_removed_member_and_a_lesser_role_show_in_every_process_within_a_second() -> None:
    """Two applications with memories of their own over one store, as two processes over one database."""
    async with open_api() as api:
        done = await joined(api, "admin")
        services = changed(api.house.services, ports={"rate_limiter": Generous()})
        async with AsyncTestClient(create_app(services)) as other:
            headers = {"X-API-Key": done["key"]}

            async def settings() -> int:
                return (await other.patch("/tenant/settings", json={"name": "Acme"}, headers=headers)).status_code

            async def within_a_second(wanted: int) -> float:
                began = time.monotonic()
                while await settings() != wanted:
                    assert time.monotonic() - began < 1.0
                    await asyncio.sleep(0.02)
                return time.monotonic() - began

            assert await settings() == 200
            await ok(api, "PATCH", f"/team/{done['userId']}", {"role": "viewer"})
            await within_a_second(403)
            await ok(api, "DELETE", f"/team/{done['userId']}")
            await within_a_second(401)
        assert FRESH_SECONDS <= 0.5


async def test_a_use_is_recorded_although_keys_are_remembered() -> None:
    async with open_api() as api:
        made = await ok(api, "POST", "/account/keys", {"name": "Busy"})

        async def last_used() -> str | None:
            keys = (await ok(api, "GET", "/account/keys"))["keys"]
            shown: str | None = next(key for key in keys if key["id"] == made["id"]).get("lastUsedAt")
            return shown

        assert await last_used() is None
        await ok(api, "GET", "/tenant", key=made["key"])
        assert await last_used() == "2026-03-10T12:00:00Z"
        api.house.clock.advance(seconds=50)
        await asyncio.sleep(FRESH_SECONDS + 0.1)
        await ok(api, "GET", "/tenant", key=made["key"])
        assert await last_used() == "2026-03-10T12:00:00Z"
        api.house.clock.advance(seconds=50)
        await asyncio.sleep(FRESH_SECONDS + 0.1)
        await asyncio.gather(*(ok(api, "GET", "/tenant", key=made["key"]) for _ in range(5)))
        assert await last_used() == "2026-03-10T12:01:40Z"


async def test_a_schedule_that_names_no_time_zone_takes_over_the_tenants() -> None:
    async with open_api() as api:
        path, body = "/niches/home-energy/article-schedule", {"enabled": True, "days": ["mon"], "hour": 9}
        assert set(faults_of(await api.call("PATCH", path, body))) == {"timeZone"}
        await ok(api, "PATCH", "/tenant/settings", {"timeZone": "Europe/Paris"})
        made = await ok(api, "PATCH", path, body)
        assert (made["timeZone"], made["nextRunAt"]) == ("Europe/Paris", "2026-03-16T08:00:00Z")
        await ok(api, "PATCH", "/tenant/settings", {"timeZone": "Asia/Tokyo"})
        assert await ok(api, "GET", path) == made, "a setting moves no schedule"
        assert (await ok(api, "PATCH", path, {"enabled": True}))["timeZone"] == "Europe/Paris"
        assert (await ok(api, "PATCH", path, {"timeZone": "Asia/Seoul"}))["timeZone"] == "Asia/Seoul"
