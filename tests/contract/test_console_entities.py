"""The console's pages on what a knowledge base is about: entities as a picture and a list, topics as a map."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

import pytest

from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Role
from contentgen_core.model.topic_coverage import TopicState
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_http.console.pages.knowledge.topics import TopicLevel, level_of
from tests.support.browser import signed_in
from tests.support.house import NICHE, findable
from tests.support.http import Api, open_api
from tests.support.team import joined

ENTITIES: Final = "/console/knowledge/entities"
TOPICS: Final = "/console/knowledge/topics"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def test_entities_are_a_picture_with_a_list_beside_it(api: Api) -> None:
    text = "Ada Ohm and <b>Volt & Sons</b> met in Paris. In Paris Ada Ohm praised the Heat Pump Act of Volt & Sons."
    sources = [SourceText(f"n{n}", f"News {n}", f"{text} Again {n}.", None, Language.EN) for n in range(4)]
    await api.house.services.knowledge.import_sources(KbScope(NICHE, api.house.caller.tenant_id), sources)
    await findable(api.house.services)
    browser = await signed_in(api)
    await browser.get(ENTITIES, params={"niche": NICHE, "size": "20"})
    assert re.search(r"<text[^>]*>Ada Ohm</text>", browser.page)
    assert re.search(r"<a [^>]*>Ada Ohm</a>", browser.page)
    assert "<b>Volt" not in browser.page
    assert "style=" not in browser.page
    circles, listed = browser.page.count("<circle"), browser.page.count("<li data-node")
    assert circles == listed > 0
    whole = re.search(r'<svg viewBox="([^"]+)"', browser.page)
    await browser.get(ENTITIES, params={"niche": NICHE, "group": "0"})
    closer = re.search(r'<svg viewBox="([^"]+)"', browser.page)
    assert whole
    assert closer
    assert whole.group(1) != closer.group(1)
    for asked in ({"niche": "no-such", "size": "x", "group": "-1"}, {"group": "99"}):
        assert (await browser.get(ENTITIES, params=asked)).status_code == 200


async def test_topics_are_computed_and_shown_as_a_map_and_a_table(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get(TOPICS)
    assert "being computed" in browser.page
    assert "every 2s" in browser.page
    await api.house.work()
    part = (await browser.get(f"{TOPICS}/part", params={"niche": NICHE})).text
    assert "The topics are computed." in part
    assert "hx-trigger" not in part
    await browser.get(TOPICS, params={"niche": NICHE})
    tiles = re.findall(r'<li><a href="/console/([^?"]+)\?topic=', browser.page)
    assert tiles
    assert set(tiles) <= {"coverage", "knowledge/enrich"}
    assert browser.page.count('<th scope="row">') == len(tiles)
    await browser.follow(await browser.post(TOPICS, niche=NICHE))
    assert "The computation has started." in browser.page


async def test_a_viewer_sees_topics_and_starts_nothing(api: Api) -> None:
    _, caller = await joined(api.house, Role.VIEWER)
    viewer = await signed_in(api, await api.key_of(caller))
    await viewer.get(TOPICS)
    await api.house.work()
    assert "Compute again" not in (await viewer.get(TOPICS)).text
    assert (await viewer.post(TOPICS, niche=NICHE)).status_code == 403
    assert (await viewer.get(f"{TOPICS}/part", params={"niche": "no-such"})).status_code == 404


@pytest.mark.parametrize(
    ("covered", "heat", "level"),
    [
        (True, 100, TopicLevel.RICH),
        (True, 75, TopicLevel.RICH),
        (True, 74.9, TopicLevel.COVERED),
        (False, 90, TopicLevel.THIN),
        (False, 30, TopicLevel.THIN),
        (False, 29.9, TopicLevel.MISSING),
        (False, 0, TopicLevel.MISSING),
    ],
)
def test_a_topics_level_is_read_off_coverage_and_heat(covered: bool, heat: float, level: TopicLevel) -> None:
    assert level_of(TopicState("A topic", covered, heat)) is level
