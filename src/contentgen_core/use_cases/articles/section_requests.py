"""The requests to a writer that a plan makes."""

from __future__ import annotations

from collections.abc import Mapping

from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import ArticlePlan, PlanSection, SourceRef
from contentgen_core.model.knowledge import Passage
from contentgen_core.policies.grounding.context import Context
from contentgen_core.ports.content_model import SectionRequest


def section_requests(brief: Brief, plan: ArticlePlan, passages: Mapping[SourceRef, Passage]) -> list[SectionRequest]:
    """Return a request for each section, and one for the FAQ (if any) at the position after the last. Takes some
    milliseconds: call it in a thread."""
    sections = list(plan.sections)
    if plan.faq:
        refs = tuple(dict.fromkeys(ref for entry in plan.faq for ref in entry.source_ids))
        questions = tuple(entry.question for entry in plan.faq)
        sections.append(PlanSection("FAQ", key_points=questions, source_ids=refs, target_words=60 * len(questions)))
    context = Context.of(brief.topic, passages.values())
    return [
        SectionRequest(
            brief=brief,
            plan=plan,
            section=section,
            position=position,
            sources=tuple(passages[ref] for ref in section.source_ids if ref in passages),
            is_faq=position == len(plan.sections),
            context=context,
        )
        for position, section in enumerate(sections)
    ]
