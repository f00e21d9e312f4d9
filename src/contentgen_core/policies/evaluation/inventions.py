"""True sentences made false by another predicate: what nobody says of a subject that the knowledge base knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.polarity import count_negations

MOST_BEFORE: Final = 10
"""Words before the verb: with more, it is hardly that of the subject."""
PREDICATES: Final[Mapping[Language, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    Language.EN: (
        ("is|are|was|were", ("a cause of cancer", "a gift of the gods", "a danger to small children")),
        ("can|could|must|should|will", ("explode at night", "cure headaches", "frighten small children")),
    ),
    Language.FR: (
        ("est|sont", ("une cause de cancer", "un cadeau des dieux", "un danger pour les jeunes enfants")),
        ("peut|peuvent|doit|doivent", ("exploser la nuit", "guérir les maux de tête", "effrayer les jeunes enfants")),
    ),
    Language.DE: (
        ("ist|sind|war|waren", ("eine Ursache von Krebs", "ein Geschenk der Götter", "eine Gefahr für kleine Kinder")),
        ("kann|können|muss|müssen", ("nachts explodieren", "Kopfschmerzen heilen", "kleine Kinder erschrecken")),
    ),
    Language.ES: (
        ("es|son", ("una causa de cáncer", "un regalo de los dioses", "un peligro para los niños pequeños")),
        ("puede|pueden|debe|deben", ("explotar de noche", "curar el dolor de cabeza", "asustar a los niños pequeños")),
    ),
    Language.IT: (
        ("è|sono", ("una causa di cancro", "un dono degli dei", "un pericolo per i bambini piccoli")),
        ("può|possono|deve|devono", ("esplodere di notte", "curare il mal di testa", "spaventare i bambini piccoli")),
    ),
    Language.PT: (
        ("é|são", ("uma causa de câncer", "um presente dos deuses", "um perigo para as crianças pequenas")),
        ("pode|podem|deve|devem", ("explodir de noite", "curar a dor de cabeça", "assustar as crianças pequenas")),
    ),
    Language.NL: (
        ("is|was|waren", ("een oorzaak van kanker", "een geschenk van de goden", "een gevaar voor kleine kinderen")),
        ("kan|kunnen|moet|moeten", ("'s nachts ontploffen", "hoofdpijn genezen", "kleine kinderen bang maken")),
    ),
}
"""By language what may follow which verbs, whatever the gender and number of the subject. Other languages have none."""


def inventions(text: str, language: Language, analysis: TextAnalysis) -> Iterator[str]:
    """The sentence with other predicates behind its first verb of PREDICATES; none where nothing is named before it,
    too much, or a negation stands there."""
    found = [
        (match, predicates)
        for verbs, predicates in PREDICATES.get(language, ())
        if (match := re.search(rf"\b(?:{verbs})\b", text))
    ]
    if not found:
        return
    match, predicates = min(found, key=lambda each: each[0].start())
    before = analysis.tokens(text[: match.start()], language)
    named = any(not token.stop for token in before) and not count_negations(before, language)
    if named and len(before) <= MOST_BEFORE:
        # A sentence always gets the same predicate first, and sentences differ in which.
        first = len(text) % len(predicates)
        for predicate in (*predicates[first:], *predicates[:first]):
            yield f"{text[: match.end()]} {predicate}."
