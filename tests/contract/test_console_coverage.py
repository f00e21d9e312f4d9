"""The coverage of a topic in the console: articles that already answer it, and looking for more sources."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import pytest

from tests.support.browser import signed_in, written
from tests.support.http import AGENT, COVERED, Api, open_api

ASKED: Final = {"agent": AGENT, "topic": COVERED}


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def test_an_article_that_answers_the_topic_is_named_before_another_is_planned(api: Api) -> None:
    browser = await signed_in(api)
    await browser.get("/console/coverage", params=ASKED)
    assert "Your articles that already answer this" not in browser.page
    address = await written(browser)
    await browser.get("/console/coverage", params=ASKED)
    assert "Your articles that already answer this" in browser.page
    assert f'href="{address}"' in browser.page
    assert f'href="{address}/updates"' in browser.page
    assert "update it" in browser.page


async def test_the_agent_that_is_proposed_writes_in_the_language_of_the_page(api: Api) -> None:
    assert (await api.call("PATCH", "/niches/home-energy/settings", {"languages": ["fr", "en"]})).status_code == 200
    assert (await api.call("POST", "/niches", {"name": "Home energy tips"})).status_code == 200
    chosen = {"tones": ["professional"], "languages": ["en"], "countries": ["GB"]}
    assert (await api.call("POST", "/niches/home-energy-tips/activate", chosen)).status_code == 200
    browser = await signed_in(api)
    for language, agent in (("en", "home-energy-tips-GB"), ("fr", AGENT), ("en", "home-energy-tips-GB")):
        await browser.get("/console/coverage", headers={"Accept-Language": language})
        assert f'<option value="{agent}" selected>' in browser.page
