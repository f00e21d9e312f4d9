"""Choosing the topics that an agent writes about next."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import LENGTHS, Language
from contentgen_core.policies.topics.picking import KnownTopics, proposed_topic
from contentgen_core.policies.topics.seeds import ASSESSED_FOR, is_covered
from contentgen_core.ports.repositories.governance import GovernanceFacts
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.agents.topic_sources import TopicSource
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.use_case import use_case

# The newest articles of the niche whose topics must not be repeated: some years of a busy niche.
ARTICLES: Final = 2_000
# The newest articles that are compared in `is_taken`.
NEWEST: Final = 200
# The most topics whose coverage one call computes, each by a search of some 20 ms.
ASSESSED: Final = 40


@use_case
class PickTopics:
    """`sources`: asked in order, each while topics are missing."""

    unit_of_work: UnitOfWork
    retrieve: Retrieve
    sources: tuple[TopicSource, ...]
    analysis: TextAnalysis
    meaning: TopicMeaning

    async def known(self, tenant_id: TenantId, context: WritingContext) -> KnownTopics:
        """Return the topics and titles of the niche's articles, of all its agents."""
        async with self.unit_of_work() as tx:
            articles = await tx[GovernanceFacts].articles(tenant_id, Area(context.niche.niche_key), ARTICLES)
        known = KnownTopics(self.analysis)
        await asyncio.to_thread(known.add_articles, articles)
        return known

    async def __call__(
        self, tenant_id: TenantId, context: WritingContext, known: KnownTopics, count: int, tried: Sequence[str]
    ) -> tuple[str, ...]:
        """Return at most `count` topics that the knowledge base covers and that are no near-duplicates of known or
        chosen ones; adds them to `known`. `tried`: topics that this run was given before. Raises ProviderFailed and
        NotConfigured, unless some topics were found already."""
        chosen: list[str] = []
        assessed = 0
        for source in self.sources:
            try:
                seeds = await source(tenant_id, context, (*tried, *chosen))
            except (ProviderFailed, NotConfigured):
                if chosen:
                    break
                raise
            for seed in seeds:
                topic = proposed_topic(seed)
                if topic is None or await self._is_known(known, topic, seed.language):
                    continue
                if len(chosen) == count or assessed == ASSESSED:
                    return tuple(chosen)
                assessed += 1
                known.add(topic, seed.language)  # so that one that is not covered is not assessed twice
                if await self._is_covered(context, topic):
                    chosen.append(topic)
            if len(chosen) == count:
                break
        return tuple(chosen)

    async def _is_known(self, known: KnownTopics, topic: str, language: Language) -> bool:
        """Whether the topic was added, or one that is the same by its words or its meaning."""
        by_words = await asyncio.to_thread(known.has_topic, topic, language)
        return by_words or await self.meaning.same(topic, known.topics) is not None

    async def is_taken(
        self, tx: Transaction, tenant_id: TenantId, context: WritingContext, known: KnownTopics, topic: str
    ) -> bool:
        """Whether another article on a chosen topic was started since `known` was read. With the tenant locked, this
        holds until the transaction ends. By words alone: nothing is embedded while the tenant is locked."""
        newest = await tx[GovernanceFacts].articles(tenant_id, Area(context.niche.niche_key), NEWEST)
        others = KnownTopics(self.analysis)
        others.add_articles(article for article in newest if not known.has_article(article))
        return others.has_topic(topic, context.default_language)

    async def _is_covered(self, context: WritingContext, topic: str) -> bool:
        """Coverage as for any plan, also for a plan that coverage never blocks: nobody reviews this article's
        sources."""
        found = await self.retrieve(context.view, topic, LENGTHS[ASSESSED_FOR].passages)
        coverage = await asyncio.to_thread(found.coverage, ASSESSED_FOR)
        return is_covered(coverage.level)
