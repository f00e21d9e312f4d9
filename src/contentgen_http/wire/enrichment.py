"""Enrichments of the knowledge base on the wire."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import enrichment as model
from contentgen_core.model.enrichment import EnrichmentStatus
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.topics.validation import check_topic
from contentgen_core.use_cases.enrichment.start import (
    MAX_LABEL,
    MIN_TOPIC,
    EnrichCommand,
    Outcome,
    Rejected,
    check_label,
)
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_http.wire.base import Answer, AnswerOf, Body, Rule, absent_as_none, optional
from contentgen_http.wire.coverage import AgentKeyField


class EnrichRequest(Body, kw_only=True):
    """The topic to look for on the web."""

    agent_key: AgentKeyField
    topic: Annotated[
        str,
        Meta(
            min_length=MIN_TOPIC,
            max_length=500,
            description="The topic. URLs, script tags, JSON, SQL injection and template literals are refused.",
            examples=["Heat pump noise limits in terraced houses"],
        ),
        Rule(partial(check_topic, min_length=MIN_TOPIC)),
    ]
    niche_label: Annotated[
        Annotated[str, Meta(max_length=MAX_LABEL)] | UnsetType,
        Meta(description="The niche's name as the relevance check is to read it.", examples=["Home energy"]),
        Rule(check_label),
    ] = UNSET

    def to_command(self, caller: Caller, key: IdempotencyKey | None) -> EnrichCommand:
        return EnrichCommand(caller, self.agent_key, self.topic, absent_as_none(self.niche_label), key)


class Rejection(Answer, kw_only=True):
    """Why a topic does not belong to the niche."""

    reason: Annotated[str, Meta(description="The reason, in a sentence.")]
    confidence: Annotated[float, Meta(description="How sure that is, in 0..1.", examples=[0.9])]


class EnrichmentOutcome(AnswerOf[Outcome], kw_only=True):
    """Either started (`success` true, with a task to follow) or rejected (`success` false; nothing was spent)."""

    success: Annotated[bool, Meta(description="Whether an enrichment was started.")]
    task_id: Annotated[str | UnsetType, Meta(description="Follow it with GET /writer/enrichment-status/{taskId}.")] = (
        UNSET
    )
    search_type: Annotated[
        str | UnsetType,
        Meta(
            description="The web search that is expected to answer: `serper` or `gpt_premium`, or the operator's "
            "other choice (`brave`, `tavily`, `searxng`).",
            examples=["serper"],
        ),
    ] = UNSET
    insights_indexed: Annotated[
        int | UnsetType, Meta(description="0: the work has just begun; the status counts them.")
    ] = UNSET
    query_time_ms: Annotated[int | UnsetType, Meta(description="Milliseconds the relevance check took.")] = UNSET
    rejected: Annotated[Rejection | UnsetType, Meta(description="Why the topic was turned down.")] = UNSET
    remaining_enrichments: Annotated[int | UnsetType, Meta(description="Enrichments left today.", examples=[9])] = UNSET

    @classmethod
    def of(cls, outcome: Outcome) -> EnrichmentOutcome:
        remaining = optional(outcome.remaining)
        if isinstance(outcome, Rejected):
            rejection = Rejection.copy_from(outcome)
            return cls(success=False, rejected=rejection, remaining_enrichments=remaining)
        return cls(
            success=True,
            task_id=outcome.enrichment.id,
            search_type=outcome.enrichment.provider,
            insights_indexed=0,
            query_time_ms=outcome.query_ms,
            remaining_enrichments=remaining,
        )


class EnrichmentTask(AnswerOf[model.Enrichment], kw_only=True):
    """An enrichment and how far it is."""

    task_id: Annotated[str, Meta(description="The task.")]
    status: Annotated[EnrichmentStatus, Meta(description="Where it stands, in the order of the enumeration.")]
    progress: Annotated[int, Meta(ge=0, le=100, description="Percent; never falls on the way to completed.")]
    message: Annotated[str, Meta(description="What is going on, in words.")]
    can_generate: Annotated[bool, Meta(description="Whether enough insights are there to write an article.")]
    insights_added: Annotated[int, Meta(description="Passages on the topic that came into the knowledge base.")]
    search_type: Annotated[str, Meta(description="The web search that answered.", examples=["serper"])]
    topic: Annotated[str, Meta(description="The topic.")]
    agent_key: Annotated[str, Meta(description="The agent it is for.")]
    created_at: Annotated[datetime, Meta(description="When it was asked for.")]
    error: Annotated[str | UnsetType, Meta(description="Why it failed; when it did.")] = UNSET
    started_at: Annotated[datetime | UnsetType, Meta(description="When a worker took it up.")] = UNSET
    completed_at: Annotated[datetime | UnsetType, Meta(description="When it ended.")] = UNSET

    @classmethod
    def of(cls, enrichment: model.Enrichment) -> EnrichmentTask:
        return cls.copy_from(
            enrichment, task_id=enrichment.id, search_type=enrichment.provider, agent_key=str(enrichment.agent_key)
        )
