"""Choosing what an agent writes about next."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.area import Area
from contentgen_core.model.ids import TenantId
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import LENGTHS
from contentgen_core.policies.topics.picking import KnownTopics, proposed_topic
from contentgen_core.policies.topics.seeds import ASSESSED_FOR, is_covered
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.agents.topic_sources import TopicSource
from contentgen_core.use_cases.context import WritingContext
from contentgen_core.use_cases.knowledge.retrieve import Retrieve

# How far back a topic counts as written: some years of a busy niche.
ARTICLES: Final = 2_000
# Of those that came in since a run began to choose.
NEWEST: Final = 200
# Topics looked up in the knowledge base at most, each a search of some 20 ms.
ASSESSED: Final = 40


@frozen
class PickTopics:
    unit_of_work: UnitOfWork
    retrieve: Retrieve
    sources: tuple[TopicSource, ...]
    analysis: TextAnalysis

    async def known(self, tenant_id: TenantId, context: WritingContext) -> KnownTopics:
        """What there is in the niche, of all its agents."""
        async with self.unit_of_work() as tx:
            articles = await tx.governance.articles(tenant_id, Area(context.niche.niche_key), ARTICLES)
        known = KnownTopics(self.analysis)
        await asyncio.to_thread(known.add_articles, articles)
        return known

    async def __call__(
        self, tenant_id: TenantId, context: WritingContext, known: KnownTopics, count: int, tried: Sequence[str]
    ) -> tuple[str, ...]:
        """At most `count` topics that the knowledge base carries and that repeat nothing known or chosen before them;
        they are known afterwards. Raises ProviderFailed and NotConfigured, unless some were found before."""
        chosen: list[str] = []
        looked = 0
        for source in self.sources:
            try:
                seeds = await source(tenant_id, context, (*tried, *chosen))
            except (ProviderFailed, NotConfigured):
                if chosen:
                    break
                raise
            for seed in seeds:
                topic = proposed_topic(seed)
                if topic is None or await asyncio.to_thread(known.has_topic, topic, seed.language):
                    continue
                if len(chosen) == count or looked == ASSESSED:
                    return tuple(chosen)
                looked += 1
                known.add(topic, seed.language)  # one that is not carried is not looked up twice
                if await self._carried(context, topic):
                    chosen.append(topic)
            if len(chosen) == count:
                break
        return tuple(chosen)

    async def taken(
        self, tx: Transaction, tenant_id: TenantId, context: WritingContext, known: KnownTopics, topic: str
    ) -> bool:
        """Whether somebody else has begun an article on a chosen topic since `known` was read. With the tenant locked,
        this stays so until the end of the transaction."""
        newest = await tx.governance.articles(tenant_id, Area(context.niche.niche_key), NEWEST)
        others = KnownTopics(self.analysis)
        others.add_articles(article for article in newest if not known.has_article(article))
        return others.has_topic(topic, context.default_language)

    async def _carried(self, context: WritingContext, topic: str) -> bool:
        """As for any plan, one that coverage never blocks included: nobody looks before this article is written."""
        found = await self.retrieve(context.view, topic, LENGTHS[ASSESSED_FOR].passages)
        return is_covered(found.coverage(ASSESSED_FOR).level)
