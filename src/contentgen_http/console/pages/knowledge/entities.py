"""/console/knowledge/entities: what a knowledge base names and how that hangs together, as a picture and as a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen
from litestar import Response, get

from contentgen_core.model.entity import EntityGraph, GraphLayout, GraphNode, JoinedBy, PlacedNode
from contentgen_http.console.pages.knowledge.shared import KnowledgePage
from contentgen_http.console.visit import Visit

SIZES: Final = (20, 40, 80)
COLOURS: Final = 8
_ROUND: Final = 60.0
"""Around a group that is shown alone."""


@frozen
class Line:
    """An edge of the picture. `meaning`: whether meaning alone joins its ends."""

    start: PlacedNode
    end: PlacedNode
    strength: float
    meaning: bool


@frozen
class ShownNode:
    """A node of the picture and of the list. `colour`: its class, "" beyond the number of colours; `near`: the names it
    is joined with most strongly."""

    number: int
    node: GraphNode
    place: PlacedNode
    colour: str
    near: tuple[str, ...]


class EntityPages(KnowledgePage):
    @get("/knowledge/entities")
    async def entities(self, request: Visit) -> Response[str]:
        """`group`: the one that is shown larger."""
        asked = request.query_params
        niches = await self.niches(request)
        keys = [niche.niche_key for niche in niches]
        niche = asked.get("niche", "") if asked.get("niche", "") in keys else next(iter(keys), "")
        size = next((size for size in SIZES if str(size) == asked.get("size", "")), SIZES[1])
        if not niche:
            return self.show(request, "knowledge/entities.html", niches=niches, graph=None)
        found, layout = await self.services.knowledge.overview.laid_out(request.user.caller, niche, size)
        graph = found.graph
        nodes = _nodes(graph, layout)
        group = next((n for n in range(len(graph.communities)) if str(n) == asked.get("group", "")), None)
        return self.show(
            request,
            "knowledge/entities.html",
            niches=niches,
            niche=niche,
            sizes=SIZES,
            size=size,
            group=group,
            graph=graph,
            layout=layout,
            view=_view(graph, layout, group),
            lines=_lines(graph, layout),
            groups=[(number, community, _of_group(nodes, number)) for number, community in _named(graph)],
            alone=[node for node in nodes if graph.communities[node.node.community].size < 2],
            colour=colour_of,
        )


def colour_of(group: int) -> str:
    return f"group-{group}" if group < COLOURS else ""


def _named(graph: EntityGraph) -> list[tuple[int, object]]:
    return [(number, community) for number, community in enumerate(graph.communities) if community.size > 1]


def _of_group(nodes: Sequence[ShownNode], group: int) -> list[ShownNode]:
    return [node for node in nodes if node.node.community == group]


def _nodes(graph: EntityGraph, layout: GraphLayout) -> list[ShownNode]:
    near: dict[int, list[str]] = {}
    for edge in sorted(graph.edges, key=lambda edge: -edge.strength):
        for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
            near.setdefault(one, []).append(graph.nodes[other].entity.name)
    return [
        ShownNode(
            number,
            node,
            place,
            colour_of(node.community) if graph.communities[node.community].size > 1 else "",
            tuple(near.get(number, ())[:5]),
        )
        for number, (node, place) in enumerate(zip(graph.nodes, layout.nodes, strict=True))
    ]


def _lines(graph: EntityGraph, layout: GraphLayout) -> list[Line]:
    return [
        Line(layout.nodes[e.source], layout.nodes[e.target], e.strength, e.joined_by is JoinedBy.MEANING)
        for e in graph.edges
    ]


def _view(graph: EntityGraph, layout: GraphLayout, group: int | None) -> tuple[float, float, float, float]:
    """What of the picture is seen: all of it, or what is around a group."""
    own = [place for node, place in zip(graph.nodes, layout.nodes, strict=True) if node.community == group]
    if not own:
        return 0, 0, layout.width, layout.height
    left, right = min(p.x for p in own) - 2 * _ROUND, max(p.x for p in own) + 2 * _ROUND
    top, bottom = min(p.y for p in own) - _ROUND, max(p.y for p in own) + _ROUND
    return round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)
