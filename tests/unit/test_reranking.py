"""A cross-encoder's scores and the ranking by words make one order."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.policies.retrieval.reranking import apply_rerank_scores
from contentgen_core.testing.builders import ranked_passage

Case = tuple[tuple[RankedPassage, ...], list[float]]
UNIT = st.floats(0, 1)


def found(*combined: float) -> tuple[RankedPassage, ...]:
    return tuple(ranked_passage(combined_score=score, rerank_score=0.5) for score in combined)


@st.composite
def cases(draw: st.DrawFn, least: int = 0) -> Case:
    """A ranking, and the scores of its first passages: all of them, some or none."""
    combined = sorted(draw(st.lists(UNIT, min_size=least, max_size=12)), reverse=True)
    scores = draw(st.lists(UNIT | st.sampled_from([0.0, 0.3, 1.0]), min_size=least, max_size=len(combined)))
    return found(*combined), scores


def places(result: tuple[RankedPassage, ...]) -> dict[str, int]:
    return {str(ranked.ref): place for place, ranked in enumerate(result)}


def test_a_clear_opinion_outweighs_the_words() -> None:
    first, second, third = found(0.6, 0.5, 0.2)
    assert [r.ref for r in apply_rerank_scores((first, second, third), [0.01, 0.02, 0.9])] == [
        third.ref,
        first.ref,
        second.ref,
    ]


def test_words_decide_between_passages_that_score_alike() -> None:
    first, second, third = found(0.6, 0.3, 0.29)
    assert apply_rerank_scores((first, second, third), [0.50, 0.51, 0.1])[0].ref == first.ref


def test_a_narrow_scale_says_as_much_as_a_wide_one() -> None:
    given = found(0.6, 0.5, 0.4)
    wide, narrow = apply_rerank_scores(given, [0.0, 1.0, 0.5]), apply_rerank_scores(given, [0.0010, 0.0012, 0.0011])
    assert [r.ref for r in wide] == [r.ref for r in narrow]


def test_what_was_not_scored_follows_as_it_was() -> None:
    given = found(0.9, 0.8, 0.7, 0.6)
    result = apply_rerank_scores(given, [0.1, 0.9])
    assert [r.ref for r in result] == [given[1].ref, given[0].ref, given[2].ref, given[3].ref]
    assert [r.rerank_score for r in result] == [0.9, 0.1, 0.5, 0.5]


@pytest.mark.parametrize("scores", [[0.5, 0.5, 0.5], [1.01], [-0.01], [float("nan")]])
def test_scores_that_do_not_fit_are_refused(scores: list[float]) -> None:
    with pytest.raises(ValueError, match="score"):
        apply_rerank_scores(found(0.9, 0.8), scores)


@given(cases())
def test_the_result_is_a_permutation_of_the_same_passages(case: Case) -> None:
    given_, scores = case
    result = apply_rerank_scores(given_, scores)
    assert sorted(str(r.ref) for r in result) == sorted(str(r.ref) for r in given_)
    by_ref = {r.ref: r for r in given_}
    for ranked in result:
        before = by_ref[ranked.ref]
        assert evolve(before, combined_score=ranked.combined_score, rerank_score=ranked.rerank_score) == ranked
    assert {r.ref for r in result[: len(scores)]} == {r.ref for r in given_[: len(scores)]}
    assert [r.ref for r in result[len(scores) :]] == [r.ref for r in given_[len(scores) :]]


@given(cases())
def test_scores_stay_shares_in_falling_order_below_the_best_by_words(case: Case) -> None:
    given_, scores = case
    result = apply_rerank_scores(given_, scores)
    combined = [r.combined_score for r in result]
    assert combined == sorted(combined, reverse=True)
    assert all(0.0 <= r.combined_score <= given_[0].combined_score for r in result)
    by_ref = {ranked.ref: score for ranked, score in zip(given_, scores, strict=False)}
    assert all(r.rerank_score == by_ref.get(r.ref, 0.5) for r in result)


@given(cases(least=1), UNIT)
def test_equal_scores_change_no_order_and_no_final_score(case: Case, score: float) -> None:
    given_, scores = case
    result = apply_rerank_scores(given_, [score] * len(scores))
    assert [(r.ref, r.combined_score) for r in result] == [(r.ref, r.combined_score) for r in given_]


@given(cases(least=2))
def test_of_two_with_equal_scores_the_one_that_was_first_stays_first(case: Case) -> None:
    given_, scores = case
    place = places(apply_rerank_scores(given_, scores))
    for i in range(len(scores)):
        for j in range(i + 1, len(scores)):
            if scores[j] <= scores[i]:
                assert place[str(given_[i].ref)] < place[str(given_[j].ref)]


@given(cases(least=1), st.data())
def test_a_higher_score_never_moves_a_passage_down(case: Case, data: st.DataObject) -> None:
    given_, scores = case
    chosen = data.draw(st.integers(0, len(scores) - 1))
    better = list(scores)
    better[chosen] = data.draw(st.floats(scores[chosen], 1))
    ref = str(given_[chosen].ref)
    assert places(apply_rerank_scores(given_, better))[ref] <= places(apply_rerank_scores(given_, scores))[ref]
