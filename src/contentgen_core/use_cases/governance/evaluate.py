"""GET /governance/{nicheKey}: the evaluation of a niche, or of an agent of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import frozen

from contentgen_core.model.area import Area
from contentgen_core.model.governance import (
    ArticleFacts,
    DocumentFacts,
    Evaluation,
    Finding,
    Pace,
    PublishedFacts,
)
from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.policies.tenancy.quotas import limit_of
from contentgen_core.policies.tenancy.schedules import articles_per_month
from contentgen_core.policies.topics import governance
from contentgen_core.policies.topics.similarity import significant_words
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.governance import GovernanceFacts
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.schedules import ArticleSchedules
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.context import WritingContext, area_of, context_of_key
from contentgen_core.use_cases.use_case import use_case

# Limits of what is read: enough to judge a niche by, in a few milliseconds.
DOCUMENTS: Final = 2_000
ARTICLES: Final = 200
PUBLISHED: Final = 200
# More agents than a niche has countries.
AGENTS: Final = 1_000
MONTH: Final = timedelta(days=30)
QUARTER: Final = timedelta(days=90)
NEVER: Final = datetime.min.replace(tzinfo=UTC)


@frozen
class _Facts:
    area: Area
    coverage: TopicCoverage | None
    documents: Sequence[DocumentFacts]
    articles: Sequence[ArticleFacts]
    published: Sequence[PublishedFacts]
    pace: Pace


@use_case
class EvaluateGovernance:
    unit_of_work: UnitOfWork
    analysis: TextAnalysis
    clock: Clock

    async def __call__(self, caller: Caller, key: str) -> Evaluation:
        """`key`: that of a niche (or its id) or of an agent. Deterministic for the same facts and moment.

        Raises NotFound."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            context = await context_of_key(tx, caller.tenant_id, key)
            facts = await _facts(tx, caller, context, now)
        findings = await asyncio.to_thread(self._findings, facts, now)
        score, grade, action = governance.overall(findings)
        return Evaluation(facts.area, now, score, grade, findings, action)

    def _findings(self, facts: _Facts, now: datetime) -> tuple[Finding, ...]:
        words = [self._words(article) for article in reversed(facts.articles)]
        return (
            governance.coverage(facts.coverage),
            governance.freshness(facts.documents, now),
            governance.diversity(facts.documents),
            governance.cadence(facts.pace),
            governance.originality(words),
            governance.judge_grounding(facts.published),
        )

    def _words(self, article: ArticleFacts) -> governance.ArticleWords:
        title, topic = (
            significant_words(text, article.language, self.analysis) for text in (article.title, article.topic)
        )
        return governance.ArticleWords(article.title, title, topic)


async def _facts(tx: Transaction, caller: Caller, context: WritingContext, now: datetime) -> _Facts:
    tenant_id, area = caller.tenant_id, area_of(context)
    activated = sum(niche.activation is not None for niche in await tx[Niches].list(tenant_id))
    activation = context.niche.activation
    countries = len(activation.countries) if activation is not None and area.country is not None else 1
    limit = limit_of(caller.plan, Quota.ARTICLES)
    scheduled = await _scheduled_per_month(tx, caller, context)
    pace = Pace(
        await tx[GovernanceFacts].published_between(tenant_id, area, now - MONTH, now),
        await tx[GovernanceFacts].published_between(tenant_id, area, now - QUARTER, now),
        governance.scheduled_monthly_aim(scheduled, limit)
        if scheduled
        else governance.monthly_aim(limit, activated, countries),
    )
    return _Facts(
        area,
        await _topics(tx, caller, context),
        await tx[GovernanceFacts].documents(context.view, DOCUMENTS),
        await tx[GovernanceFacts].articles(tenant_id, area, ARTICLES),
        await tx[GovernanceFacts].published(tenant_id, area, PUBLISHED),
        pace,
    )


async def _topics(tx: Transaction, caller: Caller, context: WritingContext) -> TopicCoverage | None:
    """The topics of the area as computed last; of a niche in one country, whichever was computed later of its own and
    those of its agent there, since both look at the same."""
    area, activation = area_of(context), context.niche.activation
    found = [await tx[TopicCoverages].find(caller.tenant_id, area)]
    if activation is not None and len(activation.countries) == 1 and area.country in (None, *activation.countries):
        other = Area(area.niche_key, activation.countries[0] if area.country is None else None)
        found.append(await tx[TopicCoverages].find(caller.tenant_id, other))
    computed = [coverage for coverage in found if coverage is not None and coverage.computed_at is not None]
    return max(computed, key=lambda coverage: coverage.computed_at or NEVER, default=found[0])


async def _scheduled_per_month(tx: Transaction, caller: Caller, context: WritingContext) -> float:
    """Return the articles per month that the niche's schedule has the area's agents write; 0 without one."""
    schedule = await tx[ArticleSchedules].find(caller.tenant_id, context.niche.id)
    if schedule is None or schedule.timing is None or context.niche.activation is None:
        return 0.0
    agents, _ = await tx[Agents].list(caller.tenant_id, context.niche.niche_key, True, AGENTS)
    working = [agent for agent in agents if not agent.system and context.agent_key in (None, agent.key)]
    return articles_per_month(schedule.timing, schedule.articles_per_run, len(working))
