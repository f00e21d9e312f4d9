"""Entities: what the texts of a knowledge base name, and how these hang together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import TenantId
from contentgen_core.model.vocabulary import Language

MAX_ENTITY_NAME: Final = 100


class EntityType(StrEnum):
    """`concept` is whatever no rule tells more of."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    PRODUCT = "product"
    LAW = "law"
    CONCEPT = "concept"


@frozen
class EntityMention:
    """An entity in one passage. `key`: what mentions of the same entity share, whatever their case or ending; `name`:
    as it is written there; `count`: how often."""

    key: str
    name: str
    type: EntityType = EntityType.CONCEPT
    count: int = 1


@frozen
class EntityVariant:
    """What is counted of one way to write an entity: mentions, passages and documents that hold it. A document counts
    an entity under one variant alone, so the figures of an entity's variants add up."""

    key: str
    name: str
    type: EntityType
    mentions: int
    passages: int
    documents: int


@frozen
class KbEntity:
    """An entity of a view. `keys`: of all found to be the same; the first is its id. `aliases`: other names."""

    keys: tuple[str, ...]
    name: str
    type: EntityType
    mentions: int
    passages: int
    documents: int
    aliases: tuple[str, ...] = ()


@frozen
class EntityPage:
    """The strongest entities of a view, and how many there are."""

    entities: tuple[KbEntity, ...]
    total: int


@frozen
class GroupFigures:
    """What is counted of entities taken together: what mentions several of them counts once."""

    mentions: int
    passages: int
    documents: int


@frozen
class Cooccurrences:
    """Groups of entities in the passages of a view: `groups` in the order asked, `pairs` by (i, j), i < j: passages
    that hold both; pairs that never meet are left out. `passages`: all of the view's."""

    groups: tuple[GroupFigures, ...]
    pairs: Mapping[tuple[int, int], int]
    passages: int


@frozen
class CuratedEntity:
    """Entities that a model took for one, the strongest first, and what it took them for."""

    keys: tuple[str, ...]
    type: EntityType


@frozen
class Curation:
    """What a model made of the strongest entities of a view: `kept`, and the keys `dropped` as no entities. `state`:
    that of the knowledge base it was made from. `subject`: the niche or agent key. `requested_at`: when it was last
    asked for; `kept` is empty until the first answer came."""

    tenant_id: TenantId
    subject: str
    requested_at: datetime
    state: str = ""
    kept: tuple[CuratedEntity, ...] = ()
    dropped: tuple[str, ...] = ()


@frozen
class GraphNode:
    """`community`: index among the graph's communities."""

    entity: KbEntity
    community: int


@frozen
class GraphEdge:
    """Nodes by index, source < target. `weight`: NPMI of meeting in a passage, 0..1; `passages`: how many hold both."""

    source: int
    target: int
    weight: float
    passages: int


@frozen
class Community:
    """`label`: its strongest entities."""

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
class KbFigures:
    """What a view holds, in passages where nothing else is said. `average_age_days`: the mean age of its passages, from
    the date that their source gives itself, else the day it was fetched, else came in; 0 for an empty view. `newest`:
    when the last document came in. `state`: changes whenever documents come or go."""

    documents: int
    passages: int
    by_origin: Mapping[str, int]
    by_language: Mapping[Language, int]
    average_age_days: float
    newest: datetime | None
    state: str
