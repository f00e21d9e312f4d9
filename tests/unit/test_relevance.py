"""Which passages are about a text: relative to the best of them, and against the background of the search."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, RankedPassage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.ranking import Candidate
from contentgen_core.policies.retrieval.relevance import (
    BACKGROUND_PASSAGES,
    FIRST_RESULTS,
    nearness,
    relevant,
    worth_showing,
)
from contentgen_core.policies.text.nearness import SPELLING_WEIGHT
from contentgen_core.testing.builders import kb_document, passage, ranked_passage

COSINES = [0.78 + n / 1_000 for n in range(BACKGROUND_PASSAGES)]


def candidates(cosines: Sequence[float | None], text_score: float = 0.0) -> list[Candidate]:
    found = [passage(kb_document(id=DocumentId(f"d{n:03}"))) for n in range(len(cosines))]
    return [Candidate(p, IndexHit(p.ref, text_score, cosine)) for p, cosine in zip(found, cosines, strict=True)]


def ranked(score: float, words: float = 0.0) -> RankedPassage:
    return ranked_passage(combined_score=score, rerank_score=words)


def test_cosines_count_from_the_background_of_the_search() -> None:
    found = candidates([*COSINES, 0.89, None])
    near = nearness(found, 1.0)
    assert near[found[0].passage.ref] == near[found[-1].passage.ref] == 0.0
    assert near[found[-2].passage.ref] == pytest.approx(0.5)


def test_a_model_with_another_range_gives_the_same_nearness() -> None:
    one = nearness(candidates([*COSINES, 0.89]), 1.0)
    other = nearness(candidates([1 - (1 - cosine) * 4 for cosine in (*COSINES, 0.89)]), 1.0)
    assert list(one.values()) == pytest.approx(list(other.values()))


def test_of_few_passages_or_of_spelling_no_background_is_known() -> None:
    assert nearness(candidates([0.8, 0.9]), 1.0) == {}
    assert nearness(candidates(COSINES), SPELLING_WEIGHT) == {}
    assert nearness(candidates(COSINES), {Language.FR: 1.0}) == {}
    assert nearness(candidates([1.0] * BACKGROUND_PASSAGES), 1.0) == {}


def test_without_nearness_the_best_score_decides_alone() -> None:
    found = [ranked(0.8), ranked(0.2), ranked(0.19)]
    assert relevant(found, {}) == worth_showing(found, {}) == tuple(found[:2])
    assert relevant([ranked(0.09)], {}) == worth_showing([ranked(0.09)], {}) == ()


def test_an_article_is_written_from_what_words_and_nearness_speak_for() -> None:
    by_words, by_meaning, by_neither = ranked(0.7, words=0.5), ranked(0.6), ranked(0.5, words=0.2)
    near = {by_words.ref: 0.0, by_meaning.ref: 0.08, by_neither.ref: 0.04}
    assert relevant([by_words, by_meaning, by_neither], near) == (by_words, by_meaning)


def test_a_search_shows_more_of_the_first_and_less_of_the_rest() -> None:
    first = [ranked(0.8), *(ranked(0.13) for _ in range(FIRST_RESULTS - 1))]
    further = [ranked(0.3), ranked(0.2)]
    near = {one.ref: 0.02 for one in first} | {one.ref: 0.2 for one in further}
    assert worth_showing([*first, *further], near) == (*first, further[0])
    assert relevant(first, near) == ()


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)), max_size=30))
def test_what_is_kept_keeps_its_order_and_a_nearer_passage_is_not_dropped(
    rows: list[tuple[float, float, float]],
) -> None:
    found = sorted((ranked(score, words) for score, words, _ in rows), key=lambda one: -one.combined_score)
    near = {one.ref: far for one, (_, _, far) in zip(found, rows, strict=True)}
    for cut in (relevant, worth_showing):
        kept = cut(found, near)
        assert [one for one in found if one in kept] == list(kept)
        nearer: dict[SourceRef, float] = {ref: min(1.0, far + 0.1) for ref, far in near.items()}
        assert set(kept) <= set(cut(found, nearer))
