"""Sample values. Each builder takes what matters to a test as keyword arguments; the rest is valid and unique."""

from __future__ import annotations

from contentgen_core.testing.builders.articles import (
    article,
    article_plan,
    brief,
    full_article,
    plan_section,
    section_draft,
    source_ref,
    translation,
)
from contentgen_core.testing.builders.base import NICHE_KEY, new_id, sha256
from contentgen_core.testing.builders.jobs import job
from contentgen_core.testing.builders.knowledge import (
    enrichment,
    full_document,
    kb_document,
    passage,
    private_document,
    ranked_passage,
    topic_coverage,
)
from contentgen_core.testing.builders.niches import activation, agent, agent_event, article_schedule, execution, niche
from contentgen_core.testing.builders.publishing import integration, publication, voice, webhook_endpoint
from contentgen_core.testing.builders.tenants import api_key, caller, invitation, review, tenant, user
from contentgen_core.testing.builders.trends import trend, trend_candidate, trend_source

__all__ = [
    "NICHE_KEY",
    "activation",
    "agent",
    "agent_event",
    "api_key",
    "article",
    "article_plan",
    "article_schedule",
    "brief",
    "caller",
    "enrichment",
    "execution",
    "full_article",
    "full_document",
    "integration",
    "invitation",
    "job",
    "kb_document",
    "new_id",
    "niche",
    "passage",
    "plan_section",
    "private_document",
    "publication",
    "ranked_passage",
    "review",
    "section_draft",
    "sha256",
    "source_ref",
    "tenant",
    "topic_coverage",
    "translation",
    "trend",
    "trend_candidate",
    "trend_source",
    "user",
    "voice",
    "webhook_endpoint",
]
