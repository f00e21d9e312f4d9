"""The console's search of passages: what is found, and why."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.text import Span
from contentgen_core.policies.retrieval.found_by import FoundBy
from contentgen_core.testing import builders
from contentgen_core.use_cases.documents.search import Found
from contentgen_http.console.pages.knowledge.passages import parts_of
from tests.support.browser import signed_in
from tests.support.http import NICHE, Api, open_api

PATH = "/console/knowledge/passages"


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with open_api() as opened:
        yield opened


async def test_what_is_found_says_why_and_marks_the_words(api: Api) -> None:
    browser = await signed_in(api)
    assert "<mark" not in (await browser.get(PATH)).text
    await browser.get(PATH, params={"question": "oversized efficiency", "niche": NICHE, "in": "en"})
    assert "Sizing heat pumps" in browser.page
    assert re.search(r"<mark[^>]*>oversized</mark>", browser.page)
    assert "Matching words" in browser.page
    assert "Relevance" in browser.page
    [address] = set(re.findall(r'"(/console/knowledge/documents/[^"#]+)#text"[^>]*>Sizing', browser.page))
    assert (await browser.get(address.replace("&amp;", "&"))).status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        {"question": "oversized", "in": "fr"},
        {"question": "zebra crossing"},
        {"question": "<script>alert(1)</script>"},
        {"question": " ", "niche": "x" * 300},
    ],
)
async def test_whatever_is_asked_has_an_answer(api: Api, asked: dict[str, Any]) -> None:
    browser = await signed_in(api)
    answer = await browser.get(PATH, params=asked)
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "Sizing heat pumps" not in answer.text


@given(st.text(min_size=1, max_size=60), st.data())
def test_the_parts_of_a_text_are_the_text_and_each_word_is_marked(text: str, data: st.DataObject) -> None:
    spans = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(lambda pair: tuple(sorted(pair)))
    words, (start, end) = data.draw(st.lists(spans, max_size=5)), data.draw(spans)
    passage = builders.passage(builders.kb_document(), text)
    parts = parts_of(Found(RankedPassage(passage, 1, 1, 1), FoundBy.WORDS, Span(start, end), tuple(words)))
    assert "".join(part.text for part in parts) == text
    place = 0
    for part in parts:
        for at in range(place, place + len(part.text)):
            assert part.word is any(a <= at < b for a, b in words)
            assert part.near is (start <= at < end)
        place += len(part.text)
