"""Places the names of an entity graph on a plane so that none covers another, and names its communities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contentgen_core.model.entity import EntityGraph, GraphLayout, PlacedGroup, PlacedNode
from contentgen_core.policies.text.printable import printable
from contentgen_core.policies.text.truncation import truncate

LONGEST_NAME: Final = 28
LONGEST_GROUP: Final = 36
MOST_GROUPS: Final = 8
_SMALLEST: Final = 4.0
_LARGEST: Final = 16.0
_NAME_SIZE: Final = (12, 17)
_GROUP_SIZE: Final = 15
_SPACE: Final = 6.0
"""Between two boxes."""
_ROOM: Final = 2.2
"""Of the plane for each area of boxes, so that most names stand where the layout wants them."""
_ASPECT: Final = 1.5
_BELOW: Final = 60.0
_MARGIN: Final = 12.0
_STEPS: Final = 24
"""Places that are tried on each turn of the spiral."""
_TURNS: Final = 8
"""Of the spiral, that are tried at once."""
_WIDE: Final = 0x2E80
"""From this character on signs are as wide as high."""
_ANGLES: Final = np.arange(_STEPS) * 2 * math.pi / _STEPS
_RING: Final[NDArray[np.float64]] = np.stack([_ASPECT * np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
"""A turn of the spiral, one wide."""


def place_nodes(graph: EntityGraph, places: Sequence[tuple[float, float]]) -> GraphLayout:
    """Place the nodes without overlaps. `places`: the wanted position of each node, on any scale; unconnected nodes go
    below the others. The strongest nodes get their wanted position, the others the nearest free one.
    """
    radii, sizes = _radii(graph), _sizes(graph)
    names = [truncate(printable(node.entity.name), LONGEST_NAME, dangling=None) for node in graph.nodes]
    boxes = [
        (max(2 * radius, _width(name, size)), 2 * radius + size + 3)
        for name, radius, size in zip(names, radii, sizes, strict=True)
    ]
    wanted = _wanted_positions(graph, places, boxes)
    taken = _Taken()
    centres = [taken.nearest(point, box) for point, box in zip(wanted, boxes, strict=True)]
    groups = _groups(graph, centres, boxes, taken)
    low, high = taken.extent() if graph.nodes else (np.zeros(2), np.zeros(2))
    left, top = low - _MARGIN
    nodes = tuple(
        PlacedNode(name, round(x - left, 1), round(y - top - height / 2 + radius, 1), round(radius, 1), size)
        for name, (x, y), (_, height), radius, size in zip(names, centres, boxes, radii, sizes, strict=True)
    )
    named = tuple(
        PlacedGroup(group, label, round(x - left, 1), round(y - top + _GROUP_SIZE / 3, 1), _GROUP_SIZE)
        for group, label, (x, y) in groups
    )
    width, height = high - low + 2 * _MARGIN
    return GraphLayout(round(float(width), 1), round(float(height), 1), nodes, named)


class _Taken:
    """Boxes that are placed, by their centres and halves."""

    def __init__(self) -> None:
        self._centres: NDArray[np.float64] = np.empty((0, 2))
        self._halves: NDArray[np.float64] = np.empty((0, 2))

    def nearest(self, wanted: tuple[float, float], box: tuple[float, float]) -> tuple[float, float]:
        """The centre of the free place nearest to the wanted one, which is taken from then on."""
        half, candidates, turn = np.array(box) / 2, np.array([wanted]), 1
        while not (free := self._free(candidates, half)).any():
            candidates = _turns(wanted, turn)
            turn += _TURNS
        centre = candidates[int(free.argmax())]
        self._centres = np.vstack([self._centres, centre])
        self._halves = np.vstack([self._halves, half])
        return float(centre[0]), float(centre[1])

    def _free(self, candidates: NDArray[np.float64], half: NDArray[np.float64]) -> NDArray[np.bool_]:
        room = self._halves + half + _SPACE
        beside = np.abs(candidates[:, None, 0] - self._centres[:, 0]) >= room[:, 0]
        below = np.abs(candidates[:, None, 1] - self._centres[:, 1]) >= room[:, 1]
        free: NDArray[np.bool_] = np.all(beside | below, axis=1)
        return free

    def extent(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return (self._centres - self._halves).min(axis=0), (self._centres + self._halves).max(axis=0)


def _turns(wanted: tuple[float, float], first: int) -> NDArray[np.float64]:
    """The places of _TURNS turns of a spiral from the turn `first` on, wider than high as names are, the nearest
    first."""
    turns = np.arange(first, first + _TURNS)
    return (np.array(wanted) + 8.0 * turns[:, None, None] * _RING).reshape(-1, 2)


def _wanted_positions(
    graph: EntityGraph, places: Sequence[tuple[float, float]], boxes: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    joined = sorted({node for edge in graph.edges for node in (edge.source, edge.target)})
    alone = [node for node in range(len(places)) if node not in joined]
    area = sum((boxes[node][0] + _SPACE) * (boxes[node][1] + _SPACE) for node in joined)
    height = math.sqrt(_ROOM * area / _ASPECT)
    width = _ASPECT * height
    found = [(0.0, 0.0)] * len(places)
    if joined:
        plane = np.array([places[node] for node in joined])
        span = np.ptp(plane, axis=0)
        plane = (plane - plane.min(axis=0)) / np.where(span > 1e-9, span, 1.0) * np.array([width, height])
        for node, (x, y) in zip(joined, plane, strict=True):
            found[node] = (float(x), float(y))
    for place, node in enumerate(alone):
        found[node] = ((place + 0.5) * width / len(alone), height + _BELOW)
    return found


def _groups(
    graph: EntityGraph, centres: Sequence[tuple[float, float]], boxes: Sequence[tuple[float, float]], taken: _Taken
) -> list[tuple[int, str, tuple[float, float]]]:
    """The names of the largest communities, each above its nodes."""
    found = []
    for group, community in enumerate(graph.communities[:MOST_GROUPS]):
        if community.size < 2:
            continue
        own = [place for place, node in enumerate(graph.nodes) if node.community == group]
        middle = sum(centres[place][0] for place in own) / len(own)
        top = min(centres[place][1] - boxes[place][1] / 2 for place in own)
        label = truncate(printable(community.label), LONGEST_GROUP, dangling=None)
        wanted = (middle, top - _GROUP_SIZE)
        found.append((group, label, taken.nearest(wanted, (_width(label, _GROUP_SIZE), _GROUP_SIZE + 4))))
    return found


def _radii(graph: EntityGraph) -> list[float]:
    """Return radii for areas in proportion to the mentions."""
    most = max((node.entity.mentions for node in graph.nodes), default=1)
    return [max(_SMALLEST, _LARGEST * math.sqrt(node.entity.mentions / most)) for node in graph.nodes]


def _sizes(graph: EntityGraph) -> list[int]:
    small, large = _NAME_SIZE
    return [small + round((large - small) * (r - _SMALLEST) / (_LARGEST - _SMALLEST)) for r in _radii(graph)]


def _width(text: str, size: int) -> float:
    return size * sum(1.0 if ord(sign) >= _WIDE else 0.6 for sign in text)
