"""The score of trends: bounded, monotone in each of its parts, and as the documentation computes it."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.trend import Trend, TrendPoint
from contentgen_core.policies.topics.trend_score import (
    BREADTH,
    DAY,
    ENGAGEMENT,
    RECENCY,
    VELOCITY,
    TrendSignals,
    niche_pace,
    pace,
    score,
    score_parts,
    trend_signals,
)
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

PAGE = Path(__file__).parents[2] / "docs/explanation/trends.md"
HOUR = timedelta(hours=1)

_measures = st.builds(
    TrendSignals,
    new=st.integers(0, 30),
    usual=st.floats(0, 1_000),
    publishers=st.integers(0, 30),
    age=st.timedeltas(timedelta(-1), timedelta(60)),
    engagement=st.floats(0, 1e9),
)
_ages = st.timedeltas(timedelta(), timedelta(9))
_sources = st.builds(
    lambda publisher, age, engagement: builders.trend_source(
        publisher=f"site-{publisher}.example", published_at=MOMENT - age, engagement=engagement
    ),
    st.integers(0, 9),
    _ages,
    st.none() | st.integers(0, 5_000),
)
_points = st.lists(
    st.builds(lambda age, sources: TrendPoint(MOMENT - age, 50.0, sources), _ages, st.integers(1, 30)), max_size=6
).map(lambda points: tuple(sorted(points, key=lambda point: point.at)))
_trends = st.builds(
    lambda sources, history, clicks: builders.trend(
        sources=tuple(sources), history=history, clicks=clicks, first_seen_at=MOMENT - timedelta(9)
    ),
    st.lists(_sources, min_size=1, max_size=12),
    _points,
    st.integers(0, 3_000),
)


def score_of(trend: Trend, niche: float = 0.0, later: timedelta = timedelta()) -> float:
    return score(trend_signals(trend, niche, MOMENT + later))


def test_the_weights_sum_to_one() -> None:
    assert pytest.approx(1.0) == VELOCITY + BREADTH + RECENCY + ENGAGEMENT


@given(_measures)
def test_every_part_is_between_0_and_1_and_the_score_between_0_and_100(signals: TrendSignals) -> None:
    found = score_parts(signals)
    assert all(0 <= part <= 1 for part in (found.velocity, found.breadth, found.recency, found.engagement))
    assert 0 <= score(signals) <= 100


@given(_measures, st.integers(0, 10), st.integers(0, 10), st.floats(0, 1e6))
def test_more_sources_and_more_engagement_never_lower_the_score(
    signals: TrendSignals, new: int, publishers: int, engagement: float
) -> None:
    more = evolve(
        signals,
        new=signals.new + new,
        publishers=signals.publishers + publishers,
        engagement=signals.engagement + engagement,
    )
    assert score(more) >= score(signals)


@given(_measures, st.timedeltas(timedelta(), timedelta(60)), st.floats(0, 100))
def test_age_and_a_busier_past_never_raise_the_score(signals: TrendSignals, age: timedelta, usual: float) -> None:
    assert score(evolve(signals, age=signals.age + age, usual=signals.usual + usual)) <= score(signals)


@given(_trends, st.timedeltas(timedelta(), timedelta(40)))
def test_a_trend_that_nobody_adds_to_only_cools_down(trend: Trend, later: timedelta) -> None:
    assert score_of(trend, later=later) <= score_of(trend)


@given(_trends, _sources)
def test_a_further_source_never_lowers_the_score_of_a_trend(trend: Trend, source: object) -> None:
    assert score_of(evolve(trend, sources=(*trend.sources, source))) >= score_of(trend)


@given(_trends, st.floats(0, 20), st.floats(0, 20))
def test_in_a_busier_niche_the_same_trend_scores_no_higher(trend: Trend, niche: float, more: float) -> None:
    assert score_of(trend, niche + more) <= score_of(trend, niche)


@given(_trends, st.integers(0, 1_000))
def test_clicks_never_lower_the_score(trend: Trend, clicks: int) -> None:
    assert score_of(evolve(trend, clicks=trend.clicks + clicks)) >= score_of(trend)


@given(_trends)
def test_copies_of_the_same_publisher_count_once(trend: Trend) -> None:
    copies = tuple(evolve(source, url=f"{source.url}/again") for source in trend.sources)
    assert score_of(evolve(trend, sources=(*trend.sources, *copies))) == score_of(trend)


def test_half_of_each_part_is_where_the_formula_says() -> None:
    found = score_parts(TrendSignals(new=2, usual=2.0, publishers=3, age=timedelta(hours=48), engagement=1000.0))
    assert (found.velocity, found.breadth, found.recency, found.engagement) == pytest.approx((0.5, 0.5, 0.5, 1.0))


def test_the_pace_of_the_past_is_its_best_until_a_day_ago() -> None:
    trend = builders.trend(
        first_seen_at=MOMENT - 4 * DAY,
        history=(
            TrendPoint(MOMENT - 3 * DAY, 50.0, 4),  # 4 in 1 day
            TrendPoint(MOMENT - 2 * DAY, 50.0, 6),  # 6 in 2 days
            TrendPoint(MOMENT - HOUR, 50.0, 29),
        ),
    )
    assert pace(trend, MOMENT) == 4.0
    assert pace(evolve(trend, history=()), MOMENT) == 0.0
    assert niche_pace([trend, evolve(trend, history=trend.history[1:]), builders.trend()], MOMENT) == 3.5
    assert niche_pace([], MOMENT) == 0.0


def test_the_worked_example_of_the_documentation_is_computed_so() -> None:
    """The table of the example names each measure and part with its value; the sentence behind it the score."""
    text = PAGE.read_text("utf-8")
    example = text[text.index("## A worked example") :]
    shown = {name: float(value) for name, value in re.findall(r"^\| ([a-z ]+?) \|.*\| ([\d.]+)[^|]*\|$", example, re.M)}
    signals = TrendSignals(
        new=int(shown["new"]),
        usual=shown["usual"],
        publishers=int(shown["publishers"]),
        age=timedelta(hours=shown["age"]),
        engagement=shown["comments and clicks"],
    )
    found = score_parts(signals)
    for name in ("velocity", "breadth", "recency", "engagement"):
        assert round(getattr(found, name), 3) == shown[name], name
    [told] = re.findall(r"= \*\*([\d.]+)\*\*", example)
    assert score(signals) == float(told)
    later = evolve(signals, new=0, age=signals.age + timedelta(days=2))
    assert f"recency {score_parts(later).recency:.3f}, and the score **{score(later)}**" in example


def test_the_documentation_states_the_weights_in_use() -> None:
    text = PAGE.read_text("utf-8")
    formula = f"{VELOCITY:.2f} velocity + {BREADTH:.2f} breadth + {RECENCY:.2f} recency + {ENGAGEMENT:.2f} engagement"
    assert formula in text
