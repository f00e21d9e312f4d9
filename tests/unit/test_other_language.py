"""A text in another language than it claims is told, and none that is in its own."""

from __future__ import annotations

import pytest
from attrs import evolve

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import GroundingLevel
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.grounding_receipt import ShownText
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES
from contentgen_core.policies.text.other_language import FEWEST_WORDS, is_in_another_language
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
TEXTS = {language: " ".join(text for text, _ in PARAPHRASES[language]) for language in Language}
COMMON = (Language.EN, Language.FR, Language.DE, Language.ES, Language.IT, Language.PT, Language.NL)


@pytest.mark.parametrize("language", Language)
def test_no_text_is_taken_for_another_language_than_its_own(language: Language) -> None:
    for text in (TEXTS[language], " ".join(text for _, text in PARAPHRASES[language])):
        assert not is_in_another_language(text, language, ANALYSIS)


@pytest.mark.parametrize("language", COMMON)
def test_a_text_that_claims_another_language_is_told(language: Language) -> None:
    for claimed in COMMON:
        assert is_in_another_language(TEXTS[language], claimed, ANALYSIS) is (claimed is not language)


def test_few_words_tell_nothing() -> None:
    few = " ".join(TEXTS[Language.DE].split()[: FEWEST_WORDS - 1])
    assert not is_in_another_language(few, Language.EN, ANALYSIS)


def level(claimed: Language, *paragraphs: tuple[str, ...], quotation: bool = False) -> GroundingLevel:
    """Of an article of these sentences, each of which its source has word for word."""
    source = passage(kb_document(), " ".join(" ".join(each) for each in paragraphs), terms=())
    blocks = [("", [DraftSentence(text, (source.ref,), quotation=quotation) for text in each]) for each in paragraphs]
    verifier = Verifier({source.ref: source}, ANALYSIS)
    receipts = [verifier.check(draft, claimed) for _, drafts in blocks for draft in drafts]
    shown = [evolve(receipt, citations=(1,)) for receipt in receipts]
    text = ShownText(blocks, {source.ref: source}, [source.ref])
    return text.grounding(shown, ANALYSIS, claimed).level


GERMAN = tuple(text for text, _ in PARAPHRASES[Language.DE])
ENGLISH = tuple(text for text, _ in PARAPHRASES[Language.EN])


def test_an_article_in_another_language_is_not_full_however_well_it_is_supported() -> None:
    assert level(Language.EN, ENGLISH) is GroundingLevel.FULL
    assert level(Language.EN, GERMAN) is GroundingLevel.PARTIAL
    assert level(Language.EN, *((text,) for text in GERMAN)) is GroundingLevel.PARTIAL  # paragraphs of few words
    assert level(Language.EN, ENGLISH, ENGLISH, GERMAN) is GroundingLevel.PARTIAL
    assert level(Language.DE, GERMAN) is GroundingLevel.FULL


def test_quotations_may_be_in_their_own_language() -> None:
    assert level(Language.EN, GERMAN, quotation=True) is GroundingLevel.FULL
