import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.agreement import agreement, directed

ANALYSIS = IcuTextAnalysis()
EN, FR, DE = Language.EN, Language.FR, Language.DE


def agreed(claim: str, *source: str, language: Language = EN) -> float:
    tokens = ANALYSIS.tokens(claim, language)
    weights = {t.term: 1.0 for t in tokens if not t.stop}
    return agreement(
        directed(tokens, language), weights, [directed(ANALYSIS.tokens(s, language), language) for s in source]
    )


@pytest.mark.parametrize(
    ("source", "same", "contrary", "language"),
    [
        ("Insulation reduces the heat loss of a wall.", "Insulation lowers the heat loss of the wall.",
         "Insulation increases the heat loss of a wall.", EN),
        ("A filter is necessary for the pump.", "The pump needs a filter; it is required.",
         "A filter is unnecessary for the pump.", EN),
        ("The drug did not improve survival of patients.", "The drug failed to improve survival of patients.",
         "The drug improves survival of patients.", EN),
        ("L'isolation réduit les pertes de chaleur du mur.", "L'isolation diminue les pertes de chaleur du mur.",
         "L'isolation augmente les pertes de chaleur du mur.", FR),
        ("Die Dämmung senkt die Kosten; sie sinken stark.", "Durch Dämmung sinken die Kosten stark.",
         "Durch Dämmung steigen die Kosten stark.", DE),
        ("El aislamiento reduce la pérdida de calor.", "El aislamiento disminuye la pérdida de calor.",
         "El aislamiento aumenta la pérdida de calor.", Language.ES),
        ("L'isolamento riduce la perdita di calore.", "L'isolamento fa diminuire la perdita di calore.",
         "L'isolamento aumenta la perdita di calore.", Language.IT),
        ("O isolamento reduz a perda de calor.", "O isolamento diminui a perda de calor.",
         "O isolamento aumenta a perda de calor.", Language.PT),
        ("Isolatie vermindert het warmteverlies.", "Isolatie verlaagt het warmteverlies.",
         "Isolatie verhoogt het warmteverlies.", Language.NL),
        ("Das Gerät ist empfindlich gegen Frost.", "Bei Frost ist das Gerät empfindlich.",
         "Bei Frost ist das Gerät unempfindlich.", DE),
        ("El precio es independiente del clima.", "Del clima, el precio es independiente.",
         "El precio depende del clima.", Language.ES),
    ],
)  # fmt: skip
def test_a_contrary_direction_agrees_less(source: str, same: str, contrary: str, language: Language) -> None:
    assert agreed(same, source, language=language) > 0
    assert agreed(contrary, source, language=language) < 0


def test_directions_are_compared_where_they_speak_of_the_same_matter() -> None:
    source = "Dexamethasone decreased the risk of nausea but increased the risk of bleeding."
    assert agreed("Dexamethasone increases bleeding.", source) > agreed("Dexamethasone increases nausea.", source)


@pytest.mark.parametrize(
    ("word", "language"),
    [("surgery", EN), ("moreover", EN), ("plusieurs", FR), ("élèves", FR), ("mehrere", DE), ("Fehler", DE)],
)
def test_a_word_that_begins_like_a_direction_is_none(word: str, language: Language) -> None:
    assert directed(ANALYSIS.tokens(word, language), language).turns == ()


def test_a_word_of_a_kindred_group_speaks_for_or_against_but_less() -> None:
    source = "Insulation increases the comfort of a house."
    same, kindred = (agreed(f"Insulation {verb} the comfort of a house.", source) for verb in ("raises", "promotes"))
    assert 0 < kindred < same
    assert agreed("Insulation inhibits the comfort of a house.", source) < 0


def test_a_relation_has_no_side_of_its_own() -> None:
    claim = "Insulation is associated with damp."
    assert agreed(claim, "Insulation promotes damp.") > 0
    assert agreed(claim, "Insulation inhibits damp.") == 0.0


def test_without_a_direction_or_a_list_of_words_there_is_nothing_to_compare() -> None:
    assert agreed("The pump stands in the garden.", "The pump does not increase noise.") == 0.0
    assert agreed("ポンプは騒音を増やす。", "ポンプは騒音を減らす。", language=Language.JA) == 0.0


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=4), st.sampled_from(Language))
def test_any_texts_agree_within_bounds(claim: str, source: list[str], language: Language) -> None:
    assert -1.0 <= agreed(claim, *source, language=language) <= 1.0
