"""A passage taken apart for checking: its sentences, and windows of up to three of them that a claim can rest on."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from attrs import field, frozen

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import Span, TextAnalysis, Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.nearness import MAX_SENTENCES
from contentgen_core.policies.grounding.polarity import Polarity, beginnings
from contentgen_core.policies.text.facts import Figure, codes, figures, folded, initials, months, spelled_figures
from contentgen_core.policies.text.verbatim import Wording

MAX_WINDOW: Final = 3
# A term that stands only in the title or heading counts this much: it names what "it" is, but is not said of it.
HEAD_COUNTS: Final = 0.6
# Two terms of a claim are still neighbours in a source with this many words between them.
NEIGHBOURHOOD: Final = 3


@frozen(eq=False)
class ParsedSentence:
    span: Span
    tokens: tuple[Token, ...]
    terms: frozenset[str]
    beginnings: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    figures: tuple[Figure, ...]
    months: frozenset[int]
    language: Language

    @cached_property
    def polarity(self) -> Polarity:
        """Made when first asked for, since most sentences of a passage are never compared."""
        return Polarity.read(self.tokens, self.language)


@frozen(eq=False)
class ParsedPassage:
    """A passage as read in the article's language. `words`: every folded word, term and code of text, heading and
    title; `beginnings`: how these begin; `initials`: the first letters of its words in a row, one row a sentence."""

    passage: Passage
    words: frozenset[str]
    beginnings: frozenset[str]
    initials: tuple[str, ...]
    head: Polarity
    head_terms: frozenset[str]
    head_beginnings: frozenset[str]
    head_figures: tuple[Figure, ...]
    sentences: tuple[ParsedSentence, ...]
    windows: list[Window] = field(factory=list, repr=False)

    @property
    def text(self) -> str:
        return self.passage.text

    @cached_property
    def wording(self) -> Wording:
        """In which sentences are looked for word for word."""
        return Wording.of(self.text)

    @property
    def compared(self) -> tuple[str, ...]:
        """Its sentences that a claim's meaning is compared with."""
        return tuple(sentence.span.of(self.text) for sentence in self.sentences[:MAX_SENTENCES])

    @property
    def polarities(self) -> tuple[Polarity, ...]:
        """Of the title with the heading, then of each sentence."""
        return (self.head, *(sentence.polarity for sentence in self.sentences))

    @classmethod
    def read(cls, passage: Passage, analysis: TextAnalysis, language: Language) -> ParsedPassage:
        head = f"{passage.document.title}\n{passage.heading}"
        head_tokens = analysis.tokens(head, language)
        head_terms = frozenset(t.term for t in head_tokens if not t.stop)
        spans = analysis.sentences(passage.text, language) or (Span(0, len(passage.text)),)
        sentences = tuple(_sentence(passage.text, span, analysis, language) for span in spans)
        tokens = (*head_tokens, *(t for s in sentences for t in s.tokens))
        joined = (code for _, _, code in codes(f"{head}\n{passage.text}"))
        source = cls(
            passage=passage,
            words=frozenset((*joined, *(word for t in tokens for word in (folded(t.text), t.term)))),
            beginnings=beginnings(t.term for t in tokens if not t.stop),
            initials=tuple(initials(row) for row in (head_tokens, *(s.tokens for s in sentences))),
            head=Polarity.read(head_tokens, language),
            head_terms=head_terms,
            head_beginnings=beginnings(head_terms),
            head_figures=figures(head, language),
            sentences=sentences,
        )
        for length in range(1, MAX_WINDOW + 1):
            for i in range(len(sentences) - length + 1):
                source.windows.append(Window.of(source, i, length))
        return source


@frozen(eq=False)
class Window:
    """Consecutive sentences of one source: `length` of them from the `first` on."""

    source: ParsedPassage
    first: int
    length: int
    sentences: tuple[ParsedSentence, ...]
    pairs: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, source: ParsedPassage, first: int, length: int) -> Window:
        sentences = source.sentences[first : first + length]
        pairs = frozenset[tuple[str, str]]().union(*(s.pairs for s in sentences))
        return cls(source, first, length, sentences, pairs)

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


def _sentence(text: str, span: Span, analysis: TextAnalysis, language: Language) -> ParsedSentence:
    own = span.of(text)
    tokens = analysis.tokens(own, language)
    terms = [t.term for t in tokens if not t.stop]
    pairs = {(a, b) for i, a in enumerate(terms) for b in terms[i + 1 : i + 1 + NEIGHBOURHOOD]}
    return ParsedSentence(
        span=span,
        tokens=tokens,
        terms=frozenset(terms),
        beginnings=beginnings(terms),
        pairs=frozenset(pairs),
        figures=(*figures(own, language), *spelled_figures(tokens, language)),
        months=frozenset(months(own, tokens, language)),
        language=language,
    )
