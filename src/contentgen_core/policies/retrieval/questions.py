"""The answer type of a question: "Which storm hit Jacksonville?" is on Jacksonville, and is answered by a storm's name.

The word after an interrogative names the type of the answer. A passage that answers the question need not contain it,
and other passages do, so it says less about a passage's relevance than the question's other words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from contentgen_core.model.text import Token
from contentgen_core.model.vocabulary import Language

# For each language: interrogatives that stand before their noun; words allowed between the two (to be, articles); and
# prepositions after the noun ("what is the NAME OF the king"), without which "what is X" asks about X itself. Left out
# are words that mostly join clauses (Italian "che"), and languages whose interrogatives follow the noun.
_WORDS: Final[dict[Language, tuple[str, str, str]]] = {
    Language.EN: ("what which whose", "is are was were the a an other", "of for"),
    Language.FR: (
        "quel quelle quels quelles",
        "est sont était étaient fut furent a été le la les l' un une autre",
        "de du des d'",
    ),
    Language.ES: (
        "qué cuál cuáles cual cuales",
        "es son fue era fueron eran el la los las un una otro otra",
        "de del",
    ),
    Language.DE: (
        "welche welcher welches welchen welchem",
        "ist sind war waren der die das ein eine",
        "von des der für",
    ),
    Language.IT: (
        "quale quali qual",
        "è sono era erano fu furono il lo la i gli le l' un uno una un'",
        "di del dello della dei degli delle dell' d'",
    ),
    Language.PT: ("qual quais", "é são era eram foi foram o a os as um uma", "de do da dos das"),
    Language.NL: ("welk welke", "is zijn was waren de het een", "van voor"),
    Language.SV: ("vilken vilket vilka", "är var en ett den det de", "på av för i"),
    Language.NO: ("hvilken hvilket hvilke", "er var en ei et den det de", "på av for til i"),
    Language.DA: ("hvilken hvilket hvilke", "er var en et den det de", "på af for til i"),
    Language.PL: ("jaki jaka jakie jacy który która które", "jest są był była było były", ""),
    Language.CS: ("jaký jaká jaké jací který která které", "je jsou byl byla bylo byly", ""),
    Language.UK: ("який яка яке які", "є був була було були", ""),
    Language.RU: ("какой какая какое какие который", "есть был была было были", ""),
    Language.FI: ("mikä mitkä minkä missä mihin", "on ovat oli olivat", ""),
    Language.HU: ("milyen melyik mely", "volt voltak a az egy", ""),
    Language.TR: ("hangi", "", ""),
    Language.EL: ("ποιος ποια ποιο ποιοι ποιες ποιον", "είναι ήταν ο η το οι τα ένας μια ένα", "του της των για"),
}


def answer_type_terms(tokens: Sequence[Token], language: Language) -> frozenset[str]:
    """The terms that name the answer type of a question; none for a text that is no such question."""
    interrogatives, between, joints = _words(language)
    words = [token.text.casefold().replace("’", "'") for token in tokens]
    found = set()
    for at, word in enumerate(words):
        if word not in interrogatives:
            continue
        place = at + 1
        while place < len(words) and words[place] in between:
            place += 1
        joined = place + 1 < len(words) and words[place + 1] in joints
        if place < len(words) and not tokens[place].stop and (place == at + 1 or joined):
            found.add(tokens[place].term)
    return frozenset(found)


@cache
def _words(language: Language) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    interrogatives, between, joints = _WORDS.get(language, ("", "", ""))
    return frozenset(interrogatives.split()), frozenset(between.split()), frozenset(joints.split())
