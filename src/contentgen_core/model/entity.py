"""Entities that the texts of a knowledge base name, and how often they occur together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import TenantId
from contentgen_core.model.vocabulary import Language

MAX_ENTITY_NAME: Final = 100


class EntityType(StrEnum):
    """`concept` is the type of an entity for which no rule finds another."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    PRODUCT = "product"
    LAW = "law"
    CONCEPT = "concept"


@frozen
class EntityMention:
    """An entity in one passage. `key`: equal for mentions of the same entity, whatever their case or ending; `name`: as
    written there; `count`: how often."""

    key: str
    name: str
    type: EntityType = EntityType.CONCEPT
    count: int = 1


@frozen
class EntityVariant:
    """The counts of one spelling of an entity: mentions, and the passages and documents with it. A document counts an
    entity under one spelling only, so that the counts of all spellings of an entity add up."""

    key: str
    name: str
    type: EntityType
    mentions: int
    passages: int
    documents: int


@frozen
class KbEntity:
    """An entity of a view. `keys`: of all variants found to be the same; the first is its id. `aliases`: other
    names."""

    keys: tuple[str, ...]
    name: str
    type: EntityType
    mentions: int
    passages: int
    documents: int
    aliases: tuple[str, ...] = ()


@frozen
class EntityPage:
    """The strongest entities of a view. `total`: how many there are in all."""

    entities: tuple[KbEntity, ...]
    total: int


@frozen
class GroupCounts:
    """The counts of a group of entities; a mention, passage or document with several of them counts once."""

    mentions: int
    passages: int
    documents: int


@frozen
class Cooccurrences:
    """How often groups of entities occur in the same passages of a view. `groups`: the counts of each, in the order
    requested; `pairs`: the passages with both groups i and j, i < j, pairs without any left out; `passages`: all of the
    view's; `naming`: the first MAX_NAMING passages that name each, in the order of their documents' ids."""

    groups: tuple[GroupCounts, ...]
    pairs: Mapping[tuple[int, int], int]
    passages: int
    naming: tuple[tuple[SourceRef, ...], ...] = ()


@frozen
class CuratedEntity:
    """Entities that a model judged to be the same, the strongest first, and their type."""

    keys: tuple[str, ...]
    type: EntityType


@frozen
class Curation:
    """A model's judgement of the strongest entities of a view: `kept`, and the keys `dropped` as no entities.
    `subject`: the niche or agent key. `requested_at`: when it was last requested; `state`: that of the knowledge base
    it was made for. `kept` is empty until the first one was made."""

    tenant_id: TenantId
    subject: str
    requested_at: datetime
    state: str = ""
    kept: tuple[CuratedEntity, ...] = ()
    dropped: tuple[str, ...] = ()


@frozen
class GraphNode:
    """A node of the graph. `community`: its index among the graph's communities."""

    entity: KbEntity
    community: int


class JoinedBy(StrEnum):
    """The reason for an edge between two entities: they occur in the same passages, their passages are near in meaning,
    or both."""

    PASSAGES = "passages"
    MEANING = "meaning"
    BOTH = "both"


@frozen
class GraphEdge:
    """An edge between nodes by index, source < target. `weight`: NPMI of occurring in the same passage, 0..1, 0 where
    meaning alone joins; `passages`: those with both; `nearness`: of the passages that name the one and the other, in
    -1..1, None where unknown; `strength`: how strongly they are joined, 0..1, at most the weight where passages
    join."""

    source: int
    target: int
    weight: float
    passages: int
    strength: float
    joined_by: JoinedBy = JoinedBy.PASSAGES
    nearness: float | None = None


@frozen
class Community:
    """A group of entities that occur together more often than with others. `label`: its strongest entities."""

    label: str
    size: int


@frozen
class EntityGraph:
    """Nodes and communities strongest first, edges heaviest first."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    communities: tuple[Community, ...]
    passages: int


@frozen
class PlacedNode:
    """A node on a plane: the centre of its circle, below which its name stands. `size`: of the letters."""

    name: str
    x: float
    y: float
    radius: float
    size: int


@frozen
class PlacedGroup:
    """The name of a community on a plane: its middle, at the foot of the letters. `group`: its index among the graph's
    communities; `size`: of the letters."""

    group: int
    name: str
    x: float
    y: float
    size: int


@frozen
class GraphLayout:
    """A graph on a plane of this size: `nodes` in its order, `groups` the largest communities with more than one node.
    No name covers another one, or a circle."""

    width: float
    height: float
    nodes: tuple[PlacedNode, ...]
    groups: tuple[PlacedGroup, ...]


@frozen
class KbStatistics:
    """Counts of a view, in passages unless stated. `average_age_days`: the mean age of its passages, from the date
    their source states, else from when it was fetched, else from when it was added; 0 for an empty view. `newest`: when
    the last document was added. `state`: changes whenever documents are added or removed."""

    documents: int
    passages: int
    by_origin: Mapping[str, int]
    by_language: Mapping[Language, int]
    average_age_days: float
    newest: datetime | None
    state: str
