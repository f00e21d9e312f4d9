"""An entity graph as a self-contained SVG, in light and dark, with a text alternative.

Names come from untrusted texts: they are escaped, truncated, and stripped of characters that XML does not allow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from contentgen_core.model.entity import EntityGraph, GraphNode, JoinedBy
from contentgen_core.policies.text.printable import printable
from contentgen_core.policies.text.truncation import truncate

WIDTH: Final = 960
HEIGHT: Final = 680
MARGIN: Final = 70
LONGEST_LABEL: Final = 32
LEGEND_LINES: Final = 8
LONGEST_LEGEND: Final = 110
_LINE: Final = 20
_PER_ROW: Final = 8
"""Entities without an edge per row."""
_ROW: Final = 64
_MAX_ROWS_HEIGHT: Final = 480.0
_GAP: Final = 24.0
_ITERATIONS: Final = 150
_SMALLEST: Final = 5.0
_LARGEST: Final = 24.0
# Okabe and Ito's colours, distinguishable with any colour vision; each has contrast on white and on near-black.
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b38600", "#56b4e9", "#7f6fc9", "#8c5a3c")
_OTHERS: Final = "#808080"
_DASHES: Final = ' stroke-dasharray="5 4"'
"""Of edges of meaning alone."""
_STYLE: Final = (
    "svg{background:#fff}text{font-family:system-ui,sans-serif;fill:#1a1a1a;unicode-bidi:plaintext}"
    ".l{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}line{stroke:#666}circle{stroke:#fff}"
    "@media(prefers-color-scheme:dark){svg{background:#16181c}text{fill:#ececec}.l{stroke:#16181c}line{stroke:#aaa}"
    "circle{stroke:#16181c}}"
)


@frozen
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def to_svg(graph: EntityGraph, places: Sequence[tuple[float, float]], title: str) -> str:
    """The SVG of a graph. `places`: (x, y) of each node, on any scale. `title`: what the graph is of."""
    points = _layout(graph, places)
    legend = _legend(graph)
    height = HEIGHT + _LINE * len(legend) + (_LINE if legend else 0)
    heading = f"Entities of {printable(title)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="desc">{escape(_description(graph))}</desc>',
        f"<style>{_STYLE}</style>",
        *_edges(graph, points),
        *_nodes(graph, points),
        *_labels(graph, points),
        *legend,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _layout(graph: EntityGraph, places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The nodes' places scaled to the picture, with space for labels; nodes without an edge are in rows below."""
    linked = {node for edge in graph.edges for node in (edge.source, edge.target)}
    alone = [node for node in range(len(places)) if node not in linked]
    rows = math.ceil(len(alone) / _PER_ROW)
    row_height = min(_ROW, _MAX_ROWS_HEIGHT / max(1, rows))
    bottom = HEIGHT - MARGIN - rows * row_height
    points = dict.fromkeys(range(len(places)), (WIDTH / 2, HEIGHT / 2))
    if linked:
        order = sorted(linked)
        plane = np.array([places[node] for node in order])
        span = np.ptp(plane, axis=0)
        plane = (plane - plane.min(axis=0)) / np.where(span > 1e-9, span, 1.0)
        plane = np.array([MARGIN, MARGIN]) + plane * np.array([WIDTH - 2 * MARGIN, bottom - MARGIN])
        radii = np.array(_radii(graph))[order]
        for node, (x, y) in zip(order, _separate(plane, radii, bottom), strict=True):
            points[node] = (x, y)
    for n, node in enumerate(alone):
        row, column = divmod(n, _PER_ROW)
        points[node] = (MARGIN + column * (WIDTH - 2 * MARGIN) / (_PER_ROW - 1), bottom + row_height * (row + 0.9))
    return [(round(float(x), 1), round(float(y), 1)) for x, y in (points[n] for n in range(len(places)))]


def _separate(plane: NDArray[np.float64], radii: NDArray[np.float64], bottom: float) -> NDArray[np.float64]:
    """Moves circles apart, in small steps, that overlap or leave no space for a label."""
    room = radii[:, None] + radii[None, :] + _GAP
    low, high = np.array([MARGIN / 2, MARGIN / 2]), np.array([WIDTH - MARGIN / 2, bottom])
    for _ in range(_ITERATIONS):
        apart = plane[:, None, :] - plane[None, :, :]
        apart[:, :, 0] += np.sign(np.arange(len(plane))[:, None] - np.arange(len(plane))[None, :]) * 1e-3
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1e-6)
        lacking = np.maximum(0.0, room - distance)
        np.fill_diagonal(lacking, 0.0)
        plane = np.clip(plane + 0.25 * (apart / distance[..., None] * lacking[..., None]).sum(axis=1), low, high)
    return plane


