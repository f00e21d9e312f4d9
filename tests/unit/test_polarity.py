"""Negations in every language of the product, and directions in those that have a list of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.polarity import Polarity, agreement
from contentgen_core.policies.grounding.verifier import check_sentence
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
EN, FR, DE = Language.EN, Language.FR, Language.DE

# A sentence and its negation.
NEGATED = {
    Language.EN: ("The heat pump is loud at night.", "The heat pump is not loud at night."),
    Language.FR: ("La pompe à chaleur est bruyante la nuit.", "La pompe à chaleur n'est pas bruyante la nuit."),
    Language.ES: ("La bomba de calor es ruidosa de noche.", "La bomba de calor no es ruidosa de noche."),
    Language.DE: ("Die Wärmepumpe ist nachts sehr laut.", "Die Wärmepumpe ist nachts nicht sehr laut."),
    Language.IT: ("La pompa di calore è rumorosa di notte.", "La pompa di calore non è rumorosa di notte."),
    Language.PT: ("A bomba de calor é ruidosa de noite.", "A bomba de calor não é ruidosa de noite."),
    Language.NL: ("De warmtepomp is luid in de nacht.", "De warmtepomp is niet luid in de nacht."),
    Language.PL: ("Pompa ciepła jest głośna w nocy.", "Pompa ciepła nie jest głośna w nocy."),
    Language.SV: ("Värmepumpen är högljudd på natten.", "Värmepumpen är inte högljudd på natten."),
    Language.NO: ("Varmepumpen er bråkete om natten.", "Varmepumpen er ikke bråkete om natten."),
    Language.DA: ("Varmepumpen er støjende om natten.", "Varmepumpen er ikke støjende om natten."),
    Language.FI: ("Lämpöpumppu on äänekäs yöllä.", "Lämpöpumppu ei ole äänekäs yöllä."),
    Language.CS: ("Čerpadlo je v noci hlučné.", "Čerpadlo není v noci hlučné."),
    Language.HU: ("A hőszivattyú hangos az éjszaka.", "A hőszivattyú nem hangos az éjszaka."),
    Language.RO: ("Pompa de căldură este zgomotoasă noaptea.", "Pompa de căldură nu este zgomotoasă noaptea."),
    Language.EL: ("Η αντλία θερμότητας είναι θορυβώδης.", "Η αντλία θερμότητας δεν είναι θορυβώδης."),
    Language.TR: ("Isı pompası gece çok gürültülü.", "Isı pompası gece çok gürültülü değil."),
    Language.UK: ("Тепловий насос працює гучно вночі.", "Тепловий насос не працює гучно вночі."),
    Language.RU: ("Тепловой насос работает громко ночью.", "Тепловой насос не работает громко ночью."),
    Language.ZH: ("热泵在夜里发出很大的声音。", "热泵在夜里没有发出很大的声音。"),
    Language.JA: ("この機械は夜でも昼でも音が静かである。", "この機械は夜でも昼でも音が静かではない。"),
    Language.KO: (
        "이 기계는 밤에도 낮에도 아주 조용하고 안전하다.",
        "이 기계는 밤에도 낮에도 아주 조용하고 안전하지 않다.",
    ),
    Language.TH: ("ปั๊มความร้อนส่งเสียงดังในเวลากลางคืน", "ปั๊มความร้อนไม่ส่งเสียงดังในเวลากลางคืน"),
    Language.VI: ("Máy bơm nhiệt kêu to vào ban đêm.", "Máy bơm nhiệt không kêu to vào ban đêm."),
    Language.ID: ("Pompa panas itu berisik di malam hari.", "Pompa panas itu tidak berisik di malam hari."),
    Language.HI: ("यह पंप रात में शोर करता है।", "यह पंप रात में शोर नहीं करता है।"),
    Language.AR: ("المضخة تصدر ضوضاء في الليل.", "المضخة لا تصدر ضوضاء في الليل."),
    Language.HE: ("המשאבה רועשת מאוד בלילה.", "המשאבה לא רועשת מאוד בלילה."),
}


def check(text: str, source: str, language: Language) -> Verdict:
    cited = passage(kb_document(title="-"), source)
    return check_sentence(DraftSentence(text, (cited.ref,)), {cited.ref: cited}, ANALYSIS, language).verdict


def test_every_language_has_a_sample() -> None:
    assert set(NEGATED) == set(Language)


@pytest.mark.parametrize("language", Language)
def test_a_negation_put_in_or_left_out_is_not_supported(language: Language) -> None:
    plain, negated = NEGATED[language]
    assert check(plain, plain, language) is check(negated, negated, language) is Verdict.SUPPORTED
    assert check(negated, plain, language) is Verdict.UNSUPPORTED
    assert check(plain, negated, language) is Verdict.UNSUPPORTED


def agreed(claim: str, *source: str, language: Language = EN) -> float:
    tokens = ANALYSIS.tokens(claim, language)
    weights = {t.term: 1.0 for t in tokens if not t.stop}
    return agreement(
        Polarity(tokens, language),
        weights,
        [Polarity(ANALYSIS.tokens(s, language), language) for s in source],
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
    assert Polarity(ANALYSIS.tokens(word, language), language).directions == ()


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
