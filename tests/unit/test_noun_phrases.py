"""Which recurring phrases are entities: noun phrases of their own, and whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.entities.extractor import RuleExtractor
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing import builders

ANALYSIS = IcuTextAnalysis()
EXTRACT = RuleExtractor(ANALYSIS)


def entities(language: Language, *texts: str) -> set[str]:
    document = builders.kb_document(language=language)
    passages = [
        builders.passage(document, text, chunk_index=n, terms=ANALYSIS.terms(text, language))
        for n, text in enumerate((*texts, FILLER[language]))
    ]
    return {entity.name for mentions in EXTRACT(passages) for entity in mentions}


# Words beside which a pair that recurs is no chance.
FILLER = {
    Language.EN: "rain wind snow frost storm cloud light stone river tree leaf grass horse sheep goat barn field road",
    Language.FR: "pluie vent neige gel orage nuage lueur pierre rivière arbre feuille herbe cheval mouton chèvre",
    Language.ES: "lluvia viento nieve helada tormenta nube luz piedra río árbol hoja hierba caballo oveja cabra",
    Language.NL: "regen wind sneeuw vorst storm wolk licht steen rivier boom blad gras paard schaap geit stal veld weg",
    Language.DE: "regnen wehen schneien frieren stürmen leuchten rollen fließen wachsen fallen grünen traben grasen",
}


@pytest.mark.parametrize(
    ("language", "texts", "fragment"),
    [
        (Language.FR, ("Notre travail consiste à publier.", "Il consiste à publier des textes."), "consiste à publier"),
        (Language.FR, ("Ils ont besoin d'aide.", "On a besoin d'aide ici."), "besoin d'aide"),
        (Language.FR, ("La loi prévoit cent frères.", "Voici les cent frères."), "cent frères"),
        (Language.EN, ("The fan removes moisture.", "Each unit removes moisture well."), "removes moisture"),
        (Language.EN, ("They want to remove moisture.", "It has to remove moisture."), "remove moisture"),
        (Language.EN, ("In May Argentina played the final.", "Then Argentina played a match."), "argentina played"),
        (Language.EN, ("Patients were randomly assigned.", "Some were randomly assigned."), "randomly assigned"),
        (Language.ES, ("El trabajo consiste en publicar.", "Todo consiste en publicar."), "consiste en publicar"),
        (Language.DE, ("So steigt schnell der Preis.", "Er steigt schnell an."), "steigt schnell"),
    ],
)
def test_a_piece_of_a_clause_is_no_entity(language: Language, texts: tuple[str, ...], fragment: str) -> None:
    assert fragment not in {name.lower() for name in entities(language, *texts)}


@pytest.mark.parametrize(
    ("language", "texts", "whole", "piece"),
    [
        (Language.EN, ("The body mass index rose.", "A high body mass index."), "body mass index", "mass index"),
        (Language.EN, ("The no-knock warrants.", "Of no-knock warrants."), "no-knock warrants", "knock warrants"),
        (Language.FR, ("La dose létale médiane.", "Une dose létale médiane."), "dose létale médiane", "létale médiane"),
    ],
)
def test_a_piece_of_a_phrase_is_made_whole(language: Language, texts: tuple[str, ...], whole: str, piece: str) -> None:
    found = entities(language, *texts)
    assert whole in found
    assert piece not in found


@pytest.mark.parametrize(
    ("language", "texts", "phrase"),
    [
        (Language.FR, ("La pompe à chaleur chauffe.", "Il pose une pompe à chaleur."), "pompe à chaleur"),
        (Language.FR, ("Une salle à manger.", "La salle à manger est là."), "salle à manger"),
        (Language.FR, ("Le premier ministre part.", "Un premier ministre parle."), "premier ministre"),
        (Language.EN, ("Vulnerable to climate change.", "The cost of climate change."), "climate change"),
        (Language.EN, ("The food supply fell.", "A food supply of rice."), "food supply"),
        (Language.EN, ("The sports club met.", "A sports club opened."), "sports club"),
        (Language.ES, ("La desobediencia civil crece.", "Una desobediencia civil."), "desobediencia civil"),
        (
            Language.NL,
            (
                "Een geothermische bron levert warmte.",
                "De geothermische bron ligt diep.",
                "Elke geothermische bron wordt onderzocht.",
            ),
            "geothermische bron",
        ),
    ],
)
def test_a_noun_phrase_is_an_entity(language: Language, texts: tuple[str, ...], phrase: str) -> None:
    assert phrase in entities(language, *texts)


def test_the_label_of_an_abstract_is_no_name() -> None:
    text = (
        "BACKGROUND The European Union acts. METHODS We asked. DESIGN Prospective study. RESULTS In Berlin it rained."
        " MAIN OUTCOME MEASURES The Ofgem tariff. GOALS They agreed. NASA and UNESCO paid."
    )
    assert entities(Language.EN, text) == {"European Union", "Berlin", "Ofgem", "NASA", "UNESCO"}


def test_a_word_that_is_mostly_written_small_is_no_name() -> None:
    text = "He joined the Party, a party like any party. We met Smith, and a smith."
    assert entities(Language.EN, text) == set()
    assert entities(Language.EN, "We met Smith, again Smith, and a smith.") == {"Smith"}


def test_a_german_phrase_is_written_as_where_it_ends_in_a_noun() -> None:
    texts = ("Neben der westlichen Medizin steht sie.", "Eine Auswahl westlicher medizinischer Werke lag da.")
    assert entities(Language.DE, *texts) == {"westlichen Medizin"}


def test_a_name_does_not_end_in_a_joining_word() -> None:
    assert entities(Language.EN, "It says in Thames Guide To walking.") == {"Thames Guide"}
    assert entities(Language.DE, "Er schrieb den Aufsatz Von Kairo Aus dort.") == {"Aufsatz Von Kairo"}


def test_roman_ordinals_and_second_halves_are_no_names() -> None:
    assert entities(Language.FR, "Au cours du XIXe siècle et du IVe, il pleut.") == set()
    assert entities(Language.EN, "It rains in sub-Saharan lands.") == set()


_WORDS = st.sampled_from(
    """the a to it removes moisture Paris pump heat-pump no-knock of RESULTS We body mass index, and . ( ) 7
    randomly""".split()  # noqa: SIM905
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(_WORDS, max_size=30), min_size=1, max_size=4), st.sampled_from((Language.EN, Language.FR)))
def test_every_entity_stands_in_the_text_as_it_is_called(texts: list[list[str]], language: Language) -> None:
    passages = [" ".join(words) for words in texts]
    for name in entities(language, *passages):
        assert any(name.lower() in " ".join(p.split()).lower() for p in (*passages, FILLER[language]))
