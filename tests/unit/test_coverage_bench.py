"""The measures of the coverage bench."""

from __future__ import annotations

import pytest
from benchmarks.quality.coverage_topics import TITLES
from benchmarks.quality.fit_coverage import macro_f1, written
from benchmarks.quality.reliability import bins, calibration_error, diagram

from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.policies.coverage import weights as coverage_weights
from contentgen_core.policies.coverage.assessment import PRODUCT

LEVELS = list(CoverageLevel)


def test_macro_f1_is_one_for_a_perfect_answer_and_counts_every_level_alike() -> None:
    assert macro_f1(LEVELS, LEVELS) == 1.0
    assert macro_f1(LEVELS, [CoverageLevel.LOW] * 4) == pytest.approx(0.4 / 4)


def test_a_score_that_comes_true_as_often_as_it_says_has_no_error() -> None:
    assert calibration_error(bins([(0.75, True)] * 3 + [(0.75, False)] + [(0.25, False)] * 3 + [(0.25, True)])) == 0.0
    assert calibration_error(bins([(0.9, False), (0.1, True)])) == pytest.approx(0.9)


def test_the_diagram_names_every_series() -> None:
    svg = diagram({"one": bins([(0.2, True), (0.9, False)]), "other": bins([(0.5, True)])})
    assert svg.startswith("<svg")
    assert ">one<" in svg
    assert ">other<" in svg


def test_the_committed_weights_are_as_the_fit_writes_them() -> None:
    with open(coverage_weights.__file__, encoding="utf-8") as module:
        assert module.read() == written(PRODUCT)


def test_every_article_has_a_title_in_every_language() -> None:
    assert {len(titles) for titles in TITLES.values()} == {48}
    assert all(title.strip() for titles in TITLES.values() for title in titles)
