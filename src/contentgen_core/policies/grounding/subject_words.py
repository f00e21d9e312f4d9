"""Words by which a sentence shows what it speaks of, folded."""

from __future__ import annotations

from typing import Final

from contentgen_core.policies.text.fact_words import MONTHS
from contentgen_core.policies.text.facts import fold_name


def _words(*texts: str) -> frozenset[str]:
    return frozenset(fold_name(word) for text in texts for word in text.split())


ARTICLES: Final = _words(
    "the a an its his her their this that our",
    "le la les l un une des ce cet cette son sa ses leur leurs notre",
    "der die das den dem des ein eine einen einem einer eines sein seine ihr ihre unser unsere dieser diese dieses",
    "el los las una unos unas su sus este esta estos estas nuestro nuestra",
    "il lo gli i uno suo sua suoi sue questo questa nostro nostra",
    "o os as um uma seu seus suas nosso nossa",
    "de het een zijn haar deze dit onze",
)
"""Articles and possessives: between a sentence's beginning and the name of what it speaks of."""

CONTRAST: Final = _words(
    "than unlike versus vs against compared comparison contrast contrary beside besides instead rather like",
    "que contrairement comparé comparée comparés comparaison face opposé rapport lieu plutôt comme contre",
    "als anders gegenüber vergleich verglichen gegensatz statt anstatt wie gegen",
    "diferencia comparado comparada comparación frente contra lugar como",
    "differenza confronto rispetto paragonato paragonata contro invece come",
    "diferentemente contrário comparação relação",
    "dan tegenover vergeleken vergelijking tegenstelling plaats zoals tegen",
)
"""Before what something is compared with."""

ADVERBIAL: Final = _words(
    "in on at by since during after before from until when as",
    "en dans depuis pendant après avant dès lors au aux sur",
    "im am seit während nach vor bis bei mit",
    "desde durante tras antes hasta al",
    "nel nella dal dalla dopo prima fino",
    "no na após até",
    "sinds tijdens voor tot bij op",
)
"""At the beginning of a phrase of time or place before what a sentence speaks of."""

JOINING: Final = _words("and or vs versus et ou und oder y e o u ed od against contre gegen contra ni")
"""Between names that stand side by side."""

COMPARING: Final = _words(
    "versus vs against compared",
    "contre comparé comparée comparés comparées face",
    "gegen gegenüber vergleich verglichen",
    "contra frente comparado comparada comparados comparación",
    "contro confronto tegenover vergeleken",
)
"""Between names of which one is compared with the other."""

PREPOSITIONS: Final = _words(
    "of for in at to with between from by",
    "de d du des à au aux pour avec entre chez par",
    "von vom für mit zu zum zur zwischen aus",
    "del para por con a al",
    "di da per tra com van voor met",
)
"""What each name of a list may repeat (`à Quimper et à Morlaix`)."""

PARTICLES: Final = _words("upon sur sous de da do del della du des di van am")
"""In lower case inside a name: `Rio de Janeiro`."""

WEEKDAYS: Final = _words(
    "monday tuesday wednesday thursday friday saturday sunday",
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekday weekdays weekend weekends",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag wochentag wochenende werktag",
    "montags dienstags mittwochs donnerstags freitags samstags sonntags",
    "lunes martes miércoles jueves viernes sábado domingo",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
)
"""With a capital in some languages, and no names."""

BACKWARD: Final = _words(
    "the it its this that these those they their he she his her",
    "le la les l il elle ils elles ce cet cette ces son sa ses leur leurs",
    "der die das er sie es sein seine ihr ihre dieser diese dieses",
    "el los las su sus este esta estos estas ese esa él ella",
    "lo i gli suo sua suoi sue questo questa quello esso essa",
    "o a os as seu seus suas ele ela isso",
    "de het hij zij zijn haar deze dit",
)
"""Beginnings by which a sentence can take up what the one before it spoke of."""

NOT_NAMES: Final = _words(
    "chapter section part annex appendix table figure step module lesson unit volume article paragraph page phase",
    "version level grade year week day",
    "chapitre partie annexe tableau étape leçon tome niveau année semaine jour",
    "kapitel teil abschnitt anhang tabelle abbildung schritt modul lektion band artikel stufe jahr woche tag",
    "capítulo sección parte anexo tabla figura paso módulo lección tomo artículo nivel año semana día",
    "capitolo sezione allegato tabella passo modulo lezione articolo livello anno settimana giorno",
    "seção tabela passo lição artigo nível ano dia",
    "hoofdstuk deel bijlage tabel afbeelding stap les jaar dag",
    *(name for names in MONTHS.values() for name in names),
)
"""Parts of texts and times: numbered without being names."""

FUNCTION_WORDS: Final = ARTICLES | CONTRAST | ADVERBIAL | JOINING | BACKWARD
"""Without a say in what a statement is on."""
