"""Intervals, and whether a figure fell by more than chance."""

from __future__ import annotations

from datetime import UTC, datetime
from math import inf

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.evaluation import FIGURES, Cases, Evaluation, Figure, Interval, Outcome, Part, Setup
from contentgen_core.policies.evaluation.comparison import Limits, compare, other_cases, other_conditions
from contentgen_core.policies.evaluation.intervals import interval_of_difference, interval_of_mean

SETUP = Setup(
    cases=Cases("notes", seed=7, size=100, articles=5),
    parts=frozenset(Part),
    version="1",
    embedder="hashed",
    writer="extractive",
    entailment="",
    reranker="",
    knowledge="abc",
    documents=10,
    passages=20,
    of=10,
)


def figure(values: list[float], name: str = "grounding.refused", *, rises: bool = True, first: int = 0) -> Figure:
    outcomes = [Outcome(f"case {n}", value, "" if value else f"wrong {n}") for n, value in enumerate(values, first)]
    return Figure(name, tuple(outcomes), interval_of_mean(values, shares=rises), rises)


def run(*figures: Figure, setup: Setup = SETUP) -> Evaluation:
    return Evaluation(setup, datetime(2026, 1, 1, tzinfo=UTC), 1.0, figures)


def shares(right: int, of: int = 100) -> list[float]:
    return [1.0] * right + [0.0] * (of - right)


def test_wilsons_interval_is_that_of_the_textbooks() -> None:
    found = interval_of_mean(shares(8, 10))
    assert found.low == pytest.approx(0.490, abs=0.001)
    assert found.high == pytest.approx(0.943, abs=0.001)
    assert interval_of_mean(shares(10, 10)).high == pytest.approx(1.0)
    with pytest.raises(ValueError, match="no values"):
        interval_of_mean([])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_mean_lies_in_its_interval_and_the_interval_in_its_bounds(values: list[float]) -> None:
    found, mean = interval_of_mean(values), sum(values) / len(values)
    assert 0 <= found.low <= found.high <= 1
    assert found.low - 1e-9 <= mean <= found.high + 1e-9
    assert interval_of_mean(values) == found


def test_students_interval_is_that_of_the_tables() -> None:
    found = interval_of_mean([0.2, 0.4, 0.5, 0.6, 0.7, 0.6])  # t(5) = 2.571
    assert found.low == pytest.approx(0.5 - 2.571 * 0.17889 / 6**0.5, abs=0.002)
    assert interval_of_mean([0.5]) == Interval(0.0, 1.0)
    assert interval_of_mean([3.0, 3.0], shares=False) == Interval(3.0, 3.0)


def test_no_difference_is_no_difference_and_one_case_tells_none() -> None:
    assert interval_of_difference([1.0, 0.0], [1.0, 0.0]) == Interval(0.0, 0.0)
    assert interval_of_difference([1.0], [0.0]).high == inf


def test_a_figure_fell_when_the_same_cases_are_worse_beyond_tolerance_and_chance() -> None:
    before = run(figure(shares(98)))
    [fallen] = [each for each in compare(run(figure(shares(85))), before, Limits()) if each.fell]
    assert fallen.why == "0.980 before: worse by 0.130, where 0.02 is allowed"
    assert fallen.same == 100
    assert [outcome.key for outcome in fallen.failed[:2]] == ["case 85", "case 86"]
    assert fallen.failed[-1].key == "case 99"
    assert not any(each.fell for each in compare(run(figure(shares(97))), before, Limits()))
    assert not any(each.fell for each in compare(before, run(figure(shares(85))), Limits()))
    wide = Limits(tolerances={"grounding.refused": 0.2})
    assert not any(each.fell for each in compare(run(figure(shares(85))), before, wide))


def test_few_cases_may_vary_by_chance() -> None:
    [one] = compare(run(figure(shares(4, 5))), run(figure(shares(5, 5))), Limits())[:1]
    assert one.worse == pytest.approx(0.2)
    assert not one.beyond_chance
    assert not one.fell


def test_other_cases_are_compared_by_their_intervals() -> None:
    before = run(figure(shares(95), first=1000))
    [near] = compare(run(figure(shares(90))), before, Limits())[:1]
    assert near.same == 0
    assert not near.fell
    [far] = compare(run(figure(shares(50))), before, Limits())[:1]
    assert far.fell


def test_of_some_figures_less_is_better() -> None:
    name = "articles.unresolved"
    less, more = (figure([count] * 10 + [0.0] * 10, name, rises=False) for count in (0.0, 3.0))
    assert [each.name for each in compare(run(more), run(less), Limits()) if each.fell] == [name]
    assert not any(each.fell for each in compare(run(less), run(more), Limits()))
    bounded = Limits(most={name: 1.0})
    [found] = [each for each in compare(run(more), None, bounded) if each.fell]
    assert found.why == "1.500 is above 1"


def test_bounds_hold_without_an_earlier_run_and_for_what_was_not_measured() -> None:
    limits = Limits(least={"grounding.refused": 0.95, "grounding.refused_date": 0.9})
    found = compare(run(figure(shares(90))), None, limits)
    assert {each.name: each.why for each in found if each.fell} == {
        "grounding.refused": "0.900 is below 0.95",
        "grounding.refused_date": "not measured in this run",
    }


def test_what_was_measured_before_and_is_no_longer_fell_unless_it_was_not_asked_for() -> None:
    before = run(figure(shares(90)), figure(shares(90), "coverage.refused"))
    [lost] = [each for each in compare(run(figure(shares(90))), before, Limits()) if each.fell]
    assert lost.name == "coverage.refused"
    only = evolve(SETUP, parts=frozenset({Part.GROUNDING}))
    assert not any(each.fell for each in compare(run(figure(shares(90)), setup=only), before, Limits()))


def test_other_seeds_and_sizes_are_not_compared_and_other_models_are_told() -> None:
    cases = SETUP.cases
    assert other_cases(cases, evolve(cases, seed=8, size=50)) == ("seed was 8 and is 7", "size was 50 and is 100")
    assert other_cases(cases, evolve(cases, subject="the same notes elsewhere")) == ()
    assert other_conditions(SETUP, evolve(SETUP, version="0.9", reranker="cohere")) == (
        "version was 0.9 and is 1",
        "reranker was cohere and is none",
    )
    assert other_conditions(SETUP, SETUP) == ()


def test_the_list_of_figures_is_by_parts() -> None:
    parts = [name.partition(".")[0] for name in FIGURES]
    assert list(dict.fromkeys(parts)) == list(Part)
    assert parts == sorted(parts, key=list(Part).index)
