"""Contraries of the same words: things compared the other way round, "only", and words denied by their beginning."""

from __future__ import annotations

import pytest

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.polarity import Polarity, contradicts
from contentgen_core.policies.grounding.verifier import check_sentence
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
EN, FR, DE, ES, IT, PT, NL = (
    Language.EN,
    Language.FR,
    Language.DE,
    Language.ES,
    Language.IT,
    Language.PT,
    Language.NL,
)


def verdict(claim: str, source: str, language: Language = EN) -> Verdict:
    given = passage(kb_document(title="", language=language), source)
    return check_sentence(DraftSentence(claim, (given.ref,)), {given.ref: given}, ANALYSIS, language).verdict


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        (EN, "Heat pumps use less electricity than electric radiators.", "Electric radiators use less electricity than heat pumps."),  # noqa: E501
        (EN, "Copper conducts better than aluminium in cold weather.", "Aluminium conducts better than copper in cold weather."),  # noqa: E501
        (FR, "Les pompes à chaleur consomment moins que les radiateurs.", "Les radiateurs consomment moins que les pompes à chaleur."),  # noqa: E501
        (DE, "Wärmepumpen verbrauchen weniger Strom als Heizkörper.", "Heizkörper verbrauchen weniger Strom als Wärmepumpen."),  # noqa: E501
        (ES, "Las bombas consumen menos electricidad que los radiadores.", "Los radiadores consumen menos electricidad que las bombas."),  # noqa: E501
        (PT, "As bombas gastam menos eletricidade que os radiadores.", "Os radiadores gastam menos eletricidade que as bombas."),  # noqa: E501
        (IT, "Pompe moderne sono più lente di caldaie.", "Caldaie sono più lente di pompe moderne."),
        (NL, "Warmtepompen verbruiken minder stroom dan radiatoren.", "Radiatoren verbruiken minder stroom dan warmtepompen."),  # noqa: E501
    ],
)  # fmt: skip
def test_two_things_compared_the_other_way_round_are_a_contrary(language: Language, first: str, second: str) -> None:
    assert verdict(second, first, language) is Verdict.UNSUPPORTED
    assert verdict(first, f"{first} {second.split()[0]}.", language) is Verdict.SUPPORTED


def test_a_comparison_said_in_other_words_is_no_contrary() -> None:
    source = "In trials, heat pumps used less electricity than electric radiators did over the whole winter."
    assert verdict("Heat pumps use less electricity than electric radiators.", source) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("language", "source", "claim"),
    [
        (EN, "The damage was caused by frost in the pipes.", "The damage was caused solely by frost in the pipes."),
        (EN, "Subsidies are paid to owners of old houses.", "Subsidies are paid only to owners of old houses."),
        (FR, "La panne est due au gel des tuyaux.", "La panne est due uniquement au gel des tuyaux."),
        (DE, "Der Schaden entstand durch Frost in den Rohren.", "Der Schaden entstand ausschließlich durch Frost in den Rohren."),  # noqa: E501
        (ES, "La avería se debe al hielo en los tubos.", "La avería se debe únicamente al hielo en los tubos."),
        (IT, "Il guasto è dovuto al gelo nei tubi.", "Il guasto è dovuto esclusivamente al gelo nei tubi."),
        (PT, "A avaria deve-se ao gelo nos tubos.", "A avaria deve-se unicamente ao gelo nos tubos."),
        (NL, "De schade kwam door vorst in de leidingen.", "De schade kwam uitsluitend door vorst in de leidingen."),
    ],
)  # fmt: skip
def test_only_has_to_be_in_the_source(language: Language, source: str, claim: str) -> None:
    assert verdict(source, source, language) is Verdict.SUPPORTED
    assert verdict(claim, source, language) is Verdict.UNSUPPORTED
    assert verdict(claim, claim, language) is Verdict.SUPPORTED


def test_only_may_be_said_in_other_words_and_of_a_number_says_something_else() -> None:
    claim = "Subsidies are paid only to owners of old houses."
    assert verdict(claim, "Subsidies are limited and paid to owners of old houses.") is Verdict.SUPPORTED
    assert verdict("It costs only 40 euros a year.", "It costs 40 euros a year, they say.") is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "only"),
    [("It is paid only to owners.", True), ("It is not only paid to owners.", False), ("It takes only a day.", False)],
)
def test_not_only_and_only_so_much_leave_something_else(text: str, only: bool) -> None:
    assert Polarity(ANALYSIS.tokens(text, EN), EN).only is only


def test_a_word_that_the_source_has_both_ways_denies_nothing() -> None:
    source = "Undifferentiated cells of the embryo differentiate into derivatives of all layers."
    claim = "Cells of the embryo give differentiated derivatives of all layers."
    near = [Polarity(ANALYSIS.tokens(source, EN), EN)]
    assert not contradicts(Polarity(ANALYSIS.tokens(claim, EN), EN), near)


@pytest.mark.parametrize(
    ("language", "source", "claim"),
    [
        (EN, "The valve is involved in the defrosting of the unit.", "The valve is uninvolved in the defrosting of the unit."),  # noqa: E501
        (EN, "The filter of the unit is visible from outside.", "The filter of the unit is invisible from outside."),
        (EN, "The two circuits of the house are disconnected at night.", "The two circuits of the house are connected at night."),  # noqa: E501
        (FR, "Le filtre de la machine est visible de la cour.", "Le filtre de la machine est invisible de la cour."),
        (DE, "Der Filter der Anlage ist sichtbar vom Hof.", "Der Filter der Anlage ist unsichtbar vom Hof."),
        (ES, "El filtro de la máquina es visible desde el patio.", "El filtro de la máquina es invisible desde el patio."),  # noqa: E501
    ],
)  # fmt: skip
def test_a_word_denied_by_its_beginning_is_a_contrary(language: Language, source: str, claim: str) -> None:
    assert verdict(claim, source, language) is Verdict.UNSUPPORTED
    assert verdict(claim, claim, language) is Verdict.SUPPORTED


def test_a_beginning_that_only_looks_like_a_denial_is_none() -> None:
    source = "The formation of ice brings information on the weather to the unit."
    assert verdict("The information on the weather comes with the formation of ice.", source) is Verdict.SUPPORTED
