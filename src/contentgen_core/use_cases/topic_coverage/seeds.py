"""Where the topics of an area come from. Further sources (trends) implement `SeedSource` and
join the tuple that `ComputeTopicCoverage` is given: earlier ones win where two name the same topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from attrs import frozen

from contentgen_core.model.ids import TenantId
from contentgen_core.policies.topics.seeds import Seed
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.knowledge.overview import ReadOverview

ARTICLES: Final = 100
SAMPLED: Final = 120
SUGGESTIONS: Final = 60


class SeedSource(Protocol):
    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        """Topics of the niche, or of the agent the context names; the most important first.

        Raises ProviderFailed, NotConfigured."""
        ...


@frozen
class NicheKeywords:
    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        return [Seed(keyword, context.default_language) for keyword in context.niche.keywords]


@frozen
class ArticleTopics:
    """What the tenant has written on: topics to keep the knowledge base good for."""

    unit_of_work: UnitOfWork

    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        async with self.unit_of_work() as tx:
            topics = await tx.articles.recent_topics(tenant_id, context.niche.niche_key, ARTICLES)
        return [Seed(topic, context.default_language) for topic in topics]


@frozen
class EntityCommunities:
    """What the knowledge base turns around: the strongest entity of each group of entities that meet."""

    overview: ReadOverview

    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        graph = (await self.overview.graph_of(context)).graph
        strongest = {node.community: node.entity.name for node in reversed(graph.nodes)}
        return [Seed(strongest[community], context.default_language) for community in sorted(strongest)]


@frozen
class KnowledgeTopics:
    """What the content model finds in the newest documents."""

    unit_of_work: UnitOfWork
    model: ContentModel

    async def __call__(self, tenant_id: TenantId, context: WritingContext) -> Sequence[Seed]:
        async with self.unit_of_work() as tx:
            sample = await tx.knowledge.sample(context.view, SAMPLED)
        if not sample:
            return []
        languages = [passage.document.language for passage in sample]
        language = max(sorted(set(languages)), key=languages.count)
        # Nothing to avoid: what repeats a topic of another source is left out afterwards, by a finer rule.
        answer = await self.model.suggest_topics(context.niche_brief, sample, (), language, SUGGESTIONS)
        return [Seed(suggestion.topic, language) for suggestion in answer.value]
