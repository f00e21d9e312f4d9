"""Whether a phrase that recurs in a text is a noun phrase of its own, by the words around it.

A piece of a longer phrase ("mass index" of "body mass index") always has the same neighbour, and is made whole. A piece
of a clause ("removes moisture", "consiste à publier") stands after pronouns and nouns and never after an article, or it
is followed by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Final

from attrs import evolve, frozen

from contentgen_adapters.entities.word_classes import (
    ADVERBS,
    ARTICLES,
    BEFORE_VERBS,
    DETERMINERS,
    INFINITIVES,
    IRREGULAR_VERBS,
    LARGE_NUMBERS,
    NO_ADVERBS,
    NOUNS_LIKE_INFINITIVES,
    PLURAL_MODIFIERS,
    PREPOSITIONS,
)
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.fact_words import NUMBER_WORDS

MOST_WORDS: Final = 5
_NEAR: Final = 60
"""Characters around a phrase in which its neighbours are looked for."""
_HYPHENS: Final = "-‐‑"
_GAP: Final = " \u00a0"
_APOSTROPHES: Final = "'’"
_AFTER: Final = re.compile(r"[ \u00a0]+([^\W_]+)")
_JOINED_BEFORE: Final = re.compile(rf"[^\W_]+(?:[{_HYPHENS}][^\W_]+)*[{_HYPHENS}]$")
_JOINED_AFTER: Final = re.compile(rf"[{_HYPHENS}][^\W_]+(?:[{_HYPHENS}][^\W_]+)*")
_TO: Final = frozenset({"to"})
_ROMANCE: Final = frozenset({Language.FR, Language.ES, Language.IT, Language.PT, Language.RO})
_NO_PLURAL: Final = ("ss", "us", "is", "ics", "ness", "ous")
_PARTICIPLE: Final = re.compile(r"[^\W_]{2,}(?<!e)ed")


class Edge(Enum):
    """The neighbour right before or after a phrase. `OPEN`: nothing, or a mark; `DETERMINER` to `STOP`: a stop word;
    `WORD`: another one.
    """

    OPEN = auto()
    DETERMINER = auto()
    PREPOSITION = auto()
    VERBAL = auto()
    INFINITIVE = auto()
    STOP = auto()
    WORD = auto()


@frozen
class Place:
    """A phrase at `start`..`end` of a text."""

    text: str
    start: int
    end: int

    @property
    def phrase(self) -> str:
        return self.text[self.start : self.end]

    @property
    def before(self) -> str:
        """The neighbour on the left, or ""."""
        end = self.start
        while end and self.text[end - 1] in _GAP:
            end -= 1
        if end == self.start and not (end and self.text[end - 1] in _APOSTROPHES):
            return ""
        if end and self.text[end - 1] in _APOSTROPHES:
            end -= 1
        begin = end
        while begin and self.text[begin - 1].isalnum():
            begin -= 1
        return self.text[begin:end]

    @property
    def after(self) -> str:
        match = _AFTER.match(self.text, self.end)
        return match[1] if match else ""

    def with_hyphenated(self) -> Place:
        """Return the place extended by words that hyphens join to it."""
        start, end = self.start, self.end
        if self.text[start - 1 : start] in _HYPHENS and start:
            before = _JOINED_BEFORE.search(self.text[max(0, start - _NEAR) : start])
            start -= len(before[0]) if before else 0
        if after := _JOINED_AFTER.match(self.text, end):
            end = after.end()
        return self if (start, end) == (self.start, self.end) else evolve(self, start=start, end=end)

    def with_before(self) -> Place:
        return evolve(self, start=self.text.rindex(self.before, 0, self.start))

    def with_after(self) -> Place:
        return evolve(self, end=self.text.index(self.after, self.end) + len(self.after))


class NounPhrases:
    """Knows them in one language. `term`: the term of a word, "" for a stop word."""

    def __init__(self, language: Language, term: Callable[[str], str]) -> None:
        self._language, self._term = language, term
        self._determiners = DETERMINERS.get(language, frozenset())
        self._articles = ARTICLES.get(language, frozenset())
        self._prepositions = PREPOSITIONS.get(language, frozenset())
        self._before_verbs = BEFORE_VERBS.get(language, frozenset())
        self._infinitives = INFINITIVES.get(language, ())
        self._adverbs = ADVERBS.get(language)
        self._numbers = NUMBER_WORDS.get(language, {})

    def __call__(self, places: Sequence[Place]) -> list[Place]:
        """Return the places of the whole phrase; empty when these places show that it is not a noun phrase."""
        whole = self._whole([place.with_hyphenated() for place in places if self._ends_in_noun(place.phrase)])
        if not whole or not self._may_be_one(whole[0].phrase):
            return []
        edges = [(self._edge(place.before), self._edge(place.after), place) for place in whole]
        clauses = sum(before is Edge.VERBAL or place.after.lower() in self._articles for before, _, place in edges)
        if clauses and clauses * 2 >= len(edges):
            return []
        if all(after is Edge.WORD for _, after, _ in edges):
            return []
        return whole if any(self._opens(before, place.phrase) for before, _, place in edges) else []

    def _whole(self, places: list[Place]) -> list[Place]:
        """Extend the phrase by the neighbours that are the same in all its places, if it has two or more."""
        for neighbour, widened in ((_after, Place.with_after), (_before, Place.with_before)):
            while len(places) > 1 and len(places[0].phrase.split()) < MOST_WORDS:
                words = {self._term(word) if (word := neighbour(place)) else "" for place in places}
                if len(words) != 1 or not any(words) or any(map(str.isdigit, next(iter(words)))):
                    break
                places = [widened(place) for place in places]
        return places

    def _edge(self, word: str) -> Edge:
        if not word:
            return Edge.OPEN
        plain = word.lower()
        for words, edge in (
            (self._determiners, Edge.DETERMINER),
            (self._prepositions, Edge.PREPOSITION),
            (self._before_verbs, Edge.VERBAL),
            (_TO, Edge.INFINITIVE),
        ):
            if plain in words:
                return edge
        return Edge.STOP if not self._term(word) else Edge.WORD

    def _may_be_one(self, phrase: str) -> bool:
        """Whether its words are such that it can be one."""
        words = phrase.lower().replace("’", "'").split()
        first, last = words[0], words[-1]
        if first in self._numbers or first in LARGE_NUMBERS or any(map(self._is_adverb, words)):
            return False
        return self._language is not Language.EN or not (
            _PARTICIPLE.fullmatch(last) or last in IRREGULAR_VERBS or _is_plural(first)
        )

    def _ends_in_noun(self, phrase: str) -> bool:
        """Whether the last word has the capital of a German noun, in German: its adjectives may have the same term."""
        return self._language is not Language.DE or phrase.split()[-1][:1].isupper()

    def _is_adverb(self, word: str) -> bool:
        return self._adverbs is not None and word.endswith(self._adverbs) and word not in NO_ADVERBS

    def _opens(self, before: Edge, phrase: str) -> bool:
        """Whether what stands before the phrase lets a noun phrase begin."""
        if not self._determiners or before is Edge.DETERMINER:
            return True
        first = phrase.lower().split()[0]
        if before is Edge.PREPOSITION:
            return first in NOUNS_LIKE_INFINITIVES or not first.endswith(self._infinitives)
        if self._language in _ROMANCE:
            return False
        if self._language is not Language.EN:
            return True
        return before is not Edge.INFINITIVE and not _is_verb_like(first)


def _before(place: Place) -> str:
    return place.before


def _after(place: Place) -> str:
    return place.after


def _is_plural(word: str) -> bool:
    """Whether an English word is a plural, or a verb's third person: neither modifies a noun, but for a few."""
    return word.endswith("s") and not word.endswith(_NO_PLURAL) and word not in PLURAL_MODIFIERS and len(word) > 3


def _is_verb_like(word: str) -> bool:
    """Whether an English word can be a participle that has an object."""
    return word.endswith("ing") or _PARTICIPLE.fullmatch(word) is not None
