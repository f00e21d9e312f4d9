"""What is measured of a voice, and what deviates from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import ChosenVoice, Features, Formality, Person, Spelling
from contentgen_core.policies.voice.deviations import deviations
from contentgen_core.policies.voice.measure import measure
from contentgen_core.policies.voice.terms import TermFinder
from contentgen_core.policies.voice.wording import describe_voice
from contentgen_core.testing.text_analysis import any_text

ANALYSIS = IcuTextAnalysis()
BRITISH = (
    "We colour the centre first. We don't hurry, and we're calm. Why hurry? We aren't late.\n\n- We wait.\n- We see."
)


def measured(text: str, language: Language = Language.EN) -> Features:
    found = measure([text], language, ANALYSIS)
    assert found is not None
    return found


def voice(**changes: object) -> ChosenVoice:
    return ChosenVoice(VoiceId("v"), "House", **changes)  # type: ignore[arg-type]


def of(chosen: ChosenVoice, *paragraphs: list[str], language: Language = Language.EN) -> tuple[str, ...]:
    return deviations(chosen, language, ANALYSIS, ["A title"], paragraphs)


def test_a_sample_tells_its_habits() -> None:
    found = measured(BRITISH)
    assert (found.person, found.formality, found.spelling) == (Person.WE, Formality.INFORMAL, Spelling.BRITISH)
    assert (found.sentences, found.questions, found.lists) == (6, 0.17, 0.33)
    assert 3 <= found.sentence_words <= 4
    assert found.paragraph_sentences == 4.0


@pytest.mark.parametrize(
    ("language", "text", "formality"),
    [
        (Language.FR, "Vous choisissez votre pompe. Nous vous aidons à la poser.", Formality.FORMAL),
        (Language.FR, "Tu choisis ta pompe. On t'aide à la poser.", Formality.INFORMAL),
        (Language.DE, "Wählen Sie Ihre Pumpe. Wir helfen Ihnen dabei.", Formality.FORMAL),
        (Language.DE, "Wähl deine Pumpe. Wir helfen dir dabei.", Formality.INFORMAL),
        (Language.DE, "Die Pumpe ist laut. Sie steht im Hof.", None),
        (Language.ES, "Elija usted su bomba.", Formality.FORMAL),
        (Language.SV, "Du väljer din pump.", None),
        (Language.EN, "The pump is loud. It stands outside.", None),
    ],
)
def test_formality_is_the_way_of_address(language: Language, text: str, formality: Formality | None) -> None:
    assert measured(text, language).formality is formality


def test_a_country_is_no_person() -> None:
    assert measured("Prices in the US fell. The US market is large.").person is Person.IMPERSONAL


@given(st.lists(any_text, max_size=4).flatmap(lambda texts: st.tuples(st.just(texts), st.permutations(texts))))
def test_features_do_not_depend_on_the_order_of_samples(both: tuple[list[str], list[str]]) -> None:
    one, other = both
    assert measure(one, Language.EN, ANALYSIS) == measure(other, Language.EN, ANALYSIS)


@given(any_text, st.sampled_from(Language))
def test_any_text_is_measured(text: str, language: Language) -> None:
    found = measure([text], language, ANALYSIS)
    assert found is None or (found.words >= found.sentences >= 1 and 0 <= found.questions <= 1)


@pytest.mark.parametrize(
    ("term", "text", "language"),
    [
        ("leverage", "Firms LEVERAGED what they had.", Language.EN),
        ("best in class", "It is best in class.", Language.EN),
        ("pompe à chaleur", "Les pompes à chaleur chauffent.", Language.FR),
        ("🚀", "Go 🚀 now", Language.EN),
        ("Straße", "Die STRASSE ist lang.", Language.DE),
    ],
)
def test_a_term_is_found_in_each_of_its_forms(term: str, text: str, language: Language) -> None:
    assert TermFinder(ANALYSIS, language, (term,)).found(text) == (term,)


def test_a_term_is_not_found_within_a_word() -> None:
    assert TermFinder(ANALYSIS, Language.EN, ("art", "best class")).found("A start: best in class.") == ()


@given(any_text, st.sampled_from(Language))
def test_a_text_has_itself_as_a_term(text: str, language: Language) -> None:
    if text.strip():
        assert TermFinder(ANALYSIS, language, (text,)).found(text) == (text,)


def test_what_deviates_is_said_in_words() -> None:
    asked = voice(avoid=("leverage",), use=("heat pump",), features=measured(BRITISH))
    long = "The color of the machine that stands in the yard behind the house of the owners is of no concern to them."
    said = of(asked, ["It stands.", long, "They leverage it."])
    assert "avoided term “leverage” in sentence 3" in said
    assert "term “heat pump” is not used" in said
    assert "mean sentence 9 words, asked 3" in said
    assert "speaks with no person, asked the first person (we)" in said
    assert "“color” (american spelling) in sentence 2, asked british" in said


def test_the_wrong_address_is_named() -> None:
    asked = voice(features=measured("Vous choisissez votre pompe. Nous vous aidons.", Language.FR))
    assert "“tu” used in sentence 1, asked formal" in of(asked, ["Tu choisis."], language=Language.FR)


def test_a_text_like_its_samples_does_not_deviate() -> None:
    sentences = ["We colour the centre first.", "We don't hurry, and we're calm.", "Why hurry?", "We aren't late."]
    assert of(voice(features=measured(" ".join(sentences))), sentences) == ()


def test_a_voice_in_words_names_its_terms_and_its_guide() -> None:
    text = describe_voice(voice(avoid=("leverage",), use=("heat pump",), guide="Plain.", features=measured(BRITISH)))
    assert "leverage" in text
    assert "heat pump" in text
    assert text.endswith("Guide: Plain.")
    assert describe_voice(voice()) == ""
