"""The claims once more with the entailment model of the settings, where one is configured."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from benchmarks.quality.grounding_controls import ANALYSIS
from contentgen_adapters.shared.http import make_client
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import SentenceReceipt
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.entailment import Question, decide, open_questions
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.ports.entailment import MAX_PAIRS, EntailmentModel, Judgement
from contentgen_grounded import settings
from contentgen_grounded.bootstrap.providers import entailment_model

NOT_MEASURED: Final = "Not measured in this run: no entailment model is configured (CONTENTGEN_ENTAILMENT)."


@frozen
class Judged:
    """A receipt for each claim, by the model or, where rules have the last word, without it."""

    model: str
    receipts: list[SentenceReceipt]
    asked: int
    seconds: float


async def judged(claims: Sequence[tuple[str, Passage]]) -> Judged | None:
    """Judge English claims, each against its passage; None when no model is configured. Raises ProviderFailed."""
    async with make_client() as client:
        model = await entailment_model(settings.load(), client)
        if model is None:
            return None
        receipts: list[SentenceReceipt] = []
        questions: dict[int, Question] = {}
        for text, source in claims:
            verifier = Verifier({source.ref: source}, ANALYSIS)
            sentence = DraftSentence(text, (source.ref,))
            found = verifier.check_each([sentence], Language.EN)
            questions |= {len(receipts): question for question in open_questions(verifier, found, Language.EN)}
            receipts += found.values()
        begun = time.perf_counter()
        answers = iter(await _answers(model, list(questions.values())))
        seconds = time.perf_counter() - begun
    for place, question in questions.items():
        receipts[place] = decide(question, [next(answers) for _ in question.pairs], model.model)
    return Judged(model.model, receipts, len(questions), seconds)


async def _answers(model: EntailmentModel, questions: Sequence[Question]) -> list[Judgement]:
    pairs = [pair for question in questions for pair in question.pairs]
    found: list[Judgement] = []
    for start in range(0, len(pairs), MAX_PAIRS):
        found += await model.judge(pairs[start : start + MAX_PAIRS])
    return found
