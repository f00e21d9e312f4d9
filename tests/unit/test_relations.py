"""Relations that sentences state, for the diagram of an article."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.relations import FEWEST, MOST, Relation, relation_chart, stated_relation

EN, FR, DE, ES = Language.EN, Language.FR, Language.DE, Language.ES
ANALYSIS = IcuTextAnalysis()


@pytest.mark.parametrize(("language", "sentence", "subject", "verb", "thing"), [
    (EN, "The Abra River Fault is a northern extension of the Philippine Fault Zone.",
     "The Abra River Fault", "is a northern extension of", "the Philippine Fault Zone"),
    (EN, "High temperatures accelerate ageing, which shortens the life of the cell.",
     "High temperatures", "accelerate", "ageing"),
    (EN, "A variable tariff can be changed by the supplier.", "A variable tariff", "can be changed by", "the supplier"),
    (FR, "L'authentification multifacteur limite les conséquences d'un mot de passe volé.",
     "L'authentification multifacteur", "limite", "les conséquences d'un mot de passe volé"),
    (FR, "La sauvegarde fait partie de la continuité d'activité.",
     "La sauvegarde", "fait partie de", "la continuité d'activité"),
    (DE, "Die Wärmepumpe senkt die Heizkosten.", "Die Wärmepumpe", "senkt", "die Heizkosten"),
    (ES, "El huracán Floyd causó daños en Jacksonville.", "El huracán Floyd", "causó", "daños en Jacksonville"),
])  # fmt: skip
def test_a_simple_sentence_states_a_relation(
    language: Language, sentence: str, subject: str, verb: str, thing: str
) -> None:
    assert stated_relation(sentence, language) == Relation(subject, verb, thing)


@pytest.mark.parametrize(("language", "sentence"), [
    (EN, "A heat pump does not require gas."),
    (EN, "A heat pump requires gas if the winter is cold."),
    (EN, "Its compressor requires electricity."),
    (EN, "In a small house, the pump requires one radiator."),
    (EN, "The pump requires a radiator, a tank and a pipe."),
    (EN, "Skin infections caused by wet conditions have been reported."),
    (EN, "The average power hides short peaks."),
    (EN, "The owner of a house in a village by the sea on the coast requires a permit."),
    (EN, "Politico predicted the victory would lead to clashes."),
    (EN, "“A pump requires gas.”"),
    (EN, ""),
    (FR, "Cette mesure limite les dégâts."),
    (FR, "La mesure ne limite pas les dégâts."),
    (DE, "Die Pumpe verursacht keinen Lärm."),
    (ES, "La bomba no requiere gas."),
    (Language.JA, "ヒートポンプは熱を運ぶ。"),
])  # fmt: skip
def test_what_is_denied_restricted_cut_or_on_something_else_is_none(language: Language, sentence: str) -> None:
    assert stated_relation(sentence, language) is None


@given(st.text(max_size=200), st.sampled_from(Language))
def test_any_text_is_a_relation_in_its_own_words_or_none(text: str, language: Language) -> None:
    relation = stated_relation(text, language)
    if relation is not None:
        assert relation.verb in text
        assert relation.object in text
        assert relation.subject[1:] in text


@given(st.integers(0, 2 * MOST))
def test_a_chart_has_enough_relations_or_is_none(count: int) -> None:
    chart = relation_chart([f"A pump requires radiator{n}." for n in range(count)], ANALYSIS, EN)
    assert chart.count("-->") == (min(count, MOST) if count >= FEWEST else 0)


def test_relations_that_share_nothing_are_not_drawn() -> None:
    alone = [f"Zone{n} contains lake{n}." for n in range(MOST)]
    together = ["A heat pump requires electricity.", "Heat pumps absorb outdoor heat.", "Radiators use electricity."]
    assert relation_chart(alone, ANALYSIS, EN) == ""
    chart = relation_chart([*alone, *together, "Electricity produces heat."], ANALYSIS, EN)
    assert chart.count('"A heat pump"') == 1
    assert '|"absorb"|' in chart
    assert "contains" not in chart
