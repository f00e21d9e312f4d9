"""The quality figures with an entailment model."""

from __future__ import annotations

import pytest
from benchmarks.quality import grounding_entailment

from contentgen_core.model.grounding import LEXICAL, Verdict
from contentgen_core.testing.builders import kb_document, passage
from tests.support.scripted_entailment import ENTAILS, ScriptedEntailment

SOURCE = passage(
    kb_document(title="Noise"), "The fan makes most of the noise. The compressor stands in the garden behind the house."
)
CLAIMS = [
    ("The compressor makes noise in the garden.", SOURCE),
    ("The fan makes 45 dB of the noise.", SOURCE),
    ("The fan makes most of the noise.", SOURCE),
]


async def test_without_a_model_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONTENTGEN_ENTAILMENT", raising=False)
    assert await grounding_entailment.judged(CLAIMS) is None


async def test_each_claim_has_the_receipt_that_an_article_would_have(monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedEntailment(otherwise=ENTAILS)

    async def configured(*_: object) -> ScriptedEntailment:
        return model

    monkeypatch.setattr(grounding_entailment, "entailment_model", configured)
    judged = await grounding_entailment.judged(CLAIMS)
    assert judged is not None
    assert judged.asked == 1
    assert [r.verdict for r in judged.receipts] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED]
    assert [r.verifier for r in judged.receipts] == ["scripted-nli", LEXICAL, LEXICAL]
