"""Sentences that are taken over whole are found without weighing, with the very receipts that weighing gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.claim import Claim
from contentgen_core.policies.grounding.evidence import ParsedPassage, windows_of
from contentgen_core.policies.grounding.support_score import is_opposed, opposes_itself
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
WORDS = (
    "heat pumps cost more less than boilers only not never rising falling prices increase reduce unaffected affected "
    "efficiency 3 kW Daikin and but is are the in winter without either no other"
)
SENTENCES = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=14).map(
    lambda words: " ".join(words).capitalize() + "."
)
PASSAGES = st.lists(SENTENCES, min_size=1, max_size=6).map(" ".join)


def receipts(text: str) -> list[object]:
    source = passage(kb_document(id="d", title="Heat pumps and prices"), text)
    verifier = Verifier({source.ref: source}, ANALYSIS)
    sentences = ParsedPassage.read(source, ANALYSIS, EN).sentences
    asked = [said for each in sentences for said in (each.text, each.text.rstrip("."), f"{each.text} And more.")]
    return [verifier.check(DraftSentence(said, (source.ref,)), EN) for said in asked]


@given(PASSAGES)
def test_a_receipt_is_the_one_that_weighing_gives(text: str) -> None:
    found = receipts(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Verifier, "_verbatim_window", lambda *_: None)
        assert found == receipts(text)


@given(PASSAGES)
def test_a_sentence_opposes_itself_where_its_source_would_oppose_it(text: str) -> None:
    source = ParsedPassage.read(passage(kb_document(id="d"), text), ANALYSIS, EN)
    for window in windows_of(source)[: len(source.sentences)]:
        [sentence] = window.sentences
        claim = Claim.read(sentence.text, [source], ANALYSIS, EN)
        if claim.polarity is sentence.polarity:
            assert opposes_itself(sentence.polarity, claim.weights) is is_opposed(claim, (window,))


def test_what_a_sentence_rests_on_is_that_sentence() -> None:
    source = passage(kb_document(id="d"), "Prices rose in winter. Heat pumps cost more than boilers. They last.")
    verifier = Verifier({source.ref: source}, ANALYSIS)
    found = verifier.check(DraftSentence("Heat pumps cost more than boilers", (source.ref,)), EN)
    assert found.support is not None
    assert source.text[found.support.start : found.support.end] == "Heat pumps cost more than boilers."
    assert (found.support.score, found.citations_needed) == (1.0, 1)
