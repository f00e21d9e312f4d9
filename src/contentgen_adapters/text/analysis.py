"""The text analysis port over ICU segmentation, Snowball stems and stopwordsiso."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contentgen_adapters.shared.text import segments
from contentgen_adapters.shared.text.sentences import sentence_spans
from contentgen_adapters.text.numbers import grouped_numbers
from contentgen_adapters.text.terms import MAX_WORD, Part, TermRules
from contentgen_core.model.text import Span, Token
from contentgen_core.model.vocabulary import Language

_CACHE_SIZE: Final = 100_000  # words per language; some 20 MB when full


class IcuTextAnalysis:
    """Sentences, words and terms in the 28 languages.

    Words are ICU's (with dictionaries for Chinese, Japanese and Thai); hyphenated compounds are split; `%` and currency
    signs are words. Stems are Snowball's where it supports the language; short lists remove Ukrainian case endings and
    frequent Korean particles; Hebrew prefixes are kept. Vietnamese syllables are words. Deterministic, never fails,
    thread-safe; results are cached per word.
    """

    def __init__(self) -> None:
        self._languages = {language: _Vocabulary(language) for language in Language}

    def sentences(self, text: str, language: Language) -> tuple[Span, ...]:
        return sentence_spans(text, language)

    def tokens(self, text: str, language: Language) -> tuple[Token, ...]:
        vocabulary = self._languages[language]
        return tuple(
            Token(Span(start, end), text[start:end], part.term, part.stop)
            for start, end, part in vocabulary.located_parts(segments.readable(text))
        )

    def terms(self, text: str, language: Language) -> tuple[str, ...]:
        vocabulary = self._languages[language]
        readable = segments.readable(text)
        if grouped_numbers(readable, language):
            return tuple(part.term for _, _, part in vocabulary.located_parts(readable) if not part.stop)
        known = vocabulary.terms
        terms: list[str] = []
        for start, end in segments.words(readable, language):
            word = readable[start:end]
            found = known.get(word)
            terms += vocabulary.analyse(word) if found is None else found
        return tuple(terms)


class _Vocabulary:
    """The cache of one language's words. It needs no lock: dictionary operations are atomic, and all threads write the
    same values. A full cache is cleared, which is cheaper than tracking the order of use."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._rules: TermRules | None = None
        self._parts: dict[str, tuple[Part, ...]] = {}
        self.terms: dict[str, tuple[str, ...]] = {}

    def located_parts(self, text: str) -> Iterator[tuple[int, int, Part]]:
        """The words of a text in order, each as (start, end, part)."""
        grouped = grouped_numbers(text, self._language)
        done = 0
        for start, end in segments.words(text, self._language):
            if start < done:
                continue
            if start in grouped:
                done = grouped[start]
                yield start, done, self.rules.part(text[start:done], 0)
                continue
            for part in self.parts(text[start:end]):
                yield start + part.start, start + part.end, part

    def analyse(self, word: str) -> tuple[str, ...]:
        terms = tuple(part.term for part in self.parts(word) if not part.stop)
        if len(word) <= MAX_WORD:
            if len(self.terms) >= _CACHE_SIZE:
                self.terms.clear()
            self.terms[word] = terms
        return terms

    def parts(self, word: str) -> tuple[Part, ...]:
        found = self._parts.get(word)
        if found is None:
            found = self.rules.parts(word)
            if len(word) <= MAX_WORD:
                if len(self._parts) >= _CACHE_SIZE:
                    self._parts.clear()
                self._parts[word] = found
        return found

    @property
    def rules(self) -> TermRules:
        if self._rules is None:
            self._rules = TermRules(self._language)
        return self._rules
