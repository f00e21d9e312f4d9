"""The words that tell person, formality and spelling. A language without a row tells none of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from contentgen_core.model.vocabulary import Language

_L = Language


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@frozen
class Pronouns:
    """Pronouns of a language, in lower case. `informal`, `formal`: those that address the reader; `capital`: formal
    only with a capital letter that no beginning of a sentence explains."""

    i: frozenset[str]
    we: frozenset[str]
    informal: frozenset[str]
    formal: frozenset[str] = frozenset()
    capital: frozenset[str] = frozenset()


PRONOUNS: Final[Mapping[Language, Pronouns]] = {
    _L.EN: Pronouns(
        _words("i me my mine myself i'm i've i'll i'd"),
        _words("we us our ours ourselves we're we've we'll we'd let's"),
        _words("you your yours yourself yourselves you're you've you'll you'd"),
    ),
    _L.FR: Pronouns(
        _words("je j' me m' mon ma mes moi"),
        _words("nous notre nos"),
        _words("tu te t' ta tes toi"),
        _words("vous votre vos"),
    ),
    _L.DE: Pronouns(
        _words("ich mich mir mein meine meinen meinem meiner meines"),
        _words("wir uns unser unsere unseren unserem unserer unseres"),
        _words("du dich dir dein deine deinen deinem deiner deines"),
        capital=_words("Sie Ihnen Ihr Ihre Ihren Ihrem Ihrer Ihres"),
    ),
    _L.ES: Pronouns(
        _words("yo mi mis mí conmigo"),
        _words("nosotros nosotras nos nuestro nuestra nuestros nuestras"),
        _words("tú te ti tu tus contigo"),
        _words("usted ustedes"),
    ),
    _L.IT: Pronouns(
        _words("io mi mio mia miei mie"),
        _words("noi ci nostro nostra nostri nostre"),
        _words("tu ti te tuo tua tuoi tue"),
        capital=_words("Lei Suo Sua Suoi Sue"),
    ),
    _L.PT: Pronouns(
        _words("eu meu minha meus minhas mim"),
        _words("nós nosso nossa nossos nossas"),
        _words("tu teu tua teus tuas você vocês"),
        _words("senhor senhora senhores senhoras"),
    ),
    _L.NL: Pronouns(
        _words("ik mij mijn"),
        _words("wij we ons onze"),
        _words("jij je jou jouw jullie"),
        _words("u uw"),
    ),
    _L.PL: Pronouns(
        _words("ja mnie mój moja moje"),
        _words("my nas nam nasz nasza nasze"),
        _words("ty ciebie cię ci twój twoja twoje"),
        _words("pan pani państwo pana panu państwa"),
    ),
    _L.SV: Pronouns(_words("jag mig min mitt mina"), _words("vi oss vår vårt våra"), _words("du dig din ditt dina")),
    _L.DA: Pronouns(_words("jeg mig min mit mine"), _words("vi os vores"), _words("du dig din dit dine")),
    _L.NO: Pronouns(_words("jeg meg min mitt mine"), _words("vi oss vår vårt våre"), _words("du deg din ditt dine")),
    _L.RU: Pronouns(_words("я меня мне мой моя"), _words("мы нас нам наш наша"), _words("ты тебя тебе твой твоя"),
                    _words("вы вас вам ваш ваша")),
    _L.UK: Pronouns(_words("я мене мені мій моя"), _words("ми нас нам наш наша"), _words("ти тебе тобі твій твоя"),
                    _words("ви вас вам ваш ваша")),
}  # fmt: skip

CONTRACTIONS: Final = ("n't", "'re", "'ve", "'ll", "'d", "'m")
"""Endings of contracted English words; `'s` is mostly a possessive."""

BRITISH: Final = _words(
    "colour colours colourful favour favourite behaviour neighbour neighbours honour labour harbour humour flavour "
    "organise organised organising organisation realise realised recognise recognised analyse analysed analysing "
    "optimise optimised centre centres metre metres litre litres theatre fibre defence licence offence travelling "
    "travelled traveller cancelled modelling labelled fuelled programme programmes catalogue grey tyre tyres whilst "
    "aluminium ageing cheque storey maths"
)
AMERICAN: Final = _words(
    "color colors colorful favor favorite behavior neighbor neighbors honor labor harbor humor flavor organize "
    "organized organizing organization realize realized recognize recognized analyze analyzed analyzing optimize "
    "optimized center centers meter meters liter liters theater fiber defense license offense traveling traveled "
    "traveler canceled modeling labeled fueled program programs catalog gray tire tires aluminum aging check math"
) - _words("check meter meters program programs tire tires license")  # British words too, in other senses
