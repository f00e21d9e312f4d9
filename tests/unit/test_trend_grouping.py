"""From pages to trends: what belongs together, in whatever order it was found, and once."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.trend import (
    MAX_HISTORY,
    MAX_SOURCES,
    Trend,
    TrendCandidate,
    TrendCategory,
    TrendPoint,
    TrendSlug,
)
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics import trends
from contentgen_core.policies.topics.trends import (
    HISTORY_STEP,
    TrendGroups,
    group_pages,
    new_trend,
    publisher_of,
    refreshed_trend,
)
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

ANALYSIS = IcuTextAnalysis()
HOUR = timedelta(hours=1)
STORIES = (
    "Government doubles the heat pump grant for old houses",
    "Old houses: government doubling heat pump grants",
    "Solar panel prices fall to a record low in Europe",
    "Record low: solar panel prices falling across Europe",
    "Ransomware closes three hospitals in one night",
    "Night of ransomware: hospitals closed",
    "Heat pump",
    "Bees",
)


def page(title: str = STORIES[0], publisher: str = "a.example", **changes: Any) -> TrendCandidate:
    url = changes.pop("url", f"https://{publisher}/{abs(hash(title)) % 10_000}")
    return builders.trend_candidate(title, url=url, publisher=publisher, **changes)


_pages = st.builds(
    lambda title, publisher, hours, engagement, excerpt, variant: page(
        title,
        f"{publisher}.example",
        url=f"https://{publisher}.example/{STORIES.index(title)}/{variant}",
        published_at=MOMENT - hours * HOUR,
        engagement=engagement,
        excerpt=excerpt,
    ),
    st.sampled_from(STORIES),
    st.sampled_from("abcd"),
    st.integers(0, 100),
    st.none() | st.integers(0, 50),
    st.sampled_from(["", "A sentence.", "Another sentence."]),
    st.integers(0, 1),
)
_many = st.lists(_pages, max_size=20)


def grown(pages: list[TrendCandidate], known: list[Trend] | None = None, at: timedelta = timedelta()) -> list[Trend]:
    """The trends after a refresh with these pages."""
    now, known = MOMENT + at, known or []
    found = group_pages(pages, known, ANALYSIS)
    old = [refreshed_trend(trend, found.joined.get(trend.slug, ()), 0.0, now) for trend in known]
    new = [new_trend("n", pages, 0.0, now, ANALYSIS) for pages in found.new]
    return [*old, *(evolve(trend, slug=TrendSlug(f"{len(known)}-{n}")) for n, trend in enumerate(new))]


def test_a_publisher_is_the_host_of_an_address() -> None:
    for url, publisher in (
        ("https://www.example.org/a?b", "example.org"),
        ("http://m.Example.org:8080/", "example.org"),
        ("https://blog.example.org./a", "blog.example.org"),
        ("nonsense", ""),
    ):
        assert publisher_of(url) == publisher


def test_two_publishers_on_one_topic_make_a_trend_and_one_alone_does_not() -> None:
    found = group_pages(
        [page(STORIES[0], "a.example"), page(STORIES[1], "b.example"), page(STORIES[4], "a.example")], [], ANALYSIS
    )
    assert [[p.source.publisher for p in topic] for topic in found.new] == [["a.example", "b.example"]]
    assert found.single_publisher == 1


def test_copies_of_the_same_publisher_make_no_trend() -> None:
    copies = [page(STORIES[0], url=f"https://a.example/{n}") for n in range(5)]
    assert group_pages(copies, [], ANALYSIS) == TrendGroups({}, (), 1)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        (Language.EN, "Government doubles heat pump grants", "Heat pump grant doubled by the government"),
        (Language.FR, "L’État augmente l’aide aux pompes à chaleur", "Aides à la pompe à chaleur augmentées"),
        (Language.DE, "Förderung für Wärmepumpen verdoppelt", "Verdoppelte Förderung der Wärmepumpe"),
        (Language.RU, "Субсидии на тепловые насосы удвоены", "Удвоена субсидия на тепловой насос"),
        (Language.JA, "ヒートポンプの補助金が倍増", "ヒートポンプ補助金、倍増へ"),
        (Language.AR, "مضاعفة دعم المضخات الحرارية", "دعم المضخات الحرارية مضاعفة"),
    ],
)
def test_word_forms_and_stop_words_make_no_other_topic(language: Language, one: str, other: str) -> None:
    pages = [page(one, "a.example", language=language), page(other, "b.example", language=language)]
    assert len(group_pages(pages, [], ANALYSIS).new) == 1


def test_the_same_words_in_another_language_are_another_topic() -> None:
    pages = [page("Solar Tesla", "a.example"), page("Solar Tesla", "b.example", language=Language.DE)]
    assert group_pages(pages, [], ANALYSIS).new == ()


@given(_many, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_what_was_found_changes_nothing(pages: list[TrendCandidate], random: Any) -> None:
    shuffled = random.sample(pages, len(pages))
    known = grown(pages[:8])
    assert group_pages(pages, known, ANALYSIS) == group_pages(shuffled, list(reversed(known)), ANALYSIS)
    assert grown(pages, known) == grown(shuffled, known)


@given(_many, _many)
@settings(max_examples=60, deadline=None)
def test_the_same_pages_twice_change_nothing(first: list[TrendCandidate], second: list[TrendCandidate]) -> None:
    once = grown(second, grown(first), HOUR)
    assert grown(second, once, HOUR) == once


@given(_many, st.timedeltas(HOUR, timedelta(days=20)))
@settings(max_examples=60, deadline=None)
def test_the_same_pages_later_change_scores_and_history_alone(pages: list[TrendCandidate], later: timedelta) -> None:
    once, again = grown(pages), grown(pages, grown(pages), later)

    def lasting(trend: Trend) -> Trend:
        return evolve(trend, score=0.0, history=(), updated_at=MOMENT)

    assert [lasting(trend) for trend in again] == [lasting(trend) for trend in once]
    assert all(now.score <= before.score for now, before in zip(again, once, strict=True))


@given(_many, _many)
@settings(max_examples=60, deadline=None)
def test_what_joins_a_trend_makes_no_second_one(first: list[TrendCandidate], second: list[TrendCandidate]) -> None:
    known = grown(first)
    after = grown(second, known)
    urls = [source.url for trend in after for source in trend.sources]
    assert len(set(urls)) == len(urls)
    titles = {trend.title for trend in known}
    assert not titles & {trend.title for trend in after[len(known) :]}
    for trend in after:
        assert 0 <= trend.score <= 100
        assert trend.history[-1] == TrendPoint(MOMENT, trend.score, trend.publishers)
        assert trend.publishers >= trends.MIN_PUBLISHERS


def test_long_titles_that_share_the_words_of_their_field_are_different_topics() -> None:
    one = "Large language model agents plan shopping trips for visually impaired customers in crowded malls"
    other = "Why large language model agents fail arithmetic puzzles unless memory traces carry physical units"
    assert group_pages([page(one, "a.example"), page(other, "b.example")], [], ANALYSIS).new == ()


def test_a_page_stays_with_the_trend_that_has_it_whatever_its_title_is_now() -> None:
    [trend] = grown([page(STORIES[0], "a.example", url="https://a.example/1"), page(STORIES[1], "b.example")])
    renamed = page(STORIES[2], "a.example", url="https://a.example/1")
    assert list(group_pages([renamed], [trend], ANALYSIS).joined) == [trend.slug]


def test_the_title_is_the_one_that_shares_most_with_the_others() -> None:
    [trend] = grown(
        [
            page("Grant for heat pump doubled, and what else happened in energy this week", "a.example"),
            page("Heat pump grant doubled", "b.example", excerpt="The grant is twice as high."),
            page("Heat pump grant is doubled by the government", "c.example"),
        ]
    )
    assert trend.title == "Heat pump grant doubled"
    assert trend.summary == "The grant is twice as high."
    assert trend.publishers == 3


def test_the_summary_is_another_pages_where_the_typical_one_says_nothing() -> None:
    [trend] = grown(
        [page(STORIES[0], "a.example", excerpt=""), page(STORIES[0], "b.example", excerpt="Twice as high.")]
    )
    assert trend.summary == "Twice as high."
    [silent] = grown([page(STORIES[0], f"{name}.example", excerpt="") for name in "ab"])
    assert silent.summary == silent.title


def test_the_category_is_what_most_publishers_are_however_much_one_of_them_writes() -> None:
    busy = [page(STORIES[0], "a.example", url=f"https://a.example/{n}") for n in range(5)]
    others = [page(STORIES[0], f"{name}.example", category=TrendCategory.RESEARCH) for name in "bc"]
    [trend] = grown([*busy, *others])
    assert trend.category is TrendCategory.RESEARCH


def test_of_many_sources_the_newest_of_each_publisher_stay() -> None:
    busy = [
        page(
            STORIES[0], "busy.example", url=f"https://busy.example/{n}", published_at=MOMENT - n * timedelta(minutes=1)
        )
        for n in range(40)
    ]
    old = page(STORIES[0], "old.example", published_at=MOMENT - timedelta(days=3))
    [trend] = grown([*busy, old])
    assert len(trend.sources) == MAX_SOURCES
    assert trend.sources[0].url == "https://busy.example/0"
    assert trend.sources[-1].publisher == "old.example"
    assert trend.first_seen_at == MOMENT - timedelta(days=3)
    assert trend.last_seen_at == MOMENT


def test_engagement_of_a_known_source_only_grows() -> None:
    first = page(STORIES[0], "a.example", engagement=5)
    other = page(STORIES[0], "b.example")
    [trend] = grown([first, other])
    less = evolve(first, source=evolve(first.source, engagement=3, title="Another title"))
    [same] = grown([less], [trend])
    assert same == trend
    more = evolve(first, source=evolve(first.source, engagement=8))
    [grew] = grown([more], [trend])
    assert max(source.engagement or 0 for source in grew.sources) == 8


def test_the_history_has_a_point_every_few_hours_and_always_the_present() -> None:
    [trend] = grown([page(STORIES[0], "a.example"), page(STORIES[1], "b.example")])
    for minutes in range(15, 24 * 60 + 1, 15):
        trend = refreshed_trend(trend, (), 0.0, MOMENT + timedelta(minutes=minutes))
    ages = [point.at for point in trend.history]
    assert ages[-1] == MOMENT + timedelta(days=1)
    gaps = [later - earlier for earlier, later in pairwise(ages[:-1])]
    assert all(HISTORY_STEP <= gap < HISTORY_STEP + HOUR for gap in gaps)
    assert 4 <= len(ages) <= 6
    for hours in range(30, 30 + 7 * MAX_HISTORY, 7):
        trend = refreshed_trend(trend, (), 0.0, MOMENT + hours * HOUR)
    assert len(trend.history) == MAX_HISTORY
