"""Sources of topics for a run. A further source implements `TopicSource` and is added to the tuple given to
`PickTopics`: a later source is asked only while topics are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId
from contentgen_core.policies.topics.seeds import Seed
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.admission import RECENT_TOPICS, SUGGESTION_PASSAGES
from contentgen_core.use_cases.context import WritingContext, area_of
from contentgen_core.use_cases.use_case import use_case

SUGGESTIONS: Final = 20


class TopicSource(Protocol):
    async def __call__(self, tenant_id: TenantId, context: WritingContext, tried: Sequence[str]) -> Sequence[Seed]:
        """Topics to write on, the best first. `tried`: those that this run was given before.

        Raises ProviderFailed, NotConfigured."""
        ...


@use_case
class CoveredTopics:
    """The covered topics of the agent's last topic coverage, else of its niche's, hottest first. (Topics with an
    article are left out by `PickTopics`, for every source.)"""

    unit_of_work: UnitOfWork

    async def __call__(self, tenant_id: TenantId, context: WritingContext, tried: Sequence[str]) -> Sequence[Seed]:
        area = area_of(context)
        async with self.unit_of_work() as tx:
            found = await tx[TopicCoverages].find(tenant_id, area)
            if found is None or not found.topics:
                found = await tx[TopicCoverages].find(tenant_id, Area(area.niche_key))
        topics = () if found is None else found.topics
        return [Seed(topic.name, context.default_language) for topic in topics if topic.covered]


@use_case
class SuggestedTopics:
    """Topics that the content model suggests from the newest documents."""

    unit_of_work: UnitOfWork
    model: ContentModel

    async def __call__(self, tenant_id: TenantId, context: WritingContext, tried: Sequence[str]) -> Sequence[Seed]:
        async with self.unit_of_work() as tx:
            passages = await tx[Knowledge].sample(context.view, SUGGESTION_PASSAGES)
            recent = await tx[Articles].recent_topics(tenant_id, context.niche.niche_key, RECENT_TOPICS)
        if not passages:
            return []
        language, avoid = context.default_language, (*tried, *recent)
        answer = await self.model.suggest_topics(context.niche_brief, passages, avoid, language, SUGGESTIONS)
        return [Seed(suggestion.topic, language) for suggestion in answer.value]
