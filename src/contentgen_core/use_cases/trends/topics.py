"""Trends as topics to write on, and as topics of the topic coverage."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from contentgen_core.model.ids import TenantId
from contentgen_core.policies.topics.seeds import Seed
from contentgen_core.ports.repositories.trends import TrendQuery, Trends
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.use_case import use_case

MAX_TRENDS: Final = 100
TOPICS: Final = 20
RECENT: Final = timedelta(days=14)


@use_case
class TrendingTopics:
    """The niche's trends of the last two weeks, in its languages, the highest scores first. Both a `TopicSource` and a
    `SeedSource`."""

    unit_of_work: UnitOfWork
    clock: Clock

    async def __call__(self, tenant_id: TenantId, context: WritingContext, tried: Sequence[str] = ()) -> Sequence[Seed]:
        activation = context.niche.activation
        languages = activation.languages if activation else (context.default_language,)
        query = TrendQuery(MAX_TRENDS, context.niche.niche_key, since=self.clock.now() - RECENT)
        async with self.unit_of_work() as tx:
            found = (await tx[Trends].page(query)).trends
        return [Seed(trend.title, trend.language) for trend in found if trend.language in languages][:TOPICS]
