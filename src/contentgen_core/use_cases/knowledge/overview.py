"""What a tenant's knowledge base holds: statistics, entities, and the graph of entities that meet."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from attrs import frozen

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.agent import AGENT_KEY, MAX_AGENT_KEY, AgentKey
from contentgen_core.model.entity import Curation, EntityGraph, EntityPage, KbEntity, KbFigures, Links
from contentgen_core.model.ids import JobId, TenantId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.entity_graph import counted, curated, edges, graph, strength
from contentgen_core.ports.entities import GraphTools
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.context import context_of_agent

MAX_ENTITIES: Final = 200
MAX_NODES: Final = 100
CURATE_EVERY: Final = timedelta(hours=6)
"""How long a curation is kept at least, however much the knowledge base changes: each is a call of a model."""


@frozen
class Subject:
    """What a key names: a niche, or an agent of it. `key`: the key in full, the niche's where its id was given."""

    key: str
    niche: Niche
    view: KbView


@frozen
class Statistics:
    subject: Subject
    figures: KbFigures


@frozen
class Entities:
    """`total`: of the view, before the limit. `curated`: a model has looked at them."""

    subject: Subject
    entities: tuple[KbEntity, ...]
    total: int
    curated: bool


@frozen
class Graph:
    subject: Subject
    graph: EntityGraph
    curated: bool


async def subject_of(tx: Transaction, tenant_id: TenantId, key: str) -> Subject:
    """A niche with all countries that the tenant activated it in, or an agent with its own. Raises NotFound unless the
    tenant may use it."""
    try:
        niche = await tx.niches.get(tenant_id, key)
    except NotFound:
        if len(key) > MAX_AGENT_KEY or AGENT_KEY.fullmatch(key) is None:
            raise NotFound("niche or agent", key) from None
        context = await context_of_agent(tx, tenant_id, AgentKey.parse(key))
        return Subject(key, context.niche, context.view)
    countries = frozenset(niche.activation.countries if niche.activation else ())
    return Subject(niche.niche_key, niche, KbView(niche.niche_key, tenant_id, countries))


@frozen
class ReadOverview:
    """`curates`: whether there is a model that can look at what rules found."""

    unit_of_work: UnitOfWork
    tools: GraphTools
    clock: Clock
    ids: Ids
    curates: bool

    async def statistics(self, caller: Caller, key: str) -> Statistics:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            subject = await subject_of(tx, caller.tenant_id, key)
            return Statistics(subject, await tx.overview.figures(subject.view, self.clock.now()))

    async def of_platform(self, niche_key: str, countries: frozenset[str]) -> KbFigures:
        """What every tenant of a niche shares, the passages of these countries included."""
        async with self.unit_of_work() as tx:
            return await tx.overview.figures(KbView(niche_key, None, countries), self.clock.now())

    async def entities(self, caller: Caller, key: str, limit: int) -> Entities:
        """The strongest first. Raises NotFound, InvalidInput."""
        _check(limit, MAX_ENTITIES)
        async with self.unit_of_work() as tx:
            subject = await subject_of(tx, caller.tenant_id, key)
            page, curation = await self._found(tx, subject, MAX_ENTITIES)
            shown = curated(page.entities, curation)
            gone = len(page.entities) - len(shown)
            if any(len(entity.keys) > 1 for entity in shown):
                shown = _sorted(shown, await tx.overview.links(subject.view, [entity.keys for entity in shown]))
        return Entities(subject, tuple(shown[:limit]), page.total - gone, bool(curation and curation.kept))

    async def graph(self, caller: Caller, key: str, limit: int) -> Graph:
        """The strongest entities and how they hang together. Raises NotFound, InvalidInput."""
        _check(limit, MAX_NODES)
        async with self.unit_of_work() as tx:
            subject = await subject_of(tx, caller.tenant_id, key)
            page, curation = await self._found(tx, subject, MAX_ENTITIES)
            shown = curated(page.entities, curation)[:limit]
            links = await tx.overview.links(subject.view, [entity.keys for entity in shown])
        made = await asyncio.to_thread(self._graph, shown, links)
        return Graph(subject, made, bool(curation and curation.kept))

    async def picture(self, caller: Caller, key: str, limit: int) -> str:
        """The graph as an SVG document. Raises NotFound, InvalidInput."""
        found = await self.graph(caller, key, limit)
        return await asyncio.to_thread(self.tools.picture, found.graph, found.subject.niche.name)

    def _graph(self, entities: list[KbEntity], links: Links) -> EntityGraph:
        exact = counted(entities, links)
        chosen = edges(links)
        parts = self.tools.communities(len(exact), [(e.source, e.target, e.weight) for e in chosen])
        return graph(exact, links, chosen, parts)

    async def _found(self, tx: Transaction, subject: Subject, limit: int) -> tuple[EntityPage, Curation | None]:
        """What rules found and, once a model has looked at it, what that made of it. Looking again is left to a job:
        nobody waits for a model here, and the former outcome serves until then."""
        page = await tx.overview.strongest(subject.view, limit)
        if not self.curates or not page.entities:
            return page, None
        assert subject.view.tenant_id is not None
        tenant_id, now = subject.view.tenant_id, self.clock.now()
        known = await tx.overview.curation(tenant_id, subject.key)
        if known is None or now - known.requested_at >= CURATE_EVERY:
            figures = await tx.overview.figures(subject.view, now)
            changed = known is None or known.state != figures.state
            if changed and await tx.overview.request_curation(tenant_id, subject.key, now, now - CURATE_EVERY):
                job_id = JobId(self.ids.new())
                await tx.jobs.enqueue(Job(job_id, JobKind.CURATE_ENTITIES, tenant_id, subject.key, now))
        return page, known


def _sorted(entities: list[KbEntity], links: Links) -> list[KbEntity]:
    return sorted(counted(entities, links), key=strength)


def _check(limit: int, most: int) -> None:
    if not 1 <= limit <= most:
        raise InvalidInput.of("limit", f"must be 1 to {most}")
