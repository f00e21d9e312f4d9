"""A plan in the console: its forecast follows each change, and another one is made in its place."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contentgen_core.model.tenant import Role
from tests.support.browser import Browser, signed_in
from tests.support.http import AGENT, COVERED, Api, open_api
from tests.support.team import joined


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def planned(browser: Browser) -> str:
    await browser.get("/console/coverage", params={"agent": AGENT, "topic": COVERED})
    begun = await browser.post("/console/coverage/plan", **browser.fields())
    await browser.follow(begun)
    return str(begun.headers["location"].partition("?")[0])


async def test_the_forecast_follows_a_change_and_a_fault_is_no_error_of_the_part(api: Api) -> None:
    browser = await signed_in(api)
    address = await planned(browser)
    assert 'hx-target="#forecast"' in browser.page
    assert "&#34;" not in browser.page.split('id="forecast"')[1].split(">")[0]
    fields = {**browser.fields(), "do": "forecast"}
    part = await browser.post(address, {**fields, "words-0": "999"}, headers={"HX-Request": "true"})
    assert "/999" in part.text
    faulty = await browser.post(address, {**fields, "heading-0": ""}, headers={"HX-Request": "true"})
    assert faulty.status_code == 200
    assert "One entry has to be changed." in faulty.text
    assert (await browser.post(address, {**fields, "heading-0": ""})).status_code == 400


async def test_a_plan_without_a_section_says_what_helps(api: Api) -> None:
    browser = await signed_in(api)
    address = await planned(browser)
    fields = {name: value for name, value in browser.fields().items() if name != "section"}
    answer = await browser.post(address, fields)
    assert "The plan has no section." in answer.text
    assert "/console/coverage?agent=" in answer.text


async def test_a_plan_is_made_anew_in_the_place_of_the_former_one(api: Api) -> None:
    browser = await signed_in(api)
    address = await planned(browser)
    await browser.get(f"{address}/again")
    assert "It counts as one of the month" in browser.page
    again = await browser.post(f"{address}/again")
    assert again.status_code == 303, again.text
    await browser.follow(again)
    assert 'id="forecast"' in browser.page
    assert (await browser.get(address)).status_code == 404


async def test_a_viewer_plans_nothing_anew(api: Api) -> None:
    address = await planned(await signed_in(api))
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    await viewer.get(f"{address}/again")
    refused = await viewer.post(f"{address}/again")
    assert refused.status_code == 403
    assert "Your role does not allow this" in refused.text
    assert (await viewer.get(f"{address}/again")).status_code == 200
