"""Settings in the console: one's profile, the team, and API keys."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

import httpx
import pytest

from contentgen_core.model.tenant import Caller, Role
from tests.support.browser import Browser, signed_in
from tests.support.http import Api, open_api
from tests.support.team import joined

MARKUP: Final = "<script>alert(1)</script>\"'&"
SETTINGS: Final = "/console/settings"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def signed_in_as(api: Api, caller: Caller) -> Browser:
    return await signed_in(api, await api.key_of(caller))


def secret_of(answer: httpx.Response) -> str:
    found = re.search(r'<code class="secret">([^<]+)</code>', answer.text)
    assert found, answer.text
    return found.group(1)


async def test_settings_begin_with_ones_own_profile(api: Api) -> None:
    browser = await signed_in(api)
    assert (await browser.get(SETTINGS)).headers["location"] == f"{SETTINGS}/profile"
    await browser.get(f"{SETTINGS}/profile")
    renamed = await browser.post(f"{SETTINGS}/profile/name", name=f"Ada {MARKUP}")
    shown = await browser.follow(renamed)
    assert "Saved." in shown.text
    assert MARKUP not in shown.text
    assert browser.fields()["name"] == [f"Ada {MARKUP}"]


async def test_a_name_that_cannot_be_is_told_and_shown_again(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/profile")
    refused = await browser.post(f"{SETTINGS}/profile/name", name="x" * 101)
    assert refused.status_code == 400
    assert "between 1 and 100 characters" in refused.text
    assert browser.fields()["name"] == ["x" * 101]


async def test_the_time_zone_of_the_team_is_one_of_the_list(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/profile")
    refused = await browser.post(f"{SETTINGS}/profile/team", team="Acme", zone="Mars/Olympus")
    assert refused.status_code == 400
    assert "This is not a time zone" in refused.text
    assert browser.fields()["zone"] == ["Mars/Olympus"]
    await browser.follow(await browser.post(f"{SETTINGS}/profile/team", team="Acme", zone="Europe/Paris"))
    assert browser.fields()["zone"] == ["Europe/Paris"]
    await browser.follow(await browser.post(f"{SETTINGS}/profile/team", team="Acme", zone=""))
    assert browser.fields()["zone"] == [""]


async def test_an_invitation_shows_its_link_once_and_can_be_cancelled(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/team")
    invited = await browser.follow(
        await browser.post(f"{SETTINGS}/team/invite", email="ada@example.org", role="editor")
    )
    assert "ada@example.org" in invited.text
    token = secret_of(invited).partition("token=")[2]
    listed = await browser.get(f"{SETTINGS}/team")
    assert token not in listed.text
    assert "ada@example.org" in listed.text
    asked = re.search(r'href="(/console/settings/team/[^/"]+/remove)" aria-label="Cancel', listed.text)
    assert asked
    question = await browser.get(asked.group(1))
    assert "Cancel the invitation of ada@example.org?" in question.text
    done = await browser.follow(await browser.post(asked.group(1)))
    assert "ada@example.org" not in done.text


async def test_a_wrong_address_is_told_and_kept(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/team")
    refused = await browser.post(f"{SETTINGS}/team/invite", email="not an address", role="admin")
    assert refused.status_code == 400
    assert "This is not an email address" in refused.text
    assert browser.fields()["email"] == ["not an address"]
    assert '<option value="admin" selected>' in refused.text


async def test_a_role_that_was_taken_away_meanwhile_is_told_with_the_next_click(api: Api) -> None:
    _, admin = await joined(api.house, Role.ADMIN)
    owner, browser = await signed_in(api), await signed_in_as(api, admin)
    await browser.get(f"{SETTINGS}/team")
    await owner.get(f"{SETTINGS}/team")
    changed = await owner.post(f"{SETTINGS}/team/{admin.user_id}/role", role="viewer")
    assert "The role is changed." in (await owner.follow(changed)).text
    refused = await browser.post(f"{SETTINGS}/team/invite", email="eve@example.org", role="viewer")
    assert refused.status_code == 403
    assert "Your role does not allow this" in refused.text
    assert 'name="email"' not in refused.text


async def test_the_language_is_changed_on_a_page_that_answers_a_form(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/keys")
    for referer, back in (
        (f"http://testserver.local{SETTINGS}/keys", f"{SETTINGS}/keys"),
        ("https://evil.example/x", "/console"),
        ("http://[", "/console"),
    ):
        browser.headers = {"Referer": referer}
        assert (await browser.post(f"{SETTINGS}/keys", name="")).status_code == 400
        assert browser.fields()["back"] == [back]


async def test_the_last_owner_stays_and_a_sentence_says_why(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/team")
    me = api.house.caller.user_id
    for path, fields in ((f"{SETTINGS}/team/{me}/role", {"role": "viewer"}), (f"{SETTINGS}/team/{me}/remove", {})):
        refused = await browser.post(path, fields)
        assert refused.status_code == 409
        assert "needs at least one owner" in refused.text


async def test_a_removed_member_is_signed_out(api: Api) -> None:
    _, editor = await joined(api.house, Role.EDITOR)
    owner, browser = await signed_in(api), await signed_in_as(api, editor)
    question = await owner.get(f"{SETTINGS}/team/{editor.user_id}/remove")
    assert "Remove Ada from the team?" in question.text
    assert (await browser.get(f"{SETTINGS}/profile")).status_code == 200
    assert "Removed." in (await owner.follow(await owner.post(f"{SETTINGS}/team/{editor.user_id}/remove"))).text
    assert (await browser.get(f"{SETTINGS}/profile")).headers["location"].startswith("/console/sign-in")


async def test_a_new_key_is_shown_once_and_works_until_it_is_revoked(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/keys")
    made = await browser.follow(
        await browser.post(f"{SETTINGS}/keys", name=MARKUP, expires="", owner=api.house.caller.user_id)
    )
    secret = secret_of(made)
    assert MARKUP not in made.text
    assert (await api.call("GET", "/account", key=secret)).status_code == 200
    listed = await browser.get(f"{SETTINGS}/keys")
    assert secret not in listed.text
    assert f"…{secret[-4:]}" in listed.text
    asked = re.search(r'href="([^"]+/revoke)" aria-label="Revoke &lt;script', listed.text)
    assert asked
    assert "permanently" in (await browser.get(asked.group(1))).text
    assert "revoked" in (await browser.follow(await browser.post(asked.group(1)))).text
    assert asked.group(1) not in browser.page


@pytest.mark.parametrize("day", ["2001-01-01", "9999-12-31", "tomorrow", "0000-00-00"])
async def test_a_last_day_is_a_day_to_come(api: Api, day: str) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/keys")
    refused = await browser.post(f"{SETTINGS}/keys", name="Staging", expires=day)
    assert refused.status_code == 400
    assert "The last day must be in the future" in refused.text
    assert browser.fields()["name"] == ["Staging"]


async def test_a_key_works_through_its_last_day(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/keys")
    today = api.house.services.ports.clock.now().date()
    made = await browser.follow(await browser.post(f"{SETTINGS}/keys", name="Today", expires=str(today)))
    assert (await api.call("GET", "/account", key=secret_of(made))).status_code == 200


async def test_revoking_the_key_of_ones_session_ends_it(api: Api) -> None:
    browser = await signed_in(api)
    session = await api.house.services.people.web_sessions.identify(browser.cookies["contentgen_session"])
    path = f"{SETTINGS}/keys/{session.session.key_id}/revoke"
    assert "your session ends with it" in (await browser.get(path)).text
    answer = await browser.post(path)
    assert (await browser.follow(answer)).headers["location"].startswith("/console/sign-in")


async def test_a_viewer_sees_own_keys_and_changes_nothing_of_the_team(api: Api) -> None:
    _, viewer = await joined(api.house, Role.VIEWER)
    browser = await signed_in_as(api, viewer)
    for page in ("profile", "team", "keys"):
        shown = await browser.get(f"{SETTINGS}/{page}")
        assert shown.status_code == 200
        assert "Only admins and owners of the team can change this" in shown.text
    for path in ("team/invite", "keys", "profile/team", f"team/{api.house.caller.user_id}/role"):
        refused = await browser.post(f"{SETTINGS}/{path}", name="Mine", email="eve@example.org", team="Mine")
        assert refused.status_code == 403, path
        assert "Your role does not allow this" in refused.text


async def test_nothing_of_another_team_is_there(api: Api) -> None:
    owner = await signed_in(api)
    key = re.search(r'href="([^"]+/revoke)"', (await owner.get(f"{SETTINGS}/keys")).text)
    assert key
    stranger = await signed_in_as(api, await api.house.other_tenant())
    paths = [key.group(1), f"{SETTINGS}/team/{api.house.caller.user_id}/remove"]
    for path in paths:
        assert (await stranger.get(path)).status_code == 404
        await stranger.get(f"{SETTINGS}/profile")
        assert (await stranger.post(path)).status_code == 404
    assert (await owner.get(f"{SETTINGS}/keys")).status_code == 200


async def test_what_is_shown_once_opens_on_its_page_for_its_session_alone(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SETTINGS}/keys")
    made = await browser.post(f"{SETTINGS}/keys", name="Build", expires="")
    assert made.headers["location"] == f"{SETTINGS}/keys"
    waiting = browser.cookies["contentgen_once"]
    assert "cg_" not in waiting
    assert "Path=/console/settings/keys" in made.headers["set-cookie"]
    for other, page in ((await signed_in(api), "keys"), (browser, "team")):
        other.cookies["contentgen_once"] = waiting
        assert 'class="secret"' not in (await other.get(f"{SETTINGS}/{page}")).text
    count = len(await api.house.services.people.keys.list(api.house.caller))
    assert "cg_" in secret_of(await browser.get(f"{SETTINGS}/keys"))
    for _ in range(2):
        assert 'class="secret"' not in (await browser.get(f"{SETTINGS}/keys")).text
    assert len(await api.house.services.people.keys.list(api.house.caller)) == count
