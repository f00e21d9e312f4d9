"""Words that say when a text was written, and so are wrong some day without any change of its sources."""

from __future__ import annotations

import re
from typing import Final

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.patterns_by_language import PatternsByLanguage

_DATED: Final = PatternsByLanguage(
    {
        Language.EN: r"(?:this|last|next) (?:year|month|week|season|quarter|spring|summer|autumn|fall|winter|decade)"
        r"|today|yesterday|tomorrow|currently|at present|nowadays|recently|so far|to date|years? ago|months? ago",
        Language.FR: r"cette (?:année|semaine|saison)|ce (?:mois|trimestre|printemps)|cet (?:été|hiver|automne)"
        r"|l['’]an (?:dernier|prochain)|l['’]année (?:dernière|prochaine)|le mois (?:dernier|prochain)"
        r"|la semaine (?:dernière|prochaine)"
        r"|aujourd['’]hui|actuellement|à l['’]heure actuelle|de nos jours|récemment|à ce jour|il y a \w+ (?:ans|mois)",
        Language.DE: r"(?:dieses|letztes|nächstes) (?:Jahr|Quartal)|(?:diesen|letzten|nächsten) (?:Monat|Sommer|Winter)"
        r"|(?:in diesem|im letzten|im nächsten) (?:Jahr|Monat|Sommer|Winter)|heute|gestern|(?-i:morgen)|derzeit|zurzeit"
        r"|gegenwärtig|aktuell|neuerdings|kürzlich|bislang|bisher|vor \w+ (?:Jahren|Monaten)",
        Language.ES: r"este (?:año|mes|trimestre|verano|invierno)|esta (?:semana|temporada|primavera)"
        r"|el (?:año|mes) (?:pasado|próximo)|el próximo (?:año|mes)|la semana (?:pasada|próxima)|hoy|ayer|actualmente"
        r"|en la actualidad|recientemente|hasta la fecha|hace \w+ (?:años|meses)",
        Language.IT: r"quest['’]anno|questo mese|questa settimana|l['’]anno (?:scorso|prossimo)|il mese scorso"
        r"|oggi|ieri|attualmente|recentemente|finora|\w+ (?:anni|mesi) fa",
        Language.PT: r"este (?:ano|mês)|esta semana|no (?:ano|mês) passado|próximo (?:ano|mês)|hoje|ontem|atualmente"
        r"|recentemente|até à? data|há \w+ (?:anos|meses)",
        Language.NL: r"dit (?:jaar|kwartaal|seizoen)|deze (?:maand|week|zomer|winter)|(?:vorig|volgend) jaar"
        r"|vorige maand|vandaag|gisteren|momenteel|tegenwoordig|onlangs|tot nu toe|\w+ jaar geleden",
    },
    re.IGNORECASE,
    before=r"\b(?:",
    after=r")\b",
)


def dated_words(sentence: str, language: Language) -> str | None:
    """The first words of a sentence that refer to the time of writing; None in languages without a list."""
    pattern = _DATED.get(language)
    found = pattern.search(sentence) if pattern else None
    return found[0] if found else None
