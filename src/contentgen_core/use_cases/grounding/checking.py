"""The grounding check of drafted sentences: by rules, by nearness where the embedder models meaning, and by the
entailment model where one is configured."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.entailment import PREMISES, decide_each, open_questions
from contentgen_core.policies.grounding.verifier import NOTHING_CHECKED, Receipts, Verifier
from contentgen_core.ports.entailment import MAX_PAIRS, EntailmentModel
from contentgen_core.use_cases.grounding.meaning import Meaning

AT_ONCE = MAX_PAIRS // PREMISES


async def check(
    sentences: Iterable[DraftSentence],
    verifier: Verifier,
    language: Language,
    entailment: EntailmentModel | None = None,
    known: Receipts = NOTHING_CHECKED,
    meaning: Meaning | None = None,
) -> Receipts:
    """A receipt for each different sentence. Where a model fails, the verdicts without it stand, and their receipts say
    so. Never within a transaction: a call may take seconds. Raises NotConfigured.

    `verifier`: one over the passages that the sentences may cite.
    `entailment`: judges what rules leave open, in one call for most sections; None: rules alone decide.
    `known`: receipts of an earlier check; neither rules nor models judge again what they judged there.
    `meaning`: how near sentences are to what they cite, where they are not taken word for word; None: words alone.
    """
    receipts = await asyncio.to_thread(verifier.check_each, sentences, language, known)
    if meaning is not None:
        receipts |= await _by_meaning(receipts, verifier, language, meaning)
    if entailment is None:
        return receipts
    questions = await asyncio.to_thread(open_questions, verifier, receipts, language)
    for start in range(0, len(questions), AT_ONCE):
        asked = questions[start : start + AT_ONCE]
        try:
            judgements = await entailment.judge([pair for question in asked for pair in question.pairs])
        except ProviderFailed:
            break
        receipts |= decide_each(asked, judgements, entailment.model)
    return receipts


async def _by_meaning(receipts: Receipts, verifier: Verifier, language: Language, meaning: Meaning) -> Receipts:
    try:
        nearness = await meaning.nearness(verifier, receipts, language)
    except ProviderFailed:
        return NOTHING_CHECKED
    if nearness is None:
        return NOTHING_CHECKED
    return await asyncio.to_thread(verifier.check_again, receipts, language, nearness)
