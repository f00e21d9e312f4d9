"""Sources of an area's topics. A further source implements `SeedSource` and is added to the tuple given to
`ComputeTopicCoverage`: of similar topics that of the earlier source is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from contentgen_core.model.ids import TenantId
from contentgen_core.policies.topics.seeds import Seed
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.knowledge.overview import ReadOverview
from contentgen_core.use_cases.use_case import use_case

ARTICLES: Final = 100
SAMPLED: Final = 120
SUGGESTIONS: Final = 60


class SeedSource(Protocol):
    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        """Topics of the niche, or of the agent in the context; the most important first.

        Raises ProviderFailed, NotConfigured."""
        ...


@use_case
class NicheKeywords:
    """The keywords of the niche."""

    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        return [Seed(keyword, context.default_language) for keyword in context.niche.keywords]


@use_case
class ArticleTopics:
    """The topics of the tenant's newest articles."""

    unit_of_work: UnitOfWork

    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        async with self.unit_of_work() as tx:
            topics = await tx[Articles].recent_topics(tenant_id, context.niche.niche_key, ARTICLES)
        return [Seed(topic, context.default_language) for topic in topics]


@use_case
class EntityCommunities:
    """The strongest entity of each community in the knowledge base."""

    overview: ReadOverview

    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        graph = (await self.overview.graph_of(context)).graph
        strongest = {node.community: node.entity.name for node in reversed(graph.nodes)}
        return [Seed(strongest[community], context.default_language) for community in sorted(strongest)]


@use_case
class KnowledgeTopics:
    """Topics that the content model suggests from the newest documents."""

    unit_of_work: UnitOfWork
    model: ContentModel

    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        async with self.unit_of_work() as tx:
            sample = await tx[Knowledge].sample(context.view, SAMPLED)
        if not sample:
            return []
        languages = [passage.document.language for passage in sample]
        language = max(sorted(set(languages)), key=languages.count)
        # Nothing to avoid: topics similar to those of another source are left out by `distinct_topics`.
        answer = await self.model.suggest_topics(context.niche_brief, sample, (), language, SUGGESTIONS)
        return [Seed(suggestion.topic, language) for suggestion in answer.value]
