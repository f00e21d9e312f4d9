"""Stop words: stopwordsiso's lists without content words."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from contentgen_core.model.vocabulary import Language

# The lists are based on word frequencies on the web and so include content words ("home", "system", "problem",
# "trabajo"), which retrieval and fact checks need.
_MEANINGFUL: Final[dict[Language, str]] = {
    Language.EN: """area areas bill billion brief buy case cases cause causes changes computer copy date effect empty
        end face fact facts fire free general goods group groups help high higher highest home hundred index
        information interest interests invention join keys kind large largest length line long longer low lower man
        member members men microsoft mill million mine money move name near necessary net netscape new newer newest
        novel null number numbers old older oldest open order orders page pages part parts place places point points
        present problem problems research result results resulted right ring room rooms run second seconds section
        serious shell side sides significant site small smaller smallest state states stop system test text thick
        thin thousand today top trillion turn tv use used useful uses using value wells web webpage website width work
        worked working works world year years young younger youngest zero""",
    Language.FR: """effet gens importe maximale minimale naturel naturelle naturelles ouvert ouverte ouverts personne
        personnes pièce premier première procedant rare rares retour sujet unique uniques valeur parole mot cent mille
        nouveau nouveaux stop certes pur pure mince""",
    Language.ES: """acuerdo ejemplo empleo empleos estado estados final general horas lugar país pais paìs tiempo
        trabajo trabajar trabaja trabajan valor verdad nueva nuevas nuevo nuevos dias días medio primer primera
        primero""",
    Language.DE: """jahr jahre jahren mann mensch menschen mittel ordnung recht rechte rechten sache tage tagen teil
        zeit gott kurz lang lange neue neuen groß große großen klein kleine kleinen ende beispiel suche""",
    Language.IT: """anni anno accidenti città citta conclusione consiglio forza generale gente giorni giorno gruppo
        lavoro luogo mesi miliardi milioni mondo nome paese parte persone piedi press presa registrazione scola scopo
        tempo titolo uomo vita comprare attesa nuovi nuovo posto""",
    Language.PT: """anos apoio caminho conselho estado forma geral grupo hora horas ligado local lugar meses nome noite
        nova novas novo novos nível número obra pessoas ponto pontos posição povo questão relação sistema tempo
        trabalhar trabalho valor verdade viagem área tipo momento""",
    Language.SV: "beslut beslutat beslutit dagar dagarna dagen nummer",
    Language.PL: "roku godz prof",
    Language.ID: """bulan hari jumlah kasus masalah persoalan pihak rata tahun tempat waktu bekerja kerja tinggi besar
        kecil dini baru""",
}


@cache
def stop_words(language: Language) -> frozenset[str]:
    """The stop words of a language, NFKC and case folded. Reads 200 KB of JSON on the first call."""
    import stopwordsiso

    kept = {_normal(word) for word in _MEANINGFUL.get(language, "").split()}
    return frozenset(_normal(word) for word in stopwordsiso.stopwords(language.value)) - kept


def _normal(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold().replace("’", "'")
