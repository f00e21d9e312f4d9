"""Term statistics of a view without the passages on a topic, by which coverage weighs words."""

from __future__ import annotations

from datetime import UTC, datetime

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.knowledge import IndexHit, Origin, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.off_topic_statistics import off_topic_statistics, originals
from contentgen_core.policies.retrieval.ranking import Candidate, TopicQuery
from contentgen_core.testing.builders import kb_document, passage

EN = Language.EN
QUERY = TopicQuery("heat pump noise at night", {EN: ("heat", "pump", "noise", "night")}, {})


def candidate(*terms: str, year: int = 2020, **changes: object) -> Candidate:
    document = kb_document(created_at=datetime(year, 1, 1, tzinfo=UTC), **changes)
    text = " ".join(terms)
    found = passage(document, text, terms=terms, content_hash=text)
    return Candidate(found, IndexHit(found.ref, 1.0, None))


def test_the_oldest_of_several_copies_stays_in_its_place() -> None:
    late, other, early = candidate("heat", year=2024), candidate("pump"), candidate("heat", year=2021)
    assert originals([late, other, early]) == [other, early]


def test_what_a_model_wrote_never_stands_for_a_source() -> None:
    invented, source = candidate("heat", year=2019, origin=Origin.AI), candidate("heat", year=2024)
    assert originals([invented, source]) == [source]


def test_sources_on_the_topic_do_not_make_its_words_ordinary() -> None:
    found = [candidate("heat", "pump", "x").passage, candidate("noise", "y").passage]
    known = {EN: TermStatistics(10, 5.0, {"heat": 4, "pump": 1, "noise": 3})}
    assert off_topic_statistics(QUERY, found, known)[EN].passages_with == {"heat": 3, "pump": 0, "noise": 3}


@given(st.integers(1, 5), st.integers(0, 20))
def test_one_more_copy_leaves_the_statistics_as_they_are(copies: int, elsewhere: int) -> None:
    original = candidate("heat", "noise").passage

    def of(n: int) -> TermStatistics:
        found = [evolve(original, document=kb_document()) for _ in range(n)]
        known = {EN: TermStatistics(50 + n, 5.0, {"heat": elsewhere + n, "noise": n})}
        return off_topic_statistics(QUERY, found, known)[EN]

    assert of(copies + 1) == of(copies)
