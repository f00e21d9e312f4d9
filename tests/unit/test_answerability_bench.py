"""The measures of the bench of answerability."""

from __future__ import annotations

import pytest
from benchmarks.quality.answerability import Judged
from benchmarks.quality.curve import Curve, curves
from hypothesis import given
from hypothesis import strategies as st

SCORES = st.lists(st.floats(-9, 9), min_size=2, max_size=30)


def test_hallucination_is_what_the_cut_off_for_an_error_accepts_of_the_unanswerable() -> None:
    judged = Judged([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [0, 1.5, 2.5, 2.5, 9.5])
    assert judged.hallucination_at(0.0) == pytest.approx(4 / 5)
    assert judged.hallucination_at(0.1) == pytest.approx(3 / 5), "one of ten is refused, the cut-off is 2"
    assert judged.hallucination_at(0.2) == pytest.approx(1 / 5)
    assert judged.hallucination_at(0.9) == 0.0


@given(SCORES, SCORES, st.floats(0, 0.99), st.floats(0, 0.99))
def test_more_error_never_means_more_hallucination(
    answerable: list[float], unanswerable: list[float], one: float, other: float
) -> None:
    judged = Judged(answerable, unanswerable)
    low, high = sorted((one, other))
    assert judged.hallucination_at(low) >= judged.hallucination_at(high)


def test_the_picture_names_the_curve_and_every_point() -> None:
    svg = curves(Curve("ours", [(0.0, 1.0), (1.0, 0.0)]), {"theirs": (0.2, 0.4)}, ("error", "hallucination"))
    assert svg.startswith("<svg")
    assert ">ours<" in svg
    assert ">theirs<" in svg
