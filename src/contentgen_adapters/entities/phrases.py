"""What a document keeps saying: recurring pairs of neighbouring terms, and in scripts without capitals (and in German,
where every noun has one) recurring words.

A pair counts when the document has it at least MIN_COUNT times and its terms stand together more often than chance has
it, by Dunning's log-likelihood ratio (1993, "Accurate methods for the statistics of surprise and coincidence"), whose
distribution is that of chi-squared with one degree of freedom. Words count from MIN_WORD times on, by their number."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, TypeAlias

from attrs import frozen

from contentgen_core.model.entity import MAX_ENTITY_NAME
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.fact_words import UNITS
from contentgen_core.policies.text.facts import folded

CASELESS: Final = frozenset({Language.ZH, Language.JA, Language.KO, Language.TH, Language.HI, Language.AR, Language.HE})
UNSPACED: Final = frozenset({Language.ZH, Language.JA, Language.TH})
MIN_COUNT: Final = 2
MIN_WORD: Final = 3
SURPRISE: Final = 10.83
"""Of the log-likelihood ratio: chance gives more once in a thousand times."""
_ROMANCE: Final = re.compile(
    r"[ \u00a0](?:de|du|des|à|au|aux|di|del|della|da|do|dos|de la|de los|de las|al|a|cu|pe)[ \u00a0]"
    r"|[ \u00a0](?:de l|d|dell|all)['’]"
)
_ROMANCE_LANGUAGES: Final = frozenset({Language.FR, Language.ES, Language.IT, Language.PT, Language.RO})
_NEIGHBOURS: Final = re.compile(r"[ \u00a0-]")
_LEAST: Final = 3
_LEAST_CASELESS: Final = 2
_LEAST_GERMAN: Final = 6
BASE: Final = 4
PER_PASSAGE: Final = 2
"""A document has at most so many phrases."""
PLACES: Final = 2
"""Passages in which a phrase's form is looked for."""
_WORD: Final = re.compile(r"[^\W_]+")
_BEGINNING: Final = 2
_PREFIXING: Final = Language.ID
"""Whose stems are without the prefixes of words."""
_REMEMBERED: Final = 50_000

Word: TypeAlias = tuple[int, int, str]
"""Start, end and term."""


@frozen
class Phrase:
    """`key`: its terms; `name`: as it is first written; `counts`: by passage."""

    key: str
    name: str
    counts: tuple[int, ...]


