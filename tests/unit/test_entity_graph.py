"""From counted entities to a graph."""

from __future__ import annotations

import math

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import (
    Cooccurrences,
    CuratedEntity,
    Curation,
    EntityType,
    EntityVariant,
    GroupCounts,
    JoinedBy,
    KbEntity,
)
from contentgen_core.model.ids import TenantId
from contentgen_core.policies.topics.entity_graph import (
    EDGES_PER_NODE,
    MIN_NAMING,
    MIN_PASSAGES,
    NEAR,
    apply_curation,
    count_exactly,
    edges,
    graph,
    merge_variants,
    nearness,
    npmi,
)
from contentgen_core.testing.runtime import MOMENT

_types = st.sampled_from(EntityType)
_variants = st.lists(
    st.builds(
        EntityVariant,
        key=st.sampled_from(("a", "b")),
        name=st.sampled_from(("A", "a", "Á")),
        type=_types,
        mentions=st.integers(1, 9),
        passages=st.integers(1, 9),
        documents=st.integers(1, 9),
    ),
    max_size=8,
)


def entity(key: str, passages: int = 1, name: str = "", type: EntityType = EntityType.CONCEPT) -> KbEntity:
    return KbEntity((key,), name or key.upper(), type, passages, passages, passages)


def curation(*kept: CuratedEntity, dropped: tuple[str, ...] = ()) -> Curation:
    return Curation(TenantId("t"), "home-energy", MOMENT, "", kept, dropped)


def cooccurrences(passages: int, figures: list[int], **counts: int) -> Cooccurrences:
    pairs = {(int(pair[1]), int(pair[2])): n for pair, n in counts.items()}
    return Cooccurrences(tuple(GroupCounts(n, n, n) for n in figures), pairs, passages)


@given(_variants)
def test_merging_adds_up_and_does_not_depend_on_the_order(variants: list[EntityVariant]) -> None:
    found = merge_variants(variants)
    assert sum(e.mentions for e in found.values()) == sum(v.mentions for v in variants)
    assert merge_variants(reversed(variants)) == found
    for key, of_key in found.items():
        told = {v.type for v in variants if v.key == key} - {EntityType.CONCEPT}
        assert of_key.type in (told or {EntityType.CONCEPT})
        assert of_key.name in {v.name for v in variants if v.key == key}


def test_without_a_curation_everything_stays() -> None:
    found = [entity("a", 3), entity("b", 2)]
    assert apply_curation(found, None) == apply_curation(found, curation()) == found


def test_a_curation_merges_drops_and_types_and_leaves_what_it_has_not_seen() -> None:
    found = [entity("a", 5), entity("b", 4), entity("c", 3), entity("new", 2)]
    shown = apply_curation(found, curation(CuratedEntity(("b", "c"), EntityType.LAW), dropped=("a",)))
    assert [(e.keys, e.name, e.type, e.mentions, e.aliases) for e in shown] == [
        (("b", "c"), "B", EntityType.LAW, 7, ("C",)),
        (("new",), "NEW", EntityType.CONCEPT, 2, ()),
    ]


def test_a_curated_entity_whose_documents_are_gone_is_not_shown() -> None:
    assert apply_curation([entity("a")], curation(CuratedEntity(("gone",), EntityType.LAW))) == [entity("a")]


def test_counting_makes_the_figures_of_merged_ones_exact() -> None:
    twice = evolve(entity("a", 5), keys=("a", "b"), passages=9)
    (exact,) = count_exactly([twice], cooccurrences(10, [6]))
    assert (exact.keys, exact.passages) == (("a", "b"), 6)


@pytest.mark.parametrize(
    ("both", "one", "other", "passages", "expected"),
    [
        (10, 10, 10, 100, 1.0),  # never apart
        (1, 10, 10, 100, 0.0),  # as often as chance has it
        (100, 100, 100, 100, 1.0),  # always, both
        (0, 10, 10, 100, 0.0),
        (2, 40, 40, 100, math.log(0.125) / -math.log(0.02)),  # less often than chance
    ],
)
def test_npmi_is_bouma_s(both: int, one: int, other: int, passages: int, expected: float) -> None:
    assert npmi(both, one, other, passages) == pytest.approx(expected)


@given(st.data())
def test_npmi_has_bounds(data: st.DataObject) -> None:
    passages = data.draw(st.integers(1, 10_000))
    one, other = data.draw(st.integers(1, passages)), data.draw(st.integers(1, passages))
    least = max(0, one + other - passages)
    both = data.draw(st.integers(least, min(one, other)))
    weight = npmi(both, one, other, passages)
    assert -1 - 1e-9 <= weight <= 1 + 1e-9
    assert weight == npmi(both, other, one, passages)


