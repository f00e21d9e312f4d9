"""Parse a passage for checking into its sentences, and into windows of up to three sentences that can support a
claim."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import Span, TextAnalysis, Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.nearness import MAX_SENTENCES
from contentgen_core.policies.grounding.polarity import Polarity, beginnings
from contentgen_core.policies.text.facts import Figure, codes, figures, fold_name, initials, months, spelled_figures
from contentgen_core.policies.text.verbatim import Wording

MAX_WINDOW: Final = 3
# A term that stands only in the title or heading counts this much: it names what "it" is, but is not said of it.
HEAD_COUNTS: Final = 0.6
# Two terms of a claim are still neighbours in a source with this many words between them.
NEIGHBOURHOOD: Final = 3


@frozen(eq=False)
class ParsedSentence:
    """A sentence of a passage. Its properties are computed on first use, since most sentences are never compared."""

    text: str
    span: Span
    tokens: tuple[Token, ...]
    language: Language

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(t.term for t in self.tokens if not t.stop)

    @cached_property
    def beginnings(self) -> frozenset[str]:
        return beginnings(self.terms)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        terms = [t.term for t in self.tokens if not t.stop]
        return frozenset((a, b) for i, a in enumerate(terms) for b in terms[i + 1 : i + 1 + NEIGHBOURHOOD])

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return (*figures(self.text, self.language), *spelled_figures(self.tokens, self.language))

    @cached_property
    def months(self) -> frozenset[int]:
        return frozenset(months(self.text, self.tokens, self.language))

    @cached_property
    def polarity(self) -> Polarity:
        return Polarity(self.tokens, self.language)


@frozen(eq=False)
class ParsedPassage:
    """A passage as read in the article's language."""

    passage: Passage
    language: Language
    head_tokens: tuple[Token, ...]
    sentences: tuple[ParsedSentence, ...]

    @classmethod
    def read(cls, passage: Passage, analysis: TextAnalysis, language: Language) -> ParsedPassage:
        spans = analysis.sentences(passage.text, language) or (Span(0, len(passage.text)),)
        texts = [(span, span.of(passage.text)) for span in spans]
        return cls(
            passage,
            language,
            analysis.tokens(_head(passage), language),
            tuple(ParsedSentence(text, span, analysis.tokens(text, language), language) for span, text in texts),
        )

    @property
    def text(self) -> str:
        return self.passage.text

    @cached_property
    def wording(self) -> Wording:
        """The sentences, prepared for searching word for word."""
        return Wording.of(self.text)

    def sentence_with(self, span: Span) -> int | None:
        """Return the index of the sentence that contains the span; None where no sentence contains all of it."""
        at = bisect_right(self.sentences, span.start, key=lambda sentence: sentence.span.start) - 1
        return at if at >= 0 and span.end <= self.sentences[at].span.end else None

    @property
    def compared(self) -> tuple[str, ...]:
        """The sentences that claims are compared with by meaning."""
        return tuple(sentence.text for sentence in self.sentences[:MAX_SENTENCES])

    @cached_property
    def words(self) -> frozenset[str]:
        """Every folded word, term and code of text, heading and title."""
        found = {code for _, _, code in codes(f"{_head(self.passage)}\n{self.text}")}
        for row in self._rows:
            found.update([fold_name(token.text) for token in row])
            found.update([token.term for token in row])
        return frozenset(found)

    @cached_property
    def content_words(self) -> frozenset[str]:
        """The folded words of text, heading and title that are no stop words."""
        return frozenset(fold_name(t.text) for row in self._rows for t in row if not t.stop and t.text.isalpha())

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """The beginnings of its terms."""
        return beginnings(t.term for row in self._rows for t in row if not t.stop)

    @cached_property
    def initials(self) -> tuple[str, ...]:
        """The first letters of its words in a row, one row a sentence."""
        return tuple(initials(row) for row in self._rows)

    @cached_property
    def head(self) -> Polarity:
        return Polarity(self.head_tokens, self.language)

    @cached_property
    def head_terms(self) -> frozenset[str]:
        return frozenset(t.term for t in self.head_tokens if not t.stop)

    @cached_property
    def head_beginnings(self) -> frozenset[str]:
        return beginnings(self.head_terms)

    @cached_property
    def head_figures(self) -> tuple[Figure, ...]:
        return figures(_head(self.passage), self.language)

    @property
    def polarities(self) -> tuple[Polarity, ...]:
        """The polarities of the title with the heading, then of each sentence."""
        return (self.head, *(sentence.polarity for sentence in self.sentences))

    @property
    def _rows(self) -> tuple[tuple[Token, ...], ...]:
        """The words of title and heading, then those of each sentence."""
        return (self.head_tokens, *(sentence.tokens for sentence in self.sentences))


class ParsedPassages:
    """Cache of parsed passages by language, shared by all checks against the same passages. Threads may share it."""

    def __init__(self, analysis: TextAnalysis) -> None:
        self.analysis = analysis
        """By which they are taken apart."""
        self._parsed: dict[tuple[SourceRef, Language], ParsedPassage] = {}
        # Not with the passage, which they refer to: in a circle an article's texts would wait for a garbage collection.
        self._windows: dict[ParsedPassage, tuple[Window, ...]] = {}

    def of(self, passage: Passage, language: Language) -> ParsedPassage:
        """Return the parsed passage. `language`: mostly the article's, so that both sides of a comparison are stemmed
        alike."""
        key = (passage.ref, language)
        found = self._parsed.get(key)
        if found is None or found.passage is not passage:
            found = self._parsed[key] = ParsedPassage.read(passage, self.analysis, language)
        return found

    def windows(self, source: ParsedPassage) -> tuple[Window, ...]:
        """Return the windows of a parsed passage."""
        found = self._windows.get(source)
        if found is None:
            found = self._windows[source] = windows_of(source)
        return found


@frozen(eq=False)
class Window:
    """Consecutive sentences of one source: `length` of them from the `first` on."""

    source: ParsedPassage
    first: int
    length: int
    sentences: tuple[ParsedSentence, ...]

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset[tuple[str, str]]().union(*(s.pairs for s in self.sentences))

    @property
    def start(self) -> int:
        return self.sentences[0].span.start

    @property
    def end(self) -> int:
        return self.sentences[-1].span.end

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def figures(self) -> tuple[Figure, ...]:
        return (*(f for s in self.sentences for f in s.figures), *self.source.head_figures)

    @property
    def months(self) -> frozenset[int]:
        return frozenset(m for s in self.sentences for m in s.months)


def windows_of(source: ParsedPassage) -> tuple[Window, ...]:
    """Return every run of sentences that can support a claim, the shorter ones first."""
    count = len(source.sentences)
    return tuple(
        Window(source, first, length, source.sentences[first : first + length])
        for length in range(1, MAX_WINDOW + 1)
        for first in range(count - length + 1)
    )


def _head(passage: Passage) -> str:
    return f"{passage.document.title}\n{passage.heading}"
