"""The console's pages on synced sources: following one, how it went, changing and deleting it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

import pytest

from contentgen_core.model.tenant import Role
from tests.support.browser import Browser, signed_in
from tests.support.http import NICHE, Api, open_api
from tests.support.scripted_web import PAGES
from tests.support.team import joined

SOURCES: Final = "/console/knowledge/sources"
PAGE: Final = "https://web.example.org/noise"
GONE: Final = "https://web.example.org/nothing"
MARKUP: Final = "<b onclick='x'>Rules & \"more\"</b>"
FIELDS: Final = {"name": MARKUP, "place": f"{PAGE}\n{GONE}", "niche": NICHE, "everyHours": "6", "graceDays": "3"}


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def followed(browser: Browser) -> str:
    """The address of a source that was created by its form."""
    await browser.get(f"{SOURCES}/new/pages")
    created = await browser.post(f"{SOURCES}/new/pages", FIELDS)
    await browser.follow(created)
    return str(created.headers["location"].partition("?")[0])


async def test_a_source_is_followed_and_says_what_it_found(api: Api) -> None:
    browser = await signed_in(api)
    assert "No source is followed yet." in (await browser.get(SOURCES)).text
    await browser.get(f"{SOURCES}/new")
    assert f"{SOURCES}/new/pages" in browser.page
    address = await followed(browser)
    for shown in ("Its first sync has started.", "sync in progress", 'hx-trigger="every 2s"', "every 6 hours"):
        assert shown in browser.page
    await api.house.work()
    assert "hx-trigger" not in (await browser.get(f"{address}/part")).text
    await browser.get(address)
    for shown in ("2 items: 1 added", "listed but not found", "in the knowledge base", "3 days"):
        assert shown in browser.page
    assert MARKUP not in browser.page
    [document] = set(re.findall(r'"(/console/knowledge/documents/[^"]+)"', browser.page))
    shown = await browser.get(document)
    assert f'imported: <a href="{address}">&lt;b' in shown.text
    assert "/delete" not in shown.text
    assert (await browser.get(f"{document}/delete")).status_code == 404
    await browser.get(SOURCES)
    kept = await browser.post(f"{document}/delete")
    assert kept.status_code == 409
    assert "comes from a source that is followed" in kept.text
    for state, there in (("skipped", GONE), ("stored", document), ("missing", "No items.")):
        assert there in (await browser.get(address, params={"state": state})).text
    listed = await browser.get(SOURCES)
    assert "followed" in listed.text
    assert "Done." in listed.text


async def test_a_form_that_is_wrong_keeps_what_was_typed_and_says_where(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(f"{SOURCES}/new/pages")
    wrong = await browser.post(
        f"{SOURCES}/new/pages", {**FIELDS, "place": "ftp://example.org", "everyHours": "0", "graceDays": "soon"}
    )
    assert wrong.status_code == 400
    for shown in (
        "&lt;b onclick",
        "ftp://example.org",
        "Nothing was saved yet.",
        'value="soon"',
        'id="everyHours-fault"',
    ):
        assert shown in wrong.text or shown.replace("id=", "id=") in wrong.text
    assert wrong.text.count('class="fault"') >= 3
    assert (await browser.post(f"{SOURCES}/new/pages", {**FIELDS, "niche": "no-such"})).status_code == 404
    assert "It does not exist" in browser.page
    assert (await browser.get(f"{SOURCES}/new/ftp")).status_code == 404


async def test_a_secret_is_kept_when_it_is_not_typed_again_and_never_shown(api: Api) -> None:
    browser = await signed_in(api)
    place = {"kind": "s3", "name": "Bucket", "place": "s3://bucket/folder", "nicheKey": NICHE}
    await browser.get(f"{SOURCES}/new/s3")
    assert 'name="settings.secretAccessKey"' in browser.page
    sent = {**FIELDS, "name": "Bucket", "place": place["place"], "settings.accessKeyId": "AKIA"}
    missing = await browser.post(f"{SOURCES}/new/s3", sent)
    assert missing.status_code == 400
    created = await browser.post(f"{SOURCES}/new/s3", {**sent, "settings.secretAccessKey": "hush-hush"})
    assert created.status_code == 303, created.text
    address = created.headers["location"].partition("?")[0]
    shown = await browser.get(address)
    edit = await browser.get(f"{address}/edit")
    for page in (shown, edit):
        assert "hush-hush" not in page.text
    assert "stored encrypted and never shown" in shown.text
    changed = await browser.post(f"{address}/edit", {**sent, "name": "Another name"})
    assert changed.status_code == 303, changed.text
    assert "stored encrypted" in (await browser.follow(changed)).text
    moved = await browser.post(f"{address}/edit", {**sent, "place": "s3://other/folder"})
    assert moved.status_code == 400
    assert "is needed again, since the place changes" in moved.text


async def test_a_source_is_synced_paused_and_deleted_after_a_question(api: Api) -> None:
    browser = await signed_in(api)
    address = await followed(browser)
    await api.house.work()
    await browser.get(address)
    assert "The sync has started." in (await browser.follow(await browser.post(f"{address}/sync"))).text
    await api.house.work()
    await browser.follow(await browser.post(f"{address}/pause", paused="yes"))
    assert "Resume" in browser.page
    assert "next one" not in browser.page
    await browser.follow(await browser.post(f"{address}/pause", paused="no"))
    assert "next one" in browser.page
    assert "This cannot be undone" in (await browser.get(f"{address}/delete")).text
    await browser.follow(await browser.post(f"{address}/delete"))
    assert "No source is followed yet." in browser.page
    assert (await browser.get(address)).status_code == 404


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", ("doubtful", "Accept the current state", "error page, same text as other pages")),
        (
            "fr",
            ("à vérifier", "Accepter l’état actuel", "affichent une page d’erreur", "page d’erreur, même texte"),
        ),
    ],
)
async def test_a_doubtful_source_says_so_and_a_person_accepts_it(
    api: Api, language: str, shown: tuple[str, ...]
) -> None:
    browser = await signed_in(api)
    browser.headers["Accept-Language"] = language
    await browser.get(f"{SOURCES}/new/pages")
    created = await browser.post(f"{SOURCES}/new/pages", FIELDS | {"place": "\n".join(PAGES)})
    address = str(created.headers["location"].partition("?")[0])
    await api.house.work()
    assert shown[1] not in (await browser.get(address)).text
    assert (await browser.post(f"{address}/accept")).status_code == 409
    login = "Sign in with your address and your password, or ask for a new password at the desk. Visit {n}."
    api.house.web.pages = {page: ("Login", login.format(n=n)) for n, page in enumerate(PAGES)}
    await browser.get(address)
    await browser.post(f"{address}/sync")
    await api.house.work()
    await browser.get(address)
    for text in shown:
        assert text in browser.page
    assert shown[0] in (await browser.get(SOURCES)).text
    accepted = await browser.follow(await browser.post(f"{address}/accept"))
    assert "hx-trigger" in accepted.text
    await api.house.work()
    assert f"{address}/accept" not in (await browser.get(address)).text


async def test_who_may_not_sees_no_buttons_and_is_refused(api: Api) -> None:
    address = await followed(await signed_in(api))
    for role, buttons in ((Role.VIEWER, 0), (Role.EDITOR, 1)):
        _, caller = await joined(api.house, role)
        browser = await signed_in(api, await api.key_of(caller))
        assert (await browser.get(address)).text.count(f'action="{address}') == buttons
        assert "Follow a source" not in (await browser.get(SOURCES)).text
        for path, fields in ((f"{SOURCES}/new/pages", FIELDS), (f"{address}/edit", FIELDS)):
            assert "<textarea" not in (await browser.get(path)).text
            assert (await browser.post(path, fields)).status_code == 403
            await browser.get(SOURCES)
        for path in (f"{address}/delete", f"{address}/pause"):
            assert (await browser.post(path)).status_code == 403
            await browser.get(SOURCES)
        assert (await browser.post(f"{address}/sync")).status_code == (303 if buttons else 403)


async def test_another_tenants_source_is_not_there(api: Api) -> None:
    address = await followed(await signed_in(api))
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for path in ("", "/part", "/edit", "/delete"):
        assert (await stranger.get(f"{address}{path}")).status_code == 404
    await stranger.get(SOURCES)
    for path in ("/sync", "/accept", "/pause", "/edit", "/delete"):
        assert (await stranger.post(f"{address}{path}", FIELDS)).status_code == 404
        await stranger.get(SOURCES)
