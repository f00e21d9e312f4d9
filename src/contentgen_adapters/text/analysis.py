"""The text analysis port over ICU segmentation, Snowball stems and stopwordsiso."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Final, Generic, TypeVar

from contentgen_adapters.shared.text import segments
from contentgen_adapters.shared.text.sentences import sentence_spans
from contentgen_adapters.text.numbers import grouped_numbers
from contentgen_adapters.text.terms import MAX_WORD, Part, TermRules
from contentgen_core.model.text import Span, Token
from contentgen_core.model.vocabulary import Language

_CACHE_SIZE: Final = 50_000  # words, and as many runs, per language; some 20 MB when full
_LONGEST_RUN: Final = 40  # characters; without spaces between words a run is a sentence, which does not come again

# A word that needs no ICU to be told: letters of these alphabets, and at most a mark behind them.
_ONE_WORD: Final = re.compile("([A-Za-zÀ-ÖØ-öø-ɏа-яА-ЯёЁіїєґІЇЄҐ]+)[,.;:!?)]?")

T = TypeVar("T")


class IcuTextAnalysis:
    """Sentences, words and terms in the 28 languages.

    Words are ICU's (with dictionaries for Chinese, Japanese and Thai); hyphenated compounds are split; `%` and currency
    signs are words. Stems are Snowball's where it supports the language; short lists remove Ukrainian case endings and
    frequent Korean particles; Hebrew prefixes are kept. Vietnamese syllables are words. Deterministic, never fails,
    thread-safe; results are cached per word, with and without its punctuation.
    """

    def __init__(self) -> None:
        self._languages = {language: _Vocabulary(language) for language in Language}

    def sentences(self, text: str, language: Language) -> tuple[Span, ...]:
        return sentence_spans(text, language)

    def tokens(self, text: str, language: Language) -> tuple[Token, ...]:
        located = self._languages[language].located_parts(segments.readable(text))
        new = tuple.__new__  # as Token(…) does it, without a call of Python for each word
        return tuple(
            [new(Token, (start, end, text[start:end], term, stop)) for start, end, (_, _, term, stop) in located]
        )

    def terms(self, text: str, language: Language) -> tuple[str, ...]:
        vocabulary = self._languages[language]
        readable = segments.readable(text)
        if grouped_numbers(readable, language):
            return tuple(part.term for _, _, part in vocabulary.located_parts(readable) if not part.stop)
        return tuple(chain.from_iterable(vocabulary.terms(readable)))


class _Vocabulary:
    """The cached analysis of one language: by word, and by run, the text between two spaces. A space is a boundary to
    ICU whatever stands around it, so a run has the same words in every text.
    """

    def __init__(self, language: Language) -> None:
        self._language = language
        self._rules: TermRules | None = None
        self._words: dict[str, tuple[Part, ...]] = {}
        self._parts = _Cache(self._segment)
        self._terms = _Cache(self._terms_of)

    def located_parts(self, text: str) -> Iterator[tuple[int, int, Part]]:
        """The words of a text in order, each as (start, end, part)."""
        if grouped := grouped_numbers(text, self._language):
            yield from self._with_grouped(text, grouped)
            return
        at, runs = 0, _runs(text)
        for run, parts in zip(runs, self._parts(runs), strict=True):
            for part in parts:
                yield at + part[0], at + part[1], part
            at += len(run) + 1

    def terms(self, text: str) -> list[tuple[str, ...]]:
        """The terms of each run of a text without grouped numbers."""
        return self._terms(_runs(text))

    def _terms_of(self, runs: Sequence[str]) -> Iterator[tuple[str, ...]]:
        return (tuple([part.term for part in parts if not part.stop]) for parts in self._segment(runs))

    def _segment(self, runs: Sequence[str]) -> Iterator[tuple[Part, ...]]:
        """The parts of each run."""
        alone = {run: self._word(match[1]) for run in runs if (match := _ONE_WORD.fullmatch(run))}
        if len(alone) == len(runs):
            return iter(alone.values())
        others = [run for run in runs if run not in alone]
        found = alone | dict(zip(others, self._split_runs(others), strict=True))
        return (found[run] for run in runs)

    def _split_runs(self, runs: Sequence[str]) -> Iterator[tuple[Part, ...]]:
        """The parts of each run, in one pass of ICU. Line breaks part the runs: not even a combining mark joins one."""
        text = "\n".join(runs)
        words = segments.words(text, self._language)
        start = end = 0
        for run in runs:
            found: list[Part] = []
            while end < start + len(run):
                begin, end = next(words)
                by = begin - start
                found += (part.moved(by) for part in self._word(text[begin:end]))
            yield tuple(found)
            start += len(run) + 1

    def _with_grouped(self, text: str, grouped: Mapping[int, int]) -> Iterator[tuple[int, int, Part]]:
        done = 0
        for start, end in segments.words(text, self._language):
            if start < done:
                continue
            if start in grouped:
                done = grouped[start]
                yield start, done, self.rules.part(text[start:done], 0)
                continue
            for part in self._word(text[start:end]):
                yield start + part.start, start + part.end, part

    def _word(self, word: str) -> tuple[Part, ...]:
        found = self._words.get(word)
        if found is None:
            found = self.rules.parts(word)
            if len(word) <= MAX_WORD:
                if len(self._words) >= _CACHE_SIZE:
                    self._words = {}
                self._words[word] = found
        return found

    @property
    def rules(self) -> TermRules:
        if self._rules is None:
            self._rules = TermRules(self._language)
        return self._rules


class _Cache(Generic[T]):
    """A cache of analysed runs. It needs no lock: a dictionary's operations are atomic, all threads write the same
    values, and nothing is ever removed from one. A full dictionary is replaced by its older half, which has the most
    frequent runs.
    """

    def __init__(self, make: Callable[[Sequence[str]], Iterator[T]]) -> None:
        """`make`: of several runs at once, for each of them."""
        self._make = make
        self._known: dict[str, T] = {}

    def __call__(self, runs: Sequence[str]) -> list[T]:
        known = self._known
        missing = list(set(runs).difference(known))
        if not missing:
            return list(map(known.__getitem__, runs))
        made = dict(zip(missing, self._make(missing), strict=True))
        if len(known) >= _CACHE_SIZE:
            self._known = dict(islice(known.items(), _CACHE_SIZE // 2))
        self._known.update({run: one for run, one in made.items() if len(run) <= _LONGEST_RUN})
        return [made[run] if run in made else known[run] for run in runs]


def _runs(text: str) -> list[str]:
    """Split a text at spaces and line breaks; a run is empty where two follow each other."""
    return text.replace("\n", " ").split(" ")
