"""The console's page on conflicts: both sides, what speaks for each, and deciding."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import date
from typing import Final

import pytest

from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from tests.support.browser import Browser, signed_in
from tests.support.house import NICHE, findable
from tests.support.http import Api, open_api
from tests.support.team import joined

PATH: Final = "/console/knowledge/conflicts"
SAID: Final = "The grant pays {} pounds for each efficient heat pump in winter."
MARKUP: Final = "<b>Grants</b>"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def found(api: Api) -> Browser:
    """The page once it was searched from there: two documents say different figures."""
    for key, amount, day in (("old.example", "4,000", date(2023, 5, 1)), ("new.example", "2,500", date(2026, 2, 1))):
        source = SourceText(f"https://{key}/a", MARKUP, SAID.format(amount), None, Language.EN, published=day)
        scope = KbScope(NICHE, api.house.caller.tenant_id)
        await api.house.services.knowledge.import_sources(scope, [source])
        await findable(api.house.services)
    browser = await signed_in(api)
    assert "has not been searched for conflicts yet" in (await browser.get(PATH)).text
    await browser.follow(await browser.post(f"{PATH}/search", niche=NICHE))
    assert "search in progress" in browser.page
    assert "every 2s" in (await browser.get(f"{PATH}/search", params={"niche": NICHE})).text
    await api.house.work()
    part = (await browser.get(f"{PATH}/search", params={"niche": NICHE})).text
    assert "found 1 conflicts" in part
    assert "hx-trigger" not in part
    await browser.get(PATH)
    return browser


def _forms(browser: Browser) -> list[str]:
    return re.findall(rf'action="({PATH}/[^"]+/decide)"', browser.page)


async def test_both_sides_are_shown_and_one_is_preferred(api: Api) -> None:
    browser = await found(api)
    home = await Browser(api, browser.cookies).get("/console/")
    assert f'href="{PATH}?niche={NICHE}"' in home.text
    for shown in ("The figures differ", "<mark>4,000 pounds</mark>", "<mark>2,500 pounds</mark>", ">newer<"):
        assert shown in browser.page
    assert "one independent document" in browser.page
    assert MARKUP not in browser.page
    [address] = _forms(browser)
    wrong = await browser.post(address, niche=NICHE, decision="no-such")
    assert wrong.status_code == 400
    await browser.get(PATH)
    decided = await browser.post(address, niche=NICHE, decision="other", state="decided")
    await browser.follow(decided)
    assert "one source is preferred" in browser.page
    assert ">preferred<" in browser.page
    await browser.follow(await browser.post(address, niche=NICHE, decision="dismiss", state="all"))
    assert "not a conflict" in browser.page
    assert _forms(await _at(browser, "open")) == []


async def _at(browser: Browser, state: str) -> Browser:
    await browser.get(PATH, params={"state": state, "niche": NICHE})
    return browser


async def test_a_viewer_reads_and_decides_nothing(api: Api) -> None:
    [address] = _forms(await found(api))
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    shown = await viewer.get(PATH)
    assert "<mark>" in shown.text
    assert _forms(viewer) == []
    for path, fields in ((address, {"decision": "both"}), (f"{PATH}/search", {})):
        await viewer.get(PATH)
        assert (await viewer.post(path, {"niche": NICHE, **fields})).status_code == 403


async def test_another_tenants_conflict_is_not_there(api: Api) -> None:
    [address] = _forms(await found(api))
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    assert "<mark>" not in (await stranger.get(PATH, params={"state": "all"})).text
    assert (await stranger.post(address, niche=NICHE, decision="both")).status_code == 404
    assert (await stranger.get(f"{PATH}/search", params={"niche": "no-such"})).status_code == 404
