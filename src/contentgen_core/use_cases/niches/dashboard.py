"""GET /niches/{id}/dashboard: a summary of a niche, from a fixed number of bounded queries."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contentgen_core.model.agent import Agent
from contentgen_core.model.area import Area
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.knowledge import KbView, VectorSpace
from contentgen_core.model.niche import Niche
from contentgen_core.model.tenant import Caller
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles
from contentgen_core.ports.repositories.embeddings import Embeddings
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.knowledge.overview import Statistics
from contentgen_core.use_cases.use_case import use_case

RECENT: Final = 10
MAX_AGENTS: Final = 500
"""More than an own and a system agent for every country."""


@frozen
class Dashboard:
    """`articles`: how many are in each state. `recent`: the newest, without the fields of a single article.
    `statistics`: of the knowledge base in the countries of the activation, None while not activated. `coverage`: as
    last computed, None if never."""

    niche: Niche
    articles: dict[ArticleStatus, int]
    agents: tuple[Agent, ...]
    recent: tuple[Article, ...]
    statistics: Statistics | None
    coverage: TopicCoverage | None


@use_case
class ShowDashboard:
    unit_of_work: UnitOfWork
    clock: Clock
    space: VectorSpace

    async def __call__(self, caller: Caller, niche_id: str) -> Dashboard:
        """The dashboard, also of a niche that is not activated, since its articles remain. Raises NotFound."""
        tenant_id = caller.tenant_id
        async with self.unit_of_work() as tx:
            niche = await tx[Niches].get(tenant_id, niche_id)
            key, statistics = niche.niche_key, None
            if niche.activation is not None:
                view = KbView(key, tenant_id, frozenset(niche.activation.countries))
                figures = await tx[Overview].figures(view, self.clock.now())
                understanding = await tx[Embeddings].understanding(self.space, view)
                statistics = Statistics(WritingContext(niche, None, view), figures, understanding)
            agents, _ = await tx[Agents].list(tenant_id, key, None, MAX_AGENTS)
            recent = await tx[Articles].page(ArticleQuery(tenant_id, limit=RECENT, niche_key=key))
            coverage = await tx[TopicCoverages].find(tenant_id, Area(key))
            return Dashboard(
                niche=niche,
                articles=await tx[Articles].count_by_status(tenant_id, key),
                agents=tuple(agents),
                recent=recent.articles,
                statistics=statistics,
                coverage=None if coverage is None or coverage.computed_at is None else coverage,
            )