def _edges(graph: EntityGraph, points: Sequence[tuple[float, float]]) -> list[str]:
    return [
        f'<line x1="{points[e.source][0]}" y1="{points[e.source][1]}" x2="{points[e.target][0]}"'
        f' y2="{points[e.target][1]}" stroke-width="{0.5 + 4 * e.strength:.1f}"'
        f' stroke-opacity="{0.2 + 0.5 * e.strength:.2f}"{_DASHES if e.joined_by is JoinedBy.MEANING else ""}/>'
        for e in graph.edges
    ]


def _nodes(graph: EntityGraph, points: Sequence[tuple[float, float]]) -> list[str]:
    radii = _radii(graph)
    return [
        f'<circle cx="{x}" cy="{y}" r="{radius:.1f}" fill="{_colour(node.community, graph)}" stroke-width="1.5">'
        f"<title>{escape(_tooltip(node))}</title></circle>"
        for node, (x, y), radius in zip(graph.nodes, points, radii, strict=True)
    ]


def _radii(graph: EntityGraph) -> list[float]:
    """Radii with areas in proportion to the mentions."""
    most = max((node.entity.mentions for node in graph.nodes), default=1)
    return [max(_SMALLEST, _LARGEST * math.sqrt(node.entity.mentions / most)) for node in graph.nodes]


def _labels(graph: EntityGraph, points: Sequence[tuple[float, float]]) -> list[str]:
    """Labels next to their nodes where they overlap no other label, the strongest first; else below the node."""
    taken: list[_Box] = []
    shown = []
    for node, (x, y), radius in zip(graph.nodes, points, _radii(graph), strict=True):
        size = 12 + round(4 * (radius - _SMALLEST) / (_LARGEST - _SMALLEST))
        label = _shorten(printable(node.entity.name))
        wide = size * sum(1.0 if ord(c) >= 0x2E80 else 0.56 for c in label)
        below, above = y + radius + size, y - radius - 4
        beside = y + size / 3
        tries = (
            (x - wide / 2, below),
            (x - wide / 2, above),
            (x + radius + 4, beside),
            (x - radius - 4 - wide, beside),
        )
        inside = [(min(max(2.0, left), WIDTH - wide - 2), min(base, HEIGHT - 4.0)) for left, base in tries]
        boxes = [_Box(left, base - size, left + wide, base + 3) for left, base in inside]
        free = next((box for box in boxes if not any(box.overlaps(other) for other in taken)), boxes[0])
        taken.append(free)
        shown.append(
            f'<text class="l" x="{(free.left + free.right) / 2:.1f}" y="{free.bottom - 3:.1f}" font-size="{size}"'
            f' text-anchor="middle">{escape(label)}</text>'
        )
    return shown


def _legend(graph: EntityGraph) -> list[str]:
    lines = []
    for number, community in enumerate(graph.communities[:LEGEND_LINES]):
        if community.size > 1:
            y = HEIGHT + _LINE * (number + 1)
            label = escape(_shorten(printable(community.label), LONGEST_LEGEND))
            lines.append(
                f'<circle cx="20" cy="{y - 5}" r="6" fill="{_colour(number, graph)}"/><text x="34" y="{y}"'
                f' font-size="13">{label} ({community.size})</text>'
            )
    return lines


def _description(graph: EntityGraph) -> str:
    if not graph.nodes:
        return "The knowledge base names no entities yet."
    groups = "; ".join(
        printable(community.label) for community in graph.communities[:LEGEND_LINES] if community.size > 1
    )
    dashed = sum(edge.joined_by is JoinedBy.MEANING for edge in graph.edges)
    by_meaning = f" {dashed} dashed ones between those that are near in meaning," if dashed else ""
    return (
        f"{len(graph.nodes)} entities as circles whose areas are their mentions, {len(graph.edges) - dashed} lines"
        f" between those that share passages more often than by chance,{by_meaning} in colours by group."
        f" {f'Groups: {groups}.' if groups else ''}"
    ).strip()


def _tooltip(node: GraphNode) -> str:
    entity = node.entity
    return f"{printable(entity.name)} ({entity.type}): {entity.mentions} mentions in {entity.documents} documents"


def _colour(community: int, graph: EntityGraph) -> str:
    """Grey for an entity without a community, and beyond the number of colours."""
    alone = graph.communities[community].size < 2
    return _OTHERS if alone or community >= len(_COLOURS) else _COLOURS[community]


def _shorten(text: str, longest: int = LONGEST_LABEL) -> str:
    return truncate(text, longest, dangling=None)
