"""The entity graph: variants merged into entities, curation applied, edges weighted and selected.

An edge's weight is the normalised pointwise mutual information of two entities occurring in the same passage (Bouma
2009, "Normalized (pointwise) mutual information in collocation extraction"): 1 when neither occurs without the other, 0
when they occur together as often as by chance. Unlike a count, it does not link every frequent entity with all others;
unlike plain PMI it is bounded and favours rare pairs less."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import evolve

from contentgen_core.model.entity import (
    Community,
    Cooccurrences,
    CuratedEntity,
    Curation,
    EntityGraph,
    EntityType,
    EntityVariant,
    GraphEdge,
    GraphNode,
    KbEntity,
)

MIN_SHARED_PASSAGES: Final = 2
"""The least number of passages in which two entities occur together for an edge: one may be chance."""
EDGES_PER_NODE: Final = 3
LABEL_ENTITIES: Final = 3
MAX_ALIASES: Final = 5


def merged(variants: Iterable[EntityVariant]) -> dict[str, KbEntity]:
    """The entities of these variants, by key. Counts are summed; name and type are those with most mentions, except
    that a type found by a rule takes precedence over `concept`."""
    by_key: dict[str, list[EntityVariant]] = {}
    for variant in variants:
        by_key.setdefault(variant.key, []).append(variant)
    return {key: _merged(key, of_key) for key, of_key in by_key.items()}


def _merged(key: str, variants: Sequence[EntityVariant]) -> KbEntity:
    names = _summed((v.name, v.mentions) for v in variants)
    types = _summed((v.type, v.mentions) for v in variants)
    named_by_rule = {type: n for type, n in types.items() if type is not EntityType.CONCEPT}
    return KbEntity(
        keys=(key,),
        name=_most(names),
        type=EntityType(_most(named_by_rule)) if named_by_rule else EntityType.CONCEPT,
        mentions=sum(v.mentions for v in variants),
        passages=sum(v.passages for v in variants),
        documents=sum(v.documents for v in variants),
    )


def _summed(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for name, count in pairs:
        sums[name] = sums.get(name, 0) + count
    return sums


def _most(counts: Mapping[str, int]) -> str:
    return min(counts, key=lambda name: (-counts[name], name))


def strength(entity: KbEntity) -> tuple[int, int, str]:
    """Sort key: the entity with most passages, then mentions, first."""
    return -entity.passages, -entity.mentions, entity.keys[0]


def curated(entities: Sequence[KbEntity], curation: Curation | None) -> list[KbEntity]:
    """The entities after a curation: merged, typed, without those it dropped. Entities it has not seen stay unchanged.
    The counts of merged entities are sums, until `counted` replaces them."""
    if curation is None or not curation.kept:
        return list(entities)
    group_of = {key: n for n, group in enumerate(curation.kept) for key in group.keys}
    dropped = set(curation.dropped)
    members: dict[int, list[KbEntity]] = {}
    order: list[int | KbEntity] = []
    for entity in entities:
        key = entity.keys[0]
        if key in dropped:
            continue
        group = group_of.get(key)
        if group is None:
            order.append(entity)
        elif group in members:
            members[group].append(entity)
        else:
            members[group] = [entity]
            order.append(group)
    return [_joined(members[entry], curation.kept[entry]) if isinstance(entry, int) else entry for entry in order]


def _joined(entities: Sequence[KbEntity], group: CuratedEntity) -> KbEntity:
    first = entities[0]
    names = dict.fromkeys(entity.name for entity in entities[1:] if entity.name != first.name)
    return evolve(
        first,
        keys=tuple(entity.keys[0] for entity in entities),
        type=group.type,
        mentions=sum(entity.mentions for entity in entities),
        passages=sum(entity.passages for entity in entities),
        documents=sum(entity.documents for entity in entities),
        aliases=tuple(names)[:MAX_ALIASES],
    )


def counted(entities: Sequence[KbEntity], cooccurrences: Cooccurrences) -> list[KbEntity]:
    """The entities with exact counts: an occurrence of two names of one entity counts once."""
    return [
        evolve(entity, mentions=figures.mentions, passages=figures.passages, documents=figures.documents)
        for entity, figures in zip(entities, cooccurrences.groups, strict=True)
    ]


def npmi(both: int, one: int, other: int, passages: int) -> float:
    """Normalised pointwise mutual information, in -1..1; 0 where a count is 0. All arguments count passages: `both`:
    with both entities; `one`, `other`: with each; `passages`: all."""
    if both <= 0 or passages <= 0:
        return 0.0
    if both >= passages:
        return 1.0
    probability = both / passages
    return math.log(probability * passages * passages / (one * other)) / -math.log(probability)


def edges(cooccurrences: Cooccurrences) -> list[GraphEdge]:
    """Edges between entities that occur together more often than by chance, heaviest first, at most EDGES_PER_NODE
    times the nodes. They are selected by weight × log(1 + passages), so that frequent pairs are preferred to rare ones
    of the same weight."""
    found = []
    for (i, j), both in cooccurrences.pairs.items():
        weight = npmi(both, cooccurrences.groups[i].passages, cooccurrences.groups[j].passages, cooccurrences.passages)
        if both >= MIN_SHARED_PASSAGES and weight > 0:
            found.append(GraphEdge(i, j, round(weight, 4), both))
    found.sort(key=lambda edge: (-edge.weight * math.log1p(edge.passages), edge.source, edge.target))
    chosen = found[: EDGES_PER_NODE * len(cooccurrences.groups)]
    return sorted(chosen, key=lambda edge: (-edge.weight, edge.source, edge.target))


def graph(
    entities: Sequence[KbEntity], cooccurrences: Cooccurrences, chosen: Sequence[GraphEdge], parts: Sequence[int]
) -> EntityGraph:
    """The graph of these entities. `chosen`: its edges; `parts`: the community of each entity, any numbers. Communities
    are numbered by size, then by their strongest entity."""
    members: dict[int, list[int]] = {}
    for node, part in enumerate(parts):
        members.setdefault(part, []).append(node)
    order = sorted(members, key=lambda part: (-len(members[part]), members[part][0]))
    number = {part: n for n, part in enumerate(order)}
    return EntityGraph(
        nodes=tuple(GraphNode(entity, number[part]) for entity, part in zip(entities, parts, strict=True)),
        edges=tuple(chosen),
        communities=tuple(
            Community(", ".join(entities[node].name for node in members[part][:LABEL_ENTITIES]), len(members[part]))
            for part in order
        ),
        passages=cooccurrences.passages,
    )
