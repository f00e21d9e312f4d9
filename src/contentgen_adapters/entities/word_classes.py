"""Words that tell where a noun phrase begins, where a verb follows and what is a label, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from contentgen_core.model.vocabulary import Language


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _table(rows: str) -> Mapping[Language, frozenset[str]]:
    """Words by language, from lines `code: word word …`."""
    pairs = (line.split(":") for line in rows.strip().splitlines())
    return {Language(code.strip()): frozenset(words.split()) for code, words in pairs}


DETERMINERS: Final = _table("""
en: a an the this these those its their our your his her my each every any some no all both such another s
fr: le la les l un une des du cet cette ces ce mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs au aux chaque quelques plusieurs aucun aucune tout tous toute toutes
es: el la los las un una unos unas del al este esta estos estas ese esa esos esas su sus mi mis nuestro nuestra nuestros nuestras cada cualquier todo toda todos todas algún alguna ningún ninguna
it: il lo la i gli le l un uno una del dello della dei degli delle dell al allo alla ai agli alle all nel nello nella nei negli nelle nell dal dallo dalla dai dagli dalle dall sul sulla sui sulle questo questa questi queste quel quella suo sua suoi sue ogni
pt: o a os as um uma uns umas do da dos das no na nos nas ao aos pelo pela pelos pelas este esta estes estas esse essa seu sua seus suas cada todo toda todos todas
ro: un o unei unui acest această acești aceste al ai ale fiecare niște
nl: de het een dit deze die dat zijn haar hun ons onze uw mijn elke elk iedere geen
""")  # noqa: E501
"""Words after which a noun phrase follows, and no verb."""

ARTICLES: Final = _table("""
en: a an the
fr: le la les l un une
es: el la los las un una
it: il lo la gli le l un uno una
pt: o os um uma
ro: un o
nl: de het een
""")
"""Those that begin no complement of a noun phrase: right after one they make it a subject with its verb."""

PREPOSITIONS: Final = _table("""
en: of in on for with by from as at into between against through during without under over about after before than via per within among across towards toward like including
fr: de d à en par pour sur dans avec sans sous entre vers chez comme contre selon
es: de en por para con sin sobre entre hacia contra según como desde hasta
it: di d da in con su per tra fra senza verso contro come
pt: de em por para com sem sobre entre contra como desde até
ro: de în la cu pe pentru din prin fără între despre
de: von vom zu zur zum in im am an auf aus bei mit nach über unter vor für durch gegen ohne um
""")  # noqa: E501
"""Words after which a noun phrase follows, or a verb in the infinitive or gerund."""

BEFORE_VERBS: Final = _table("""
en: not i you he she it we they who which will would can cannot could may might must should shall do does did don doesn didn t also always often never
fr: je tu il elle on ils elles ne n se s qui me m te t y nous vous
es: yo tú él ella nosotros ellos ellas ustedes usted se me te nos no quien quienes
it: io tu lui noi voi loro si mi ti ci vi non che
pt: eu tu ele ela nós eles elas você vocês se me te não quem
ro: eu tu el ea noi voi ei ele nu se să care
de: ich du er sie es wir ihr nicht zu man wer
nl: ik jij je hij zij ze wij jullie niet te zich men wie
sv: jag du han hon vi ni man inte att som
no: jeg du han hun vi man ikke å som
da: jeg du han hun vi man ikke at som
pl: ja ty on ona my wy oni one nie się
cs: já ty on ona my vy oni ony ne se si
ru: я ты он она оно мы вы они не
uk: я ти він вона воно ми ви вони не
el: δεν να θα μην
fi: minä sinä hän me te he ei en
hu: én te ő mi ti ők nem
tr: ben sen biz siz onlar
id: saya anda dia kami kita mereka tidak akan telah sedang
vi: tôi chúng họ không sẽ đã đang
""")  # noqa: E501
"""Pronouns, negations and auxiliaries: what follows is a verb, or no noun phrase that stands for itself."""

INFINITIVES: Final[Mapping[Language, tuple[str, ...]]] = {
    Language.FR: ("er", "ir", "re"),
    Language.ES: ("ar", "er", "ir", "arse", "erse", "irse"),
    Language.IT: ("are", "ere", "ire", "arsi", "ersi", "irsi"),
    Language.PT: ("ar", "er", "ir"),
    Language.EN: ("ing",),
}
"""Endings of what a preposition may have after it and that is no noun: infinitives, English gerunds."""

NOUNS_LIKE_INFINITIVES: Final = _words("""
    premier dernier hiver danger papier métier loyer foyer chantier quartier courrier acier atelier calendrier
    dossier avenir plaisir souvenir centre guerre terre verre chambre nombre titre théâtre ministère lumière matière
    maître manière carrière lettre fenêtre cadre ordre histoire mémoire territoire affaire salaire lugar mar hogar
    mujer taller poder primer bar sector mulher lugares heating building training banking marketing housing
    engineering manufacturing shopping parking learning
