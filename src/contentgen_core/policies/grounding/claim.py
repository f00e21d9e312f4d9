"""Parse a claim (a sentence to be checked) and find its words in the sources that it cites."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from attrs import field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.text import Span, TextAnalysis, Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.evidence import HEAD_COUNTS, ParsedPassage, Window
from contentgen_core.policies.grounding.exchanged_words import exchanges
from contentgen_core.policies.grounding.nearness import Nearness
from contentgen_core.policies.grounding.polarity import Polarity, likeness
from contentgen_core.policies.grounding.unsaid_words import unsaid_words
from contentgen_core.policies.text.facts import (
    Figure,
    bracketed_abbreviations,
    codes,
    figures,
    fold_name,
    months,
    names,
    spelled_figures,
    two_word_codes,
)
from contentgen_core.policies.text.verbatim import quotations

# From this length on a longer term weighs no more.
LONG_TERM: Final = 12

_WORD: Final = re.compile(r"[^\W\d_]+")

Shares = tuple[float, ...]
"""How surely each of a claim's terms is found, in 0..1, in the order of its weights."""


@frozen(eq=False)
class Found:
    """The places of a claim's terms in one source."""

    terms: tuple[str, ...]
    source: ParsedPassage
    _within: dict[tuple[int, int], Shares] = field(init=False, factory=dict)

    @cached_property
    def head(self) -> Shares:
        """The terms in the title and heading. They count less: a heading names the subject, but states nothing of
        it."""
        found = self._shares(self.source.head_terms, self.source.head_beginnings)
        return tuple([HEAD_COUNTS * share for share in found])

    @cached_property
    def sentences(self) -> tuple[Shares, ...]:
        return tuple([self._shares(sentence.terms, sentence.beginnings) for sentence in self.source.sentences])

    @cached_property
    def anywhere(self) -> Shares:
        return self._shares(self.source.words, self.source.beginnings)

    def within(self, first: int, length: int) -> Shares:
        """Return the terms in `length` sentences from `first` on, or in the title and heading."""
        found = self._within.get((first, length))
        if found is None:
            before = self.within(first, length - 1) if length > 1 else self.head
            found = tuple(map(max, before, self.sentences[first + length - 1]))
            self._within[first, length] = found
        return found

    def _shares(self, words: frozenset[str], starts: frozenset[str]) -> Shares:
        return tuple([likeness(term, words, starts) for term in self.terms])


