"""Fuzzy matches of the topic's terms, and feedback by the terms of the best passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.knowledge import Passage, TermStatistics
from contentgen_core.policies.retrieval.bm25 import Bm25, similarity
from contentgen_core.policies.retrieval.feedback import feedback_scores, feedback_share
from contentgen_core.testing.builders import kb_document, passage

STATISTICS = TermStatistics(passages=100, mean_length=5.0, passages_with={"acadi": 3, "test": 9})


def of(text: str, **changes: object) -> Passage:
    return passage(kb_document(), text, terms=tuple(text.split()), head_terms=(), **changes)


@pytest.mark.parametrize(("one", "other"), [("acadi", "acadien"), ("bodentest", "boden"), ("druckpumpe", "pumpe")])
def test_words_of_one_family_and_parts_of_compounds_are_similar(one: str, other: str) -> None:
    assert 0.0 < similarity(one, other) == similarity(other, one) < 1.0


@pytest.mark.parametrize(
    ("one", "other"), [("heat", "pump"), ("cat", "category"), ("19201", "192014"), ("same", "same")]
)
def test_other_words_numbers_and_the_word_itself_are_not(one: str, other: str) -> None:
    assert similarity(one, other) == 0.0


@given(st.text("abcd", max_size=12), st.text("abcd", max_size=12))
def test_similarity_is_a_share_and_symmetric(one: str, other: str) -> None:
    assert 0.0 <= similarity(one, other) == similarity(other, one) < 1.0


def test_a_fuzzy_match_counts_in_part_for_a_missing_term_and_never_as_exact() -> None:
    scorer = Bm25(["acadi"], STATISTICS, {})
    exact, fuzzy, neither = scorer.matches([of(text) for text in ("acadi x y", "acadien x y", "z x y")])
    assert exact.fuzzy > fuzzy.fuzzy > neither.fuzzy == 0.0
    assert fuzzy.exact == 0.0


@given(st.lists(st.text("ab", min_size=1, max_size=9), min_size=1, unique=True), st.text("ab", max_size=9))
def test_no_similar_term_is_missed(terms: list[str], word: str) -> None:
    [found] = Bm25(terms, STATISTICS, {}).matches([passage(kb_document(), "x", terms=(word,), head_terms=())])
    assert (found.exact > 0.0) == (word in terms)
    assert (found.fuzzy > 0.0) == any(term == word or similarity(term, word) for term in terms)


def test_a_passage_like_the_best_ones_scores_by_feedback() -> None:
    best, like, unlike = of("museveni kampala uganda"), of("kampala uganda lake"), of("paris france river")
    scores = feedback_scores([best, like, unlike], [1.0, 0.0, 0.0], ["museveni"])
    assert scores[1] > scores[2] == 0.0


def test_copies_of_one_content_are_read_once() -> None:
    copies = [of("heat loud fan", content_hash="same") for _ in range(9)]
    others = [of("heat quiet pond"), of("quiet pond fish"), of("loud fan belt")]
    scores = feedback_scores([*copies, *others], [1.0] * 9 + [0.9, 0.0, 0.0], ["heat"])
    assert scores[-2] > scores[-1], "nine copies of a page on fans are one page"


def test_without_anything_found_there_is_no_feedback() -> None:
    assert feedback_scores([], [], []) == []
    assert feedback_scores([of("a b"), of("a c")], [0.0, 0.0], []) == [0.0, 0.0]


def test_a_short_topic_is_helped_most() -> None:
    assert feedback_share(0) == 0.0
    assert feedback_share(1) == feedback_share(3) > feedback_share(10) > 0.0
