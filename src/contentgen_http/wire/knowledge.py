"""What a knowledge base holds, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import entity as model
from contentgen_core.model import knowledge as core
from contentgen_core.model.entity import EntityType, JoinedBy
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.knowledge import document_history
from contentgen_core.use_cases.knowledge.document_history import MAX_PASSAGES, TextAsOf
from contentgen_core.use_cases.knowledge.overview import MAX_ENTITIES, MAX_NODES, Entities, Graph, Statistics
from contentgen_http.wire.base import Answer, AnswerOf, Moment, Query, utc

NicheKey = Annotated[str, Meta(description="Key of the niche.", examples=["home-energy"])]
AgentKeyOf = Annotated[str | UnsetType, Meta(description="Key of the agent, where you asked by one.")]
Made = Annotated[
    Literal["rules", "model"],
    Meta(description="Who says what is an entity: rules alone, or a model that looked through what they found."),
]


class DocumentVersion(Answer, kw_only=True):
    """What a KB document was for a time."""

    since: Annotated[datetime, Meta(description="When it came to be so.")]
    until: Annotated[datetime | UnsetType, Meta(description="When its text changed; absent: it is so still.")] = UNSET
    title: Annotated[str, Meta(description="Its title.")]
    passages: Annotated[int | UnsetType, Meta(description="How many passages it had; absent for the present.")] = UNSET


class DocumentVersions(AnswerOf[core.DocumentHistory], kw_only=True):
    """The versions of a KB document that are kept."""

    document_id: Annotated[str, Meta(description="Id of the document.")]
    created_at: Annotated[datetime, Meta(description="When it came in.")]
    kept_since: Annotated[
        datetime,
        Meta(description="From when on it is known what it said; later than `createdAt`: what was before is gone."),
    ]
    versions: Annotated[list[DocumentVersion], Meta(description="Newest first, the present one before all.")]

    @classmethod
    def of(cls, history: core.DocumentHistory) -> DocumentVersions:
        document = history.document
        former = [DocumentVersion.copy_from(v, passages=len(v.chunk_indexes)) for v in history.former]
        return cls(
            document_id=document.id,
            created_at=utc(document.created_at),
            kept_since=utc(history.kept_since),
            versions=[DocumentVersion(since=utc(history.since), title=document.title), *former],
        )


class FormerTextQuery(Query, kw_only=True):
    """Which text of a document, and which part of it."""

    as_of: Annotated[
        Moment | UnsetType,
        Meta(description="The time at which it said so; absent: now.", examples=["2026-11-01T00:00:00Z"]),
    ] = UNSET
    offset: Annotated[Annotated[int, Meta(ge=0, le=1_000_000)], Meta(description="Passages to leave out.")] = 0
    limit: Annotated[Annotated[int, Meta(ge=1, le=MAX_PASSAGES)], Meta(description="The most passages.")] = 50


class FormerPassage(AnswerOf[document_history.FormerPassage], kw_only=True):
    """A passage as it was."""

    chunk_index: Annotated[int, Meta(description="Its identity in the document, as sources of articles name it.")]
    heading: Annotated[str, Meta(description="The heading that it stood under.")]
    text: Annotated[str, Meta(description="Its text.")]


class FormerText(AnswerOf[TextAsOf], kw_only=True):
    """What a KB document said at a time."""

    document_id: Annotated[str, Meta(description="Id of the document.")]
    title: Annotated[str, Meta(description="Its title then.")]
    since: Annotated[datetime, Meta(description="Since when it said so.")]
    until: Annotated[datetime | UnsetType, Meta(description="Until when; absent: it says so still.")] = UNSET
    passages: Annotated[list[FormerPassage], Meta(description="In their order.")]
    total: Annotated[int, Meta(description="How many passages it had.")]


class KbStats(AnswerOf[Statistics], kw_only=True):
    """KB statistics: of what you see, in passages (insights) where nothing else is said."""

    niche_key: NicheKey
    agent_key: AgentKeyOf = UNSET
    total: Annotated[int, Meta(description="Insights in all.", examples=[1284])]
    understood: Annotated[
        int,
        Meta(
            description="Those whose vector is there, so that they are found by their meaning (with hashed embeddings "
            "by their spelling) as well as by their words; after an import the others follow in the background.",
            examples=[1284],
        ),
    ]
    web_sourced: Annotated[int, Meta(description="Those from the web.", examples=[310])]
    ai_generated: Annotated[int, Meta(description="Those a model distilled; they count as no source of their own.")]
    avg_age_in_days: Annotated[
        float,
        Meta(description="Mean age: since its source's date, else since it was fetched, else since it came in."),
    ]
    documents: Annotated[int, Meta(description="Documents they were cut from.", examples=[96])]
    by_origin: Annotated[dict[str, int], Meta(description="Insights by how they came in: import, web, ai, document.")]
    by_language: Annotated[dict[str, int], Meta(description="Insights by language.")]
    newest_at: Annotated[datetime | UnsetType, Meta(description="When the last document came in.")] = UNSET

    @classmethod
    def of(cls, found: Statistics) -> KbStats:
        figures = found.figures
        return cls(
            **_named(found.context),
            total=figures.passages,
            understood=min(found.understanding.passages, figures.passages),
            web_sourced=figures.by_origin.get(Origin.WEB.value, 0),
            ai_generated=figures.by_origin.get(Origin.AI.value, 0),
            avg_age_in_days=round(figures.average_age_days, 2),
            documents=figures.documents,
            by_origin=dict(sorted(figures.by_origin.items())),
            by_language={Language(language).value: n for language, n in sorted(figures.by_language.items())},
            newest_at=UNSET if figures.newest is None else utc(figures.newest),
        )


class Understanding(Answer, kw_only=True):
    """The data of an event: how many insights are found by their meaning, of how many."""

    understood: Annotated[int, Meta(description="Those that a model has read.", examples=[3120])]
    total: Annotated[int, Meta(description="Insights in all.", examples=[10000])]


class EntityQuery(Query, kw_only=True):
    """How many entities."""

    limit: Annotated[int, Meta(ge=1, le=MAX_ENTITIES, description="Entities at most.")] = 50


class KbEntity(AnswerOf[model.KbEntity], kw_only=True):
    """Something that the knowledge base names."""

    id: Annotated[str, Meta(description="Its id within the niche.", examples=["heat pump"])]
    name: Annotated[str, Meta(description="As it is mostly written.", examples=["heat pump"])]
    type: Annotated[EntityType, Meta(description="What it is; concept where nothing tells more.")]
    mentions: Annotated[int, Meta(description="How often it is named.", examples=[62])]
    passages: Annotated[int, Meta(description="Passages that name it.", examples=[31])]
    documents: Annotated[int, Meta(description="Documents that name it.", examples=[9])]
    aliases: Annotated[list[str], Meta(description="Other names of it that are counted with it.")]

    @classmethod
    def of(cls, entity: model.KbEntity) -> KbEntity:
        return cls.copy_from(entity, id=entity.keys[0])


class EntityList(AnswerOf[Entities], kw_only=True):
    """The entities of a knowledge base, those in most passages first."""

    niche_key: NicheKey
    agent_key: AgentKeyOf = UNSET
    entities: Annotated[list[KbEntity], Meta(description="The strongest ones.")]
    total: Annotated[int, Meta(description="How many there are without the limit.", examples=[412])]
    made_by: Made

    @classmethod
    def of(cls, found: Entities) -> EntityList:
        return cls(
            **_named(found.context),
            entities=[KbEntity.of(entity) for entity in found.entities],
            total=found.total,
            made_by=_made(found.curated),
        )


class GraphQuery(Query, kw_only=True):
    """How large a graph, and in what form."""

    limit: Annotated[int, Meta(ge=1, le=MAX_NODES, description="Nodes at most.")] = 40
    format: Annotated[Literal["json", "svg"], Meta(description="svg: as a picture.")] = "json"


class GraphNode(Answer, kw_only=True):
    """An entity of the graph."""

    id: Annotated[str, Meta(description="Id of the entity.", examples=["heat pump"])]
    name: Annotated[str, Meta(description="As it is mostly written.", examples=["heat pump"])]
    type: Annotated[EntityType, Meta(description="What it is; concept where nothing tells more.")]
    mentions: Annotated[int, Meta(description="How often it is named.", examples=[62])]
    passages: Annotated[int, Meta(description="Passages that name it.", examples=[31])]
    documents: Annotated[int, Meta(description="Documents that name it.", examples=[9])]
    community: Annotated[int, Meta(description="Id of its community.", examples=[0])]


class GraphEdge(Answer, kw_only=True):
    """Two entities that meet in passages more often than by chance, or that are near in meaning."""

    source: Annotated[str, Meta(description="Id of one entity.", examples=["heat pump"])]
    target: Annotated[str, Meta(description="Id of the other.", examples=["flow temperature"])]
    weight: Annotated[
        float,
        Meta(description="Normalised pointwise mutual information of meeting in a passage, 0 (chance) to 1 (always)."),
    ]
    passages: Annotated[int, Meta(description="Passages that name both.", examples=[7])]
    strength: Annotated[
        float,
        Meta(description="How strongly they are joined, by passages and meaning, 0 to 1; it decides on communities."),
    ]
    joined_by: Annotated[
        JoinedBy,
        Meta(description="meaning: they seldom meet, but their passages are near in meaning; weight is 0 then."),
    ]
    nearness: Annotated[
        float | UnsetType,
        Meta(description="How near in meaning the passages that name them are, -1 to 1; absent where it is unknown."),
    ] = UNSET


class GraphCommunity(Answer, kw_only=True):
    """Entities that hang together."""

    id: Annotated[int, Meta(description="What community of a node refers to.", examples=[0])]
    label: Annotated[str, Meta(description="Its strongest entities.", examples=["heat pump, flow temperature, COP"])]
    size: Annotated[int, Meta(description="How many entities it has in the graph.", examples=[12])]


class EntityGraph(AnswerOf[Graph], kw_only=True):
    """The strongest entities of a knowledge base and how they hang together."""

    niche_key: NicheKey
    agent_key: AgentKeyOf = UNSET
    nodes: Annotated[list[GraphNode], Meta(description="The strongest first.")]
    edges: Annotated[list[GraphEdge], Meta(description="The strongest first.")]
    communities: Annotated[list[GraphCommunity], Meta(description="The largest first.")]
    passages: Annotated[int, Meta(description="Passages of the knowledge base.", examples=[1284])]
    made_by: Made

    @classmethod
    def of(cls, found: Graph) -> EntityGraph:
        graph = found.graph
        ids = [node.entity.keys[0] for node in graph.nodes]
        return cls(
            **_named(found.context),
            nodes=[GraphNode.copy_from(n.entity, id=n.entity.keys[0], community=n.community) for n in graph.nodes],
            edges=[GraphEdge.copy_from(e, source=ids[e.source], target=ids[e.target]) for e in graph.edges],
            communities=[GraphCommunity.copy_from(c, id=n) for n, c in enumerate(graph.communities)],
            passages=graph.passages,
            made_by=_made(found.curated),
        )


def _named(context: WritingContext) -> dict[str, str]:
    names = {"niche_key": context.niche.niche_key}
    return names if context.agent_key is None else names | {"agent_key": str(context.agent_key)}


def _made(curated: bool) -> Literal["rules", "model"]:
    return "model" if curated else "rules"
