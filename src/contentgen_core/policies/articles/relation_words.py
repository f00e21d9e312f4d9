"""The words by which a sentence states a relation between two things, by language.

Closed lists of forms that are nothing but verbs: without a tagger, "power", "limite" or "cause" cannot be told from
nouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final

from attrs import field, frozen

from contentgen_core.model.vocabulary import Language


def _anywhere(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _between_words(pattern: str) -> re.Pattern[str]:
    return _anywhere(rf"(?<=\s)(?:{pattern})(?=\s)")


@frozen(kw_only=True)
class RelationWords:
    """Patterns, made of regular expressions. `verb`: of verb groups; `excluding`: of words that deny or restrict a
    statement, or leave open what it is on; `incomplete`: of words that no subject ends with; `continuing`: of words
    after a comma that begin another statement; `joining`: of words that no object begins with."""

    verb: re.Pattern[str] = field(converter=_between_words)
    excluding: re.Pattern[str] = field(converter=_anywhere)
    incomplete: re.Pattern[str] = field(converter=_anywhere)
    continuing: re.Pattern[str] = field(converter=_anywhere)
    joining: re.Pattern[str] = field(converter=_anywhere)


_ENGLISH: Final = partial(
    RelationWords,
    verb=r"(?:(?:can|may|will|must|should|could) )?(?:absorbs?|accelerates?|affects?|allows?|attracts|becomes?"
    r"|comprises?|connects?|contains?|creates?|describes?|destroys?|determines?|emits?|employs?|enables?|encloses?"
    r"|encourages?|exceeds?|generates?|governs?|improves?|includes?|indicates?|influences|inhibits?|invades?"
    r"|involves?|maintains?|manages?|measures|owns?|predicts?|prevents?|produces|protects?|provides?|reduces?"
    r"|regulates?|removes?|replaces?|represents?|requires?|serves|simplifies|stabilises|stimulates|strengthens?"
    r"|supplies|surrounds?|threatens?|transfers|transforms|transmits|triggers|means|(?:depend|rel(?:y|ie)"
    r"|focus)(?:e?s)? on|(?:lead|contribute|belong|appl(?:y|ie)|adapt)(?:e?s)? to|consists? of|results? (?:in|from)"
    r"|flows? (?:into|through)|turns? into|accounts? for|competes? with)|(?:became|began|beat|contained|created"
    r"|defeated|destroyed|founded|governed|included|invaded|joined|killed|launched|led|lost|married|owned|prevented"
    r"|produced|published|received|replaced|succeeded|triggered|won|wrote)|(?:is|are|was|were|can be|may be|must be"
    r"|should be|has been|have been)(?: (?:usually|often|mainly|typically|closely))? \w{2,}(?:ed|ilt|ade|eld|en|wn"
    r"|ound|ught) (?:by|from|for|of|into)|(?:is|are|was|were) (?:located (?:in|on|at|near)|connected (?:to|with)"
    r"|based on|part of|one of|known as|(?:an?|the) (?:\w+ )?\w+ (?:of|for|between))",
    excluding=r"\b(?:not|never|no|nor|neither|without|if|unless|only|except|hardly|rarely|although|though|whether"
    r"|when|where|while|because|since|until|than|however|that|which|who|whose|whom|what|how|why|it|its|he|she|his|her"
    r"|they|their|them|this|these|those|such|there|we|our|you|your|i|my|both|another|others?|latter|former|so|then"
    r"|therefore|most)\b",
    incomplete=r"(?:an?|the|in|of|at|by|for|with|from|to|on|and|or|is|are|was|were|be|been|has|have|had|can|may|will"
    r"|would|could|should|must|also|often|usually|normally|typically|fully|now|either|\w+ly)",
    continuing=r"(?:which|who|and|but|while|whereas)\b",
    joining=r"(?:and|or|to|by|in|on|at|as|due|with|from|up|out)\b",
)

_FRENCH: Final = partial(
    RelationWords,
    verb=r"(?:(?:peut|peuvent|doit|doivent|permet de|permettent de|sert à|servent à|consiste à|consistent à) "
    r"(?!être)\w{2,}(?:er|ir|re)|(?:abrite|absorbe|accélère|achète|affecte|améliore|aggrave|assure|atteint|autorise"
    r"|bloque|chiffre|concerne|conserve|contient|comprend|constitue|convient à|définit|désigne|détecte|détermine"
    r"|détruit|dépasse|devient|divise|élimine|empêche|entoure|entraîne|évite|exige|exploite|facilite|favorise|fournit"
    r"|garantit|gouverne|héberge|identifie|implique|impose|inclut|indique|influence|limite|menace|mesure|modifie"
    r"|nécessite|obtient|possède|précède|prévient|produit|protège|provoque|ralentit|réduit|relie|remplace|remporte"
    r"|renforce|représente|requiert|sépare|signifie|simplifie|stocke|subit|suit|transforme|traverse|utilise|valide"
    r"|vérifie|permet)(?:nt)?|(?:contiennent|comprennent|conviennent à|définissent|deviennent|détruisent|fournissent"
    r"|garantissent|obtiennent|préviennent|produisent|réduisent|requièrent|subissent|suivent|permettent|devint"
    r"|devinrent|fonda|épousa|remporta)|(?:dépend|dépendent|fait partie|font partie|résulte|résultent|provient"
    r"|proviennent|se compose|se composent) (?:de|du|des)|(?:appartient|appartiennent|correspond|correspondent|mène"
    r"|mènent|aboutit|s'applique|s'appliquent|contribue) (?:à|au|aux)|repose sur|reposent sur|s'appuie sur|s'appuient "
    r"sur|(?:est|sont|était|étaient|fut|furent|a été|ont été) \w{2,}(?:é|i|is|it|u|rt)e?s? (?:par|de|du|des)|(?:est"
    r"|sont|fut|furent) l['’]une? des|(?:est|fut) (?:une?|le|la) \w+ (?:de|du|des))",
    excluding=r"\b(?:ne|pas|jamais|aucune?|ni|sans|si|sauf|seulement|uniquement|rarement|lorsque|quand|où|tandis|car"
    r"|parce|depuis|jusqu|cependant|que|qui|dont|lequel|laquelle|lesquel\w+|comment|pourquoi|il|elle|ils|elles|on"
    r"|nous|vous|ce|cet|cette|ces|cela|celui|celle|ceux|celles|son|sa|ses|leur|leurs|notre|votre|autres?|tel|telle"
    r"|donc|alors|y)\b|\b[nq]['’]|\bqu['’]|\bs['’](?!appui|appliq)",
    incomplete=r"(?:une?|les?|la|l['’]|de|du|des|d['’]|à|au|aux|en|dans|par|pour|sur|sous|avec|et|ou|est|sont|a|ont"
    r"|se|\w+ment)",
    continuing=r"(?:qui|dont|et|mais|tandis)\b",
    joining=r"(?:et|ou|par|aussi|comme|moins|en|dans|directement|contre|vite)\b|d['’](?=\w+er\b)",
)

_GERMAN: Final = partial(
    RelationWords,
    verb=r"(?:(?:beeinflusst|begrenzt|begünstigt|beherbergt|beinhaltet|benötigt|beschleunigt|besitzt|bestimmt|bewirkt"
    r"|blockiert|definiert|erfordert|erhöht|ermöglicht|erreicht|ersetzt|erzeugt|finanziert|gefährdet|hemmt"
    r"|kontrolliert|liefert|mindert|nutzt|produziert|reduziert|regelt|regiert|reguliert|schützt|schwächt|senkt"
    r"|speichert|stärkt|steigert|steuert|überwacht|umfasst|umgibt|unterstützt|verbessert|verbindet|verbraucht"
    r"|verdrängt|verhindert|verlängert|vermeidet|verringert|verstärkt|verursacht|verwendet|zerstört|gewann|verlor"
    r"|gründete|ersetzte|besiegte|eroberte|verursachte|wurde zu|führt zu|führte zu|gehört zu|gehörte zu|besteht aus"
    r"|bestand aus|beruht auf|beruhen auf|gehören zu|bestehen aus|führen zu|enthält)|(?:benötigen|ermöglichen"
    r"|erzeugen|nutzen|reduzieren|schützen|senken|umfassen|verhindern|verringern|verursachen|verwenden|zerstören"
    r"|enthalten)|(?:ist|sind|war|waren) (?:Teil|einer der|eine der|eines der))",
    excluding=r"\b(?:nicht|nie|kein\w*|weder|ohne|wenn|falls|nur|außer|kaum|selten|obwohl|ob|während|weil|da|seit"
    r"|seitdem|bis|jedoch|dass|welche\w*|wer|was|wie|warum|er|sie|es|ihn|ihm|ihr\w*|sein|seine\w*|diese\w*|jene\w*"
    r"|solche\w*|wir|unser\w*|man|beide\w*|andere\w*|dabei|dadurch|daher|deshalb|dann|damit|davon|dazu|sich|auch|um"
    r"|am meisten)\b",
    incomplete=r"(?:der|die|das|den|dem|des|eine?[nmrs]?|in|im|am|an|auf|von|vom|zu|zum|zur|mit|für|bei|und|oder|ist"
    r"|sind|war|waren|wird|werden|wurde|wurden|hat|haben|kann|können|teilweise)",
    continuing=r"(?:und|aber|während|wobei|sodass)\b",
    joining=r"(?:und|oder|von|vom|in|im|an|am|auf|bei|mit|zu|zur|zum|wegen)\b",
)

_SPANISH: Final = partial(
    RelationWords,
    verb=r"(?:(?:puede|pueden|debe|deben|permite|permiten) (?!ser)\w{2,}(?:ar|er|ir)|(?:abarca|absorbe|acelera|afecta"
    r"|alcanza|aumenta|bloquea|conserva|contiene|controla|crea|cubre|desarrolla|describe|determina|domina|elimina"
    r"|emplea|entrega|evita|exige|facilita|favorece|genera|gobierna|impulsa|incluye|incrementa|indica|mejora|mide"
    r"|modifica|muestra|necesita|obtiene|ocupa|ofrece|permite|posee|precede|produce|proporciona|protege|provoca"
    r"|reduce|reemplaza|regula|representa|requiere|rodea|separa|significa|simplifica|suministra|sustituye|transforma"
    r"|utiliza)n?|(?:causó|ganó|venció|perdió|fundó|provocó|produjo|destruyó|creó|sustituyó|incluyó|mató)|(?:depende"
    r"|dependen|forma parte|forman parte|procede|proceden|consta|constan|deriva|derivan|resulta) (?:de|del)"
    r"|(?:pertenece|pertenecen|conduce|conducen|contribuye|equivale|corresponde|corresponden) (?:a|al)|consiste en"
    r"|consisten en|se basa en|se basan en|se convierte en|se convirtió en|(?:es|son|era|eran|fue|fueron|está|están"
    r"|ha sido|han sido) \w{2,}[aeis][dt][oa]s? (?:por|de|del)|(?:es|son|fue|fueron) (?:uno de|una de|parte de))",
    excluding=r"\b(?:no|nunca|ningun\w*|ni|sin|si|salvo|sólo|solo|solamente|apenas|aunque|cuando|donde|mientras"
    r"|porque|pues|hasta|desde|que|quien\w*|cual\w*|cuy[oa]s?|cómo|él|ella|ellos|ellas|est[ea]|est[oa]s|es[ea]"
    r"|es[oa]s|aquel\w*|su|sus|nuestr\w+|otr[oa]s?|tal|tales|entonces|así|también|le|les|lo)\b",
    incomplete=r"(?:el|la|los|las|una?|unos|unas|de|del|a|al|en|por|para|con|sobre|y|o|es|son|fue|se|ha|han|ahora"
    r"|\w+mente)",
    continuing=r"(?:y|pero|mientras)\b",
    joining=r"(?:y|o|por|en|como|con|gravemente)\b",
)

_OF: Final[Mapping[Language, Callable[[], RelationWords]]] = {
    Language.EN: _ENGLISH,
    Language.FR: _FRENCH,
    Language.DE: _GERMAN,
    Language.ES: _SPANISH,
}


@cache
def relation_words(language: Language) -> RelationWords | None:
    """The words of a language; None for one in which nothing is taken for a relation. Their patterns are compiled at
    the first call."""
    words = _OF.get(language)
    return None if words is None else words()
