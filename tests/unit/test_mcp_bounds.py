"""What the tools answer is bounded, whatever is stored; and what is cut can be got."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from contentgen_core.errors import InvalidInput
from contentgen_core.model.article import ArticleSource
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.trend import MAX_CONTENT, MAX_SOURCES, Trend, TrendCategory, TrendSlug, TrendSource
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.slugs import free_slug
from contentgen_core.ports.repositories.public_articles import PublicPage
from contentgen_core.ports.repositories.trends import TrendPage
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.public.read_public import TrendWithTexts
from contentgen_http.mcp.article_tools import article_detail, article_list
from contentgen_http.mcp.bounds import MAX_ANSWER, MAX_LIST, MAX_TEXT, readable, shares, shorten, size, text_slice
from contentgen_http.mcp.tenant_answers import standing
from contentgen_http.mcp.trend_tools import trend_detail, trend_list

# What costs most in JSON, and what costs most in an agent's window.
LETTERS = st.sampled_from(['"', "\\", "\n", "a ", "word ", "\x01", "é", "水", "\U0001f525", "\ud800"])


@st.composite
def long_texts(draw: st.DrawFn, most: int) -> str:
    unit = "".join(draw(st.lists(LETTERS, min_size=1, max_size=6)))
    text = unit * (draw(st.sampled_from([0, 1, 50, most])) // len(unit) + 1)
    return text[:most]


@st.composite
def trends(draw: st.DrawFn, number: int = 0) -> Trend:
    def sources(count: int) -> tuple[TrendSource, ...]:
        return tuple(
            TrendSource(
                url=f"https://example.org/{n}/{draw(st.sampled_from(['', 'x' * 900, 'x' * 5_000]))}",
                title=draw(long_texts(2_000)),
                publisher=draw(long_texts(500)),
                category=TrendCategory.NEWS,
                published_at=MOMENT - timedelta(hours=n),
                found_at=MOMENT,
                excerpt=draw(long_texts(1_000)),
            )
            for n in range(count)
        )

    return Trend(
        slug=TrendSlug(free_slug("s" * 190, {"s" * 190}) + str(number)),
        niche_key="home-energy",
        title=draw(long_texts(2_000)),
        summary=draw(long_texts(10_000)),
        category=TrendCategory.NEWS,
        language=Language.EN,
        score=draw(st.floats(0, 100)),
        sources=sources(draw(st.sampled_from([0, 1, MAX_SOURCES]))),
        history=(),
        first_seen_at=MOMENT,
        last_seen_at=MOMENT,
        updated_at=MOMENT,
    )


@given(st.text(), st.integers(1, 50))
def test_pieces_that_follow_each_other_are_the_text(text: str, most: int) -> None:
    read, offset = "", 0
    while True:
        part, rest = text_slice(text, offset, most)
        assert len(part) <= most
        read += part
        if rest is None:
            break
        assert rest > offset
        offset = rest
    assert read == text


@given(st.text(max_size=20), st.integers(1, 100))
def test_an_offset_beyond_the_text_is_refused(text: str, beyond: int) -> None:
    with pytest.raises(InvalidInput):
        text_slice(text, len(text) + beyond, 10)


@given(st.lists(st.integers(0, 10_000), max_size=40), st.integers(0, 30_000))
@example([1, 1], 1)
def test_shares_fit_and_short_texts_are_told_whole(lengths: list[int], most: int) -> None:
    given = shares(lengths, most)
    assert sum(given) <= most
    assert all(share <= length for share, length in zip(given, lengths, strict=True))
    cut = [share for share, length in zip(given, lengths, strict=True) if share < length]
    if cut:
        assert sum(given) > most - len(lengths)  # nothing but what cannot be divided is left over
        assert max(cut) - min(cut) <= 1
        assert all(share <= min(cut) + 1 for share in given)  # what cannot be divided goes to some of them
    else:
        assert given == lengths


@given(long_texts(3_000), st.integers(1, 500))
def test_a_shortened_text_is_one_line_of_that_length(text: str, most: int) -> None:
    line = shorten(text, most)
    assert len(line) <= most
    assert "\n" not in line
    assert readable(line) == line


@settings(max_examples=30, deadline=None)
@given(trends(), st.data())
def test_a_list_of_trends_is_bounded_and_says_what_it_left_out(one: Trend, data: st.DataObject) -> None:
    count = data.draw(st.sampled_from([0, 1, 3, 20, 100]))
    listed = trend_list(TrendPage((one,) * count, 12_345))
    assert size(listed) <= MAX_LIST
    assert listed.total == 12_345
    assert len(listed.trends) == count or listed.truncated
    assert not count or listed.trends
    assert listed.truncated == isinstance(listed.note, str)


@settings(max_examples=30, deadline=None)
@given(trends(), st.data())
def test_a_trend_is_bounded_and_each_text_can_be_got_whole(one: Trend, data: st.DataObject) -> None:
    texts = {source.url: data.draw(long_texts(MAX_CONTENT)) for source in one.sources}
    found = TrendWithTexts(one, texts)
    detail = trend_detail(found, None)
    assert size(detail) <= MAX_ANSWER
    assert len(detail.sources) == len(one.sources)
    assert sum(len(source.content) for source in detail.sources) <= MAX_TEXT
    assert detail.truncated == any(source.truncated for source in detail.sources)
    for told in detail.sources[:: max(1, len(detail.sources) // 3)]:
        [whole] = trend_detail(found, told.number).sources
        assert whole.content == readable(texts[one.sources[told.number - 1].url])
        assert whole.content.startswith(told.content)
        assert told.truncated == (told.content != whole.content)


@settings(max_examples=30, deadline=None)
@given(long_texts(2_000), long_texts(5_000), st.sampled_from([0, 1, 20, 100]))
def test_a_list_of_articles_is_bounded(title: str, excerpt: str, count: int) -> None:
    article = builders.full_article(title=title, excerpt=excerpt, slug="s" * 200)
    listed = article_list(PublicPage((article,) * count, count), "https://content.example.org/" + "b" * 400)
    assert size(listed) <= MAX_LIST
    assert len(listed.articles) == count or listed.truncated
    assert not count or listed.articles
    assert listed.truncated == isinstance(listed.note, str)


@settings(max_examples=30, deadline=None)
@given(long_texts(90_000), long_texts(900), st.sampled_from([0, 1, 100, 400]))
def test_an_article_is_bounded_and_can_be_read_to_its_end(content: str, title: str, count: int) -> None:
    sources = tuple(
        ArticleSource(n, title, DocumentId("d"), 0, f"https://example.org/{n}/{'x' * 900}", author=title or None)
        for n in range(1, count + 1)
    )
    article = builders.full_article(content=content, sources=sources, title=title, excerpt=title)
    for tell in (
        lambda offset: article_detail(article, offset, None),
        lambda offset: standing(article, offset),
    ):
        _read_to_the_end(tell, readable(content))
    assert size(standing(evolve(article, error=content), 0)) <= MAX_ANSWER


def _read_to_the_end(tell: Any, content: str) -> None:
    read, offset = "", 0
    while isinstance(offset, int):
        told = tell(offset)
        assert size(told) <= MAX_ANSWER
        assert len(told.content) <= MAX_TEXT
        read, offset = read + told.content, told.next_offset
    assert read == content
