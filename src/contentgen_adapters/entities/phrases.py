"""Recurring phrases of a document: pairs of adjacent terms (collocations), and single words in scripts without capitals
and in German, where every noun has one.

A pair counts when it occurs at least MIN_COUNT times, and its terms are adjacent more often than by chance: by
Dunning's log-likelihood ratio (1993, "Accurate methods for the statistics of surprise and coincidence"), which follows
the chi-squared distribution with one degree of freedom. A word counts when it occurs at least MIN_WORD times."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain, islice, pairwise
from typing import Final, TypeAlias

from attrs import frozen

from contentgen_adapters.entities.noun_phrases import NounPhrases, Place
from contentgen_core.model.entity import MAX_ENTITY_NAME
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.fact_words import UNITS
from contentgen_core.policies.text.facts import fold_name

CASELESS: Final = frozenset({Language.ZH, Language.JA, Language.KO, Language.TH, Language.HI, Language.AR, Language.HE})
UNSPACED: Final = frozenset({Language.ZH, Language.JA, Language.TH})
MIN_COUNT: Final = 2
MIN_WORD: Final = 3
MIN_RATIO: Final = 10.83
"""Least log-likelihood ratio: a significance level of 0.001."""
_ROMANCE: Final = re.compile(
    r"[ \u00a0](?:de|du|des|à|au|aux|di|del|della|da|do|dos|de la|de los|de las|al|a|cu|pe)[ \u00a0]"
    r"|[ \u00a0](?:de l|d|dell|all)['’]"
)
_ROMANCE_LANGUAGES: Final = frozenset({Language.FR, Language.ES, Language.IT, Language.PT, Language.RO})
_ADJACENT: Final = re.compile(r"[ \u00a0-]")
_MIN_LETTERS: Final = 3
_MIN_LETTERS_CASELESS: Final = 2
_MIN_LETTERS_GERMAN: Final = 6
MIN_PHRASES: Final = 4
PHRASES_PER_PASSAGE: Final = 2
"""A document has at most MIN_PHRASES plus this many per passage."""
SEARCHED_PASSAGES: Final = 4
"""Passages that are searched for the spelling of a phrase and for what stands around it."""
_WORD: Final = re.compile(r"[^\W_]+")
_PREFIX_LENGTH: Final = 2
_PREFIXING: Final = frozenset({Language.ID, Language.NL})
"""Languages whose stemmers remove prefixes (Dutch `ge-`): word and term may begin differently."""
_CACHE_SIZE: Final = 50_000

Word: TypeAlias = tuple[int, int, str]
"""Start, end and term."""


@frozen
class Phrase:
    """A phrase of a document. `key`: its terms, joined by spaces. `name`: its first spelling in the text. `counts`: how
    often each passage has it, by the passage's place, in order, without passages that lack it.
    """

    key: str
    name: str
    counts: Mapping[int, int]


class PhraseFinder:
    """Finds the phrases of documents in one language, the most significant first."""

    def __init__(self, analysis: TextAnalysis, language: Language) -> None:
        self._analysis, self._language = analysis, language
        self._min_count = MIN_WORD + (language is Language.DE)  # German compounds are single words: more words recur
        self._min_letters = (
            1 if language in UNSPACED else _MIN_LETTERS_CASELESS if language in CASELESS else _MIN_LETTERS
        )
        self._contentful: dict[str, bool] = {}
        self._terms: dict[str, str] = {}
        self._prefixes: dict[str, str] = {}
        self._noun_phrases = None if language in UNSPACED else NounPhrases(language, self._term)

    def __call__(self, passages: Sequence[Passage]) -> list[Phrase]:
        pairs = Counter(chain.from_iterable(pairwise(passage.terms) for passage in passages))
        recurring = [pair for pair in pairs.items() if pair[1] >= MIN_COUNT]
        single_words = self._language in CASELESS or self._language is Language.DE
        if not recurring and not single_words:
            return []
        words = Counter(chain.from_iterable(passage.terms for passage in passages))
        total = sum(words.values())
        chosen: list[tuple[float, tuple[str, ...]]] = []
        for pair, count in recurring:
            first, second = pair
            if first != second and self._is_content_term(first) and self._is_content_term(second):
                ratio = log_likelihood_ratio(count, words[first], words[second], total)
                if ratio >= MIN_RATIO:
                    chosen.append((ratio, pair))
        if single_words:
            chosen += [
                (float(n), (word,))
                for word, n in words.items()
                if n >= self._min_count and len(word) > 1 and self._is_content_term(word)
            ]
        chosen.sort(key=lambda entry: (-entry[0], entry[1]))
        return self._with_names(
            [terms for _, terms in chosen[: MIN_PHRASES + PHRASES_PER_PASSAGE * len(passages)]], passages
        )

    def _is_content_term(self, term: str) -> bool:
        """Whether a term may be part of a concept's name: not a number, a unit or a letter."""
        is_content = self._contentful.get(term)
        if is_content is None:
            if len(self._contentful) > _CACHE_SIZE:
                self._contentful.clear()
            is_content = len(term) >= self._min_letters and not any(map(str.isdigit, term)) and term not in UNITS
            self._contentful[term] = is_content
        return is_content

    def _with_names(self, wanted: Sequence[tuple[str, ...]], passages: Sequence[Passage]) -> list[Phrase]:
        """The phrases with their first spelling in the text, without pairs that are never adjacent there or no noun
        phrase."""
        counts_of = _counts(wanted, passages)
        searched: defaultdict[int, set[tuple[str, ...]]] = defaultdict(set)
        for terms, counts in counts_of.items():
            for place in islice(counts, SEARCHED_PASSAGES):
                searched[place].add(terms)
        spans = {place: self._spans(passages[place].text, sought) for place, sought in searched.items()}
        found: dict[str, Phrase] = {}
        for terms, counts in counts_of.items():
            places = [
                Place(passages[place].text, start, end)
                for place in islice(counts, SEARCHED_PASSAGES)
                for start, end in spans[place].get(terms, ())
            ]
            key = " ".join(terms)
            if len(terms) > 1 and self._noun_phrases is not None:
                places = self._noun_phrases(places)
                key = " ".join(self._analysis.terms(places[0].phrase, self._language)) if places else ""
            name = self._form(places)
            if name and key:
                found.setdefault(key, Phrase(key, name, counts))
        return list(found.values())

    def _words(self, text: str, terms: Iterable[str]) -> list[Word]:
        """The words that have one of these terms, and possibly others, without stop words. In scripts with spaces,
        stemming only words that begin alike takes a fraction of the time of analysing the whole text."""
        if self._language in CASELESS:
            tokens = self._analysis.tokens(text, self._language)
            return [(token.start, token.end, token.term) for token in tokens if not token.stop]
        prefixes = {self._prefix(term[:_PREFIX_LENGTH]) for term in terms}
        words = []
        for match in _WORD.finditer(text):
            word = match[0]
            if self._prefix(word[:_PREFIX_LENGTH]) in prefixes or self._language in _PREFIXING:
                term = self._term(word)
                if term:
                    words.append((match.start(), match.end(), term))
        return words

    def _prefix(self, letters: str) -> str:
        """The form in which the first letters of words and of terms are compared."""
        prefix = self._prefixes.get(letters)
        if prefix is None:
            prefix = self._prefixes[letters] = fold_name(letters)[:_PREFIX_LENGTH]
        return prefix

    def _term(self, word: str) -> str:
        term = self._terms.get(word)
        if term is None:
            if len(self._terms) > _CACHE_SIZE:
                self._terms.clear()
            term = self._terms[word] = " ".join(self._analysis.terms(word, self._language))
        return term

    def _spans(self, text: str, sought: Set[tuple[str, ...]]) -> dict[tuple[str, ...], list[tuple[int, int]]]:
        """Return the positions of these pairs of adjacent words, and of these words, in a text."""
        words = self._words(text, chain.from_iterable(sought))
        spans: defaultdict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        for start, end, term in words:
            if (term,) in sought and self._is_noun(text[start:end]):
                spans[term,].append((start, end))
        for (start, first_end, first), (second_start, end, second) in pairwise(words):
            if (first, second) in sought and self._are_adjacent(text[first_end:second_start]):
                spans[first, second].append((start, end))
        return spans

    def _form(self, places: Sequence[Place]) -> str:
        names = [" ".join(place.phrase.split()) for place in places]
        plain = [name for name in names if name == name.lower()]  # preferred to one at the beginning of a sentence
        name = next((name for name in (*plain, *names) if len(name) <= MAX_ENTITY_NAME), "")
        lower_first = name[1:] == name[1:].lower() and self._language is not Language.DE
        return name[:1].lower() + name[1:] if lower_first else name

    def _is_noun(self, word: str) -> bool:
        return self._language is not Language.DE or (word[:1].isupper() and len(word) >= _MIN_LETTERS_GERMAN)

    def _are_adjacent(self, gap: str) -> bool:
        if self._language in UNSPACED and gap == "":
            return True
        if self._language in _ROMANCE_LANGUAGES and _ROMANCE.fullmatch(gap):
            return True
        return _ADJACENT.fullmatch(gap) is not None


def _counts(wanted: Iterable[tuple[str, ...]], passages: Sequence[Passage]) -> dict[tuple[str, ...], dict[int, int]]:
    """Count each pair or word in each passage that has it, by the passage's place."""
    counts: dict[tuple[str, ...], dict[int, int]] = {terms: {} for terms in wanted}
    single_words = any(len(terms) == 1 for terms in counts)
    for place, passage in enumerate(passages):
        words = zip(passage.terms) if single_words else ()
        for terms, times in Counter(filter(counts.__contains__, chain(pairwise(passage.terms), words))).items():
            counts[terms][place] = times
    return counts


def log_likelihood_ratio(both: int, one: int, other: int, total: int) -> float:
    """Dunning's log-likelihood ratio of a pair of terms; 0 when the pair is rarer than by chance.

    `both`: occurrences of the pair. `one`, `other`: of each term. `total`: of all terms.
    """
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
