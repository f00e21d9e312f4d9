"""Drafting a section whose every sentence is supported and in its voice's terms: written, checked, rewritten once if
needed, then cut."""

from __future__ import annotations

import asyncio

from attrs import evolve, frozen

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.grounding.context import in_context
from contentgen_core.policies.grounding.evidence import ParsedPassages
from contentgen_core.policies.grounding.reasons import NO_SOURCE, reason
from contentgen_core.policies.grounding.verifier import NOTHING_CHECKED, Receipts, Verifier
from contentgen_core.policies.voice.terms import TermFinder
from contentgen_core.ports.content_model import ContentModel, Refusal, SectionRequest
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning


@frozen
class CheckedDraft:
    """A section's draft with the receipts of its sentences; without receipts if the section has no sources, since it
    then claims no support. `refused`: its sentences that the sources do not support, that stand out of their context,
    or that have a term which the brief's voice avoids."""

    draft: SectionDraft
    receipts: Receipts = NOTHING_CHECKED
    refused: tuple[Refusal, ...] = ()

    def without_refused(self) -> CheckedDraft:
        """The draft without its refused sentences. A paragraph that loses all of them stays, empty, since the
        paragraphs of a FAQ answer its questions by position."""
        bad = {refusal.sentence for refusal in self.refused}
        paragraphs = tuple(
            evolve(paragraph, sentences=tuple(s for s in paragraph.sentences if s not in bad))
            for paragraph in self.draft.paragraphs
        )
        return CheckedDraft(evolve(self.draft, paragraphs=paragraphs), self.receipts)


async def supported_draft(
    model: ContentModel,
    request: SectionRequest,
    analysis: TextAnalysis,
    entailment: EntailmentModel | None = None,
    known: Receipts = NOTHING_CHECKED,
    meaning: Meaning | None = None,
    parsed: ParsedPassages | None = None,
    written: SectionDraft | None = None,
) -> CheckedDraft:
    """A draft without unsupported sentences and without terms that the brief's voice avoids, in at most two calls of
    the model. Raises what `ContentModel.write_section` raises on its first call, and NotConfigured.

    `entailment`: judges what rules leave open, once for each version of the section.
    `known`: receipts of other sections; what was judged there is not judged again.
    `meaning`: how near sentences are to what they cite; None: words alone.
    `parsed`: where the article's passages are taken apart; None: the section's, for itself.
    `written`: a first draft that is there already, which saves a call.
    """
    voice, language = request.brief.voice, request.brief.language
    avoided = TermFinder(analysis, language, voice.avoid if voice else ())
    verifier = Verifier({passage.ref: passage for passage in request.sources}, analysis, parsed)

    async def checked(draft: SectionDraft, known: Receipts) -> CheckedDraft:
        found = await _check_draft(draft, verifier, request, entailment, known, meaning)
        terms = ((s, avoided.found(s.text)) for s in draft.sentences)
        worded = tuple(Refusal(s, f"the voice never uses: {', '.join(found)}") for s, found in terms if found)
        return evolve(found, refused=(*found.refused, *worded))

    first = await checked(written or await model.write_section(request), known)
    if not first.refused:
        return first
    again = evolve(request, refused=first.refused)
    try:
        rewritten = await model.write_section(again)
    except ProviderFailed:
        return first.without_refused()  # the first draft without its refused sentences is still good
    second = await checked(rewritten, {**known, **first.receipts})
    better = second if len(second.refused) <= len(first.refused) else first
    usage = first.draft.usage.plus(second.draft.usage)
    return evolve(better, draft=evolve(better.draft, usage=usage)).without_refused()


async def _check_draft(
    draft: SectionDraft,
    verifier: Verifier,
    request: SectionRequest,
    entailment: EntailmentModel | None,
    known: Receipts,
    meaning: Meaning | None,
) -> CheckedDraft:
    if not request.sources:
        return CheckedDraft(draft)
    receipts = await check(draft.sentences, verifier, request.brief.language, entailment, known, meaning)
    given = {passage.ref for passage in request.sources}
    judged = receipts
    if request.context is not None and request.context.subjects.several:
        judged = await asyncio.to_thread(in_context, request.context, request.plan, {request.position: draft}, receipts)
    refused = []
    for sentence in draft.sentences:
        found = judged.get(sentence.citing_only(given))
        if found is None or found.verdict is not Verdict.SUPPORTED:
            sources = [passage for passage in request.sources if passage.ref in sentence.sources]
            refused.append(Refusal(sentence, NO_SOURCE if found is None else reason(found, sources)))
    return CheckedDraft(draft, receipts, tuple(refused))