@frozen
class Claim:
    """A parsed sentence to be checked. `weights`: its distinct content terms, longer (rarer) ones weighing more;
    `parts`: the share of each in the total; `found`, `verbatim`: for each source, the places of the terms, and the
    place of the whole claim word for word; `near`: the nearness in meaning to each sentence of a source, empty where
    unknown; `exchanged`: words that replace a word of a source's sentence and mean something else; `unsaid`: words,
    other than those of facts, that no source in the claim's language has."""

    text: str
    tokens: tuple[Token, ...]
    weights: dict[str, float]
    parts: Shares
    pairs: frozenset[tuple[str, str]]
    figures: tuple[Figure, ...]
    months: dict[int, str]
    names: tuple[Token, ...]
    quotations: tuple[str, ...]
    polarity: Polarity
    found: dict[SourceRef, Found]
    verbatim: dict[SourceRef, Span | None]
    near: dict[SourceRef, tuple[float, ...]]
    exchanged: tuple[str, ...]
    unsaid: tuple[str, ...]

    @classmethod
    def read(
        cls,
        text: str,
        sources: Sequence[ParsedPassage],
        analysis: TextAnalysis,
        language: Language,
        nearness: Nearness | None = None,
    ) -> Claim:
        tokens = analysis.tokens(text, language)
        terms = [t.term for t in tokens if not t.stop]
        weights = weights_of(terms)
        total = sum(weights.values())
        settled = _verified_spans(text, tokens, sources)
        written = figures(_blank_out(text, settled), language)
        measures = {figure.text for figure in written if figure.unit}
        named = tuple(
            name
            for name in names(text, tokens, language)
            if name.text not in measures and not _is_within(name, settled)
        )
        counted = (*written, *spelled_figures(tokens, language))
        dates = months(text, tokens, language)
        facts = {word for fact in (*(f.text for f in counted), *dates.values()) for word in _WORD.findall(fact)}
        judged = {*named, *(t for t in tokens if t.text in facts or _is_within(t, settled))}
        own = [source for source in sources if source.language is language]
        return cls(
            text=text,
            tokens=tokens,
            weights=weights,
            parts=tuple(weight / total for weight in weights.values()),
            pairs=frozenset(pairwise(terms)),
            figures=counted,
            months=dates,
            names=named,
            quotations=quotations(text),
            polarity=_polarity(tokens, sources, language),
            found={source.passage.ref: Found(tuple(weights), source) for source in sources},
            verbatim={source.passage.ref: source.wording.find(text) for source in sources},
            near={
                source.passage.ref: nearness.of(text, source.compared)
                if nearness is not None and source.passage.document.language is language
                else ()
                for source in sources
            },
            exchanged=() if nearness is None else _exchanged_words(tokens, sources, nearness, language),
            unsaid=unsaid_words(tokens, judged, own, None if nearness is None else nearness.words),
        )

    def is_verbatim_in(self, window: Window) -> bool:
        span = self.verbatim[window.source.passage.ref]
        return span is not None and window.start <= span.start and span.end <= window.end

    def share(self, found: Iterable[Shares]) -> float:
        """The weighted share of the terms found in any of these, in 0..1; 0 for a claim without terms."""
        return sum(
            part * share for part, share in zip(self.parts, best_shares(found), strict=False)
        )  # nothing found: nothing to add up

    def within(self, window: Window) -> Shares:
        """Return the terms in the window's sentences, or in the source's title and heading."""
        return self.found[window.source.passage.ref].within(window.first, window.length)


def weights_of(terms: Iterable[str]) -> dict[str, float]:
    """Return the weight of each of a claim's terms."""
    return {term: min(len(term), LONG_TERM) ** 0.5 for term in terms}


def _exchanged_words(
    tokens: Sequence[Token], sources: Sequence[ParsedPassage], nearness: Nearness, language: Language
) -> tuple[str, ...]:
    words = nearness.words
    if words is None:
        return ()
    own = [source for source in sources if source.passage.document.language is language]
    return tuple(found.word for found in exchanges(tokens, own) if found.says_something_else(words))


def best_shares(found: Iterable[Shares]) -> Shares:
    """Return for each term the best share found; () for no input."""
    rows = list(found)
    return rows[0] if len(rows) == 1 else tuple(map(max, zip(*rows, strict=True)))


def _polarity(tokens: tuple[Token, ...], sources: Sequence[ParsedPassage], language: Language) -> Polarity:
    """Return the claim's polarity; that of a source's sentence where the claim repeats it."""
    sentences = (s for source in sources if source.language is language for s in source.sentences)
    return next((s.polarity for s in sentences if s.tokens == tokens), None) or Polarity(tokens, language)


def _verified_spans(text: str, tokens: Sequence[Token], sources: Sequence[ParsedPassage]) -> list[tuple[int, int]]:
    """Return the places of codes that the passages have (ignoring hyphens and spaces), and of abbreviations whose words
    they have; in order, without overlaps."""

    def is_in_sources(word: str) -> bool:
        return any(word in source.words for source in sources)

    found = [(start, end) for start, end, code in (*codes(text), *two_word_codes(tokens)) if is_in_sources(code)]
    for start, end, words in bracketed_abbreviations(text):
        if all(is_in_sources(fold_name(word)) for word in words.split()):
            found.append((start, end))
    return _merge_overlapping(found)


def _merge_overlapping(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans in order, overlapping ones merged."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _is_within(token: Token, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the token lies in one of the spans, which are in order and do not overlap."""
    at = bisect_right(spans, token.start, key=lambda span: span[0]) - 1
    return at >= 0 and token.start < spans[at][1]


def _blank_out(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Replace the spans, which are in order and do not overlap, by spaces."""
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], "x" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])
