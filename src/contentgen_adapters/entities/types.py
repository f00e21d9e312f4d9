"""The type of an entity by its name, where a rule is reliable: legal forms, countries, head words, titles."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from contentgen_adapters.shared.countries import country_names
from contentgen_core.model.entity import EntityType
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.facts import fold_name


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LEGAL_FORMS: Final = _words("""
    ag ab as aps asa bv bvba corp corporation cv doo ev gmbh gbr inc incorporated kft kg kgaa kk limited llc
    llp ltd ltda mbh nv ohg ood ooo oy oyj plc pte pty sa sarl sas sasu sce se sia sl slu spa srl sro spzoo
    srls
""")
_FORMS_OF_TWO: Final = frozenset({"as", "sa", "ab", "ag", "se", "sl", "cv", "ev", "oy", "kg", "nv", "bv", "kk"})
# Words that begin or end names of organisations, places or laws only; folded.
_ORGANISATIONS: Final = _words("""
    academy academia agency agence agentur agencia agenzia agentschap agentura association associazione
    asociacion associacao authority autorite bank banque banco banca bundesamt bundesministerium bundesverband
    commission comision commissione comissao committee comite kommission komisja komission council conseil
    consiglio conselho consejo federation fondation foundation fundacion fundacao fondazione gesellschaft
    group groupe institute institut instituto istituto instytut ministry ministere ministerium ministerio
    ministero ministerie ministerstwo organisation organization organizacion organizzazione parliament
    parlement parlament parlamento society societe stiftung uniwersytet universite university universitat
    universidad universidade universita universiteit universitet union verband министерство университет
    институт банк комиссия міністерство університет інститут комісія
""")
_PLACES: Final = _words("""
    city county lake lac lago mount mont monte ocean province provincia region river sea ville street avenue
    rue platz strasse
""")
_LAWS: Final = _words("""
    act code constitution convention decree decret decreto direttiva directive directiva diretiva gesetz
    kodeks legge lei ley loi ordinance ordonnance protocol protocole reglement reglamento regolamento
    regulation richtlijn richtlinie rozporzadzenie treaty traite tratado ustawa verordening verordnung закон
    директива
""")
_LAW_ENDINGS: Final = ("gesetz", "gesetzbuch", "verordnung", "richtlinie")
TITLES: Final = _words("""
    dr prof professor mr mrs ms mme mlle herr frau sr sra srta sig dott dottore dhr mevr pan pani sir lady
    dame lord docteur professeur monsieur madame doktor profesor professore
""")
_SHORT_COUNTRIES: Final = frozenset({"uk", "usa", "uae", "u.k", "u.s", "u.s.a", "great britain", "england", "scotland"})
_DOTS: Final = re.compile(r"[./]")


def type_of(name: str, language: Language) -> EntityType:
    """The type of a name; `concept` where no rule applies."""
    plain = fold_name(name)
    if plain in countries(language) or plain.rstrip(".") in _SHORT_COUNTRIES:
        return EntityType.PLACE
    words = [_DOTS.sub("", word) for word in plain.split()]
    if any(word.endswith(_LAW_ENDINGS) and len(word) > 8 for word in words) and language is Language.DE:
        return EntityType.LAW
    if len(words) < 2:
        return EntityType.CONCEPT
    last = name.split()[-1]
    if words[-1] in _LEGAL_FORMS and (words[-1] not in _FORMS_OF_TWO or last[:1].isupper()):
        return EntityType.ORGANISATION
    for heads, type in (
        (_LAWS, EntityType.LAW),
        (_ORGANISATIONS, EntityType.ORGANISATION),
        (_PLACES, EntityType.PLACE),
    ):
        if words[0] in heads or words[-1] in heads or (len(words) > 2 and words[1] in heads):
            return type
    return EntityType.CONCEPT


@cache
def countries(language: Language) -> frozenset[str]:
    """Return the names of all countries in a language and in English, folded."""
    return frozenset(map(fold_name, country_names(language)))
