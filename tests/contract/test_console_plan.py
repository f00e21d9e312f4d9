"""A plan in the console: its forecast follows each change, and another one is made in its place."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contentgen_core.model.ids import ArticleId
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
    assert "The plan has no sections." in answer.text
    assert "/console/coverage?agent=" in answer.text


async def test_a_plan_is_made_anew_in_the_place_of_the_former_one(api: Api) -> None:
    browser = await signed_in(api)
    address = await planned(browser)
    await browser.get(f"{address}/again")
    assert "counts as one of the month" in browser.page
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


async def test_the_second_of_two_who_edit_a_plan_is_told_and_loses_nothing(api: Api) -> None:
    first = await signed_in(api)
    address = await planned(first)
    second = await signed_in(api)
    await second.get(address)
    before = {**second.fields(), "do": "forecast"}
    assert (await first.post(address, {**first.fields(), "do": "forecast", "title": "Theirs"})).status_code == 200

    told = await second.post(address, {**before, "title": "Mine"})
    assert told.status_code == 409
    assert "Someone else changed this plan" in told.text
    assert 'name="title" value="Mine"' in told.text
    assert "<b>Theirs</b>" in told.text
    assert (await second.post(address, {**second.fields(), "do": "approve"})).status_code == 409
    part = await second.post(address, {**before, "title": "Mine"}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "Someone else changed this plan" in part.text
    assert 'name="title" value="Theirs"' in (await first.get(address)).text

    await second.post(address, {**before, "title": "Mine"})
    instead = second.page.partition('name="instead" value="')[2].partition('"')[0]
    kept = await second.post(address, {**second.fields(), "instead": instead})
    assert kept.status_code == 200, kept.text
    assert 'name="title" value="Mine"' in (await first.get(address)).text


async def test_an_answer_that_never_arrived_is_no_change_of_somebody_else(api: Api) -> None:
    browser = await signed_in(api)
    address = await planned(browser)
    fields = {**browser.fields(), "do": "forecast"}
    for title in ("One", "Two"):
        assert (await browser.post(address, {**fields, "title": title})).status_code == 200
    assert (await browser.post(address, {**fields, "title": "Three", "do": "approve"})).status_code == 303


async def test_a_plan_that_somebody_else_changed_is_not_made_anew(api: Api) -> None:
    first = await signed_in(api)
    address = await planned(first)
    second = await signed_in(api)
    await second.get(f"{address}/again")
    asked = second.fields()
    await first.post(address, {**first.fields(), "do": "forecast", "title": "Theirs"})
    told = await second.post(f"{address}/again", asked)
    assert told.status_code == 409
    assert 'name="title" value="Theirs"' in (await first.get(address)).text
    assert (await second.post(f"{address}/again", second.fields())).status_code == 303


async def test_a_change_of_a_plan_that_was_approved_meanwhile_says_so(api: Api) -> None:
    browser = await signed_in(api)
    address = await planned(browser)
    fields = browser.fields()
    assert (await browser.post(address, {**fields, "do": "approve"})).status_code == 303
    late = await browser.post(address, {**fields, "do": "forecast"})
    await browser.follow(late)
    assert "This plan was approved or discarded in the meantime" in browser.page


async def test_what_was_typed_into_a_plan_that_somebody_approved_meanwhile_is_kept(api: Api) -> None:
    first = await signed_in(api)
    address = await planned(first)
    second = await signed_in(api)
    await second.get(address)
    typed = {**second.fields(), "title": "Mine", "points-0": "A point of mine", "new-question": "A question of mine?"}
    assert (await first.post(address, {**first.fields(), "do": "approve"})).status_code == 303
    article_id = ArticleId(address.split("/")[3])
    for do in ("forecast", "approve"):
        told = await second.post(address, {**typed, "do": do})
        assert told.status_code == 409
        assert "Someone approved or discarded this plan" in told.text
        assert f'href="/console/articles/{article_id}"' in told.text
        for text in ("Mine", "A point of mine", "A question of mine?"):
            assert any(text in shown for values in second.fields().values() for shown in values), text
        assert 'value="approve"' not in told.text
    part = await second.post(address, {**typed, "do": "forecast"}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "Someone approved or discarded this plan" in part.text.split('id="forecast"')[1].split('id="title"')[0]
    plan = (await api.house.article(article_id)).plan
    assert plan is not None
    assert plan.title != "Mine"


async def test_who_approved_a_plan_twice_is_led_to_the_article(api: Api) -> None:
    browser = await signed_in(api)
    address = await planned(browser)
    fields = {**browser.fields(), "title": "Mine", "new-question": COVERED + "?", "do": "approve"}
    assert (await browser.post(address, fields)).headers["location"].endswith("note=note-writing")
    assert (await browser.post(address, fields)).status_code == 303


async def test_what_was_typed_into_a_plan_that_is_gone_can_be_copied(api: Api) -> None:
    browser = await signed_in(api)
    address = await planned(browser)
    fields = {**browser.fields(), "new-heading": "What a <quiet> night costs", "do": "approve"}
    gone = await browser.post(address.removesuffix("/plan") + "/delete", **browser.fields())
    assert gone.status_code == 303, gone.text
    answer = await browser.post(address, **fields)
    assert answer.status_code == 404
    assert "What a &lt;quiet&gt; night costs" in answer.text
