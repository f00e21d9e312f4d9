"""What a question asks for, and what that does to the order of passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.knowledge import TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.bm25 import Bm25
from contentgen_core.policies.retrieval.questions import answer_type_terms
from contentgen_core.policies.retrieval.ranking import topic_query
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
STATISTICS = TermStatistics(passages=100, mean_length=4.0, passages_with={"storm": 9, "harbour": 9, "lisbon": 3})


def of(language: str, text: str) -> set[str]:
    tokens = ANALYSIS.tokens(text, Language(language))
    asked = answer_type_terms(tokens, Language(language))
    return {token.text for token in tokens if token.term in asked}


@pytest.mark.parametrize(
    ("language", "question", "asked"),
    [
        ("en", "Which storm hit the harbour of Lisbon?", "storm"),
        ("en", "What is the name of the harbour?", "name"),
        ("fr", "En quelle année l'île fut-elle vendue ?", "année"),
        ("fr", "Quel est le nom de l’île ?", "nom"),
        ("es", "¿Cuál es el nombre de la zona?", "nombre"),
        ("de", "In welchem Jahr brach der Deich?", "Jahr"),
        ("it", "Quale tempesta colpì il porto?", "tempesta"),
        ("ru", "Какая буря разрушила порт?", "буря"),
    ],
)
def test_the_word_behind_an_interrogative_names_the_answer(language: str, question: str, asked: str) -> None:
    assert of(language, question) == {asked}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What is photosynthesis?"),
        ("en", "The harbour of Lisbon"),
        ("fr", "Qui a vendu l'île ?"),
        ("it", "Le imprese che vendono pompe"),
        ("ja", "どの嵐が港を襲ったか"),
    ],
)
def test_other_texts_ask_for_nothing_in_this_way(language: str, text: str) -> None:
    assert of(language, text) == set()


@given(st.text(max_size=80), st.sampled_from(Language))
def test_what_is_asked_for_is_among_the_terms_of_the_text(text: str, language: Language) -> None:
    query = topic_query(text, [language], ANALYSIS)
    assert query.answer_type_terms[language] <= set(query.terms[language])


def test_a_passage_on_the_subject_goes_before_one_that_repeats_the_question() -> None:
    terms = ("storm", "harbour", "lisbon")
    subject, repeats = (
        passage(kb_document(), text, terms=tuple(text.split()), head_terms=())
        for text in ("harbour lisbon lisbon sea", "storm storm harbour sea storm lisbon")
    )
    plain = Bm25(terms, STATISTICS, {}).matches([subject, repeats])
    asking = Bm25(terms, STATISTICS, {}, {"storm"}).matches([subject, repeats])
    assert plain[1].fuzzy - plain[0].fuzzy > asking[1].fuzzy - asking[0].fuzzy
    assert asking[0].exact == plain[0].exact, "the score that compares across topics stays"


def test_the_most_telling_word_is_never_taken_for_what_is_asked() -> None:
    found = passage(kb_document(), "harbour sea", terms=("harbour", "sea"), head_terms=())
    terms = ("lisbon", "harbour")
    assert Bm25(terms, STATISTICS, {}, {"lisbon"}).matches([found]) == Bm25(terms, STATISTICS, {}).matches([found])
