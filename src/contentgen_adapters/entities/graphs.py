"""Graph algorithms by networkx: communities, and a layout on a plane. networkx is imported at the first use: it takes a
quarter of a second, and most processes never need it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from contentgen_adapters.entities.picture import to_svg
from contentgen_adapters.entities.placement import place_nodes
from contentgen_core.model.entity import EntityGraph, GraphLayout

if TYPE_CHECKING:
    import networkx as nx  # type: ignore[import-untyped]

SEED: Final = 20
"""Any fixed number: the same graph always gives the same communities and layout."""
ITERATIONS: Final = 80
_COMMUNITY_PULL: Final = 3.0
"""Factor for the weight of an edge within a community, which keeps the communities apart in the layout."""


class NetworkxTools:
    """The port `GraphTools`: communities by Louvain (Blondel et al. 2008), layout by Fruchterman and Reingold."""

    def communities(self, nodes: int, edges: Sequence[tuple[int, int, float]]) -> list[int]:
        import networkx as nx

        found = nx.community.louvain_communities(_graph(nodes, edges), weight="weight", seed=SEED)
        parts = sorted((sorted(part) for part in found), key=lambda part: part[0])
        of_node = [0] * nodes
        for number, part in enumerate(parts):
            for node in part:
                of_node[node] = number
        return of_node

    def picture(self, graph: EntityGraph, title: str) -> str:
        return to_svg(graph, _places(graph), title)

    def layout(self, graph: EntityGraph) -> GraphLayout:
        return _kept_layout(graph)


def _layout(graph: EntityGraph) -> GraphLayout:
    return place_nodes(graph, _places(graph))


_kept_layout = lru_cache(maxsize=32)(_layout)
"""Of the graphs that were looked at last, with a hundred names at most: they change with their knowledge bases alone,
and placing one takes longer than all else that its page does."""


def _places(graph: EntityGraph) -> list[tuple[float, float]]:
    import networkx as nx

    community = [node.community for node in graph.nodes]
    pulls = [
        (e.source, e.target, e.strength * (_COMMUNITY_PULL if community[e.source] == community[e.target] else 1.0))
        for e in graph.edges
    ]
    places = nx.spring_layout(
        _graph(len(graph.nodes), pulls), k=3.0 / max(1, len(graph.nodes)) ** 0.5, iterations=ITERATIONS, seed=SEED
    )
    return [(float(places[n][0]), float(places[n][1])) for n in range(len(graph.nodes))]


def _graph(nodes: int, edges: Sequence[tuple[int, int, float]]) -> nx.Graph:
    import networkx as nx

    made = nx.Graph()
    made.add_nodes_from(range(nodes))
    made.add_weighted_edges_from(edges)
    return made
