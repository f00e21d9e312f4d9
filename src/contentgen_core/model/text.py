"""Sentences, words and stems in the 28 languages, for retrieval, coverage and grounding."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from attrs import frozen

from contentgen_core.model.vocabulary import Language


@frozen
class Span:
    """Characters [start, end) of a text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


class Token(NamedTuple):
    """A word at characters [start, end) of a text. `term`: its stem, case-folded and without accents where users of the
    language omit them; `stop`: whether it is a stop word. A tuple, since there is one for each word that is read."""

    start: int
    end: int
    text: str
    term: str
    stop: bool

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


@frozen
class TextBlock:
    """A block of a text without its markup; citations `[n]` stay. `level`: of a heading, 1 to 6, else 0."""

    text: str
    level: int = 0


class TextAnalysis(Protocol):
    """Deterministic, total (any text gives an answer) and thread-safe."""

    def sentences(self, text: str, language: Language) -> tuple[Span, ...]:
        """The sentences in order, without surrounding white space; none is empty; abbreviations do not end one."""
        ...

    def tokens(self, text: str, language: Language) -> tuple[Token, ...]:
        """The words and numbers in order; a number keeps its separators (`3,5`, `1 000`) as one token."""
        ...

    def terms(self, text: str, language: Language) -> tuple[str, ...]:
        """The terms of the tokens that are no stop words, in order. A term has no white space and is never empty."""
        ...
