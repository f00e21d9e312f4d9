"""What a text names: entities found in passages, the groups they form, and a picture of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from contentgen_core.model.entity import EntityGraph, EntityMention
from contentgen_core.model.knowledge import Passage

MAX_MENTIONS = 24
"""Entities of one passage."""


class EntityExtractor(Protocol):
    """Deterministic, total (any text gives an answer) and thread-safe."""

    def __call__(self, passages: Sequence[Passage]) -> list[tuple[EntityMention, ...]]:
        """What each passage names: all passages of one document, which are read together since a word that begins a
        sentence is a name only if it is one elsewhere. At most MAX_MENTIONS a passage, each entity once; an entity has
        one name and type in a document. Work of some 0.1 ms a passage."""
        ...


class GraphTools(Protocol):
    """Deterministic and thread-safe; work of tens of milliseconds for a hundred nodes: for a thread."""

    def communities(self, nodes: int, edges: Sequence[tuple[int, int, float]]) -> list[int]:
        """Parts of a weighted graph that hang together more than chance would have it: for each node the number of its
        part, from 0, parts in the order of their first node."""
        ...

    def picture(self, graph: EntityGraph, title: str) -> str:
        """The graph as an SVG document of a bounded size that needs nothing else: safe whatever entities are named."""
        ...
