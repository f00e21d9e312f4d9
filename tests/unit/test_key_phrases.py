"""Headings and topics from texts: names and titles, and no fragments."""

from __future__ import annotations

from contentgen_adapters.llm.extractive.key_phrases import key_phrases
from contentgen_adapters.llm.extractive.topics import suggestions
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing import builders

ANALYSIS = IcuTextAnalysis()


def passage(text: str, title: str = "Records", language: Language = Language.EN) -> Passage:
    document = builders.kb_document(title=title, language=language)
    return builders.passage(document, text, terms=ANALYSIS.terms(text, language))


def test_headings_are_names_without_their_case_and_no_pieces_of_sentences() -> None:
    text = "As said, Geelong's coach left, and Geelong's fans with him; of all, METHODS We chose, METHODS We kept."
    assert key_phrases([passage(text)], [], "football", ANALYSIS) == ["Geelong"]


def test_a_word_that_the_text_writes_small_as_often_is_no_name() -> None:
    text = "In spring the Party met the party of Milan; the Party is a party, and in Milan it rains."
    assert key_phrases([passage(text)], [], "weather", ANALYSIS) == ["Milan", "Party"]


def test_a_name_beside_the_end_of_a_longer_phrase_is_no_heading() -> None:
    text = "Alors, le maire de Paris Bertrand Delanoë parle ; hier, le ministre Manuel Valls parlait."
    assert key_phrases([passage(text, language=Language.FR)], [], "trains", ANALYSIS) == ["Manuel Valls"]


def test_inflected_words_and_genitives_are_no_german_headings() -> None:
    text = "Bei 17 Sekunden Spielzeit New Englands Versuch, in DVB-konformem MPEG-2 gesendet, von Martin Opitz."
    assert key_phrases([passage(text, language=Language.DE)], [], "Fußball", ANALYSIS) == ["Martin Opitz"]


def test_where_there_are_no_names_recurring_nouns_head_a_section() -> None:
    text = "la enfermedad por descompresión es grave; tratan la enfermedad por descompresión con oxígeno a presión."
    found = key_phrases([passage(text, language=Language.ES)], [], "oxígeno", ANALYSIS)
    assert found == ["Enfermedad por descompresión", "Enfermedad"]


def test_a_title_that_is_the_beginning_of_its_text_is_no_topic() -> None:
    text = "Although the club was founded in 1908 by Swiss players, it plays in Milan."
    untitled = passage(text, title="Although the club was founded in 1908 by Sw")
    titled = passage("A football club in Milan is old.", title="A football club in Milan")
    cut = passage("Membership costs little.", title="Membership cos")
    found = suggestions(ANALYSIS, [untitled, titled, cut], (), Language.EN, 5)
    assert [suggestion.topic for suggestion in found] == ["A football club in Milan"]
