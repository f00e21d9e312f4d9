"""The entity graph: variants merged into entities, curation applied, edges weighted and selected.

An edge's weight is the normalised pointwise mutual information of two entities occurring in the same passage (Bouma
2009, "Normalized (pointwise) mutual information in collocation extraction"): 1 when neither occurs without the other, 0
when they occur together as often as by chance. Unlike a count, it does not link every frequent entity with all others;
unlike plain PMI it is bounded and favours rare pairs less."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from attrs import evolve

from contentgen_core.model.article_plan import SourceRef
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
    JoinedBy,
    KbEntity,
)
from contentgen_core.policies.text.nearness import cosine

MIN_SHARED_PASSAGES: Final = 2
"""The least number of passages in which two entities occur together for an edge: one may be chance."""
EDGES_PER_NODE: Final = 3
MAX_NAMING: Final = 12
"""Passages of an entity whose vectors tell what it is about."""
MIN_NAMING: Final = 2
"""The least number of them: one may be chance."""
MIN_PASSAGES: Final = 10
"""Passages with a vector in all, from which on their mean says what they have in common."""
NEAR: Final = 0.6
"""The least nearness of entities that meaning alone joins (docs/decisions/0012-entities.md)."""
MEANING_STRENGTH: Final = 0.5
"""The strength of an edge of meaning alone, as a share of its nearness."""
LEAST_SHARE: Final = 0.1
"""What is left of a weight where passages have nothing in common but that they meet."""
LABEL_ENTITIES: Final = 3
MAX_ALIASES: Final = 5


def merge_variants(variants: Iterable[EntityVariant]) -> dict[str, KbEntity]:
    """Return the entities of these variants, by key. Counts are summed; name and type are those with most mentions,
    except that a type found by a rule takes precedence over `concept`."""
    by_key: dict[str, list[EntityVariant]] = {}
    for variant in variants:
        by_key.setdefault(variant.key, []).append(variant)
    return {key: _merge(key, of_key) for key, of_key in by_key.items()}


def _merge(key: str, variants: Sequence[EntityVariant]) -> KbEntity:
    names = _sum_counts((v.name, v.mentions) for v in variants)
    types = _sum_counts((v.type, v.mentions) for v in variants)
    named_by_rule = {type: n for type, n in types.items() if type is not EntityType.CONCEPT}
    return KbEntity(
        keys=(key,),
        name=_most_frequent(names),
        type=EntityType(_most_frequent(named_by_rule)) if named_by_rule else EntityType.CONCEPT,
        mentions=sum(v.mentions for v in variants),
        passages=sum(v.passages for v in variants),
        documents=sum(v.documents for v in variants),
    )


def _sum_counts(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for name, count in pairs:
        sums[name] = sums.get(name, 0) + count
    return sums


def _most_frequent(counts: Mapping[str, int]) -> str:
    return min(counts, key=lambda name: (-counts[name], name))


def strength(entity: KbEntity) -> tuple[int, int, str]:
    """Sort key: the entity with most passages, then mentions, first."""
    return -entity.passages, -entity.mentions, entity.keys[0]


def apply_curation(entities: Sequence[KbEntity], curation: Curation | None) -> list[KbEntity]:
    """Return the entities after a curation: merged, typed, without those it dropped. Entities unknown to it stay
    unchanged. The counts of merged entities are sums, until `count_exactly` replaces them."""
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
    return [_join_group(members[entry], curation.kept[entry]) if isinstance(entry, int) else entry for entry in order]


def _join_group(entities: Sequence[KbEntity], group: CuratedEntity) -> KbEntity:
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


def count_exactly(entities: Sequence[KbEntity], cooccurrences: Cooccurrences) -> list[KbEntity]:
    """Return the entities with exact counts: an occurrence of two names of one entity counts once."""
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


def first_naming(refs: Iterable[SourceRef]) -> tuple[SourceRef, ...]:
    """The passages whose vectors stand for an entity: the first MAX_NAMING, whatever order they are given in."""
    return tuple(sorted(refs, key=lambda ref: (ref.document_id, ref.chunk_index))[:MAX_NAMING])


Vector = Sequence[float]
Nearness = Mapping[tuple[int, int], float]


def nearness(naming: Sequence[Sequence[SourceRef]], vectors: Mapping[SourceRef, Vector]) -> Nearness:
    """Return the nearness of the passages that name one entity to those that name another, for each pair i < j: the
    cosine of their mean vectors, minus what all passages have in common. Pairs with too few vectors are left out. Takes
    a tenth of a second for a hundred entities: run it in a thread."""
    if len(vectors) < MIN_PASSAGES:
        return {}
    common = _mean([vectors[ref] for ref in sorted(vectors, key=str)])
    centred: dict[int, list[float]] = {}
    for node, refs in enumerate(naming):
        known = [vectors[ref] for ref in refs if ref in vectors]
        apart = [own - all for own, all in zip(_mean(known), common, strict=True)] if len(known) >= MIN_NAMING else []
        if length := math.hypot(*apart):
            centred[node] = [number / length for number in apart]
    return {(i, j): round(max(-1.0, min(1.0, cosine(centred[i], centred[j]))), 4) for i, j in combinations(centred, 2)}


def _mean(vectors: Sequence[Vector]) -> list[float]:
    return [math.fsum(column) / len(vectors) for column in zip(*vectors, strict=True)]


def edges(cooccurrences: Cooccurrences, near: Nearness | None = None) -> list[GraphEdge]:
    """Edges between entities that occur together more often than by chance, or are near in meaning, strongest first, at
    most EDGES_PER_NODE times the nodes. Those of common passages are selected by strength × log(1 + passages), so that
    frequent pairs are preferred to rare ones of the same strength; those of meaning alone come after them. `near`: as
    far as it is known."""
    near = near or {}
    found, by_meaning = [], []
    for i, j in sorted(cooccurrences.pairs.keys() | near.keys()):
        both = cooccurrences.pairs.get((i, j), 0)
        weight = npmi(both, cooccurrences.groups[i].passages, cooccurrences.groups[j].passages, cooccurrences.passages)
        nearness = near.get((i, j))
        if both >= MIN_SHARED_PASSAGES and weight > 0:
            found.append(_passage_edge(i, j, round(weight, 4), both, nearness))
        elif nearness is not None and nearness >= NEAR:
            strength = round(nearness * MEANING_STRENGTH, 4)
            by_meaning.append(GraphEdge(i, j, 0.0, both, strength, JoinedBy.MEANING, nearness))
    found.sort(key=lambda edge: (-edge.strength * math.log1p(edge.passages), edge.source, edge.target))
    by_meaning.sort(key=lambda edge: (-edge.strength, edge.source, edge.target))
    chosen = (found + by_meaning)[: EDGES_PER_NODE * len(cooccurrences.groups)]
    return sorted(chosen, key=lambda edge: (-edge.strength, edge.source, edge.target))


def _passage_edge(i: int, j: int, weight: float, both: int, nearness: float | None) -> GraphEdge:
    """Return the edge of two entities' common passages: the weaker, the less near the other passages of the two are."""
    if nearness is None:
        return GraphEdge(i, j, weight, both, weight)
    strength = round(weight * min(1.0, max(LEAST_SHARE, nearness / NEAR)), 4)
    return GraphEdge(i, j, weight, both, strength, JoinedBy.BOTH if nearness >= NEAR else JoinedBy.PASSAGES, nearness)


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
