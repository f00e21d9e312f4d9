"""Finds sentences that refer to what stands before them: by their first words, by words anywhere, by a series."""

from __future__ import annotations

import re
from typing import Final

from contentgen_adapters.llm.phrases import phrases
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.patterns_by_language import PatternsByLanguage

ADVERBIAL_WORDS: Final = 4
_CONJUNCTIONS: Final = frozenset(
    (
        "and",
        "or",
        "but",
        "et",
        "ou",
        "mais",
        "und",
        "oder",
        "aber",
        "y",
        "o",
        "e",
        "pero",
        "ma",
        "en",
        "of",
        "maar",
        "mas",
    )
)
_BEGINNINGS: Final = PatternsByLanguage(
    {
        Language.EN: r"(?:(?:after|before|behind|with|without|for|like|under|above|beside|besides|from|of|among|between"
        r"|around|against|following|since|until|alongside) (?:him|it|them|this|that|these|those)"
        r"|as such|later|afterwards?|subsequently|soon after(?:wards)?|shortly after(?:wards)?|by then|at that time"
        r"|since then|in turn|the (?:previous|preceding|earlier))\b",
        Language.FR: r"(?:(?:après|avant|derrière|devant|avec|sans|pour|chez|contre|sous|sur|parmi|entre|depuis|malgré"
        r"|autour d['’]|à côté d['’]|près d['’]|face à|grâce à|quant à) ?(?:lui|elles?|eux|cela|ceci|celui-ci|celle-ci"
        r"|ceux-ci|celles-ci)|en tant que tel(?:le)?s?|comme tel(?:le)?s?|plus tard|par la suite|peu après"
        r"|entre-temps|depuis lors|dès lors|à (?:son|leur) tour|à cette (?:époque|date|fin)|à l['’]époque"
        r"|(?:le|la|les) \w+ précédent(?:e?s?))\b",
        Language.DE: r"(?:(?:nach|vor|hinter|neben|mit|ohne|für|bei|von|zu|unter|über|um|gegen|durch|seit|aus|außer)"
        r" (?:ihm|ihr|ihnen|ihn)|als solche[rsn]?|später|bald (?:darauf|danach)|kurz (?:darauf|danach)|anschließend"
        r"|daraufhin|inzwischen|unterdessen|seitdem|seither|damals|in der Zwischenzeit|tatsächlich"
        r"|(?:der|die|das) (?:vorherige|vorige|bisherige|alte)n?)\b",
        Language.ES: r"(?:(?:detrás de|después de|antes de|delante de|junto a|frente a|con|sin|para|por|tras|contra"
        r"|entre|ante|desde) (?:él|ellas?|ellos?|ello|eso|esto)|como tal(?:es)?|posteriormente|más tarde|mientras tanto"
        r"|entretanto|a su vez|por su parte|(?:poco|tiempo) después|desde entonces|por entonces|en ese momento"
        r"|ademas|(?:el|la|los|las) (?:\w+ anterior(?:es)?|antigu[oa]s?))\b",
        Language.IT: r"(?:(?:dopo di|prima di|dietro di|con|senza|per|contro|tra|fra|oltre a|accanto a) (?:lui|lei|loro"
        r"|ciò|questo|quello|ess[oaie])|come tal[ei]|in quanto tal[ei]|successivamente|in seguito|più tardi"
        r"|nel frattempo|da allora|a (?:sua|loro) volta|poco dopo)\b",
        Language.NL: r"(?:(?:na|voor|achter|met|zonder|naast|bij|van|onder|tegen|over) (?:hem|haar|hen|hun|dat|die)"
        r"|als zodanig|later|daarna|intussen|ondertussen|vervolgens|sindsdien|op (?:zijn|haar|hun) beurt|destijds)\b",
        Language.PT: r"(?:(?:depois|antes|atrás|além|perto) (?:dele|dela|deles|delas|disso|disto)|(?:com|sem|para|por"
        r"|contra|entre) (?:ele|ela|eles|elas|isso|isto)|como tal|posteriormente|mais tarde|entretanto|em seguida"
        r"|desde então|por sua vez|pouco depois|na época)\b",
    },
    re.IGNORECASE,
)
"""First words that refer to what stood before, beside those of `Phrases.dangling`."""
_ANYWHERE: Final = PatternsByLanguage(
    {
        Language.EN: r"\b(?:these (?:\w+ )?\w+s|the (?:latter|former)|as (?:above|below)|is another|are other"
        r"|(?:that|the (?:same|next|following|previous)) (?:day|night|morning|evening|week|month|season|year)"
        r"|(?:minutes?|hours?|days?|weeks?|months?|years?|decades?|seasons?) later|later (?:that|at)"
        r"|(?:according|thanks|due) to (?:him|her|it|them|this|that)"
        r"|from there|(?<!and )(?<!, )(?:therefore|thus|furthermore|moreover))\b",
        Language.FR: r"\b(?:ces (?:deux|trois|quatre|cinq|différent\w*|derni\w+)|ce dernier|cette dernière|est un autre"
        r"|est une autre|ci-dessus|ci-dessous|le lendemain|la veille|le même (?:jour|soir|mois)"
        r"|la même (?:année|semaine)"
        r"|l['’]année (?:suivante|précédente)|(?:heures?|jours?|semaines?|mois|années?|ans?) (?:plus tard|auparavant)"
        r"|(?:selon|d['’]après|grâce à) (?:lui|elle|eux|elles)"
        r"|là-bas|(?<!et )(?<!, )(?:donc|en outre|par conséquent))\b",
        Language.DE: r"\b(?:diese (?:beiden|zwei|drei|vier|fünf)|letztere[rsn]?|erstere[rsn]?|ist ein weiterer"
        r"|ist eine weitere|siehe (?:oben|unten)|tags darauf|(?:am|im) (?:selben|gleichen|nächsten|folgenden) (?:Tag"
        r"|Abend|Morgen|Monat|Jahr)|(?:Stunden?|Tage?|Wochen?|Monate?|Jahre?) (?:später|zuvor)"
        r"|laut (?:ihm|ihr|ihnen)|von dort|dort(?:hin|her)|(?<!und )(?<!, )(?:daher|deshalb|außerdem|zudem))\b",
        Language.ES: r"\b(?:est[ao]s (?:dos|tres|cuatro|cinco|últim\w+)|este último|esta última|es otr[oa]"
        r"|al (?:día|mes|año) siguiente|(?:el|ese|en el) mismo (?:día|mes|año)"
        r"|(?:horas?|días?|semanas?|meses|mes|años?) (?:después|más tarde|antes)(?! de)|(?:de|desde) (?:allí|ahí)"
        r"|según (?:él|ellas?|ellos)"
        r"|(?<!y )(?<!, )(?:por (?:lo )?tanto|además(?! de)))\b",
        Language.IT: r"\b(?:quest[ie] (?:due|tre|quattro|ultim\w+)|quest'ultim[oa]|è un altro|è un'altra"
        r"|il giorno (?:dopo|seguente|successivo)|lo stesso (?:giorno|mese|anno)|(?:or[ae]|giorn[oi]|mes[ei]|ann[oi])"
        r" dopo|da lì|secondo (?:lui|lei|loro))\b",
        Language.NL: r"\b(?:deze (?:twee|drie|vier|vijf)|laatstgenoemde|is een ander|de volgende dag|dezelfde dag"
        r"|dezelfde maand|hetzelfde jaar|(?:uur|dagen|weken|maanden|jaar) later|daarvandaan"
        r"|volgens (?:hem|haar|hen))\b",
        Language.PT: r"\b(?:est[ae]s (?:dois|duas|três|quatro|últim\w+)|este último|esta última|é outr[oa]"
        r"|n[oa] (?:dia|mês|ano) seguinte|no mesmo (?:dia|mês|ano)|(?:horas?|dias?|meses|anos?) depois(?! de)"
        r"|de lá|dali|segundo (?:ele|elas?|eles))\b",
    },
    re.IGNORECASE,
)
"""Words that refer to what stood before, wherever they stand in a sentence."""
_LAST: Final = PatternsByLanguage(
    {
        Language.EN: r"(?:immediately|directly|right|straight|soon|shortly|just|long) (?:after(?:wards?)?|before)"
        r"|(?:come|follow|happen)s? (?:next|then|after(?:wards?)?|later)",
        Language.FR: r"(?:immédiatement|directement|juste|aussitôt|tout de suite|peu|bientôt|longtemps) (?:après|avant)"
        r"|(?:vient|viennent|suit|suivent) (?:ensuite|après|plus tard)",
        Language.DE: r"(?:kurz|gleich|direkt|unmittelbar|sofort|bald) (?:danach|darauf|davor|zuvor)"
        r"|(?:folgt|folgen|kommt|kommen) (?:dann|danach|anschließend|später|als Nächstes)",
        Language.ES: r"(?:inmediatamente|directamente|justo|poco|enseguida) (?:después|antes)"
        r"|(?:viene|vienen|sigue|siguen) (?:después|luego|a continuación|más tarde)",
        Language.IT: r"(?:immediatamente|direttamente|subito|poco) (?:dopo|prima)"
        r"|(?:viene|vengono|segue|seguono) (?:poi|dopo|in seguito)",
        Language.NL: r"(?:onmiddellijk|direct|meteen|kort|vlak) (?:daarna|erna|daarop|ervoor|daarvoor)"
        r"|(?:volgt|volgen|komt|komen) (?:dan|daarna|erna|vervolgens|later)",
        Language.PT: r"(?:imediatamente|diretamente|logo|pouco) (?:depois|antes)"
        r"|(?:vem|vêm|segue|seguem) (?:depois|em seguida|mais tarde)",
    },
    re.IGNORECASE,
    before=r"\b(?:",
    after=r")(?=[.!;:,»”\"]|$)",
)
"""Words at the end of a clause that place it beside what stood before, and beside nothing that it names itself."""
_SERIES: Final = re.compile(
    r"(?:(?:an?|the) (?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
    r"|(?:une?|la|le) (?:deuxième|seconde?|troisième|quatrième|cinquième|sixième|septième|huitième|neuvième|dixième)"
    r"|(?:eine?|der|die|das) (?:zweite|dritte|vierte|fünfte|sechste|siebte|achte|neunte|zehnte)[rs]?"
    r"|(?:una?|la|el) (?:segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa])"
    r"|(?:un[oa']?|la|il) ?(?:second[oa]|terz[oa]|quart[oa]|quint[oa]|sest[oa])"
    r"|(?:een|de|het) (?:tweede|derde|vierde|vijfde|zesde)"
    r"|(?:uma?|o|a) (?:segund[oa]|terceir[oa]|quart[oa]|quint[oa]|sext[oa]))\b",
    re.IGNORECASE,
)
"""Beginnings of a further one of several things."""


def refers_back(sentence: str, language: Language) -> bool:
    """Whether a sentence begins with, or has, words that refer to things or a time named before it."""
    words, last = phrases(language), _LAST.get(language)
    beginning, anywhere = _BEGINNINGS.get(language), _ANYWHERE.get(language)
    return (
        words.points_back(sentence)
        or words.points_back(_after_adverbial(sentence))
        or (beginning is not None and beginning.match(sentence) is not None)
        or (anywhere is not None and anywhere.search(sentence) is not None)
        or (last is not None and last.search(sentence) is not None)
        or _SERIES.match(sentence) is not None
    )


def _after_adverbial(text: str) -> str:
    """Return the text after a short phrase and a comma at a sentence's beginning (`In April 2022, he went on`); else
    nothing, as where the phrase itself goes on (`Phishing, or scam mail, is`).
    """
    lead, comma, rest = text.partition(", ")
    goes_on = rest.partition(" ")[0] in _CONJUNCTIONS
    return rest if comma and len(lead.split()) <= ADVERBIAL_WORDS and not goes_on else ""
