"""The console's page on enriching: from a topic to what added to the knowledge base."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import pytest

from contentgen_core.model.tenant import Role
from tests.support.browser import signed_in
from tests.support.http import AGENT, Api, open_api
from tests.support.team import joined

PATH: Final = "/console/knowledge/enrich"
TOPIC: Final = "Noise limits for a heat pump in terraced houses"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def test_a_topic_is_looked_for_and_followed_to_its_end(api: Api) -> None:
    browser = await signed_in(api)
    assert f'value="{TOPIC}"' in (await browser.get(PATH, params={"topic": TOPIC, "agent": AGENT})).text
    started = await browser.post(PATH, topic=TOPIC, agent=AGENT)
    await browser.follow(started)
    address = started.headers["location"].partition("?")[0]
    for shown in ("About to start.", "every 1s", "it continues"):
        assert shown in browser.page
    await api.house.work()
    part = (await browser.get(f"{address}/part")).text
    assert "Done." in part
    assert "hx-trigger" not in part
    assert "added to the knowledge base" in part
    listed = await browser.get("/console/knowledge", params={"origin": "web"})
    assert "found on the web" in listed.text.partition("<table")[2]


async def test_one_that_fails_says_why_and_can_be_tried_again(api: Api) -> None:
    api.house.web.pages = {}
    browser = await signed_in(api)
    await browser.get(PATH)
    started = await browser.post(PATH, topic=TOPIC, agent=AGENT)
    await api.house.work()
    await browser.follow(started)
    assert "The enrichment failed." in browser.page
    assert "Try again" in browser.page


@pytest.mark.parametrize(
    ("topic", "agent", "status", "said"),
    [
        ("Medieval falconry manuals in Iceland", AGENT, 422, "does not belong to the niche"),
        ("<script>alert(1)</script>", AGENT, 400, ""),
        (TOPIC, "home-energy-FR", 404, "It does not exist"),
        (TOPIC, "nonsense", 400, ""),
    ],
)
async def test_what_cannot_be_enriched_is_told_and_kept(
    api: Api, topic: str, agent: str, status: int, said: str
) -> None:
    browser = await signed_in(api)
    await browser.get(PATH)
    refused = await browser.post(PATH, topic=topic, agent=agent)
    assert refused.status_code == status
    assert said in refused.text
    assert browser.fields()["topic"] == [topic]
    assert "<script>alert" not in refused.text


async def test_a_viewer_and_a_stranger_start_and_see_nothing(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(PATH)
    address = (await browser.post(PATH, topic=TOPIC, agent=AGENT)).headers["location"].partition("?")[0]
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    assert "Search the web" not in (await viewer.get(PATH)).text
    assert (await viewer.post(PATH, topic=TOPIC, agent=AGENT)).status_code == 403
    assert (await viewer.get(address)).status_code == 200
    stranger = await signed_in(api, await api.key_of(await api.house.other_tenant()))
    for path in (address, f"{address}/part"):
        assert (await stranger.get(path)).status_code == 404