""")
IRREGULAR_VERBS: Final = _words("""
    became began bought brought built came caught chose did fell found gave got grew had has held include includes
    is kept knew led left lost made meant met paid ran remain remains said sat saw sent sold spent spoke stood
    taught thought told took was went were won wore wrote
""")
"""English verbs without an ending that tells it."""

ADVERBS: Final[Mapping[Language, str]] = {
    Language.EN: "ly",
    Language.ES: "mente",
    Language.IT: "mente",
    Language.PT: "mente",
}
NO_ADVERBS: Final = _words("""
    ally anomaly assembly belly butterfly daily early family fly italy july monopoly monthly only reply supply
    weekly yearly elderly friendly mente
""")
"""Words with the ending of an adverb that are none."""

_CONJUNCTIONS: Final = _words("and or to et ou und oder zu y e ed o en of")
LARGE_NUMBERS: Final = _words("""
    hundred thousand cent mille cien ciento mil hundert tausend cento honderd duizend
""")

PLURAL_MODIFIERS: Final = _words("""
    arms communications customs earnings electronics goods materials mathematics news operations plans rights sales
    savings series species sports systems
""")
"""English plurals that modify a noun."""

ABSTRACT_LABELS: Final = _words("""
    ABSTRACT BACKGROUND CONTEXT INTRODUCTION OBJECTIVE OBJECTIVES PURPOSE AIM AIMS RATIONALE METHOD METHODS MATERIALS
    DESIGN SETTING SETTINGS PARTICIPANTS PATIENTS SUBJECTS INTERVENTION INTERVENTIONS MAIN OUTCOME OUTCOMES MEASURE
    MEASURES MEASUREMENTS RESULT RESULTS FINDINGS CONCLUSION CONCLUSIONS INTERPRETATION SIGNIFICANCE DISCUSSION SUMMARY
    TRIAL REGISTRATION DATA SOURCES STUDY SELECTION EXTRACTION SYNTHESIS FUNDING TRUNCATED CONTEXTE OBJECTIF OBJECTIFS
    MÉTHODE MÉTHODES RÉSULTATS HINTERGRUND ZIEL METHODEN METHODIK ERGEBNIS ERGEBNISSE SCHLUSSFOLGERUNG OBJETIVO
    OBJETIVOS MÉTODOS RESULTADOS CONCLUSIONES CONCLUSÕES OBIETTIVO METODI RISULTATI CONCLUSIONI AND ET UND AT
""")
"""Labels of the parts of an abstract, which run into its sentences ("METHODS We …"), and words between them."""


def joining_words(language: Language) -> frozenset[str]:
    """Return the words that join a name to the next word, and with which a name never ends."""
    nothing = frozenset[str]()
    return DETERMINERS.get(language, nothing) | PREPOSITIONS.get(language, nothing) | _CONJUNCTIONS
