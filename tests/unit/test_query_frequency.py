"""How often a term stands in a topic, and what that does to the order of passages."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.knowledge import IndexHit, Passage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.bm25 import PROXIMITY_WINDOW, Bm25, Match
from contentgen_core.policies.retrieval.ranking import Candidate, rank, topic_query
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
TERMS = ("heat", "pump", "noise", "lake")
STATISTICS = TermStatistics(100, 20.0, {"heat": 60, "pump": 50, "noise": 2})

topics = st.lists(st.sampled_from(TERMS), min_size=1, max_size=12)


def of(words: list[str]) -> Passage:
    """A passage that holds these words, each too far from the next for proximity."""
    terms = [term for word in words for term in (word, *["x"] * PROXIMITY_WINDOW)]
    return passage(kb_document(), " ".join(terms), terms=tuple(terms), head_terms=())


def match(topic: list[str], found: Passage) -> Match:
    frequencies = Counter(topic)
    [match] = Bm25(tuple(frequencies), STATISTICS, {}, frequencies=frequencies).matches([found])
    return match


@given(topics, topics, topics, st.sampled_from(TERMS), st.integers(1, 5))
def test_repeating_a_term_never_puts_a_passage_that_has_it_behind_one_that_has_not(
    topic: list[str], having: list[str], lacking: list[str], term: str, more: int
) -> None:
    topic, longer = [*topic, term], [*topic, term, *[term] * more]
    one, other = of([*having, term]), of([word for word in lacking if word != term])
    lead = match(topic, one).fuzzy - match(topic, other).fuzzy
    assert match(longer, one).fuzzy - match(longer, other).fuzzy >= min(0.0, lead) - 1e-12


@given(topics, topics, st.integers(2, 4))
def test_a_topic_said_over_and_over_asks_for_the_same(topic: list[str], words: list[str], times: int) -> None:
    assert match(topic * times, of(words)).fuzzy == pytest.approx(match(topic, of(words)).fuzzy)


@given(topics, topics)
def test_the_score_that_compares_across_topics_counts_each_term_once(topic: list[str], words: list[str]) -> None:
    assert match(topic, of(words)).exact == match(list(dict.fromkeys(topic)), of(words)).exact


def test_what_a_long_question_is_about_goes_first() -> None:
    long = "A lake near the road. What feeds the lake, how deep is the lake, and who owns that lake or its pump?"
    query = topic_query(long, [EN], ANALYSIS)
    assert query.frequencies[EN]["lake"] == 4
    statistics = {EN: TermStatistics(100, 4.0, dict.fromkeys(query.terms[EN], 20))}
    found = [passage(kb_document(), text) for text in ("the pump near a road is old", "the lake is cold in May")]
    best, _ = rank(query, [Candidate(p, IndexHit(p.ref, 1.0, None)) for p in found], statistics, 0.0, 2)
    assert best.passage.text == "the lake is cold in May"
