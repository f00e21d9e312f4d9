import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.ranking import (
    MAX_PER_DOCUMENT,
    NEAR_DUPLICATE_JACCARD,
    Candidate,
    KeptPassages,
    TopicQuery,
    rank,
    topic_query,
)
from contentgen_core.policies.text.near_duplicates import shingles
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
COMMON = {EN: TermStatistics(passages=100, mean_length=8.0, passages_with={"heat": 60, "pump": 50, "noise": 2})}
QUERY = TopicQuery("heat pump noise", {EN: ("heat", "pump", "noise")}, {})


def candidate(text: str, *, cosine: float | None = None, score: float = 1.0, **changes: object) -> Candidate:
    found = passage(kb_document(**changes), text)
    return Candidate(found, IndexHit(found.ref, score, cosine))


def ranked(*candidates: Candidate, embedding_weight: float = 0.0, limit: int = 20) -> list[str]:
    return [r.passage.text for r in rank(QUERY, candidates, COMMON, embedding_weight, limit)]


def test_a_rare_word_outweighs_common_ones() -> None:
    assert ranked(candidate("heat pump b c"), candidate("noise levels b c"))[0] == "noise levels b c"


def test_words_in_a_title_or_heading_count_more() -> None:
    in_text = candidate("noise x y z a b c d")
    in_head = Candidate(passage(text="o x y z a b c d", head_terms=("noise",)), IndexHit(SourceRef("z", 0), 1, None))
    assert ranked(in_text, in_head)[0] == "o x y z a b c d"


def test_words_that_stand_together_beat_scattered_ones() -> None:
    scattered, phrase = candidate("heat a b c d pump e noise"), candidate("a b c d e heat pump noise")
    assert ranked(scattered, phrase)[0] == phrase.passage.text


def test_a_trusted_cosine_finds_what_words_do_not() -> None:
    near, far = candidate("loud machine outside", cosine=0.8, score=0), candidate("cheap paint", cosine=0.1, score=0)
    assert ranked(far, near, embedding_weight=1.0)[0] == "loud machine outside"


def test_a_weak_vector_model_does_not_outvote_the_words() -> None:
    words, near = candidate("heat pump noise", cosine=0.1), candidate("cheap paint", cosine=0.9, score=0)
    assert ranked(near, words, embedding_weight=0.2)[0] == "heat pump noise"


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=24).map(tuple), max_size=8), st.randoms())
def test_what_is_almost_kept_already_is_what_shares_most_shingles(
    texts: list[tuple[str, ...]], chance: random.Random
) -> None:
    for text in texts[:3]:  # with some that differ in a place or two
        changed = list(text)
        for _ in range(chance.randrange(3)):
            if changed:
                changed[chance.randrange(len(changed))] = chance.choice("abcdefg")
        texts.append(tuple(changed))
    kept, others = KeptPassages(), list[set[tuple[str, ...]]]()
    for text in texts:
        own = shingles(text)
        almost = [len(own & other) >= NEAR_DUPLICATE_JACCARD * len(own | other) for other in others if own & other]
        assert kept.takes(text) is not any(almost)
        if not any(almost):
            others.append(own)


def test_near_duplicates_leave_the_better_one() -> None:
    text = " ".join(f"w{i}" for i in range(60)) + " heat pump"
    kept = ranked(candidate(text), candidate(text + " noise"), candidate(text), candidate("heat alone is different"))
    assert kept == [text + " noise", "heat alone is different"]


def test_one_document_does_not_fill_the_list() -> None:
    document = kb_document()
    crowd = [passage(document, f"heat pump {chr(97 + i)} x y z", chunk_index=i) for i in range(MAX_PER_DOCUMENT + 4)]
    other = candidate("heat pump in another place z")
    everything = [*(Candidate(p, IndexHit(p.ref, 1, None)) for p in crowd), other]
    result = rank(QUERY, everything, COMMON, 0.0, 20)
    place = [r.passage.document.id for r in result].index(other.passage.document.id)
    assert place <= MAX_PER_DOCUMENT
    assert len(result) == len(everything)


