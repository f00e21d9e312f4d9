"""Find the names that a group of passages mentions most, as headings for texts that have none."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from contentgen_adapters.llm.wording import capitalise
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language

MOST_WORDS: Final = 4
LEAST_LETTERS: Final = 4
_LONGER: Final = 0.35
"""What each further word of a phrase adds to its weight."""
RECURRING: Final = 2
"""Times that a noun stands after a determiner where it is what a text is on."""
_CONNECTORS: Final = r"(?: (?:of|of the|de|du|des|de la|de los|del|der|des|von|van|di|della|da|dos))?"
_CAPITALISED: Final = r"[^\W\d_a-zà-öø-ÿ][\w’'-]*\w"
_NAME: Final = re.compile(rf"(?<![.!?…:«“\"(] )(?<=[\w,;)] )({_CAPITALISED}(?:{_CONNECTORS} {_CAPITALISED}){{0,3}})")
_COMPLEMENT: Final = re.compile(r"\b(?:of|de|du|des|d['’]|del|di|della|da|dos|von|van) ?$")
_FOLLOWING: Final = re.compile(r" [a-z]{3,}")
_INFLECTED: Final = re.compile(r"[a-zß](?:em|en|es)\b |[a-zß]{3}s [A-ZÄÖÜ]")
_SMALL: Final = "[a-zà-öø-ÿœ][a-zà-öø-ÿœ-]{4,}"
_DETERMINED: Final = {
    language: re.compile(rf"(?<![\w-])(?:{determiners})({_SMALL})({following})?(?![\w-])")
    for language, determiners, following in (
        (Language.EN, "(?:the|a|an|of|each|every|no) ", rf" of {_SMALL}"),
        (Language.FR, "(?:le|la|les|un|une|des|du|de|aux?) |[ld]['’]", rf" (?:de |d['’]|par |à ){_SMALL}"),
        (Language.ES, "(?:el|la|los|las|un|una|unos|unas|del|de|al) ", rf" (?:de|por) {_SMALL}"),
        (
            Language.IT,
            "(?:il|lo|la|i|gli|le|un|una|del|dello|della|dei|degli|delle|di) |l['’]",
            rf" (?:di|da) {_SMALL}",
        ),
        (Language.PT, "(?:o|a|os|as|um|uma|do|da|dos|das|de) ", rf" (?:de|por) {_SMALL}"),
        (Language.NL, "(?:de|het|een|van) ", rf" van {_SMALL}"),
    )
}
"""A noun after a determiner, and a second noun that belongs to it."""
_POSSESSIVE: Final = re.compile(r"['’]s$")
_WORD: Final = re.compile(r"[^\W\d_]+")
_MONTH_OR_DAY: Final = re.compile(
    r"^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|januar|februar|märz|mai|juni|juli"
    r"|okt|dez|ene|abr|ago|dic|jahr)\w{0,6}$",
    re.IGNORECASE,
)


def key_phrases(group: Sequence[Passage], others: Sequence[Passage], topic: str, analysis: TextAnalysis) -> list[str]:
    """Return names (in German also nouns) of the group's text as headings, then recurring nouns, the most telling
    first: often in the group, seldom in the others, and not words of the topic. A phrase that ends in a stop word
    ("METHODS We") or that the group mostly writes in lower case does not count as a name.
    """
    language = group[0].document.language
    asked = set(analysis.terms(topic, language))
    own, elsewhere = _count_phrases(group, language), _count_phrases(others, language)
    common = _common_words(group, own) if language is not Language.DE else frozenset()
    named = {phrase: n for phrase, n in own.items() if phrase not in common and _tells(phrase, n, language)}
    nouns, of_others = _nouns(group, language), _nouns(others, language)
    recurring = {phrase: n for phrase, n in nouns.items() if n >= RECURRING}

    def ranked(phrases: Mapping[str, int], known: Mapping[str, int]) -> list[str]:
        scored: list[tuple[float, str]] = []
        for phrase, count in phrases.items():
            terms = analysis.terms(phrase, language)
            if not terms or asked.issuperset(terms) or not analysis.terms(phrase.split()[-1], language):
                continue
            longer = 1 + _LONGER * (min(len(terms), MOST_WORDS) - 1)
            scored.append((count * longer * math.log(1 + (1 + len(others)) / (1 + known[phrase])), phrase))
        return [capitalise(phrase) for _, phrase in sorted(scored, key=lambda pair: (-pair[0], pair[1]))]

    return ranked(named, elsewhere) + ranked(recurring, of_others)


def _count_phrases(passages: Iterable[Passage], language: Language) -> Counter[str]:
    texts = (" ".join(p.text.split()) for p in passages)
    found = (match for text in texts for match in _NAME.finditer(text) if not _is_a_part(match, language))
    return Counter(_POSSESSIVE.sub("", match[1]) for match in found)


def _is_a_part(match: re.Match[str], language: Language) -> bool:
    """Whether words with capitals are hardly a name of their own: the end of a longer phrase and a name beside it (`le
    maire de Paris Bertrand Delanoë`), an attribute (`a Hungarian-language Romanian news portal`), a German noun with
    its genitive (`Spielzeit New Englands Versuch`) or with an inflected adjective (`DVB-konformem MPEG-2`)."""
    text, phrase = match.string, match[1]
    if " " not in phrase:
        return False
    follows = _FOLLOWING.match(text, match.end())
    return (
        (phrase.count(" ") > 1 and phrase == phrase.title() and _COMPLEMENT.search(text, 0, match.start()) is not None)
        or (language is Language.EN and "-" in phrase and follows is not None)
        or (language is Language.DE and _INFLECTED.search(phrase) is not None)
    )


def _nouns(passages: Iterable[Passage], language: Language) -> Counter[str]:
    """The nouns of small letters in a text, as the determiners before them show, also with what follows them."""
    pattern = _DETERMINED.get(language)
    if pattern is None:
        return Counter()
    found = (match for p in passages for match in pattern.finditer(" ".join(p.text.split())))
    return Counter(phrase for match in found for phrase in {match[1], match[1] + (match[2] or "")})


def _common_words(passages: Iterable[Passage], names: Counter[str]) -> frozenset[str]:
    """The single words among these names that the passages write in lower case as often: words of the language."""
    single = {name.lower(): name for name in names if name.isalpha() and name[1:].islower()}
    plain = Counter(word for p in passages for word in _WORD.findall(p.text) if word in single)
    return frozenset(single[word] for word, count in plain.items() if count >= names[single[word]])


def _tells(phrase: str, count: int, language: Language) -> bool:
    if len(phrase) < LEAST_LETTERS or _MONTH_OR_DAY.match(phrase):
        return False
    return count > 1 or " " in phrase
