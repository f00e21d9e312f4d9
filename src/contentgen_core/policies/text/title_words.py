"""Words of titles in general rather than of a subject: "The complete guide to X in 2026" is on X."""

from __future__ import annotations

import re
from typing import Final

# The weight of such a word; one of the subject weighs 1. Above 0, since a topic may consist of such words alone.
GENERIC_WEIGHT: Final = 0.05

_CURRENT_YEAR: Final = re.compile(r"20[2-3]\d")

_WORDS: Final = """
    guide guides complete ultimate definitive best top tips tip ideas advice everything know need beginner beginners
    introduction overview explained understand understanding basics essential essentials simple easy quick step steps
    ways reasons mistakes trends comparison compare compared review reviews checklist faq

    complet complète complets ultime meilleur meilleure meilleurs meilleures conseil conseils astuce astuces idée idées
    tout savoir comprendre choisir débutant débutants essentiel essentiels facile simple rapide étape étapes raisons
    erreurs tendances comparatif comparer avis bases présentation

    leitfaden ratgeber vollständig vollständige vollständiger komplette beste besten bester tipps ideen alles wissen
    einsteiger anfänger einführung überblick verstehen grundlagen einfach schnell schritt schritte gründe fehler trends
    vergleich

    guía completa completo mejor mejores consejos consejo trucos saber principiantes introducción entender esencial
    fácil rápido pasos razones errores tendencias comparativa comparación básicos

    guida completa migliore migliori consigli sapere principianti introduzione capire essenziale facile passi ragioni
    errori tendenze confronto

    guia melhor melhores dicas conselhos iniciantes introdução entender essencial passos razões erros tendências
    comparação

    gids complete volledige beste tips ideeën alles weten beginners inleiding begrijpen makkelijk stappen redenen
    fouten trends vergelijking

    poradnik przewodnik kompletny najlepszy najlepsze porady wszystko wiedzieć początkujących wprowadzenie zrozumieć
    kroki powody błędy trendy porównanie

    guiden komplett bästa tips allt veta nybörjare steg fel trender jämförelse vejledning bedste alt vide begyndere
    trin fejl opas paras parhaat vinkkejä aloittelijoille průvodce nejlepší tipy útmutató legjobb tippek ghid complet
    rehber rehberi tam iyi ipuçları

    руководство гид полное лучший лучшие советы всё начинающих введение понять шаги ошибки тренды сравнение посібник
    найкращі поради
"""
_GENERIC: Final = frozenset(_WORDS.split())


def importance(word: str) -> float:
    """1 for a word of the subject, GENERIC_WEIGHT for one of titles in general or a recent year."""
    folded = word.casefold()
    return GENERIC_WEIGHT if folded in _GENERIC or _CURRENT_YEAR.fullmatch(folded) else 1.0
