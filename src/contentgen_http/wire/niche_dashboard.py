"""A niche at a glance, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import article, topic_coverage
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.topic_coverage import ComputationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.niches import dashboard
from contentgen_http.wire.agents import Agent
from contentgen_http.wire.base import Answer, utc
from contentgen_http.wire.knowledge import KbStats
from contentgen_http.wire.niches import Niche


class NicheStats(Answer, kw_only=True):
    """Articles of the niche by status, and its agents."""

    articles: Annotated[int, Meta(description="Articles in all.", examples=[21])]
    draft: Annotated[int, Meta(description="Plans that await their review, and what was set back.")]
    generating: Annotated[int, Meta(description="Being written.")]
    generated: Annotated[int, Meta(description="Written, and neither scheduled nor published.")]
    scheduled: Annotated[int, Meta(description="To be published.")]
    published: Annotated[int, Meta(description="Published.")]
    failed: Annotated[int, Meta(description="Those whose generation failed.")]
    agents: Annotated[int, Meta(description="Agents that you may use in it.", examples=[2])]
    enabled_agents: Annotated[int, Meta(description="Those of them that are switched on.", examples=[2])]


class RecentArticle(Answer, kw_only=True):
    """An article, in short."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    title: Annotated[str, Meta(description="Its title.")]
    status: Annotated[ArticleStatus, Meta(description="Where it stands.")]
    language: Annotated[Language, Meta(description="The language it is written in.")]
    agent_key: Annotated[str | UnsetType, Meta(description="The agent it was written for.")] = UNSET
    word_count: Annotated[int, Meta(description="Words of the content.", examples=[842])]
    created_at: Annotated[datetime, Meta(description="When it was created (UTC).")]
    updated_at: Annotated[datetime, Meta(description="When it was last changed (UTC).")]
    published_at: Annotated[datetime | UnsetType, Meta(description="When it was first published (UTC).")] = UNSET


class CoverageSummary(Answer, kw_only=True):
    """How much of the niche's topics the knowledge base covers, as last computed."""

    status: Annotated[ComputationStatus, Meta(description="Whether a newer one is under way.")]
    total_topics: Annotated[int, Meta(description="All topics.", examples=[80])]
    covered_count: Annotated[int, Meta(description="How many are covered.", examples=[52])]
    uncovered_count: Annotated[int, Meta(description="How many are not.", examples=[28])]
    coverage_percent: Annotated[float, Meta(ge=0, le=100, description="The covered share.", examples=[65.0])]
    computed_at: Annotated[datetime | UnsetType, Meta(description="Of when it is (UTC).")] = UNSET


class NicheDashboard(Answer, kw_only=True):
    """A niche at a glance."""

    niche: Annotated[Niche, Meta(description="The niche, and how you use it.")]
    stats: Annotated[NicheStats, Meta(description="What there is of it.")]
    agents: Annotated[list[Agent], Meta(description="Its agents, own and system, by key.")]
    recent_articles: Annotated[list[RecentArticle], Meta(description="The newest ten, newest first.")]
    knowledge_base: Annotated[
        KbStats | UnsetType, Meta(description="What its knowledge base holds for you; only while it is activated.")
    ] = UNSET
    coverage: Annotated[
        CoverageSummary | UnsetType, Meta(description="Its topic coverage; where it was ever computed.")
    ] = UNSET

    @classmethod
    def of(cls, found: dashboard.Dashboard, plan: PlanName) -> NicheDashboard:
        return cls(
            niche=Niche.of(found.niche, plan),
            stats=NicheStats(
                articles=sum(found.articles.values()),
                agents=len(found.agents),
                enabled_agents=sum(agent.enabled for agent in found.agents),
                **{status.value: found.articles.get(status, 0) for status in ArticleStatus},
            ),
            agents=[Agent.of(agent, plan) for agent in found.agents],
            recent_articles=[_recent(article) for article in found.recent],
            knowledge_base=UNSET if found.statistics is None else KbStats.of(found.statistics),
            coverage=UNSET if found.coverage is None else _summary(found.coverage),
        )


def _recent(one: article.Article) -> RecentArticle:
    return RecentArticle.copy_from(
        one, language=one.brief.language, agent_key=UNSET if one.agent_key is None else str(one.agent_key)
    )


def _summary(coverage: topic_coverage.TopicCoverage) -> CoverageSummary:
    totals = coverage.totals
    return CoverageSummary(
        status=coverage.status,
        total_topics=totals.topics,
        covered_count=totals.covered,
        uncovered_count=totals.uncovered,
        coverage_percent=totals.percent,
        computed_at=UNSET if coverage.computed_at is None else utc(coverage.computed_at),
    )
