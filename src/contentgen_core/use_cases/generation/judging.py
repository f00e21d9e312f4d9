"""The entailment model's part in the grounding check, where one is configured."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.entailment import PREMISES, open_questions, settle
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.ports.entailment import MAX_PAIRS, EntailmentModel

AT_ONCE = MAX_PAIRS // PREMISES


async def judge(
    entailment: EntailmentModel | None, verifier: Verifier, sentences: Sequence[DraftSentence], language: Language
) -> None:
    """Have the model judge what rules leave open of the sentences, in one call for most sections; the verifier's checks
    then tell its verdicts. When the model fails, the verdicts by rules stand for the sentences that it has not judged,
    and their receipts say so.

    Never within a transaction: a call may take seconds. Raises NotConfigured."""
    if entailment is None:
        return
    questions = await asyncio.to_thread(open_questions, verifier, sentences, language)
    for start in range(0, len(questions), AT_ONCE):
        asked = questions[start : start + AT_ONCE]
        try:
            judgements = await entailment.judge([pair for question in asked for pair in question.pairs])
        except ProviderFailed:
            return
        settle(verifier, asked, judgements, entailment.model, language)
