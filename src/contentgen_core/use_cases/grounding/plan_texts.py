"""Checking what a model's plan shows to readers against the sources."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from attrs import evolve

from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.articles.plan_texts import PlanTexts
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.ports.content_model import Answer
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning


async def supported_plan(
    answer: Answer[ArticlePlan],
    brief: Brief,
    sources: Iterable[RankedPassage],
    analysis: TextAnalysis,
    meaning: Meaning | None,
) -> Answer[ArticlePlan]:
    """The plan that a model answered with, without titles, headings, questions and a description that state what the
    sources do not. What the built-in writer plans is made of them, and what has no sources claims none. Never within a
    transaction. Raises NotConfigured.

    `meaning`: how near words are to those of the sources; None: words alone."""
    passages = {source.ref: source.passage for source in sources}
    if not passages or not answer.usage.of_a_model:
        return answer
    texts = PlanTexts(answer.value, brief, passages, analysis)
    verifier = Verifier(passages, analysis)
    receipts = await check(texts.drafts(), verifier, brief.language, meaning=meaning)
    return evolve(answer, value=await asyncio.to_thread(texts.supported, verifier, receipts))
