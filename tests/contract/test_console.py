"""The console over HTTP, without a script: links lead, forms post, and nothing is lost or done for somebody else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

import pytest
from litestar.handlers import HTTPRouteHandler

from contentgen_core.model.tenant import Role
from contentgen_http.console.application import PAGES
from tests.support.browser import Browser, signed_in, written
from tests.support.http import AGENT, COVERED, Api, open_api
from tests.support.team import joined

MARKUP: Final = "<script>alert(1)</script>\"'&"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def test_a_key_signs_in_and_signing_out_ends_it(api: Api) -> None:
    browser = await signed_in(api)
    cookie = browser.cookies["contentgen_session"]
    assert "Your first article" in browser.page
    assert (await browser.post("/console/sign-out")).headers["location"] == "/console/sign-in"
    gone = Browser(api, {"contentgen_session": cookie})
    assert (await gone.get("/console/articles")).headers["location"] == "/console/sign-in?next=%2Fconsole%2Farticles"


async def test_the_sessions_cookie_is_for_our_pages_alone(api: Api) -> None:
    answer = await api.client.post("/console/sign-in/key", data={"key": api.key}, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/console" in cookie


async def test_a_wrong_key_is_told_and_signs_nobody_in(api: Api) -> None:
    browser = Browser(api, {})
    answer = await browser.post("/console/sign-in/key", token=False, key="cg_wrong")
    assert answer.status_code == 401
    assert "unknown, expired or revoked" in answer.text
    assert browser.cookies == {}


async def test_asking_for_a_link_says_the_same_for_every_address(api: Api) -> None:
    done, _ = await joined(api.house, Role.EDITOR)
    answers = []
    for email in (str(done.user.email), "nobody@example.org"):
        answer = await Browser(api, {}).post("/console/sign-in/mail", token=False, email=email)
        assert answer.status_code == 200
        answers.append(answer.text.replace(email, "…"))
    assert answers[0] == answers[1]


async def test_opening_a_link_uses_nothing_up_and_its_button_signs_in(api: Api) -> None:
    people, caller = api.house.services.people, api.house.caller
    token = await people.request_sign_in.token_for(caller.tenant_id, caller.user_id)
    browser = Browser(api, {})
    for _ in range(2):
        shown = await browser.get("/console/sign-in/link", params={"token": token})
        assert shown.status_code == 200
    assert (await browser.post("/console/sign-in/link", {"token": token}, token=False)).status_code == 303
    assert "contentgen_session" in browser.cookies
    again = await Browser(api, {}).get("/console/sign-in/link", params={"token": token})
    assert again.status_code == 400
    assert "each link works once" in again.text


async def test_from_a_topic_to_an_article_without_a_script(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    shown = await browser.get(address)
    assert "100%" in shown.text
    assert "<mark>" in shown.text
    listed = await browser.get("/console/articles", params={"search": "heat"})
    assert address in listed.text


async def test_an_article_is_planned_in_a_language_that_its_sources_are_in(api: Api) -> None:
    changed = await api.call("PATCH", "/niches/home-energy/settings", {"languages": ["fr"]})
    assert changed.status_code == 200
    browser = await signed_in(api)
    await browser.get("/console/coverage", params={"agent": AGENT, "topic": COVERED})
    offered = browser.page.partition('<select id="language"')[2].partition("</select>")[0]
    assert re.findall(r'<option value="(\w+)">', offered) == ["en", "fr"]
    fields = browser.fields()
    refused = await browser.post("/console/coverage/plan", **{**fields, "topic": "<script>"})
    assert refused.status_code == 400
    assert 'name="topic" required minlength="10" maxlength="500" value="&lt;script&gt;"' in refused.text
    planned = await browser.post("/console/coverage/plan", **{**fields, "language": "en"})
    assert planned.headers["location"].endswith("/plan?note=note-planned")


async def test_a_plan_is_changed_by_its_form(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get("/console/coverage", params={"agent": AGENT, "topic": COVERED})
    planned = await browser.post("/console/coverage/plan", **browser.fields())
    await browser.follow(planned)
    address = planned.headers["location"].partition("?")[0]
    headings = re.findall(r'name="heading-\d+" value="([^"]*)"', browser.page)
    assert len(headings) > 1
    await browser.post(address, **{**browser.fields(), "down": "0"})
    assert re.findall(r'name="heading-\d+" value="([^"]*)"', browser.page) == [headings[1], headings[0], *headings[2:]]
    await browser.post(address, **{**browser.fields(), "new-heading": "What it costs in winter"})
    assert "What it costs in winter" in browser.page
    assert "What it costs in winter" in (await browser.get(address)).text
    await browser.post(address, **{**browser.fields(), "remove-0": "yes", "new-question": "How loud is it?"})
    assert headings[1] not in re.findall(r'name="heading-\d+" value="([^"]*)"', browser.page)
    assert "How loud is it?" in browser.page
    refused = await browser.post(address, **{**browser.fields(), "heading-0": "", "do": "approve"})
    assert refused.status_code == 400
    assert "must not be empty" in refused.text


async def test_an_edit_is_checked_again_and_the_second_editor_is_told(api: Api) -> None:
    first = await signed_in(api)
    address = await written(first)
    second = await signed_in(api)
    for browser in (first, second):
        await browser.get(f"{address}/edit")
    text = first.fields()["content"][0]
    saved = await first.post(
        f"{address}/edit", **{**first.fields(), "content": f"{text}\n\nThe moon is made of cheese."}
    )
    assert saved.status_code == 303
    assert "The moon is made of cheese." in (await first.follow(saved)).text
    overtaken = await second.post(f"{address}/edit", **{**second.fields(), "content": f"{text}\n\nMine."})
    assert overtaken.status_code == 409
    assert "Someone else saved" in overtaken.text
    assert "Mine." in overtaken.text
    assert "The moon is made of cheese." in overtaken.text


async def test_what_was_typed_outlives_the_session(api: Api) -> None:
    browser = await signed_in(api)
    address = await written(browser)
    await browser.get(f"{address}/edit")
    text = f"{browser.fields()['content'][0]}\n\nA sentence that took an hour. {MARKUP}"
    fields = {**browser.fields(), "content": text}
    browser.cookies.clear()
    lost = await browser.post(f"{address}/edit", token=False, **fields)
    assert lost.status_code == 401
    assert "A sentence that took an hour." in lost.text
    back = Browser(api, (await signed_in(api)).cookies, browser.page)
    resumed = await back.post("/console/resume", token=False, **back.fields())
    assert resumed.status_code == 200
    sent = await back.post(f"{address}/edit", **back.fields())
    assert sent.status_code == 303, sent.text
    await back.get(f"{address}/edit")
    assert back.fields()["content"][0].strip() == text.strip()


def _posts() -> list[str]:
    paths = []
    for page in PAGES:
        for handler in vars(page).values():
            if isinstance(handler, HTTPRouteHandler) and "POST" in handler.http_methods:
                paths += [re.sub(r"\{\w+:\w+\}", "some-id", f"/console{path}") for path in handler.paths]
    return sorted(paths)


@pytest.mark.parametrize("path", _posts())
async def test_nothing_changes_for_who_is_not_signed_in_or_was_shown_no_page(api: Api, path: str) -> None:
    stranger = await Browser(api, {}).post(path, token=False, content="kept")
    assert stranger.status_code == 401, path
    browser = await signed_in(api)
    if path == "/console/resume":
        return  # changes nothing: it shows what was typed
    for token in ("", "wrong", "ä"):
        answer = await browser.post(path, token=False, csrf=token)
        assert answer.status_code == 403, path


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
async def test_another_site_changes_nothing(api: Api, headers: dict[str, str]) -> None:
    browser = await signed_in(api)
    browser.headers = headers
    assert (await browser.post("/console/sign-out")).status_code == 403
    assert (await browser.post("/console/sign-in/key", token=False, key=api.key)).status_code == 403
    browser.headers = {}
    assert (await browser.get("/console/")).status_code == 200


@pytest.mark.parametrize(
    "next",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/docs",
        "javascript:alert(1)",
        "/console\n//x",
        "http://[",
    ],
)
async def test_signing_in_leads_to_our_own_pages_alone(api: Api, next: str) -> None:
    answer = await Browser(api, {}).post("/console/sign-in/key", token=False, key=api.key, next=next)
    assert answer.headers["location"] == "/console"


async def test_a_page_shows_markup_and_never_runs_it(api: Api) -> None:
    browser = await signed_in(api)
    shown = await browser.get("/console/articles", params={"search": MARKUP, "status": MARKUP, "niche": MARKUP})
    assert MARKUP not in shown.text
    assert "&lt;script&gt;" in shown.text
    policy = shown.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"\son\w+=|style=|<script(?![^>]*\bsrc=)", shown.text)


async def test_another_tenants_article_is_not_there(api: Api) -> None:
    address = await written(await signed_in(api))
    other = await api.house.other_tenant()
    stranger = await signed_in(api, await api.key_of(other))
    for path in (address, f"{address}/edit", f"{address}/plan", f"{address}/progress"):
        assert (await stranger.get(path)).status_code == 404


async def test_a_viewer_reads_and_is_told_that_the_role_does_not_allow_more(api: Api) -> None:
    address = await written(await signed_in(api))
    _, viewer = await joined(api.house, Role.VIEWER)
    browser = await signed_in(api, await api.key_of(viewer))
    assert (await browser.get(address)).status_code == 200
    await browser.get(f"{address}/edit")
    refused = await browser.post(f"{address}/edit", **browser.fields())
    assert refused.status_code == 403
    assert "Your role does not allow this" in refused.text


async def test_the_language_is_chosen_once(api: Api) -> None:
    browser = await signed_in(api)
    chosen = await browser.post("/console/language", language="fr", back="/console/articles")
    assert chosen.headers["location"] == "/console/articles"
    shown = await browser.get("/console/articles")
    assert '<html lang="fr">' in shown.text
    assert "Accueil" in shown.text
    asked = await Browser(api, {}).get("/console/sign-in", headers={"Accept-Language": "fr"})
    assert "Se connecter" in asked.text


async def test_files_are_kept_by_browsers_and_pages_are_not(api: Api) -> None:
    browser = await signed_in(api)
    style = re.search(r'href="(/console/assets/[^"]+\.css)"', browser.page)
    assert style
    answer = await browser.get(style.group(1))
    assert "immutable" in answer.headers["cache-control"]
    assert (await browser.get(style.group(1).replace("assets/", "assets/0"))).status_code == 404
    assert (await browser.get("/console/")).headers["cache-control"] == "no-store"


async def test_a_browser_at_the_root_finds_the_way_to_the_console(api: Api) -> None:
    home = await Browser(api, {}).get("/", headers={"Accept": "text/html,*/*"})
    assert home.status_code == 200
    assert '<a href="/console">Sign in</a>' in home.text
    assert (await api.call("GET", "/", key=None)).json()["console"] == "/console"


async def test_an_unknown_page_says_so_as_a_page(api: Api) -> None:
    browser = await signed_in(api)
    answer = await browser.get("/console/articles/nope")
    assert answer.status_code == 404
    assert "It does not exist" in answer.text
    assert answer.headers["content-type"].startswith("text/html")


async def test_pages_are_packed_and_no_two_carry_the_same_token(api: Api) -> None:
    browser = await signed_in(api)
    tokens = set()
    for _ in range(3):
        answer = await browser.get("/console/settings/keys", headers={"Accept-Encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["vary"]
        assert int(answer.headers["content-length"]) < len(answer.content) / 2
        tokens.add(browser.token)
    assert len(tokens) == 3
    for token in sorted(tokens):
        browser.page = f'name="csrf" value="{token}"'
        assert (await browser.post("/console/settings/keys", name="")).status_code == 400
    other = await signed_in(api)
    assert (await other.post("/console/settings/keys", token=False, csrf=tokens.pop(), name="")).status_code == 403
    plain = await browser.get("/console/settings/keys", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
