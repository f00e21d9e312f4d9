"""Which passages are on a topic, by words, by meaning and by the company that they keep."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import fmean

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.policies.retrieval.on_topic import (
    CERTAIN,
    FEW,
    FEWEST_DOCUMENTS,
    LEAST_AMONG_FEW,
    LIKELIEST,
    MOST_COMPARED,
    NEAREST_OF_DOCUMENT,
    ON_TOPIC,
    SAME_DOCUMENT,
    Compared,
    depends_on_coverage,
    on_topic,
    probabilities,
)
from contentgen_core.policies.text.nearness import NearnessScale, cosine, nearness_beside
from contentgen_core.testing.builders import kb_document, passage

SCALE = NearnessScale(unrelated=0.0, paraphrased=0.8)
TOPIC, OTHER = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def toward(one: Sequence[float], share: float, aside: float) -> tuple[float, ...]:
    """A unit vector with this cosine to one of the first two axes."""
    rest = math.sqrt(1 - share * share)
    first, second, _ = one
    return (
        share * first + rest * math.sin(aside) * (1 - first),
        share * second + rest * math.sin(aside) * (1 - second),
        rest * math.cos(aside),
    )


def found(name: str, words: float, score: float, text: str, chunk: int = 0) -> RankedPassage:
    """A passage of the document `name`."""
    made = passage(kb_document(id=name), text, chunk_index=chunk)
    return RankedPassage(made, combined_score=score, rerank_score=words, original_score=score)


def compared(ranked: Sequence[RankedPassage], vectors: Sequence[Sequence[float]]) -> Compared:
    by_ref = {r.ref: vector for r, vector in zip(ranked, vectors, strict=True)}
    nearness = {ref: SCALE.of(cosine(TOPIC, vector)) - 0.2 for ref, vector in by_ref.items()}
    return Compared(ranked, by_ref, nearness, SCALE)


ON = [found(f"rhine{i}", 0.5, 0.6 - i / 100, "rhine alps river basin swiss delta") for i in range(4)]
UNNAMED = found("unnamed", 0.0, 0.4, "river alps basin swiss delta floods")
OFF = [found(f"market{i}", 0.05, 0.3 - i / 100, f"market stall trade grocer town{i}") for i in range(6)]
VECTORS = [
    *(toward(TOPIC, 0.8, i / 10) for i in range(4)),
    toward(TOPIC, 0.8, 0.15),
    *(toward(OTHER, 0.8, i / 10) for i in range(6)),
]


def test_a_passage_that_does_not_name_the_topic_is_known_by_its_company() -> None:
    ranked = [*ON, UNNAMED, *OFF]
    likely = probabilities(compared(ranked, VECTORS))
    kept = on_topic(ranked, likely, {})
    assert kept == (*ON, UNNAMED)
    alone = probabilities(compared([UNNAMED, *OFF], VECTORS[4:]))
    assert alone[UNNAMED.ref] < likely[UNNAMED.ref]


def test_nothing_is_on_a_topic_that_the_passages_are_far_from() -> None:
    many = [found(f"market{i}", 0.05, 0.15 - i / 1000, f"market stall trade grocer town{i}") for i in range(FEW)]
    far = [toward(OTHER, 0.8, i / 10) for i in range(FEW)]
    assert on_topic(many, probabilities(compared(many, far)), {}) == ()


def test_of_few_passages_those_half_as_likely_as_the_best_are_taken() -> None:
    likely = {ON[0].ref: 0.3, ON[1].ref: 0.15, UNNAMED.ref: 0.1}
    assert on_topic([ON[0], UNNAMED, ON[1]], likely, {}) == (ON[0], ON[1])


def test_of_few_passages_that_are_all_unlikely_none_is_taken_unless_the_topic_is_covered() -> None:
    likely = {ON[0].ref: LEAST_AMONG_FEW - 0.01, ON[1].ref: LEAST_AMONG_FEW - 0.02}
    assert on_topic(ON, likely, {}) == ()
    assert depends_on_coverage(likely)
    assert on_topic(ON, likely, {}, covered=True) == (ON[0], ON[1])


def test_passages_beyond_those_compared_are_not_on_the_topic() -> None:
    ranked = [found(f"d{i}", 0.5, 0.6, "rhine alps river") for i in range(MOST_COMPARED + 3)]
    likely = probabilities(compared(ranked, [toward(TOPIC, 0.8, i / 50) for i in range(len(ranked))]))
    assert set(likely) == {r.ref for r in ranked[:MOST_COMPARED]}


def test_without_passages_there_is_nothing_to_compare() -> None:
    assert probabilities(compared([], [])) == {}


def test_among_many_passages_of_one_field_those_that_stand_out_are_on_the_topic() -> None:
    field = [found(f"pump{i}", 0.3, 0.4, "heat pump") for i in range(MOST_COMPARED)]
    noise = [found(f"noise{i}", 0.6, 0.6 - i / 100, "heat pump noise") for i in range(3)]
    ranked = [*noise, *field]
    assert on_topic(ranked, {r.ref: 0.9 for r in ranked}, {}) == tuple(noise)


def test_where_few_are_likely_a_certain_one_need_not_stand_out() -> None:
    others = [found(f"far{i}", 0.0, 0.05, "market") for i in range(MOST_COMPARED - 2)]
    beside = found("beside", 0.0, 0.1, "river alps")
    ranked = [ON[0], beside, *others]
    rest = {r.ref: 0.1 for r in others}
    assert on_topic(ranked, {ON[0].ref: CERTAIN, beside.ref: CERTAIN, **rest}, {}) == (ON[0], beside)
    assert on_topic(ranked, {ON[0].ref: CERTAIN, beside.ref: CERTAIN - 0.01, **rest}, {}) == (ON[0],)


def test_the_more_are_likely_the_more_a_passage_has_to_stand_out() -> None:
    def kept(crowd: int) -> int:
        field = [found(f"pump{i}", 0.3, 0.2, "heat pump") for i in range(MOST_COMPARED - 2)]
        ranked = [found("noise", 0.6, 0.6, "noise"), found("beside", 0.4, 0.35, "pump noise"), *field]
        return len(on_topic(ranked, {r.ref: 0.9 if i < crowd else 0.1 for i, r in enumerate(ranked)}, {}))

    assert kept(10) == 2
    assert kept(MOST_COMPARED) == 1


def test_on_a_covered_topic_those_nearly_as_likely_as_the_likeliest_are_taken() -> None:
    far = {r.ref: 0.1 for r in (found(f"far{i}", 0.0, 0.1, "market") for i in range(FEW))}
    likely = {ON[0].ref: 0.6, ON[1].ref: 0.45, ON[2].ref: 0.3, **far}
    assert on_topic(ON, likely, {}, covered=True) == (ON[0], ON[1])
    assert on_topic(ON, likely, {}) == ()
    assert depends_on_coverage(likely)
    unlikely = {ON[0].ref: LIKELIEST - 0.01, **far}
    assert on_topic(ON, unlikely, {}, covered=True) == ()
    assert not depends_on_coverage(unlikely)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=len(ON)), st.integers(0, FEW))
def test_coverage_takes_no_passage_away(own: list[float], others: int) -> None:
    likely = {r.ref: p for r, p in zip(ON, own, strict=False)}
    likely |= {found(f"far{i}", 0.0, 0.1, "market").ref: 0.05 for i in range(others)}
    without, covered = on_topic(ON, likely, {}), on_topic(ON, likely, {}, covered=True)
    assert set(without) <= set(covered)
    assert depends_on_coverage(likely) or without == covered


@pytest.mark.parametrize(("document", "kept"), [("rhine0", True), ("another", False)])
def test_a_likely_passage_of_a_document_on_the_topic_is_kept(document: str, kept: bool) -> None:
    beside = found(document, 0.2, 0.3, "rhine", chunk=7)
    others = {r.ref: 0.0 for r in (found(f"far{i}", 0.0, 0.1, "market") for i in range(FEW))}
    likely = {ON[0].ref: ON_TOPIC, beside.ref: SAME_DOCUMENT, **others}
    assert (beside in on_topic([ON[0], beside], likely, {})) is kept


def field(documents: Sequence[Sequence[float]]) -> tuple[list[RankedPassage], dict[SourceRef, float]]:
    """The passages of documents on one field, all of them likely and found equally well, with their nearness."""
    passages = [
        (found(f"document{n}", 0.3, 0.4, "heat pump", chunk), near)
        for n, document in enumerate(documents)
        for chunk, near in enumerate(document)
    ]
    return [each for each, _ in passages], {each.ref: near for each, near in passages}


def test_of_documents_on_one_field_those_that_stand_out_are_on_the_topic() -> None:
    ranked, nearness = field([[0.9, 0.8, 0.7, 0.1], [0.7, 0.6, 0.6], [0.4, 0.3, 0.2], [0.5, 0.3, 0.1]])
    kept = on_topic(ranked, {r.ref: 0.9 for r in ranked}, nearness)
    assert [r.ref for r in kept] == [r.ref for r in ranked[:7]]


def test_of_another_document_a_passage_is_taken_that_is_nearer_than_the_nearest_document() -> None:
    ranked, nearness = field([[0.9, 0.8, 0.7], [0.85, 0.1, 0.1], [0.4, 0.3], [0.5, 0.3]])
    kept = on_topic(ranked, {r.ref: 0.9 for r in ranked}, nearness)
    assert [r.ref for r in kept] == [r.ref for r in ranked[:4]]


def test_a_passage_of_a_document_on_the_topic_need_not_stand_out_itself() -> None:
    ranked, nearness = field([[0.9, 0.8, 0.7], [0.3, 0.1], [0.4, 0.3], *([[0.1]] * MOST_COMPARED)])
    ranked[:2] = [evolve(each, combined_score=0.9) for each in ranked[:2]]
    likely = {r.ref: 0.9 for r in ranked[:MOST_COMPARED]}
    assert on_topic(ranked, likely, nearness) == tuple(ranked[:3])
    assert on_topic(ranked, likely | {ranked[2].ref: SAME_DOCUMENT}, nearness) == tuple(ranked[:3])
    assert on_topic(ranked, likely | {ranked[2].ref: SAME_DOCUMENT - 0.01}, nearness) == tuple(ranked[:2])


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=6))
def test_documents_leave_the_nearest_of_them_and_those_of_one_passage(documents: list[list[float]]) -> None:
    ranked, nearness = field(documents)
    kept = {r.ref for r in on_topic(ranked, {r.ref: 0.9 for r in ranked}, nearness)}
    several = [document for document in documents if len(document) > 1]
    nearest = max(several, key=lambda own: fmean(sorted(own)[-NEAREST_OF_DOCUMENT:]), default=None)
    for n, document in enumerate(documents):
        refs = {r.ref for r in ranked if r.passage.document.id == f"document{n}"}
        if len(document) == 1 or document == nearest or len(several) < FEWEST_DOCUMENTS:
            assert refs <= kept


@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_probabilities_are_shares_and_do_not_depend_on_the_order_of_equals(chance: random.Random, count: int) -> None:
    ranked = [found(f"d{i}", chance.random(), chance.random(), "rhine alps") for i in range(count)]
    vectors = [toward(TOPIC, chance.uniform(-1, 1), chance.uniform(0, 3)) for _ in ranked]
    likely = probabilities(compared(ranked, vectors))
    assert all(0.0 <= probability <= 1.0 for probability in likely.values())
    backwards = probabilities(compared(ranked[::-1], vectors[::-1]))
    assert backwards == pytest.approx(likely)
    kept = on_topic(ranked, likely, {})
    assert [r for r in ranked if r in kept] == list(kept)


def test_what_all_texts_share_brings_none_nearer() -> None:
    def in_the_field(*aside: float) -> list[float]:
        vector = (0.9, *aside)
        return [x / math.hypot(*vector) for x in vector]

    topic, same, other = in_the_field(0.3, 0.0), in_the_field(0.3, 0.1), in_the_field(-0.3, 0.0)
    assert cosine(topic, other) > 0.5
    near = nearness_beside(topic, {"same": same, "other": other})
    assert near["same"] > 0.9
    assert near["other"] < -0.9


@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 0.01), max_size=6))
def test_nearness_beside_other_texts_is_a_cosine(some: list[tuple[float, float, float]]) -> None:
    unit = {i: [x / math.hypot(*vector) for x in vector] for i, vector in enumerate(some)}
    near = nearness_beside(TOPIC, unit)
    assert near.keys() == unit.keys()
    assert all(-1.000001 <= value <= 1.000001 for value in near.values())
    if len({tuple(vector) for vector in unit.values()}) == 1:
        assert set(near.values()) == {0.0}
