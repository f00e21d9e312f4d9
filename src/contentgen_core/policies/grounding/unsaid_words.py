"""Find the words of a claim that none of its sources has. A claim's content words carry its statement: where one of
them is nowhere in the cited passages, they do not state it, however well the rest is found. Another form, a part of a
compound, or a word of the same meaning in a similar place counts as found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import ceil
from typing import Final

from contentgen_core.model.text import Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.evidence import ParsedPassage
from contentgen_core.policies.grounding.light_words import LIGHT_WORDS
from contentgen_core.policies.grounding.nearness import Nearness
from contentgen_core.policies.grounding.polarity import likeness
from contentgen_core.policies.grounding.polarity_words import LEXICONS
from contentgen_core.policies.text.facts import fold_name

FEWEST_COMMON: Final = 4
"""Letters that two forms of a word have in common."""
COMMON_SHARE: Final = 0.6
"""The same of the longer one's letters, from the first on."""
PART_LETTERS: Final = 5
"""Of a word that another one is composed with."""
ENDING: Final = 2
"""The most letters at the end of a word by which it may differ in a compound."""
COMPOUNDING: Final = frozenset(
    {Language.DE, Language.NL, Language.SV, Language.NO, Language.DA, Language.FI, Language.HU}
)
"""Languages that write compounds, and verbs with their particles, as one word."""
_WITHOUT: Final = re.compile(r"(?:l[oø]s|l[oø]se[mnrst]?|loos|loze|frei(?:e[mnrs]?)?)$")
"""The end of a word of COMPOUNDING, folded, that says what is not there: "kostenlos" is no form of "kostet"."""
SAME_MEANING: Final = frozenset({"amount"})
"""Groups of the lists of directions whose words may stand for each other (to rise, to increase). The others hold what
is good, or bad, in different ways: "dangerous" and "poor"."""
SAID_NEAR: Final = 0.2
"""The nearness to a word of the sources from which a word may be said there: 0 is that of any two words."""


def unsaid_words(
    tokens: Sequence[Token], facts: Collection[Token], sources: Sequence[ParsedPassage], words: Nearness | None
) -> tuple[str, ...]:
    """Return the content words of a claim that no source has, each once, in order. `tokens`: of the claim; `facts`:
    those of them that are judged as facts. `sources`: those in the claim's language; none: nothing is missing. `words`:
    nearness of words; None, or a word that it does not know: only forms count."""
    if not sources:
        return ()
    language = sources[0].language
    light = LIGHT_WORDS.get(language, frozenset())
    told = (t for t in tokens if not t.stop and t.text.isalpha() and t not in facts and fold_name(t.text) not in light)
    found = [token for token in told if not _is_said(token, sources, language)]
    beside = words_beside(tokens, sources) if found else ()
    found = [token for token in found if not _has_same_meaning(token, beside, language)]
    if words is not None:
        found = [token for token in found if max(words.of(token.text, beside), default=0.0) < SAID_NEAR]
    return tuple(dict.fromkeys(token.text for token in found))


def words_beside(tokens: Iterable[Token], sources: Iterable[ParsedPassage]) -> tuple[str, ...]:
    """Return the words of the sources that may replace a word of the claim: from the sentences that share most of its
    content words, the words that the claim lacks or has less often. Among the words of many sentences one is near to
    any word by chance."""
    claimed = Counter(token.term for token in tokens if not token.stop)
    shared = [(len(claimed.keys() & s.terms), s) for source in sources for s in source.sentences]
    most = max((count for count, _ in shared), default=0)
    found: dict[str, None] = {}
    for sentence in (s for count, s in shared if count == most > 0):
        own = [token for token in sentence.tokens if not token.stop and token.text.isalpha()]
        left = Counter(token.term for token in own) - claimed
        found |= {token.text: None for token in own if token.term in left}
    return tuple(found)


def _is_said(token: Token, sources: Sequence[ParsedPassage], language: Language) -> bool:
    word = fold_name(token.text)
    for source in sources:
        if word in source.words or likeness(token.term, source.words, source.beginnings):
            return True
        if any(_is_form(word, other, language) for other in source.content_words):
            return True
    return False


def _has_same_meaning(token: Token, beside: Iterable[str], language: Language) -> bool:
    lexicon = LEXICONS[language]
    sides = {side for side in lexicon.contraries(token.text.lower()) if side.group in SAME_MEANING}
    return bool(sides) and any(not sides.isdisjoint(lexicon.contraries(word.lower())) for word in beside)


def _is_form(word: str, other: str, language: Language) -> bool:
    """Whether two words, folded, are forms of one, or one is a part of the other."""
    if language not in COMPOUNDING:
        return _begin_alike(word, other)
    if bool(_WITHOUT.search(word)) != bool(_WITHOUT.search(other)):
        return False
    ours, theirs = _participles(word), _participles(other)
    return any(_begin_alike(one, two) or _is_part(one, two) or _is_part(two, one) for one in ours for two in theirs)


def _begin_alike(word: str, other: str) -> bool:
    least = max(FEWEST_COMMON, ceil(COMMON_SHARE * max(len(word), len(other))))
    return len(word) >= least and word[:least] == other[:least]


def _is_part(word: str, other: str) -> bool:
    return len(word) >= PART_LETTERS and word[: max(PART_LETTERS, len(word) - ENDING)] in other


def _participles(word: str) -> tuple[str, ...]:
    """Return the word, and its form without the "ge" of a German or Dutch participle (gemeldet, abgebürstet)."""
    bare = word.replace("ge", "", 1)
    return (word, bare) if len(bare) >= FEWEST_COMMON and bare != word else (word,)
