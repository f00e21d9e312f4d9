"""Negations in every language of the product."""

import pytest

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.verifier import check_sentence
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()

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
    given = passage(kb_document(title="-"), source)
    return check_sentence(DraftSentence(text, (given.ref,)), {given.ref: given}, ANALYSIS, language).verdict


def test_every_language_has_a_sample() -> None:
    assert set(NEGATED) == set(Language)


@pytest.mark.parametrize("language", Language)
def test_a_negation_put_in_or_left_out_is_not_supported(language: Language) -> None:
    plain, negated = NEGATED[language]
    assert check(plain, plain, language) is check(negated, negated, language) is Verdict.SUPPORTED
    assert check(negated, plain, language) is Verdict.UNSUPPORTED
    assert check(plain, negated, language) is Verdict.UNSUPPORTED
