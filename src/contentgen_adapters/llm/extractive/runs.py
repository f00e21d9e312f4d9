"""No long stretch of a source word for word: consecutive sentences of a passage do not follow one another where that
would copy more than a few dozen words. Sentences change places first; what no order breaks is marked as a quotation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

from attrs import evolve, field, frozen

from contentgen_adapters.llm.extractive.sentences import LONGEST_RUN, Sentence, SentenceReader
from contentgen_core.model.knowledge import Passage

MOST_ORDERED: Final = 6
"""Sentences of a paragraph for which every order is tried; of a longer one only neighbours change places."""


@frozen
class Place:
    """Where a sentence's words stand among those of its passage: [start, end)."""

    start: int
    end: int


@frozen
class RunBreaker:
    """Orders the sentences of a part's paragraphs. The same paragraphs always come out the same."""

    reader: SentenceReader
    _words: dict[tuple[str, int], list[str]] = field(factory=dict, eq=False, repr=False)
    _places: dict[tuple[str, int, int], Place | None] = field(factory=dict, eq=False, repr=False)

    def reordered(self, paragraphs: Sequence[Sequence[Sentence]]) -> list[list[Sentence]]:
        """The same sentences, paragraph by paragraph, without a run of more than LONGEST_RUN words outside quotations.
        The first sentence stays first where it can, and as few as possible change places."""
        done: list[list[Sentence]] = []
        before: list[Sentence] = []  # the sentences in our own words so far: a run can go on over a paragraph's end
        for paragraph in paragraphs:
            chosen = self._ordered(before, list(paragraph))
            done.append(chosen)
            before = (before + [s for s in chosen if not s.quotation])[-MOST_ORDERED:]
        return done

    def _ordered(self, before: list[Sentence], paragraph: list[Sentence]) -> list[Sentence]:
        orders = _orders(len(paragraph)) if len(paragraph) <= MOST_ORDERED else _swaps(len(paragraph))
        for order in orders:
            candidate = [paragraph[i] for i in order]
            if self._first_too_long(before, candidate) is None:
                return candidate
        quoted = paragraph
        while (at := self._first_too_long(before, quoted)) is not None:
            quoted = [evolve(s, quotation=True) if i == at else s for i, s in enumerate(quoted)]
        return quoted

    def _first_too_long(self, before: list[Sentence], paragraph: list[Sentence]) -> int | None:
        """The first sentence with which a run becomes too long. One that is too long by itself is none: no order helps,
        and the reader has already marked it."""
        run, last = 0, None
        for sentence in before:
            run, last = self._run(run, last, sentence)[1], sentence
        for i, sentence in enumerate(paragraph):
            if sentence.quotation:
                continue
            longest, run = self._run(run, last, sentence)
            if last is not None and longest > LONGEST_RUN and longest > sentence.words:
                return i
            last = sentence
        return None

    def _run(self, run: int, last: Sentence | None, sentence: Sentence) -> tuple[int, int]:
        """The longest run that ends in this sentence or goes through its beginning, and the one at its end, when `run`
        words before it are as in the source."""
        if last is None:
            return sentence.words, sentence.words
        onward = self._onward(last, sentence)
        if onward >= sentence.words:
            return run + sentence.words, run + sentence.words
        own = sentence.words + self._backward(last, sentence)
        return max(run + onward, own), own

    def _onward(self, last: Sentence, sentence: Sentence) -> int:
        """How many words of the sentence stand right after the last one in the last one's source."""
        place = self._place(last)
        if place is None:
            return 0
        return _common(self._passage(last.passage)[place.end :], self._tokens(sentence))

    def _backward(self, last: Sentence, sentence: Sentence) -> int:
        """How many of the last one's final words stand right before the sentence in the sentence's source."""
        place = self._place(sentence)
        if place is None:
            return 0
        return _common(self._passage(sentence.passage)[: place.start][::-1], self._tokens(last)[::-1])

    def _place(self, sentence: Sentence) -> Place | None:
        if sentence.key not in self._places:
            self._places[sentence.key] = _found(self._tokens(sentence), self._passage(sentence.passage))
        return self._places[sentence.key]

    def _passage(self, passage: Passage) -> list[str]:
        key = (passage.document.id, passage.chunk_index)
        if key not in self._words:
            tokens = self.reader.analysis.tokens(passage.text, passage.document.language)
            self._words[key] = [token.text.casefold() for token in tokens]
        return self._words[key]

    def _tokens(self, sentence: Sentence) -> list[str]:
        tokens = self.reader.analysis.tokens(sentence.text, sentence.passage.document.language)
        return [token.text.casefold() for token in tokens]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _found(words: list[str], among: list[str]) -> Place | None:
    starts = (i for i in range(len(among) - len(words) + 1) if among[i : i + len(words)] == words)
    start = next(starts, None)
    return None if start is None else Place(start, start + len(words))


@lru_cache
def _orders(count: int) -> tuple[tuple[int, ...], ...]:
    """All orders, those that keep the first sentence and change fewest pairs first."""

    def moved(order: tuple[int, ...]) -> tuple[bool, int]:
        return order[0] != 0, sum(a > b for a, b in combinations(order, 2))

    return tuple(sorted(permutations(range(count)), key=moved)) if count else ((),)


@lru_cache
def _swaps(count: int) -> tuple[tuple[int, ...], ...]:
    """The order as it is, and with each pair of neighbours swapped, or every second one."""
    plain = list(range(count))
    neighbours = ((*plain[:i], i + 1, i, *plain[i + 2 :]) for i in range(1, count - 1))
    return (tuple(plain), *neighbours, (*plain[::2], *plain[1::2]))