class PhraseFinder:
    """The phrases of one language's documents, the most repeated first."""

    def __init__(self, analysis: TextAnalysis, language: Language) -> None:
        self._analysis, self._language = analysis, language
        self._often = MIN_WORD + (language is Language.DE)  # whose compounds are one word, and whose others are many
        self._least = 1 if language in UNSPACED else _LEAST_CASELESS if language in CASELESS else _LEAST
        self._said: dict[str, bool] = {}
        self._terms: dict[str, str] = {}
        self._beginnings: dict[str, str] = {}

    def __call__(self, passages: Sequence[Passage]) -> list[Phrase]:
        pairs_of = [list(pairwise(passage.terms)) for passage in passages]
        recurring = [pair for pair in Counter(chain.from_iterable(pairs_of)).items() if pair[1] >= MIN_COUNT]
        alone = self._language in CASELESS or self._language is Language.DE
        if not recurring and not alone:
            return []
        words = Counter(chain.from_iterable(passage.terms for passage in passages))
        total = sum(words.values())
        chosen: list[tuple[float, tuple[str, ...]]] = []
        for pair, count in recurring:
            first, second = pair
            if first != second and self._says(first) and self._says(second):
                ratio = surprise(count, words[first], words[second], total)
                if ratio >= SURPRISE:
                    chosen.append((ratio, pair))
        if alone:
            chosen += [
                (float(n), (word,))
                for word, n in words.items()
                if n >= self._often and len(word) > 1 and self._says(word)
            ]
        chosen.sort(key=lambda entry: (-entry[0], entry[1]))
        return self._written([terms for _, terms in chosen[: BASE + PER_PASSAGE * len(passages)]], passages, pairs_of)

    def _says(self, term: str) -> bool:
        """Whether it may be part of a concept's name: no number, unit or letter."""
        says = self._said.get(term)
        if says is None:
            if len(self._said) > _REMEMBERED:
                self._said.clear()
            says = len(term) >= self._least and not any(map(str.isdigit, term)) and term not in UNITS
            self._said[term] = says
        return says

    def _written(
        self,
        wanted: Sequence[tuple[str, ...]],
        passages: Sequence[Passage],
        pairs_of: Sequence[list[tuple[str, str]]],
    ) -> list[Phrase]:
        """The phrases with their first form in the text; a pair whose words are never neighbours there is none."""
        read: dict[int, list[Word]] = {}
        beginnings = frozenset(self._begins(term[:_BEGINNING]) for terms in wanted for term in terms)
        found = []
        for terms in wanted:
            if len(terms) == 1:
                counts = tuple(passage.terms.count(terms[0]) for passage in passages)
            else:
                counts = tuple(pairs.count((terms[0], terms[1])) for pairs in pairs_of)
            for index in [i for i, count in enumerate(counts) if count][:PLACES]:
                if index not in read:
                    read[index] = self._words(passages[index].text, beginnings)
                name = self._form(passages[index].text, read[index], terms)
                if name:
                    found.append(Phrase(" ".join(terms), name, counts))
                    break
        return found

    def _words(self, text: str, beginnings: frozenset[str]) -> list[Word]:
        """The words whose terms begin so, and maybe others; stop words aside. Where letters and spaces alone tell words
        apart, looking up the few that can matter is a small part of the work of analysing the whole text."""
        if self._language in CASELESS:
            tokens = self._analysis.tokens(text, self._language)
            return [(token.span.start, token.span.end, token.term) for token in tokens if not token.stop]
        words = []
        for match in _WORD.finditer(text):
            word = match[0]
            if self._begins(word[:_BEGINNING]) in beginnings or self._language is _PREFIXING:
                term = self._term(word)
                if term:
                    words.append((match.start(), match.end(), term))
        return words

    def _begins(self, letters: str) -> str:
        """By what the beginnings of words and of their terms are compared."""
        begins = self._beginnings.get(letters)
        if begins is None:
            begins = self._beginnings[letters] = folded(letters)[:_BEGINNING]
        return begins

    def _term(self, word: str) -> str:
        term = self._terms.get(word)
        if term is None:
            if len(self._terms) > _REMEMBERED:
                self._terms.clear()
            term = self._terms[word] = " ".join(self._analysis.terms(word, self._language))
        return term

    def _form(self, text: str, words: Sequence[Word], terms: tuple[str, ...]) -> str:
        if len(terms) == 1:
            spans = [(start, end) for start, end, term in words if term == terms[0] and self._is_noun(text[start:end])]
        else:
            spans = [
                (a[0], b[1])
                for a, b in pairwise(words)
                if a[2] == terms[0] and b[2] == terms[1] and self._together(text[a[1] : b[0]])
            ]
        names = [" ".join(text[start:end].split()) for start, end in spans]
        plain = [name for name in names if name == name.lower()]  # not the one that begins a sentence
        name = next((name for name in (*plain, *names) if len(name) <= MAX_ENTITY_NAME), "")
        begins = name[1:] == name[1:].lower() and self._language is not Language.DE
        return name[:1].lower() + name[1:] if begins else name

    def _is_noun(self, word: str) -> bool:
        return self._language is not Language.DE or (word[:1].isupper() and len(word) >= _LEAST_GERMAN)

    def _together(self, gap: str) -> bool:
        if self._language in UNSPACED and gap == "":
            return True
        if self._language in _ROMANCE_LANGUAGES and _ROMANCE.fullmatch(gap):
            return True
        return _NEIGHBOURS.fullmatch(gap) is not None


def surprise(both: int, one: int, other: int, total: int) -> float:
    """Dunning's ratio of a pair seen `both` times, of words seen `one` and `other` times among `total`; 0 when the pair
    is rarer than chance has it."""
    if both * total <= one * other:
        return 0.0
    table = (both, one - both, other - both, total - one - other + both)
    rows = (one, one, total - one, total - one)
    columns = (other, total - other, other, total - other)
    return 2 * sum(
        seen * math.log(seen * total / (row * column))
        for seen, row, column in zip(table, rows, columns, strict=True)
        if seen > 0
    )
