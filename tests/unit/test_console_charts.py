"""Charts: bars stand on zero and in proportion, labels do not overlap."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_http.console.charts import HEIGHT, WIDTH, Point, axis, bar_chart

values = st.one_of(st.none(), st.floats(0, 1e12, allow_nan=False, allow_subnormal=False), st.integers(0, 10**9))
points = st.lists(st.builds(Point, st.text("abcdefgh.", min_size=1, max_size=8), values, st.just("title")), max_size=24)


def figure(value: float) -> str:
    return f"{value:,.0f}"


@given(points)
def test_heights_are_in_proportion_and_within_the_picture(shown: list[Point]) -> None:
    chart = bar_chart(shown, figure)
    known = [point.value for point in shown if point.value is not None]
    assert len(chart.bars) == len(known), "what is not known has no bar"
    for value, bar in zip(known, chart.bars, strict=True):
        assert bar.y >= 0
        assert bar.y + bar.height == pytest.approx(chart.base)
        assert chart.left <= bar.x
        assert bar.x + bar.width <= chart.right
        share = value / max(known) if value else 0
        assert bar.height == pytest.approx(max(each.height for each in chart.bars) * share, abs=1e-6)
    assert chart.base <= HEIGHT
    assert chart.right <= WIDTH


@given(points)
def test_labels_do_not_overlap_and_the_last_stands(shown: list[Point]) -> None:
    chart = bar_chart(shown, figure)
    for one, other in pairwise(chart.labels):
        assert one.x + len(one.text) * 3.5 <= other.x - len(other.text) * 3.5
    if shown:
        assert chart.labels[-1].text == shown[-1].label


@given(st.floats(0, 1e12, allow_nan=False, allow_subnormal=False).filter(lambda most: most == 0 or most > 1e-6))
def test_an_axis_begins_at_zero_and_reaches_the_most_by_equal_steps(most: float) -> None:
    marks = axis(most)
    assert marks[0] == 0
    assert marks[-1] >= most * (1 - 1e-6)
    assert 2 <= len(marks) <= 6
    steps = {round((b - a) / marks[1], 6) for a, b in pairwise(marks)}
    assert steps == {1.0}


def test_an_axis_has_round_figures() -> None:
    assert axis(100) == [0, 50, 100]
    assert axis(7) == [0, 2, 4, 6, 8]
    assert axis(0) == [0, 1]


def test_a_negative_value_is_no_bar() -> None:
    with pytest.raises(ValueError, match="zero"):
        bar_chart([Point("a", -1, "")], figure)


@given(st.lists(st.integers(0, 10**9), max_size=24))
def test_no_part_of_a_thing_stands_at_the_axis_of_counts(counts: list[int]) -> None:
    shown: list[float] = []

    def figure(value: float) -> str:
        shown.append(value)
        return str(value)

    bar_chart([Point("", count, "") for count in counts], figure, whole=True)
    assert all(value == int(value) for value in shown)
