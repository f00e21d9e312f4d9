"""The places of an entity graph: no name covers another one."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.entities.graphs import NetworkxTools
from contentgen_core.model.entity import Community, EntityGraph, EntityType, GraphEdge, GraphLayout, GraphNode, KbEntity

Box = tuple[float, float, float, float]
_names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)


@st.composite
def graphs(draw: st.DrawFn) -> EntityGraph:
    names = draw(st.lists(_names, max_size=30))
    parts = draw(st.lists(st.integers(0, 3), min_size=len(names), max_size=len(names)))
    nodes = tuple(
        GraphNode(KbEntity((str(n),), name, EntityType.CONCEPT, draw(st.integers(1, 500)), 1, 1), part)
        for n, (name, part) in enumerate(zip(names, parts, strict=True))
    )
    pairs = draw(st.lists(st.sampled_from(list(combinations(range(len(names)), 2))), max_size=40)) if nodes[1:] else []
    edges = tuple(GraphEdge(one, other, 0.5, 2, 0.5) for one, other in dict.fromkeys(pairs))
    communities = tuple(Community(f"Group {n} of the names", parts.count(n)) for n in range(4))
    return EntityGraph(nodes, edges, communities, 9)


def boxes(layout: GraphLayout) -> list[Box]:
    """What is drawn, a little smaller than the letters may be."""
    found = []
    for node in layout.nodes:
        half = max(node.radius, 0.25 * node.size * len(node.name))
        found.append((node.x - half, node.y - node.radius, node.x + half, node.y + node.radius + node.size))
    for group in layout.groups:
        half = 0.25 * group.size * len(group.name)
        found.append((group.x - half, group.y - 0.7 * group.size, group.x + half, group.y))
    return found


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@settings(deadline=None, max_examples=25)
@given(graphs())
def test_no_name_covers_another_and_all_are_within_the_plane(graph: EntityGraph) -> None:
    layout = NetworkxTools().layout(graph)
    assert len(layout.nodes) == len(graph.nodes)
    assert layout == NetworkxTools().layout(graph)
    drawn = boxes(layout)
    assert not any(overlap(one, other) for one, other in combinations(drawn, 2))
    for left, top, right, bottom in drawn:
        assert left >= 0
        assert top >= 0
        assert right <= layout.width
        assert bottom <= layout.height


def test_a_graph_is_placed_anew_when_anything_of_it_changed() -> None:
    def pair(first: str) -> EntityGraph:
        entities = [KbEntity((name,), name, EntityType.CONCEPT, 5, 1, 1) for name in (first, "Boiler")]
        nodes = tuple(GraphNode(entity, 0) for entity in entities)
        return EntityGraph(nodes, (GraphEdge(0, 1, 1, 2, 1),), (Community(f"{first}, Boiler", 2),), 9)

    kept = NetworkxTools().layout(pair("Pump"))
    assert NetworkxTools().layout(pair("Pump")) is kept
    renamed = NetworkxTools().layout(pair("Stove"))
    assert [node.name for node in renamed.nodes] == ["Stove", "Boiler"]
    assert renamed.groups[0].name == "Stove, Boiler"
    assert NetworkxTools().layout(pair("Pump")) is kept


def test_groups_of_more_than_one_are_named() -> None:
    entities = [KbEntity((name,), name, EntityType.CONCEPT, 5, 1, 1) for name in ("Pump", "Boiler", "Alone")]
    nodes = tuple(GraphNode(entity, n // 2) for n, entity in enumerate(entities))
    graph = EntityGraph(nodes, (GraphEdge(0, 1, 1, 2, 1),), (Community("Pump, Boiler", 2), Community("Alone", 1)), 9)
    layout = NetworkxTools().layout(graph)
    assert [(group.group, group.name) for group in layout.groups] == [(0, "Pump, Boiler")]
    empty = NetworkxTools().layout(EntityGraph((), (), (), 0))
    assert (empty.nodes, empty.groups) == ((), ())
