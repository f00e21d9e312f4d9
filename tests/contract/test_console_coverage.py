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
