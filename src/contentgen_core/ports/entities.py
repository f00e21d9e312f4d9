"""Entities: extraction from passages, communities, and a picture of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.entity import EntityGraph, EntityMention, GraphLayout
from contentgen_core.model.knowledge import Passage

MAX_MENTIONS = 24
"""Entities of one passage."""


class EntityExtractor(Protocol):
    """Deterministic, total (any text gives an answer) and thread-safe."""

    def __call__(self, passages: Sequence[Passage]) -> list[tuple[EntityMention, ...]]:
        """The entities of each passage, at most MAX_MENTIONS, each once. All passages of a document are given together,
        since a word that begins a sentence is a name only if it is one elsewhere; an entity has one name and type in a
        document. Takes a fraction of a millisecond a passage."""
        ...


class GraphTools(Protocol):
    """Deterministic and thread-safe. Takes tens of milliseconds for a hundred nodes: call it in a thread."""

    def communities(self, nodes: int, edges: Sequence[tuple[int, int, float]]) -> list[int]:
        """The communities of a weighted graph: for each node the number of its community, from 0 in the order of their
        first node. `edges`: (node, node, weight)."""
        ...

    def picture(self, graph: EntityGraph, title: str) -> str:
        """The graph as a self-contained SVG document of a bounded size; names are escaped."""
        ...

    def layout(self, graph: EntityGraph) -> GraphLayout:
        """The graph on a plane, nodes that are joined near each other; names are cut to a bounded length."""
        ...
