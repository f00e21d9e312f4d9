"""Topic coverage on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import topic_coverage as model
from contentgen_core.model.topic_coverage import ComputationStatus
from contentgen_http.wire.base import AgentKeyText, Answer, AnswerOf, Query, absent_as_none, utc

Filter = Literal["all", "covered", "uncovered"]


class AreaQuery(Query, kw_only=True):
    agent_key: Annotated[
        AgentKeyText | UnsetType,
        Meta(description="`<nicheKey>-<CC>` of an agent you may use: the niche as its country sees it."),
    ] = UNSET
    niche_key: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)] | UnsetType,
        Meta(description="A niche that you use, by its key or id. One of agentKey and nicheKey is needed."),
    ] = UNSET

    @property
    def keys(self) -> tuple[str | None, str | None]:
        return absent_as_none(self.agent_key), absent_as_none(self.niche_key)


class TopicCoverageQuery(AreaQuery, kw_only=True):
    filter: Annotated[Filter, Meta(description="Which topics to list; the totals are of all.")] = "all"


class TopicCoverageEntry(Answer, kw_only=True):
    """A topic of the niche."""

    name: Annotated[str, Meta(description="The topic.", examples=["Heat pump noise limits"])]
    covered: Annotated[bool, Meta(description="Whether there is enough for a standard article.")]
    heat_score: Annotated[
        float, Meta(ge=0, le=100, description="How much the knowledge base holds on it, in 0..100.", examples=[63.4])
    ]


class TopicCoverage(Answer, kw_only=True):
    """The topics of a niche, and which of them the knowledge base covers."""

    status: Annotated[
        ComputationStatus,
        Meta(
            description="idle: never computed before this request, which has started it; computing: the topics are "
            "those of the former run; ready; failed: see error, the topics are those of the former run."
        ),
    ]
    topics: Annotated[
        list[TopicCoverageEntry], Meta(description="The topics that the filter lets through, hottest first.")
    ]
    total_topics: Annotated[int, Meta(ge=0, le=model.MAX_TOPICS, description="All topics.", examples=[80])]
    covered_count: Annotated[int, Meta(ge=0, description="How many are covered.", examples=[52])]
    uncovered_count: Annotated[int, Meta(ge=0, description="How many are not.", examples=[28])]
    coverage_percent: Annotated[
        float, Meta(ge=0, le=100, description="The covered share of all topics; 0 without topics.", examples=[65.0])
    ]
    started_at: Annotated[datetime | UnsetType, Meta(description="When the last run was asked for.")] = UNSET
    computed_at: Annotated[datetime | UnsetType, Meta(description="Of when the topics are.")] = UNSET
    error: Annotated[str | UnsetType, Meta(description="Why the last run failed; when it did.")] = UNSET

    @classmethod
    def of(cls, coverage: model.TopicCoverage, chosen: Filter) -> TopicCoverage:
        totals = coverage.totals
        return cls.copy_from(
            coverage,
            topics=[
                TopicCoverageEntry.copy_from(topic, heat_score=topic.heat)
                for topic in coverage.topics
                if chosen == "all" or topic.covered == (chosen == "covered")
            ],
            total_topics=totals.topics,
            covered_count=totals.covered,
            uncovered_count=totals.uncovered,
            coverage_percent=totals.percent,
        )


class TopicCoverageStarted(AnswerOf[model.TopicCoverage], kw_only=True):
    """The computation is under way."""

    status: Annotated[Literal["computing"], Meta(description="Always computing.")] = "computing"
    started_at: Annotated[datetime, Meta(description="When the run under way was asked for.")]

    @classmethod
    def of(cls, coverage: model.TopicCoverage) -> TopicCoverageStarted:
        assert coverage.started_at is not None, "a run that is under way was started"
        return cls(started_at=utc(coverage.started_at))
