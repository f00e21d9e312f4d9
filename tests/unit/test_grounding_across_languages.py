"""The grounding check of sentences whose passages are in another language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.nearness import Nearness
from contentgen_core.policies.grounding.polarity import Polarity
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from tests.support.understanding_embedder import UnderstandingEmbedder

ANALYSIS = IcuTextAnalysis()
EN, FR, DE = Language.EN, Language.FR, Language.DE

PUMP = "The heat pump of Geneva delivers 3 kWh of heat for 1 kWh of electricity."
QUIET = "Modern units do not exceed 45 decibels at night."
GROWTH = "Insulation reduces heat loss in the 18th century houses."
STATION = "The station was opened in March 1978."
SOURCE = passage(kb_document(title="Heat", language=EN), f"{PUMP} {QUIET} {GROWTH} {STATION}")
OWN = passage(kb_document(title="Chaleur", language=FR), "Le ventilateur fait le plus de bruit.")

SAYS_PUMP = "La pompe à chaleur de Genève fournit 3 kWh de chaleur pour 1 kWh d'électricité."
SAYS_QUIET = "Les appareils modernes ne dépassent pas 45 décibels la nuit."
SAYS_GROWTH = "L'isolation réduit les pertes de chaleur des maisons du XVIIIe siècle."
SAYS_STATION = "La centrale a été inaugurée en mars 1978."


async def checked(
    text: str, near: dict[tuple[str, str], float], *cited: Passage, language: Language = FR
) -> SentenceReceipt:
    embedder = UnderstandingEmbedder(near)
    sources = cited or (SOURCE,)
    verifier = Verifier({source.ref: source for source in sources}, ANALYSIS)
    sentence = DraftSentence(text, tuple(source.ref for source in sources))
    [found] = (
        await check([sentence], verifier, language, meaning=Meaning(embedder, EmbeddingWeights(embedder)))
    ).values()
    return found


@pytest.mark.parametrize(
    ("text", "said"),
    [(SAYS_PUMP, PUMP), (SAYS_QUIET, QUIET), (SAYS_GROWTH, GROWTH), (SAYS_STATION, STATION)],
)
async def test_a_translation_is_supported_and_its_receipt_says_across_which_language(text: str, said: str) -> None:
    found = await checked(text, {(text, said): 0.8, ("Genève", "Geneva"): 0.9})
    assert (found.verdict, found.missing_facts, found.passage_language) == (Verdict.SUPPORTED, (), EN)
    assert (found.nearness, found.citations_needed) == (0.8, 1)
    assert found.support is not None
    assert SOURCE.text[found.support.start : found.support.end] == said


@pytest.mark.parametrize(
    ("text", "said", "missing"),
    [
        (SAYS_PUMP.replace("3 kWh", "4 kWh"), PUMP, "4 kWh"),
        (SAYS_PUMP.replace("1 kWh", "1 MWh"), PUMP, "1 MWh"),
        (SAYS_PUMP.replace("Genève", "Vienne"), PUMP, "Vienne"),
        (SAYS_QUIET.replace("45", "54"), QUIET, "54"),
        (SAYS_STATION.replace("mars", "mai"), STATION, "mai"),
        (SAYS_STATION.replace("1978", "1987"), STATION, "1987"),
        (SAYS_GROWTH.replace("XVIIIe", "XVIe"), GROWTH, "XVIe"),
    ],
)
async def test_another_fact_is_missing_however_near_the_sentence_is(text: str, said: str, missing: str) -> None:
    found = await checked(text, {(text, said): 1.0, ("Genève", "Geneva"): 0.9})
    assert found.verdict is Verdict.UNSUPPORTED
    assert missing in found.missing_facts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Les appareils modernes dépassent 45 décibels la nuit.", QUIET),
        ("La centrale n'a jamais été inaugurée en mars 1978.", STATION),
        ("L'isolation augmente les pertes de chaleur des maisons du XVIIIe siècle.", GROWTH),
    ],
)
async def test_a_contrary_is_refused_however_near_it_is(text: str, said: str) -> None:
    assert (await checked(text, {(text, said): 1.0})).verdict is Verdict.UNSUPPORTED


async def test_names_that_both_have_do_not_hide_a_negation() -> None:
    said, denied = "For instance P, NP, PP and PSPACE differ.", "Ainsi P, NP, PP et PSPACE ne diffèrent pas."
    source = passage(kb_document(title="", language=EN), said)
    by_words = Verifier({source.ref: source}, ANALYSIS).check(DraftSentence(denied, (source.ref,)), FR)
    assert by_words.verdict is Verdict.SUPPORTED  # what is to be overruled
    assert (await checked(denied, {(denied, said): 1.0}, source)).verdict is Verdict.UNSUPPORTED
    stated = "Ainsi P, NP, PP et PSPACE diffèrent."
    assert (await checked(stated, {(stated, said): 1.0}, source)).verdict is Verdict.SUPPORTED


async def test_a_figure_of_the_next_sentence_does_not_stand_for_another() -> None:
    said = "The park has 5 towers and 5 bridges."
    source = passage(kb_document(title="", language=EN), f"{said} A road of 6 km leads there.")
    text = "Le parc compte 6 tours et 5 ponts."
    found = await checked(text, {(text, said): 1.0}, source)
    assert (found.verdict, found.missing_facts) == (Verdict.UNSUPPORTED, ("6",))
    right = "Le parc compte 5 tours et 5 ponts."
    assert (await checked(right, {(right, said): 1.0}, source)).verdict is Verdict.SUPPORTED


async def test_what_is_not_near_is_not_supported() -> None:
    found = await checked(SAYS_STATION, {(SAYS_STATION, STATION): 0.4})
    assert (found.verdict, found.nearness) == (Verdict.UNSUPPORTED, 0.4)


async def test_of_several_passages_the_one_that_holds_counts_in_whatever_language() -> None:
    near = {(SAYS_STATION, STATION): 0.8}
    found = await checked(SAYS_STATION, near, OWN, SOURCE)
    assert (found.verdict, found.passage_language, found.citations_needed) == (Verdict.SUPPORTED, EN, 1)
    own = await checked("Le ventilateur fait le plus de bruit.", {}, OWN, SOURCE)
    assert (own.verdict, own.passage_language, own.nearness) == (Verdict.SUPPORTED, None, None)


async def test_without_a_model_that_knows_both_languages_words_decide() -> None:
    hashed = HashedEmbedder()
    verifier = Verifier({SOURCE.ref: SOURCE}, ANALYSIS)
    sentence = DraftSentence(SAYS_STATION, (SOURCE.ref,))
    by_words = verifier.check_each([sentence], FR)
    assert await check([sentence], verifier, FR, meaning=Meaning(hashed, EmbeddingWeights(hashed))) == by_words
    german = passage(kb_document(title="Werk", language=DE), "Das Werk wurde im März 1978 eröffnet.")
    found = await checked(SAYS_STATION, {(SAYS_STATION, german.text): 0.9}, german)  # it knows no German
    assert (found.verdict, found.passage_language) == (Verdict.UNSUPPORTED, None)


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("Il ne fait pas froid.", 1),
        ("Il n'y a aucun bruit et ce n'est jamais froid.", 2),
        ("Il ne saurait faire froid.", 1),
        ("Il fait froid sans vent.", 1),
        ("Il fait froid.", 0),
    ],
)
def test_a_negation_of_two_words_is_one(text: str, denials: int) -> None:
    assert Polarity(ANALYSIS.tokens(text, FR), FR).denials == denials


@given(st.text(max_size=60), st.text(min_size=1, max_size=120), st.sampled_from(Language), st.floats(-1, 1))
def test_any_sentence_gets_a_receipt_from_any_passage(text: str, said: str, language: Language, near: float) -> None:
    other = EN if language is not EN else FR
    source = passage(kb_document(title="", language=other), said)
    verifier, sentence = Verifier({source.ref: source}, ANALYSIS), DraftSentence(text, (source.ref,))
    compared = verifier.compared([sentence], language, [other])[other]
    claims = {told: [1.0, 0.0] for told in compared.claims}
    evidence = {told: [near, 0.0] for told in compared.evidence}
    nearness = Nearness({}, {}, 0.0, {other: Nearness(claims, evidence, 0.0)})
    found = verifier.check(sentence, language, nearness)
    assert found == verifier.check(sentence, language, nearness)
    assert found.passage_language is other
    assert found.nearness == max(0.0, round(near, 3))
    if found.support is not None:
        assert 0 <= found.support.start < found.support.end <= len(said)
        assert 0.0 <= found.support.score <= 1.0
    assert found.verdict is not Verdict.SUPPORTED or (not found.missing_facts and near >= 0.4995)
