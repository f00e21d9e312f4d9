"""Drafting a section whose every sentence is supported: written, checked, rewritten once if needed, then cut."""

from __future__ import annotations

from attrs import evolve, frozen

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.grounding.verifier import NOTHING_CHECKED, Receipts, Verifier
from contentgen_core.ports.content_model import ContentModel, SectionRequest
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.use_cases.generation.checking import check
from contentgen_core.use_cases.generation.meaning import Meaning


@frozen
class CheckedDraft:
    """A section's draft with the receipts of its sentences; without receipts if the section has no sources, since it
    then claims no support. `unsupported`: its sentences that the sources do not support."""

    draft: SectionDraft
    receipts: Receipts = NOTHING_CHECKED
    unsupported: tuple[DraftSentence, ...] = ()

    def without_unsupported(self) -> CheckedDraft:
        """The draft without its unsupported sentences. A paragraph that loses all of them stays, empty, since the
        paragraphs of a FAQ answer its questions by position."""
        bad = set(self.unsupported)
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
) -> CheckedDraft:
    """A draft without unsupported sentences, in at most two calls of the model. Raises what
    `ContentModel.write_section` raises on its first call, and NotConfigured.

    `entailment`: judges what rules leave open, once for each version of the section.
    `known`: receipts of other sections; what was judged there is not judged again.
    `meaning`: how near sentences are to what they cite; None: words alone.
    """
    first = await model.write_section(request)
    if not request.sources:
        return CheckedDraft(first)
    verifier = Verifier({passage.ref: passage for passage in request.sources}, analysis)
    checked = await _checked(first, verifier, request, entailment, known, meaning)
    if not checked.unsupported:
        return checked
    try:
        second = await model.write_section(evolve(request, unsupported=checked.unsupported))
    except ProviderFailed:
        return checked.without_unsupported()  # the first draft without its unsupported sentences is still good
    rewritten = await _checked(second, verifier, request, entailment, {**known, **checked.receipts}, meaning)
    better = rewritten if len(rewritten.unsupported) <= len(checked.unsupported) else checked
    usage = first.usage.plus(second.usage)
    return evolve(better, draft=evolve(better.draft, usage=usage)).without_unsupported()


async def _checked(
    draft: SectionDraft,
    verifier: Verifier,
    request: SectionRequest,
    entailment: EntailmentModel | None,
    known: Receipts,
    meaning: Meaning | None,
) -> CheckedDraft:
    receipts = await check(draft.sentences, verifier, request.brief.language, entailment, known, meaning)
    given = {passage.ref for passage in request.sources}
    holding = {sentence for sentence, found in receipts.items() if found.verdict is Verdict.SUPPORTED}
    unsupported = tuple(s for s in draft.sentences if s.citing_only(given) not in holding)
    return CheckedDraft(draft, receipts, unsupported)