def test_edges_need_two_passages_and_more_than_chance() -> None:
    found = edges(cooccurrences(100, [50, 50, 4, 4], _01=20, _02=1, _23=3, _03=4))
    assert [(e.source, e.target, e.passages) for e in found] == [(2, 3, 3), (0, 3, 4)]
    assert all(0 < e.weight <= 1 for e in found)


@given(st.integers(2, 12))
def test_edges_are_bounded(nodes: int) -> None:
    pairs = {(i, j): 5 for i in range(nodes) for j in range(i + 1, nodes)}
    everything = Cooccurrences(tuple(GroupCounts(6, 6, 6) for _ in range(nodes)), pairs, 1_000)
    assert len(edges(everything)) == min(len(pairs), EDGES_PER_NODE * nodes)


def test_communities_are_numbered_by_size_and_labelled_by_their_strongest() -> None:
    found = [entity("a", 9), entity("b", 8), entity("c", 7), entity("d", 6), entity("e", 5)]
    made = graph(found, cooccurrences(20, [9, 8, 7, 6, 5]), [], [0, 1, 1, 1, 1])
    assert [(c.label, c.size) for c in made.communities] == [("B, C, D", 4), ("A", 1)]
    assert [node.community for node in made.nodes] == [1, 0, 0, 0, 0]


_REFS = [SourceRef(f"d{n:02}", 0) for n in range(14)]


@given(
    st.lists(st.lists(st.sampled_from(_REFS), unique=True, max_size=6), max_size=6),
    st.dictionaries(
        st.sampled_from(_REFS),
        st.lists(st.sampled_from((-1.0, -0.5, 0.0, 0.25, 1.0)), min_size=4, max_size=4),
        min_size=MIN_PASSAGES - 1,
    ),
)
def test_nearness_is_bounded_symmetric_and_the_same_in_any_order(
    naming: list[list[SourceRef]], vectors: dict[SourceRef, list[float]]
) -> None:
    near = nearness(naming, vectors)
    assert near == nearness(naming, dict(reversed(vectors.items())))
    assert near == nearness([list(reversed(refs)) for refs in naming], vectors)
    last = len(naming) - 1
    assert near == {(last - j, last - i): value for (i, j), value in nearness(naming[::-1], vectors).items()}
    assert all(i < j and -1 <= value <= 1 for (i, j), value in near.items())
    if len(vectors) < MIN_PASSAGES:
        assert not near
    told = {n for n, refs in enumerate(naming) if sum(ref in vectors for ref in refs) >= MIN_NAMING}
    assert {node for pair in near for node in pair} <= told


@st.composite
def _met_and_near(draw: st.DrawFn) -> tuple[Cooccurrences, dict[tuple[int, int], float]]:
    every = st.sampled_from([(i, j) for j in range(6) for i in range(j)])
    met = draw(st.dictionaries(every, st.integers(1, 9)))
    near = draw(st.dictionaries(every, st.floats(-1, 1)))
    return Cooccurrences(tuple(GroupCounts(9, 9, 9) for _ in range(6)), met, 40), near


@given(_met_and_near())
def test_meaning_weakens_edges_of_passages_and_adds_others(
    found: tuple[Cooccurrences, dict[tuple[int, int], float]],
) -> None:
    met, near = found
    before, after = edges(met), edges(met, near)
    assert edges(met, {}) == before
    assert all((e.strength, e.joined_by, e.nearness) == (e.weight, JoinedBy.PASSAGES, None) for e in before)
    assert len(after) <= EDGES_PER_NODE * 6
    assert after == sorted(after, key=lambda edge: (-edge.strength, edge.source, edge.target))
    weights = {(e.source, e.target): e.weight for e in before}
    for edge in after:
        pair = edge.source, edge.target
        assert edge.nearness == near.get(pair)
        assert 0 < edge.strength <= 1
        if edge.joined_by is JoinedBy.MEANING:
            assert pair not in weights
            assert edge.weight == 0
        else:
            assert edge.strength <= edge.weight
        assert (edge.joined_by is not JoinedBy.PASSAGES) == (near.get(pair, -1.0) >= NEAR)
    assert weights.keys() <= {(e.source, e.target) for e in after}  # there is room for all pairs of six


def test_entities_that_never_meet_are_joined_where_their_passages_are_near() -> None:
    refs = [SourceRef(f"d{n:02}", 0) for n in range(12)]
    tides, others = [1.0, 0.1, 0.0], [0.0, 0.1, 1.0]
    vectors = {ref: tides if n < 4 else others for n, ref in enumerate(refs)}
    found = Cooccurrences((GroupCounts(2, 2, 2),) * 3, {}, 12, (tuple(refs[:2]), tuple(refs[2:4]), tuple(refs[4:6])))
    (edge,) = edges(found, nearness(found.naming, vectors))
    assert (edge.source, edge.target, edge.weight, edge.joined_by) == (0, 1, 0.0, JoinedBy.MEANING)
    assert edge.nearness is not None
    assert edge.nearness > 0.99
