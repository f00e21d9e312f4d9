"""The sentences of a passage, read so that each can be compared with one of another passage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from attrs import define, field, frozen

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import Span, TextAnalysis, Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.conflicts.subjects import Naming
from contentgen_core.policies.conflicts.values import Measure, Time, read_values
from contentgen_core.policies.conflicts.words import (
    DEMONSTRATIVE,
    FUNCTION,
    OF,
    ONCE,
    PRONOUNS,
    RECURRING,
    REPORTED,
    SAME,
    SAYING,
    TELLING,
)
from contentgen_core.policies.grounding.polarity import Polarity
from contentgen_core.policies.grounding.polarity_words import LEXICONS
from contentgen_core.policies.grounding.subject_words import ARTICLES, BACKWARD
from contentgen_core.policies.text.fact_words import MONTHS
from contentgen_core.policies.text.facts import fold_name

MAX_SENTENCES: Final = 64
"""The sentences of a passage that are compared; more are in lists and tables only."""
LONGEST: Final = 400
"""Characters of a sentence that is compared."""
FEWEST_WORDS: Final = 2
"""Words, values aside, by which two sentences can be on the same."""
LEAD: Final = 5
"""Words at the beginning of a sentence among which it names its subject."""

_BRACKETS: Final = re.compile(r"[(\[][^()\[\]]*[)\]]")
_SITE: Final = re.compile(r" [|–—-] ")
"""Behind it titles of pages have the name of their site."""
_INSIDE: Final = re.compile(r"(?<=[\w,;] )[^\W\d_a-z][\w]*|(?<=\n)[^\W\d_a-z]\w*")
"""Words with a capital inside a sentence, or at the beginning of a title."""
_CLAUSE: Final = re.compile(r"[^,;–—]+")
_QUESTION: Final = ("?", "？", "؟", ";")


class Wordings:
    """Synonyms of a language, by their terms. Threads may share it."""

    def __init__(self, analysis: TextAnalysis) -> None:
        self._analysis = analysis
        self._read: dict[Language, tuple[Mapping[str, str], frozenset[str], frozenset[str]]] = {}

    def of(self, language: Language) -> tuple[Mapping[str, str], frozenset[str], frozenset[str]]:
        """Return a map of each term to the synonym that stands for its group, the terms without meaning, and the terms
        of events that happen once."""
        if language not in self._read:
            same: dict[str, str] = {}
            for line in SAME.get(language, "").split("\n"):
                terms = self._terms(line, language)
                for term in terms:
                    same.setdefault(term, terms[0])
            light = frozenset(self._terms(SAYING.get(language, ""), language))
            self._read[language] = same, light, frozenset(self._terms(ONCE.get(language, ""), language))
        return self._read[language]

    def _terms(self, words: str, language: Language) -> list[str]:
        return [token.term for word in words.split() for token in self._analysis.tokens(word, language)]


@frozen
class Word:
    """A word of a sentence that is no value. `term`: or the one that stands for it; `name`: whether it is written as a
    name."""

    token: Token
    term: str
    name: bool


@frozen(eq=False)
class Statement:
    """A sentence.

    `words`: its words without values and stop words; `telling`: stop words that change what it is on; `subject`: the
    folded names of what it is on, by its own beginning or that of a sentence before it; `named`: whether by its own;
    `proper`: those of its own beginning that are names wherever they stand; `naming`: what its passage is named by;
    `head`: the terms of the title and heading above it; `once`: whether it tells of what happens once; `terms`: of
    its words; `stems`: the same as the search index has them."""

    passage: Passage
    span: Span
    text: str
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    telling: frozenset[str]
    measures: tuple[Measure, ...]
    times: tuple[Time, ...]
    subject: frozenset[str]
    named: bool
    proper: frozenset[str]
    naming: Naming
    head: Head
    once: bool
    terms: frozenset[str] = field(init=False)
    stems: frozenset[str] = field(init=False)

    @terms.default
    def _terms(self) -> frozenset[str]:
        return frozenset(word.term for word in self.words)

    @stems.default
    def _stems(self) -> frozenset[str]:
        return frozenset(word.token.term for word in self.words if not word.token.stop)

    @cached_property
    def polarity(self) -> Polarity:
        """Made when first asked for, since most sentences are never compared."""
        return Polarity(self.tokens, self.passage.document.language)


@frozen
class Head:
    """The title and heading above a passage. `terms`: of title and heading; `title`: of the title alone, without the
    name of a site and years; `words`: the same, folded; `years`: the years stated there."""

    terms: frozenset[str]
    title: frozenset[str]
    words: frozenset[str]
    years: frozenset[int]


@define(slots=False, eq=False)
class Sentences:
    """The sentences of a passage, at most MAX_SENTENCES, each taken apart when it is first asked for, and once."""

    passage: Passage
    analysis: TextAnalysis
    _tokens: dict[int, tuple[Token, ...]] = field(factory=dict, init=False)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        return self.analysis.sentences(self.passage.text, self.passage.document.language)[:MAX_SENTENCES]

    @cached_property
    def head_terms(self) -> frozenset[str]:
        """The terms of the title and heading above the passage."""
        document = self.passage.document
        return frozenset(self.analysis.terms(f"{document.title}\n{self.passage.heading}", document.language))

    @cached_property
    def head(self) -> Head:
        return _head(self)

    @cached_property
    def naming(self) -> Naming:
        return Naming(self.passage, self.spans)

    @cached_property
    def names(self) -> frozenset[str]:
        """The folded words that have a capital inside a sentence."""
        return frozenset(fold_name(match[0]) for match in _INSIDE.finditer(self.passage.text))

    def tokens(self, n: int) -> tuple[Token, ...]:
        """Return the tokens of a sentence by its index."""
        if n not in self._tokens:
            text = self.spans[n].of(self.passage.text)
            self._tokens[n] = self.analysis.tokens(text, self.passage.document.language)
        return self._tokens[n]


def read_statements(
    sentences: Sentences, wordings: Wordings, wanted: frozenset[int] | None = None
) -> dict[int, Statement]:
    """Return the sentences that can be compared with others, by index. `wanted`: None for all. Deterministic."""
    passage = sentences.passage
    language = passage.document.language
    found: dict[int, Statement] = {}
    subject: frozenset[str] = frozenset()
    written: frozenset[str] | None = None
    for n, span in enumerate(sentences.spans[: None if wanted is None else max(wanted, default=-1) + 1]):
        text = span.of(passage.text)
        if len(text) > LONGEST or "|" in text or text.endswith(_QUESTION):
            continue
        tokens = sentences.tokens(n)
        if not DEMONSTRATIVE[language].isdisjoint([token.text.casefold() for token in tokens]):
            continue
        lead = _lead(tokens, language)
        if wanted is None or n in wanted:
            statement = _statement(sentences, n, lead or subject, named=bool(lead), wordings=wordings)
            if len(statement.terms) >= FEWEST_WORDS:
                found[n] = statement
        if lead:
            written = _names_in(passage) if written is None else written
            subject = _names_among(lead, written) or subject
    return found


def terms_of_sentences(sentences: Sentences, wordings: Wordings) -> tuple[frozenset[str], ...]:
    """Return for each sentence of a passage at least the terms of its content words, with those of title and heading.
    Costs an eighth of parsing its statements."""
    text, language = sentences.passage.text, sentences.passage.document.language
    same, _, _ = wordings.of(language)
    head = frozenset(same.get(term, term) for term in sentences.head_terms)
    return tuple(
        head.union(same.get(term, term) for term in sentences.analysis.terms(span.of(text), language))
        for span in sentences.spans
    )


def _statement(
    sentences: Sentences,
    n: int,
    subject: frozenset[str],
    *,
    named: bool,
    wordings: Wordings,
) -> Statement:
    passage, span, tokens = sentences.passage, sentences.spans[n], sentences.tokens(n)
    language = passage.document.language
    text = span.of(passage.text)
    same, light, once = wordings.of(language)
    measures, times = read_values(text, tokens, language)
    valued = [*(m.span for m in measures), *(t.span for t in times), *_asides(text, language)]
    own = tokens
    if valued:
        own = tuple(t for t in tokens if not any(s.start < t.span.end and t.span.start < s.end for s in valued))
    words = tuple(
        Word(token, same.get(token.term, token.term), _is_name(text, tokens, token, language))
        for token in own
        if token.term not in light and not _is_function(token, language)
    )
    spoken = {token.text.casefold() for token in own}
    return Statement(
        passage=passage,
        span=span,
        text=text,
        tokens=tokens,
        words=words,
        telling=TELLING[language] & spoken,
        measures=tuple(measures),
        times=tuple(times),
        subject=subject,
        named=named,
        proper=_names_among(subject, sentences.names) if named else frozenset(),
        naming=sentences.naming,
        head=sentences.head,
        once=any(token.term in once for token in own) and not RECURRING[language] & spoken,
    )


def _is_function(token: Token, language: Language) -> bool:
    known, word = FUNCTION[language], token.text.casefold().replace("’", "'")
    if word.endswith("'") or (token.stop and LEXICONS[language].negates(word)):
        return True
    return word in known if known else token.stop


def _asides(text: str, language: Language) -> Iterator[Span]:
    """Yield the spans in brackets, and clauses that only name the source of a statement."""
    yield from (Span(match.start(), match.end()) for match in _BRACKETS.finditer(text))
    for clause in _CLAUSE.finditer(text):
        first = clause[0].split(maxsplit=1)[:1]
        if first and first[0].casefold() in REPORTED[language] and len(clause[0]) < len(text):
            yield Span(clause.start(), clause.end())


def _is_name(text: str, tokens: Sequence[Token], token: Token, language: Language) -> bool:
    """Whether a word is written as a name: with a capital inside a sentence, or with digits."""
    if not token.text.isalpha() and any(c.isdigit() for c in token.text):
        return True
    return token.text[:1].isupper() and len(token.text) > 1 and token is not tokens[0]


def _lead(tokens: Sequence[Token], language: Language) -> frozenset[str]:
    """The folded names with which a sentence begins; none where it begins with words for what was named before."""
    backward = bool(tokens) and fold_name(tokens[0].text) in BACKWARD | ARTICLES
    months, names = MONTHS.get(language, {}), set()
    for i, token in enumerate(tokens[: LEAD + 1]):
        word = token.text.casefold()
        if word in PRONOUNS[language] or (i > 0 and _ends_a_lead(word, language)):
            break
        # German nouns all have a capital: there it names something only without an article, or as a code.
        named = language is not Language.DE or _is_code(token.text) or (i < 2 and not backward)
        if named and token.text[:1].isupper() and word not in months and not _is_function(token, language):
            names.add(fold_name(token.text))
    return frozenset(names)


def _names_in(passage: Passage) -> frozenset[str]:
    """The folded words that have a capital inside a sentence, or stand in the title."""
    return frozenset(fold_name(match[0]) for match in _INSIDE.finditer(f"{passage.text}\n{passage.document.title}"))


def _names_among(lead: frozenset[str], written: frozenset[str]) -> frozenset[str]:
    """Return the words of a lead that are names wherever they stand."""
    return frozenset(word for word in lead if word in written or any(c.isdigit() for c in word))


def _ends_a_lead(word: str, language: Language) -> bool:
    return word in FUNCTION[language] and fold_name(word) not in ARTICLES and word not in OF[language]


def _is_code(word: str) -> bool:
    return sum(c.isupper() for c in word) >= 2 or (any(c.isdigit() for c in word) and any(c.isalpha() for c in word))


def _head(sentences: Sentences) -> Head:
    document = sentences.passage.document
    title, heading = document.title, sentences.passage.heading
    core = _SITE.split(title, maxsplit=1)[0]
    tokens = sentences.analysis.tokens(core, document.language)
    years = {int(m) for m in re.findall(r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)", f"{title} {heading}")}
    own = [t for t in tokens if not t.stop and not (t.text.isdigit() and int(t.text) in years)]
    return Head(
        terms=sentences.head_terms,
        title=frozenset(t.term for t in own),
        words=frozenset(fold_name(t.text) for t in own),
        years=frozenset(years),
    )
