"""What a group of passages names most: headings for texts that have none."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from contentgen_adapters.llm.wording import capitalised
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language

MOST_WORDS: Final = 4
LEAST_LETTERS: Final = 4
_LONGER: Final = 0.35
"""What each further word of a phrase adds to its weight."""
_CONNECTORS: Final = r"(?: (?:of|of the|de|du|des|de la|de los|del|der|des|von|van|di|della|da|dos))?"
_CAPITALISED: Final = r"[^\W\d_a-zà-öø-ÿ][\w’'-]*\w"
_NAME: Final = re.compile(rf"(?<![.!?…:«“\"(] )(?<=[\w,;)] )({_CAPITALISED}(?:{_CONNECTORS} {_CAPITALISED}){{0,3}})")
_POSSESSIVE: Final = re.compile(r"['’]s$")
_WORD: Final = re.compile(r"[^\W\d_]+")
_MONTH_OR_DAY: Final = re.compile(
    r"^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|januar|februar|märz|mai|juni|juli"
    r"|okt|dez|ene|abr|ago|dic|jahr)\w{0,6}$",
    re.IGNORECASE,
)


def key_phrases(group: Sequence[Passage], others: Sequence[Passage], topic: str, analysis: TextAnalysis) -> list[str]:
    """Names (in German also nouns) of the group's text as headings, the most telling first: often in the group, seldom
    in the others, and not words of the topic. One that ends in a stop word ("METHODS We") or that the group mostly
    writes in lower case is no name."""
    language = group[0].document.language
    asked = set(analysis.terms(topic, language))
    own, elsewhere = _counted(group), _counted(others)
    common = _common_words(group, own) if language is not Language.DE else frozenset()
    scored: list[tuple[float, str]] = []
    for phrase, count in own.items():
        terms = analysis.terms(phrase, language)
        if not terms or asked.issuperset(terms) or not _tells(phrase, count, language):
            continue
        if phrase in common or not analysis.terms(phrase.split()[-1], language):
            continue
        longer = 1 + _LONGER * (min(len(terms), MOST_WORDS) - 1)
        scored.append((count * longer * math.log(1 + (1 + len(others)) / (1 + elsewhere[phrase])), phrase))
    return [capitalised(phrase) for _, phrase in sorted(scored, key=lambda pair: (-pair[0], pair[1]))]


def _counted(passages: Iterable[Passage]) -> Counter[str]:
    found = (match.group(1) for p in passages for match in _NAME.finditer(" ".join(p.text.split())))
    return Counter(_POSSESSIVE.sub("", phrase) for phrase in found)


def _common_words(passages: Iterable[Passage], names: Counter[str]) -> frozenset[str]:
    """The single words among these names that the passages write in lower case as often: words of the language."""
    single = {name.lower(): name for name in names if name.isalpha() and name[1:].islower()}
    plain = Counter(word for p in passages for word in _WORD.findall(p.text) if word in single)
    return frozenset(single[word] for word, count in plain.items() if count >= names[single[word]])


def _tells(phrase: str, count: int, language: Language) -> bool:
    if len(phrase) < LEAST_LETTERS or _MONTH_OR_DAY.match(phrase):
        return False
    return count > 1 or " " in phrase
