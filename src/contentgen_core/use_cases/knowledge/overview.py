"""Statistics, entities and the entity graph of a tenant's knowledge base."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from attrs import frozen

from contentgen_core.errors import InvalidInput, StaleIndex, Unavailable
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import (
    Cooccurrences,
    Curation,
    EntityGraph,
    EntityPage,
    GraphLayout,
    KbEntity,
    KbStatistics,
)
from contentgen_core.model.ids import JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.knowledge import KbView, Understanding, VectorSpace
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.topics.entity_graph import apply_curation, count_exactly, edges, graph, nearness, strength
from contentgen_core.ports.entities import GraphTools
from contentgen_core.ports.knowledge_base import PassageIndex, Vector
from contentgen_core.ports.repositories.embeddings import Embeddings
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.context import WritingContext, area_of, context_of_key
from contentgen_core.use_cases.use_case import use_case

MAX_ENTITIES: Final = 200
MAX_NODES: Final = 100
CURATE_EVERY: Final = timedelta(hours=6)
"""The least time between two curations, however much the knowledge base changes, since each is a call of a model."""


@frozen
class Statistics:
    """`understanding`: how many of the passages have a vector."""

    context: WritingContext
    figures: KbStatistics
    understanding: Understanding


@frozen
class Entities:
    """`total`: of the view, without the limit. `curated`: whether a model has curated them."""

    context: WritingContext
    entities: tuple[KbEntity, ...]
    total: int
    curated: bool


@frozen
class Graph:
    context: WritingContext
    graph: EntityGraph
    curated: bool


@use_case
class ReadOverview:
    """`curates`: whether there is a model that can curate entities. `space`: of the vectors that are searched.
    `index`: where they are read, if the embedder models meaning."""

    unit_of_work: UnitOfWork
    tools: GraphTools
    clock: Clock
    ids: Ids
    space: VectorSpace
    curates: bool
    index: PassageIndex | None = None

    async def statistics(self, caller: Caller, key: str) -> Statistics:
        """`key`: that of a niche (or its id) or of an agent. Raises NotFound unless the niche is activated or the agent
        usable."""
        async with self.unit_of_work() as tx:
            context = await context_of_key(tx, caller.tenant_id, key)
            figures = await tx[Overview].figures(context.view, self.clock.now())
            return Statistics(context, figures, await tx[Embeddings].understanding(self.space, context.view))

    async def understanding(self, caller: Caller, key: str) -> Understanding:
        """Count the passages that have a vector. Raises NotFound as `statistics`."""
        async with self.unit_of_work() as tx:
            context = await context_of_key(tx, caller.tenant_id, key)
            return await tx[Embeddings].understanding(self.space, context.view)

    async def of_platform(self, niche_key: str, countries: frozenset[str]) -> tuple[KbStatistics, Understanding]:
        """Return the statistics of the platform's own passages of a niche, those of these countries included."""
        view = KbView(niche_key, None, countries)
        async with self.unit_of_work() as tx:
            figures = await tx[Overview].figures(view, self.clock.now())
            return figures, await tx[Embeddings].understanding(self.space, view)

    async def entities(self, caller: Caller, key: str, limit: int) -> Entities:
        """Return at most `limit` entities, the strongest first. Raises NotFound as `statistics`, InvalidInput."""
        _check(limit, MAX_ENTITIES)
        async with self.unit_of_work() as tx:
            context = await context_of_key(tx, caller.tenant_id, key)
            await self._request_due_curation(tx, context)
            page, curation = await self._read_entities(tx, context, MAX_ENTITIES)
            shown = apply_curation(page.entities, curation)
            gone = len(page.entities) - len(shown)
            if any(len(entity.keys) > 1 for entity in shown):
                shown = _sort_entities(
                    shown, await tx[Overview].cooccurrences(context.view, [entity.keys for entity in shown])
                )
        return Entities(context, tuple(shown[:limit]), page.total - gone, bool(curation and curation.kept))

    async def graph(self, caller: Caller, key: str, limit: int) -> Graph:
        """The graph of the `limit` strongest entities. Raises as `entities`."""
        _check(limit, MAX_NODES)
        async with self.unit_of_work() as tx:
            context = await context_of_key(tx, caller.tenant_id, key)
            await self._request_due_curation(tx, context)
        return await self.graph_of(context, limit)

    async def graph_of(self, context: WritingContext, limit: int = MAX_NODES) -> Graph:
        """Return the graph of a context that was read already; requests no curation."""
        async with self.unit_of_work() as tx:
            page, curation = await self._read_entities(tx, context, MAX_ENTITIES)
            shown = apply_curation(page.entities, curation)[:limit]
            cooccurrences = await tx[Overview].cooccurrences(context.view, [entity.keys for entity in shown])
        vectors = await self._vectors(cooccurrences)
        made = await asyncio.to_thread(self._graph, shown, cooccurrences, vectors)
        return Graph(context, made, bool(curation and curation.kept))

    async def picture(self, caller: Caller, key: str, limit: int) -> str:
        """The graph as an SVG document. Raises as `entities`."""
        found = await self.graph(caller, key, limit)
        return await asyncio.to_thread(self.tools.picture, found.graph, found.context.niche.name)

    async def laid_out(self, caller: Caller, key: str, limit: int) -> tuple[Graph, GraphLayout]:
        """The graph with the places of its nodes on a plane. Raises as `entities`."""
        found = await self.graph(caller, key, limit)
        return found, await asyncio.to_thread(self.tools.layout, found.graph)

    async def _vectors(self, cooccurrences: Cooccurrences) -> dict[SourceRef, Vector]:
        """Return the vectors of the passages that name the entities, in one reading; none where they cannot be read."""
        if self.index is None:
            return {}
        refs = sorted({ref for naming in cooccurrences.naming for ref in naming}, key=str)
        try:
            return await self.index.vectors(refs)
        except (StaleIndex, Unavailable):
            return {}

    def _graph(
        self, entities: list[KbEntity], cooccurrences: Cooccurrences, vectors: dict[SourceRef, Vector]
    ) -> EntityGraph:
        exact = count_exactly(entities, cooccurrences)
        chosen = edges(cooccurrences, nearness(cooccurrences.naming, vectors))
        parts = self.tools.communities(len(exact), [(e.source, e.target, e.strength) for e in chosen])
        return graph(exact, cooccurrences, chosen, parts)

    async def _read_entities(
        self, tx: Transaction, context: WritingContext, limit: int
    ) -> tuple[EntityPage, Curation | None]:
        """Return the entities found by rules, and their curation if there is one."""
        page = await tx[Overview].strongest(context.view, limit)
        if not self.curates or not page.entities:
            return page, None
        assert context.view.tenant_id is not None
        return page, await tx[Overview].curation(context.view.tenant_id, str(area_of(context)))

    async def _request_due_curation(self, tx: Transaction, context: WritingContext) -> None:
        """Enqueue a curation if one is due. Readers do not wait for it; the former one is used until then."""
        if not self.curates:
            return
        page, known = await self._read_entities(tx, context, 1)
        if not page.entities:
            return
        assert context.view.tenant_id is not None
        tenant_id, subject, now = context.view.tenant_id, str(area_of(context)), self.clock.now()
        if known is None or now - known.requested_at >= CURATE_EVERY:
            figures = await tx[Overview].figures(context.view, now)
            changed = known is None or known.state != figures.state
            if changed and await tx[Overview].request_curation(tenant_id, subject, now, now - CURATE_EVERY):
                job_id = JobId(self.ids.new())
                await tx[Jobs].enqueue(Job(job_id, JobKind.CURATE_ENTITIES, tenant_id, subject, now))


def _sort_entities(entities: list[KbEntity], cooccurrences: Cooccurrences) -> list[KbEntity]:
    return sorted(count_exactly(entities, cooccurrences), key=strength)


def _check(limit: int, most: int) -> None:
    if not 1 <= limit <= most:
        raise InvalidInput.of("limit", f"must be 1 to {most}")
