"""What none of the sources says of a subject is not supported, however well they know the subject."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from benchmarks.quality.known_subjects import FALSE, FITTED_SUBJECTS, LANGUAGES, Case, Judged, cases, judged
from hypothesis import assume, given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.finding import REFUSED
from contentgen_core.policies.grounding.light_words import LIGHT_WORDS
from contentgen_core.policies.grounding.reasons import reason
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from tests.support.scripted_entailment import ENTAILS, ScriptedEntailment
from tests.support.understanding_embedder import UnderstandingEmbedder

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
SAID = "High flow temperature is the most frequent cause of poor heat pump efficiency."
NOTE = passage(kb_document(title="Heat pumps"), f"{SAID} A heat pump needs large radiators and a quiet fan.")
LIES = (
    "Heat pumps cause cancer.",
    "Heat pumps are forbidden.",
    "Heat pumps explode.",
    "Most doctors advise against heat pumps.",
    "A heat pump needs large radiators and a purple fan.",
)


def verified(text: str, source: str, language: Language = EN) -> SentenceReceipt:
    note = passage(kb_document(title="", language=language), source, terms=())
    return Verifier({note.ref: note}, ANALYSIS).check(DraftSentence(text, (note.ref,)), language)


@pytest.mark.parametrize("lie", LIES)
async def test_no_mode_supports_what_no_source_says_of_a_known_subject(lie: str) -> None:
    draft, verifier = DraftSentence(lie, (NOTE.ref,)), Verifier({NOTE.ref: NOTE}, ANALYSIS)
    embedder = UnderstandingEmbedder({(lie, SAID): 1.0})
    yes = ScriptedEntailment(otherwise=ENTAILS)
    meaning = Meaning(embedder, EmbeddingWeights(embedder))
    for model, near in ((None, None), (None, meaning), (yes, None), (yes, meaning)):
        found = (await check([draft], verifier, EN, model, meaning=near))[draft]
        assert found.verdict is Verdict.UNSUPPORTED
        assert found.missing_facts
        assert found.support is None or found.support.score <= REFUSED
        assert reason(found, [NOTE]) == f"“Heat pumps” does not have: {', '.join(found.missing_facts)}"
    assert not yes.calls


async def test_a_word_may_stand_for_one_that_is_near_and_that_the_claim_does_not_have() -> None:
    text = "A heat pump needs large radiators and a silent fan."
    draft, verifier = DraftSentence(text, (NOTE.ref,)), Verifier({NOTE.ref: NOTE}, ANALYSIS)
    for near, verdict in (
        ({("silent", "quiet"): 0.8}, Verdict.SUPPORTED),
        ({("silent", "fan"): 0.8}, Verdict.UNSUPPORTED),
    ):
        embedder = UnderstandingEmbedder({(text, NOTE.text.removeprefix(SAID).strip()): 0.95, **near})
        meaning = Meaning(embedder, EmbeddingWeights(embedder))
        assert (await check([draft], verifier, EN, meaning=meaning))[draft].verdict is verdict


async def test_no_word_stands_for_one_of_a_sentence_on_something_else() -> None:
    text = "A heat pump needs a silent fan."
    draft, verifier = DraftSentence(text, (NOTE.ref,)), Verifier({NOTE.ref: NOTE}, ANALYSIS)
    embedder = UnderstandingEmbedder({(text, NOTE.text.removeprefix(SAID).strip()): 0.95, ("silent", "poor"): 0.8})
    meaning = Meaning(embedder, EmbeddingWeights(embedder))
    found = (await check([draft], verifier, EN, meaning=meaning))[draft]
    assert found.missing_facts == ("silent",)


@given(st.permutations(SAID.rstrip(".").split()), st.text("bcdfghjklmnpqrstvwxz", min_size=6, max_size=12), st.data())
def test_no_order_of_the_sources_words_supports_a_word_from_nowhere(
    words: Sequence[str], new: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(words)))
    text = " ".join([*words[:place], new, *words[place:]]) + "."
    found = Verifier({NOTE.ref: NOTE}, ANALYSIS).check(DraftSentence(text, (NOTE.ref,)), EN)
    assume(new in text)
    assert found.verdict is Verdict.UNSUPPORTED
    assert new in found.missing_facts


@pytest.mark.parametrize(
    ("language", "source", "text"),
    [
        (EN, "Dust causes coughing.", "Coughing is caused by dust."),
        (EN, "Prices of houses rise in spring.", "In spring the prices of houses increase."),
        (Language.FR, "La chaleur cause la fatigue.", "La fatigue est causée par la chaleur."),
        (Language.DE, "Das Moos wird abgebürstet.", "Man bürstet das Moos ab."),
        (Language.DE, "Mieter melden Schäden.", "Schäden werden von Mietern gemeldet."),
        (Language.ES, "El instalador calcula las pérdidas.", "Las pérdidas son calculadas por el instalador."),
        (Language.IT, "Il proprietario ripara il tetto.", "La riparazione del tetto è del proprietario."),
        (Language.PT, "O instalador calcula as perdas.", "As perdas são calculadas pelo instalador."),
        (Language.NL, "De installateur berekent het verlies.", "Het verlies wordt door de installateur berekend."),
    ],
)
def test_another_form_and_a_word_of_the_same_direction_are_said(language: Language, source: str, text: str) -> None:
    assert verified(text, source, language).missing_facts == ()


@pytest.mark.parametrize(
    ("language", "source", "text", "unsaid"),
    [
        (Language.DE, "Wärmepumpen brauchen Platz.", "Wärmepumpen explodieren.", "explodieren"),
        (Language.FR, "Les ruches demandent du soleil.", "Les ruches hurlent.", "hurlent"),
        (Language.EN, "The heat of a stove is felt.", "A stove can cheat.", "cheat"),  # a part in compounds alone
        (Language.EN, "The pump costs 400 euros.", "The pump costs 400 euros daily.", "daily"),
        (Language.DE, "Eine Wärmepumpe kostet Geld.", "Eine Wärmepumpe ist kostenlos.", "kostenlos"),
        (Language.DE, "Die Wärmepumpe hat eine schlechte Effizienz.", "Eine Wärmepumpe ist gefährlich.", "gefährlich"),
        (Language.NL, "Warmtepompen werken in de winter.", "Warmtepompen houden van de winter.", "houden"),
    ],
)
def test_a_word_that_only_looks_a_little_alike_is_not(language: Language, source: str, text: str, unsaid: str) -> None:
    assert unsaid in verified(text, source, language).missing_facts


@pytest.mark.parametrize("language", LANGUAGES)
async def test_inventions_are_refused_and_what_the_notes_say_is_kept(language: Language) -> None:
    own = [case for case in cases() if case.language is language]
    found = await judged(own, None)
    assert share(found, *FALSE) <= 0.05
    assert share(found, "shortened") == 1.0
    assert share(found, "inflected") >= 0.7


def share(found: Sequence[Judged], *kinds: str) -> float:
    own = [it for it in found if it.case.kind in kinds]
    return sum(it.supported for it in own) / len(own)


def test_there_are_enough_sentences_of_either_kind_in_each_language() -> None:
    each = cases()
    assert sum(case.kind in FALSE for case in each) >= 300
    assert sum(case.kind not in (*FALSE, "turned") for case in each) >= 300
    for language in LANGUAGES:
        own = [case for case in each if case.language is language]
        assert len({case.source.ref for case in own}) > FITTED_SUBJECTS
        assert len({case.text for case in own}) == len(own)
        assert not any(stands_in(case) for case in own if case.kind in FALSE)


def stands_in(case: Case) -> bool:
    return case.text.rstrip(".") in case.source.text


def test_light_words_are_words_that_tell_nothing_apart() -> None:
    for language, words in LIGHT_WORDS.items():
        assert words
        assert all(ANALYSIS.tokens(word, language) for word in words)