def test_by_meaning_a_long_document_stays_ahead_of_another_subject() -> None:
    document = kb_document()
    crowd = [
        Candidate(p, IndexHit(p.ref, 1, 0.9))
        for p in (passage(document, f"heat pump noise {chr(97 + i)} x y z", chunk_index=i) for i in range(20))
    ]
    off = Candidate(passage(kb_document(), "heat of summer days a b c d"), IndexHit(SourceRef("z", 0), 1, 0.7))
    by_meaning = rank(QUERY, [*crowd, off], COMMON, 1.0, 30)
    by_spelling = rank(QUERY, [*crowd, off], COMMON, 0.25, 30)
    assert by_meaning[-1].passage == off.passage
    assert by_spelling[-1].passage != off.passage


def test_statistics_of_the_view_decide_and_an_unknown_language_has_none() -> None:
    rare_heat = {EN: TermStatistics(100, 8.0, {"heat": 1, "pump": 50, "noise": 60})}
    both = [candidate("heat levels b c"), candidate("noise levels b c")]
    assert rank(QUERY, both, rare_heat, 0.0, 1)[0].passage.text == "heat levels b c"
    assert rank(QUERY, both, COMMON, 0.0, 1)[0].passage.text == "noise levels b c"
    assert len(rank(QUERY, both, {}, 0.0, 5)) == 2


def test_a_topic_is_read_in_each_language() -> None:
    query = topic_query("Les pompes à chaleur pour les pompes", [Language.FR, EN], ANALYSIS)
    assert len(query.terms[Language.FR]) == 2
    assert query.words[query.terms[Language.FR][0]] == "pompes"
    assert list(query.terms) == [Language.FR, EN]


def test_nothing_comes_of_nothing() -> None:
    assert rank(QUERY, [], COMMON, 1.0, 10) == ()
    assert rank(TopicQuery("", {}, {}), [candidate("heat")], {}, 0.0, 10)[0].combined_score == 0.0
    with pytest.raises(ValueError, match="embedding weight"):
        rank(QUERY, [], COMMON, 2.0, 10)


WORDS = ["heat", "pump", "noise", "a", "b", "c", "d"]


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    found = []
    for i in range(draw(st.integers(0, 12))):
        document = kb_document(id=DocumentId(f"d{draw(st.integers(0, 3))}"))
        terms = tuple(draw(st.lists(st.sampled_from(WORDS), max_size=12)))
        head = tuple(draw(st.lists(st.sampled_from(WORDS), max_size=2)))
        item = passage(document, " ".join(terms), chunk_index=i, head_terms=head, terms=terms)
        cosine = draw(st.none() | st.floats(-1, 1))
        found.append(Candidate(item, IndexHit(item.ref, draw(st.floats(0, 30)), cosine)))
    return found


@given(candidates(), st.floats(0, 1), st.randoms(use_true_random=False))
def test_another_order_of_candidates_gives_the_same_ranking(
    found: list[Candidate], embedding_weight: float, shuffler: random.Random
) -> None:
    shuffled = list(found)
    shuffler.shuffle(shuffled)
    assert rank(QUERY, found, COMMON, embedding_weight, 20) == rank(QUERY, shuffled, COMMON, embedding_weight, 20)


@given(candidates(), st.floats(0, 1), st.integers(0, 10))
def test_scores_are_shares_in_falling_order_over_distinct_passages(
    found: list[Candidate], embedding_weight: float, limit: int
) -> None:
    result = rank(QUERY, found, COMMON, embedding_weight, limit)
    assert len(result) <= limit
    assert len({r.passage.content_hash for r in result}) == len({r.ref for r in result}) == len(result)
    assert [r.combined_score for r in result] == sorted((r.combined_score for r in result), reverse=True)
    for r in result:
        assert all(0.0 <= s <= 1.0 for s in (r.combined_score, r.rerank_score, r.original_score))
