"""A section whose every sentence holds: written, checked, rewritten once where needed, and cut where that fails."""

from __future__ import annotations

import asyncio

from attrs import evolve, frozen

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.grounding import Verdict
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.ports.content_model import ContentModel, SectionRequest
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.use_cases.generation.judging import judge


@frozen
class CheckedDraft:
    draft: SectionDraft
    unsupported: tuple[DraftSentence, ...]


async def supported_draft(
    model: ContentModel, verifier: Verifier, request: SectionRequest, entailment: EntailmentModel | None = None
) -> SectionDraft:
    """At most two calls of the model. A section without sources is left as it is: it claims no support.

    `verifier`: one over the article's passages, the section's among them; `entailment` judges what its rules leave
    open, once for each version of the section. Raises what `ContentModel.write_section` raises on its first call, and
    NotConfigured.
    """
    first = await model.write_section(request)
    if not request.sources:
        return first
    verifier = verifier.narrowed(request.sources)
    checked = await _checked(first, request, verifier, entailment)
    if not checked.unsupported:
        return checked.draft
    try:
        second = await model.write_section(evolve(request, unsupported=checked.unsupported))
    except ProviderFailed:
        return _without(checked)  # a rewrite that fails is no reason to lose a section that stands
    second = evolve(second, usage=first.usage.plus(second.usage))
    rewritten = await _checked(second, request, verifier, entailment)
    better = rewritten if len(rewritten.unsupported) <= len(checked.unsupported) else checked
    return evolve(_without(better), usage=second.usage)


async def _checked(
    draft: SectionDraft, request: SectionRequest, verifier: Verifier, entailment: EntailmentModel | None
) -> CheckedDraft:
    await judge(entailment, verifier, draft.sentences, request.brief.language)
    return await asyncio.to_thread(_check, draft, request, verifier)


def _check(draft: SectionDraft, request: SectionRequest, verifier: Verifier) -> CheckedDraft:
    unsupported = tuple(
        sentence
        for sentence in draft.sentences
        if verifier.check(sentence, request.brief.language).verdict is not Verdict.SUPPORTED
    )
    return CheckedDraft(draft, unsupported)


def _without(checked: CheckedDraft) -> SectionDraft:
    """The draft without its unsupported sentences. A paragraph that loses all of them stays, empty: the paragraphs of a
    FAQ stand for its questions by their order."""
    bad = set(checked.unsupported)
    paragraphs = (
        evolve(paragraph, sentences=tuple(s for s in paragraph.sentences if s not in bad))
        for paragraph in checked.draft.paragraphs
    )
    return evolve(checked.draft, paragraphs=tuple(paragraphs))
